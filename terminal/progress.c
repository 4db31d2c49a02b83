/* SPDX-License-Identifier: MIT */
/*
 * See progress.h.
 */
#include "terminal/progress.h"

#include <string.h>
#include <unistd.h>

#include "terminal/terminal.h"

#define FIRST_US G_USEC_PER_SEC
#define AGAIN_US (G_USEC_PER_SEC / 5)
#define ERASE_LINE "\r\033[K"

static int open_terminal(void)
{
	return itp_terminal_has_sequences() ? itp_terminal_open_errors() : -1;
}

void itp_progress_line_init(struct itp_progress_line *progress)
{
	*progress = (struct itp_progress_line){ .terminal = open_terminal() };
}

void itp_progress_line_release(struct itp_progress_line *progress)
{
	itp_progress_line_end(progress);
	if (progress->terminal >= 0) {
		close(progress->terminal);
	}
	progress->terminal = -1;
}

static void draw(struct itp_progress_line *progress, const char *text)
{
	g_autofree char *known = itp_terminal_has_unicode() ? g_strdup(text) :
							      g_str_to_ascii(text, NULL);
	g_autofree char *line = g_strconcat(ERASE_LINE, known, NULL);

	if (write(progress->terminal, line, strlen(line)) < 0) {
		/* Nobody reads the terminal any more. */
		close(progress->terminal);
		progress->terminal = -1;
	}
}

void itp_progress_line_end(struct itp_progress_line *progress)
{
	if (progress->terminal >= 0 && progress->drawn_us > 0) {
		draw(progress, "");
	}
	progress->begin_us = 0;
	progress->drawn_us = 0;
}

char *itp_progress_line_text(const char *what, guint64 done, guint64 total, gint64 elapsed_us)
{
	double seconds = (double)elapsed_us / G_USEC_PER_SEC;
	double rate = (double)done / MAX(seconds, 1e-6);
	double left = rate > 0 && total > done ? (double)(total - done) / rate : 0;
	g_autofree char *done_text = g_format_size(done);
	g_autofree char *total_text = g_format_size(total);
	g_autofree char *rate_text = g_format_size((guint64)rate);
	unsigned int percent =
		total > 0 ? (unsigned int)(100.0 * (double)MIN(done, total) / (double)total) : 0;

	return g_strdup_printf("%s: %u %%, %s of %s, %s/s, %.0f s left", what, percent, done_text,
			       total_text, rate_text, left);
}

void itp_progress_line_update(struct itp_progress_line *progress, const char *what, guint64 done,
			      guint64 total)
{
	gint64 now_us;
	g_autofree char *text = NULL;

	if (progress->terminal < 0) {
		return;
	}
	now_us = g_get_monotonic_time();
	if (progress->begin_us == 0) {
		progress->begin_us = now_us;
	}
	if (now_us - progress->begin_us < FIRST_US || now_us - progress->drawn_us < AGAIN_US) {
		return;
	}
	progress->drawn_us = now_us;
	text = itp_progress_line_text(what, done, total, now_us - progress->begin_us);
	draw(progress, text);
}
