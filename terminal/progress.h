/* SPDX-License-Identifier: MIT */
/*
 * How far a long piece of work has come, in one line of a terminal.
 */
#ifndef ITP_TERMINAL_PROGRESS_H
#define ITP_TERMINAL_PROGRESS_H

#include <glib.h>
#include <stdbool.h>

struct itp_progress_line {
	/* Terminal of standard error, now or without the pager; -1 when it is none. Owned by
	 * this. */
	int terminal;
	/* Microseconds of g_get_monotonic_time(); 0 before the first. */
	gint64 begin_us;
	gint64 drawn_us;
};

void itp_progress_line_init(struct itp_progress_line *progress);
/* Removes the line. */
void itp_progress_line_release(struct itp_progress_line *progress);

/* Says that `done` of `total` bytes are done, as often as one likes. The first call starts the
 * clock; the line appears after a second, and is drawn a few times in each. */
void itp_progress_line_update(struct itp_progress_line *progress, const char *what, guint64 done,
			      guint64 total);

/* Removes the line, and the next update starts another piece of work. */
void itp_progress_line_end(struct itp_progress_line *progress);

/* "reading perf.data: 45 %, 1.2 GB of 2.6 GB, 210 MB/s, 7 s left". Owned by the caller. */
char *itp_progress_line_text(const char *what, guint64 done, guint64 total, gint64 elapsed_us);

#endif
