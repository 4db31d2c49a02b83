/* SPDX-License-Identifier: MIT */
/*
 * See reading.h.
 */
#include "plugins/perf/command/reading.h"

#include <string.h>

#include "plugins/perf/command/introperf.h"

/* The parameters that `message` names as options. Owned by the caller. */
static char *name_options(const char *message)
{
	g_auto(GStrv) parts = g_strsplit(message, "parameter \"", -1);
	GString *text = g_string_new(parts[0]);

	for (guint i = 1; i < g_strv_length(parts); i++) {
		size_t name = strcspn(parts[i], "\"");

		g_string_append(text, "--");
		g_string_append_len(text, parts[i], (gssize)name);
		g_string_append(text, parts[i][name] == '"' ? parts[i] + name + 1 : "");
	}
	return g_string_free(text, FALSE);
}

void itp_reading_warn(const char *message, void *line)
{
	g_autofree char *text = name_options(message);

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
