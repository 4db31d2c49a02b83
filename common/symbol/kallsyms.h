/* SPDX-License-Identifier: MIT */
/*
 * Kernel functions, from a file in the layout of /proc/kallsyms.
 *
 * Whether the file belongs to the recorded kernel is the caller's business (symbolizer.c), as is
 * the distance between the file's addresses and the recorded ones.
 */
#ifndef ITP_SYMBOL_KALLSYMS_H
#define ITP_SYMBOL_KALLSYMS_H

#include "common/base/error.h"
#include "common/symbol/kernel-image.h"
#include "common/symbol/symbol-table.h"

struct itp_kallsyms {
	/* Owned by this. */
	GStringChunk *names;
	struct itp_symbol_table table;
	/* All addresses read as zero: the reader was not allowed to see them. */
	bool hidden;
	/* Addresses of these symbols, 0 when they are not there. */
	uint64_t text_start;
	uint64_t text_end;
	struct itp_kernel_tables tables;
};

/* A file that the user has named may be a pipe, from which it is read once; others, which lie where
 * a kernel's symbols may be, must be regular files. */
struct itp_kallsyms *itp_kallsyms_new(const char *path, bool is_named, enum itp_error *ret_error);
void itp_kallsyms_free(struct itp_kallsyms *kallsyms);

/* NULL when there is none at `address`. *ret_module is "[NAME]" for a function of a kernel
 * module and "[kernel]" otherwise; weak, terminated. */
const struct itp_symbol *itp_kallsyms_find(const struct itp_kallsyms *kallsyms, uint64_t address,
					   const char **ret_module);

#endif
