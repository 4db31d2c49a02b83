/* SPDX-License-Identifier: MIT */
/*
 * See perf-warnings.h. Paths come out of the recording: what could move the cursor of a terminal
 * is escaped.
 */
#include "plugins/babeltrace/perf-warnings.h"

#include "common/symbol/debuginfod.h"

#define BY_ADDRESS "its functions are shown by address"

/* In UTF-8, whose bytes above 127 stay. */
static char *printable(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	char kept[129];

	for (int i = 0; i < 128; i++) {
		kept[i] = (char)(128 + i);
	}
	kept[128] = '\0';
	return g_strescape(valid, kept);
}

char *itp_perf_warning_text(const struct itp_symbol_warning *warning)
{
	g_autofree char *path = printable(warning->path);

	switch (warning->problem) {
	case ITP_SYMBOLS_MISSING:
		return g_strdup_printf("%s: no such file; " BY_ADDRESS
				       " (parameter \"symfs\" names a directory with the "
				       "recorded machine's files)",
				       path);
	case ITP_SYMBOLS_OTHER_BUILD:
		if (warning->build_id[0] == '\0') {
			return g_strdup_printf("%s: this file's debug link is not the recorded "
					       "one; " BY_ADDRESS
					       " (keep the recorded build, or record again)",
					       path);
		}
		return g_strdup_printf(
			"%s: this file's build id is %s, but %s was recorded; " BY_ADDRESS
			" (keep the recorded build, or record again)",
			path,
			warning->found_build_id[0] != '\0' ? warning->found_build_id : "not known",
			warning->build_id);
	case ITP_SYMBOLS_UNUSABLE:
		return g_strdup_printf("%s: not a readable ELF file; " BY_ADDRESS, path);
	case ITP_SYMBOLS_CHANGED:
		return g_strdup_printf("%s: the file, or that of its names, changed while it was "
				       "read; functions are shown by address",
				       path);
	case ITP_SYMBOLS_NO_JIT_DUMP:
		return g_strdup_printf("%s: no jitdump file of this user or root; code that the "
				       "process made is shown by address (keep the file where it "
				       "was recorded, or under parameter \"symfs\")",
				       path);
	case ITP_SYMBOLS_KERNEL_HIDDEN:
		return g_strdup_printf("%s: all addresses are hidden; kernel functions are shown "
				       "by address (run as root, or set the sysctl "
				       "kernel.kptr_restrict to 0, or give a copy made as root by "
				       "parameter \"kallsyms\")",
				       path);
	case ITP_SYMBOLS_KERNEL_MISSING:
		return g_strdup_printf(
			"%s: no symbols of the recorded kernel; kernel functions are "
			"shown by address (give a copy of its /proc/kallsyms, made "
			"as root, by parameter \"kallsyms\")",
			path);
	case ITP_SYMBOLS_KERNEL_OTHER_BOOT:
		return g_strdup_printf("%s: this kernel ran elsewhere in memory than the recorded "
				       "one; its code was not used (copy /proc/kcore and "
				       "/proc/kallsyms under the same boot)",
				       path);
	default:
		return g_strdup(path);
	}
}

/* Where warnings go. */
struct listener {
	/* Of the recording; printable. */
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
	g_autofree char *text = itp_perf_warning_text(warning);

	tell(data, "%s", text);
}

static void tell_of_servers(const struct listener *listener, struct itp_debuginfod *debuginfod)
{
	int failure = debuginfod ? itp_debuginfod_take_failure(debuginfod) : 0;
	g_autofree char *urls = NULL;

	if (failure != 0) {
		urls = printable(g_getenv("DEBUGINFOD_URLS"));
		tell(listener, "debuginfod: no file from %s: %s; nothing more was asked for", urls,
		     g_strerror(failure));
	}
}

void itp_perf_warnings_tell(const struct itp_perf_reader *reader,
			    const struct itp_perf_input *input, itp_tell_func function, void *data)
{
	const struct itp_perf_counts *counts = itp_perf_reader_counts(reader);
	g_autofree char *path = printable(input->path);
	struct listener listener = { .path = path, .tell = function, .data = data };

	tell_of_servers(&listener, input->options.debuginfod);
	itp_perf_reader_warnings(reader, tell_of_symbols, &listener);
	if (counts->missing_formats > 0) {
		tell(&listener,
		     "the recording was not finished and lacks the formats of its tracepoints, "
		     "%" G_GUINT64_FORMAT
		     " in all; their events are plain samples (read it as root, "
		     "without parameter \"symfs\", on the machine and under the kernel that it was made "
		     "on, or record again and let perf finish)",
		     counts->missing_formats);
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
