/* SPDX-License-Identifier: MIT */
/*
 * See symbol-warnings.h.
 */
#include "common/engine/symbol-warnings.h"

#include <glib.h>

#define BY_ADDRESS "its functions are shown by address"

/* Escapes a path in UTF-8, except for bytes above 127. */
char *itp_symbol_warning_path(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	char kept[129];

	for (int i = 0; i < 128; i++) {
		kept[i] = (char)(128 + i);
	}
	kept[128] = '\0';
	return g_strescape(valid, kept);
}

char *itp_symbol_warning_text(const struct itp_symbol_warning *warning)
{
	g_autofree char *path = itp_symbol_warning_path(warning->path);

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
	case ITP_SYMBOLS_OTHER_FILE:
		return g_strdup_printf(
			"%s: the process had another file at that path, in a "
			"container or before it was replaced, and has ended; " BY_ADDRESS
			" (read the recording while it runs, or name a "
			"directory with its files by parameter \"symfs\")",
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
