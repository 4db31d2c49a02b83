/* SPDX-License-Identifier: MIT */
/*
 * See reading.h.
 */
#include "plugins/perf/command/reading.h"

#include "plugins/perf/command/program.h"

void itp_reading_warn(const char *message, void *line)
{
	if (line) {
		itp_progress_line_end(line);
	}
	itp_complain_in_options(message);
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

static bool show_nothing(const struct itp_progress *progress, void *data)
{
	(void)progress;
	(void)data;
	return true;
}

static void tell_nothing(const char *message, void *data)
{
	(void)message;
	(void)data;
}

struct itp_recordings_watch itp_reading_watch(struct itp_progress_line *line)
{
	return (struct itp_recordings_watch){ .progress = line ? show_progress : show_nothing,
					      .tell = line ? itp_reading_warn : tell_nothing,
					      .data = line };
}
