/* SPDX-License-Identifier: MIT */
/*
 * Where in the source the code at an address of a file was written, as its debug data says, or that
 * of its separate debug file.
 */
#ifndef ITP_SOURCE_LINES_H
#define ITP_SOURCE_LINES_H

#include "common/symbol/symbol-files.h"

struct itp_lines;

/* `files` tell where the debug file may be; `module` is the path of the module's file on this
 * machine. NULL when there is no debug data. */
struct itp_lines *itp_lines_new(const struct itp_symbol_files *files, const char *module);
void itp_lines_free(struct itp_lines *lines);

/* The file with the names that others have as well, as dwz makes it, if that is not at hand; else
 * NULL. Weak. */
const char *itp_lines_missing(const struct itp_lines *lines);

struct itp_line {
	/* As the compiler named it. Weak: lives as long as the lines. */
	const char *file;
	guint number;
	/* The function that it was written in, NULL where that has no name, and whether it stands
	 * in another one instead of being called. Weak, as above. */
	const char *function;
	bool is_inlined;
	/* Where the function that has the code begins in its file, 0 where that is not known or
	 * is in another file. */
	guint begin;
};

/* False when nothing is known of the address. */
bool itp_lines_find(struct itp_lines *lines, uint64_t address, struct itp_line *ret_line);

#endif
