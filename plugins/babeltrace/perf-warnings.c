/* SPDX-License-Identifier: MIT */
/*
 * See perf-warnings.h. Paths come out of the recording: what could move the cursor of a terminal
 * is escaped.
 */
#include "plugins/babeltrace/perf-warnings.h"

#include <stdio.h>

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
		return g_strdup_printf(
			"%s: this file's build id is %s, but %s was recorded; " BY_ADDRESS
			" (keep the recorded build, or record again)",
			path,
			warning->found_build_id[0] != '\0' ? warning->found_build_id : "not known",
			warning->build_id);
	case ITP_SYMBOLS_UNUSABLE:
		return g_strdup_printf("%s: not a readable ELF file; " BY_ADDRESS, path);
	case ITP_SYMBOLS_NO_JIT_DUMP:
		return g_strdup_printf("%s: no jitdump file of this user or root; code that the "
				       "process made is shown by address (keep the file where it "
				       "was recorded, or under \"symfs\")",
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

static void print_warning(const struct itp_symbol_warning *warning, void *data)
{
	g_autofree char *text = itp_perf_warning_text(warning);

	fprintf(stderr, "source.introperf.perf: %s: warning: %s\n", (const char *)data, text);
}

static void print_server_warning(struct itp_debuginfod *debuginfod, const char *name)
{
	int failure = debuginfod ? itp_debuginfod_take_failure(debuginfod) : 0;
	g_autofree char *urls = NULL;

	if (failure != 0) {
		urls = printable(g_getenv("DEBUGINFOD_URLS"));
		fprintf(stderr,
			"source.introperf.perf: %s: warning: debuginfod: no file from %s: %s; "
			"nothing more was asked for\n",
			name, urls, g_strerror(failure));
	}
}

void itp_perf_warnings_print(const struct itp_perf_reader *reader, const char *path,
			     struct itp_debuginfod *debuginfod)
{
	const struct itp_perf_counts *counts = itp_perf_reader_counts(reader);
	g_autofree char *name = printable(path);

	print_server_warning(debuginfod, name);
	itp_perf_reader_warnings(reader, print_warning, name);
	if (counts->missing_formats > 0) {
		fprintf(stderr,
			"source.introperf.perf: %s: warning: the recording was not finished and lacks "
			"the formats of its tracepoints, %" G_GUINT64_FORMAT
			" in all; their events are plain samples (read it as root, without \"symfs\", "
			"on the machine and under the kernel that it was made on, or record again and "
			"let perf finish)\n",
			name, counts->missing_formats);
	}
	if (counts->missing_user_parts > 0) {
		fprintf(stderr,
			"source.introperf.perf: %s: warning: stacks lack their user part, which was "
			"to be recorded when the thread returned to user mode, %" G_GUINT64_FORMAT
			" in all\n",
			name, counts->missing_user_parts);
	}
	if (counts->skipped_records > 0) {
		fprintf(stderr,
			"source.introperf.perf: %s: warning: records of unknown kinds were "
			"skipped, %" G_GUINT64_FORMAT " in all\n",
			name, counts->skipped_records);
	}
}
