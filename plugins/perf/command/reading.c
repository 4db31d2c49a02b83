/* SPDX-License-Identifier: MIT */
/*
 * See reading.h.
 */
#include "plugins/perf/command/reading.h"

#include "plugins/perf/command/introperf.h"
#include "plugins/perf/host/words.h"

void itp_reading_warn(const char *message, void *line)
{
	g_autofree char *text = itp_words(message, ITP_WORDS_OPTION);

	if (line) {
		itp_progress_line_end(line);
	}
	itp_complain("%s", text);
}

void itp_complain_of(GError *error)
{
	if (error) {
		itp_reading_warn(error->message, NULL);
		g_error_free(error);
	}
}

/* Gets a struct itp_progress_line. */
static bool show_progress(const struct itp_progress *progress, void *data)
{
	if (progress) {
		itp_progress_line_update(data, "reading", progress->done_bytes,
					 progress->total_bytes);
	} else {
		itp_progress_line_end(data);
	}
	return true;
}

struct itp_recordings_watch itp_reading_watch(struct itp_progress_line *line)
{
	return (struct itp_recordings_watch){ .progress = show_progress,
					      .tell = itp_reading_warn,
					      .data = line };
}
