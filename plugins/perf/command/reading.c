/* SPDX-License-Identifier: MIT */
/*
 * See reading.h.
 */
#include "plugins/perf/command/reading.h"

#include "messages/failure.h"
#include "plugins/perf/command/introperf.h"

/* The parameters that `message` names as options. Owned by the caller. */
static char *name_options(const char *message)
{
	g_autoptr(GRegex) parameter = g_regex_new("parameter \"([a-z-]+)\"", G_REGEX_RAW, 0, NULL);
	char *text = g_regex_replace(parameter, message, -1, 0, "--\\1", 0, NULL);

	return text ? text : g_strdup(message);
}

void itp_reading_warn(const char *message, void *line)
{
	g_autofree char *line_of_message = itp_failure_line(message);
	g_autofree char *text = name_options(line_of_message);

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
