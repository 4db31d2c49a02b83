/* SPDX-License-Identifier: MIT */
/*
 * See missing-names.h.
 */
#include "common/engine/missing-names.h"

#include "common/engine/symbol-warnings.h"
#include "common/symbol/symbol-files.h"

/* Destination of warnings. */
struct listener {
	/* Path of the recording; printable. */
	const char *path;
	itp_tell_func tell;
	void *data;
};

static void tell(const struct listener *listener, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void tell(const struct listener *listener, const char *format, ...)
{
	g_autofree char *what = NULL;
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	text = g_strdup_printf("%s: warning: %s", listener->path, what);
	listener->tell(text, listener->data);
}

static void tell_of_symbols(const struct itp_symbol_warning *warning, void *data)
{
	g_autofree char *text = itp_symbol_warning_text(warning);

	tell(data, "%s", text);
}

static void tell_of_servers(const struct listener *listener, struct itp_debuginfod *debuginfod)
{
	int failure = debuginfod ? itp_debuginfod_take_failure(debuginfod) : 0;
	g_autofree char *urls = NULL;

	if (failure != 0) {
		urls = itp_symbol_warning_path(g_getenv("DEBUGINFOD_URLS"));
		tell(listener, "debuginfod: no file from %s: %s; nothing more was asked for", urls,
		     g_strerror(failure));
	}
}

void itp_missing_names_tell(const struct itp_perf_reader *reader,
			    const struct itp_perf_input *input, itp_tell_func function, void *data)
{
	const struct itp_perf_counts *counts = itp_perf_reader_counts(reader);
	g_autofree char *path = itp_symbol_warning_path(input->path);
	struct listener listener = { .path = path, .tell = function, .data = data };

	tell_of_servers(&listener, input->options.debuginfod);
	itp_perf_reader_warnings(reader, tell_of_symbols, &listener);
	if (counts->missing_formats > 0) {
		tell(&listener,
		     "the recording %slacks the formats of its tracepoints, %" G_GUINT64_FORMAT
		     " in all; their events are plain samples (read it as root, "
		     "without parameter \"symfs\", on the machine and under the kernel that it was made "
		     "on, or record again%s)",
		     counts->is_unfinished ? "was not finished and " : "", counts->missing_formats,
		     counts->is_unfinished ? " and let perf finish" : "");
	}
	if (counts->missing_user_parts > 0) {
		tell(&listener,
		     "stacks lack their user part, which was to be recorded when the thread "
		     "returned to user mode, %" G_GUINT64_FORMAT " in all",
		     counts->missing_user_parts);
	}
	if (counts->skipped_records > 0) {
		tell(&listener,
		     "records of unknown kinds were skipped, %" G_GUINT64_FORMAT " in all",
		     counts->skipped_records);
	}
}
