/* SPDX-License-Identifier: MIT */
/*
 * Source lines of addresses in a file, by the debug data of the file or of its separate debug file.
 * Costs of addresses are left to costs.h.
 */
#ifndef ITP_SOURCE_LINES_H
#define ITP_SOURCE_LINES_H

#include "common/symbol/symbol-files.h"

struct itp_lines;

/* `files` tells possible places of the debug file; `module` is the path of the module's file on
 * this machine. NULL without debug data. Free with itp_lines_free(). */
struct itp_lines *itp_lines_new(const struct itp_symbol_files *files, const char *module);
void itp_lines_free(struct itp_lines *lines);

/* Name of the file with debug data shared by several files, as dwz makes it, when it is not at
 * hand; else NULL. Weak. */
const char *itp_lines_missing(const struct itp_lines *lines);

struct itp_line {
	/* Name by the compiler. Weak: lives as long as the lines. */
	const char *file;
	guint number;
	/* Function in which the line was written, NULL without a name; and whether it is inlined in
	 * another function. Weak: lives as long as the lines. */
	const char *function;
	bool is_inlined;
	/* First line of the function in `file`; 0 when unknown, or in another file. */
	guint begin;
};

/* False when nothing is known of the address. */
bool itp_lines_find(struct itp_lines *lines, uint64_t address, struct itp_line *ret_line);

#endif
