/* SPDX-License-Identifier: MIT */
/*
 * Files with code and symbols of a kernel.
 *
 * Code is in the uncompressed image (vmlinux), as it was linked, or in a copy of memory (kcore), as
 * it ran.
 *
 * A copy of memory holds no symbols: they are in the file `kallsyms` of the same directory, filled
 * by perf record --kcore. A stripped image may have its symbols there as well. Symbols from there
 * have addresses of the running kernel.
 *
 * Callers decide whether symbols belong to the recorded kernel (symbolizer.c), and know the
 * distance between their addresses and the recorded ones.
 */
#ifndef ITP_SYMBOL_KERNEL_IMAGE_H
#define ITP_SYMBOL_KERNEL_IMAGE_H

#include "common/base/error.h"
#include "common/elf/image.h"
#include "common/symbol/symbol-table.h"

/* Path of `perf record --kcore`'s copy inside of the recording's directory. */
#define ITP_KCORE_IN_RECORDING "kcore_dir/kcore"

/* Kernel's tables of jump labels and of expected faults, which are not sections of their own in
 * every kernel; zeros where unknown. */
struct itp_kernel_tables {
	uint64_t labels_start;
	uint64_t labels_end;
	uint64_t faults_start;
	uint64_t faults_end;
};

/* Heeds a symbol. */
void itp_kernel_tables_note(struct itp_kernel_tables *tables, const char *name, uint64_t vaddr);

/* Either of the two. */
bool itp_kernel_image_is(const struct itp_elf_image *image);

/* True for a copy of memory, with the addresses of the kernel that ran. */
bool itp_kernel_image_is_memory(const struct itp_elf_image *image);

/* Begin of an image's text (_text); 0 without any. */
uint64_t itp_kernel_image_text(const struct itp_elf_image *image);

/* Path of the symbols for the file at `path`, whether they exist or not. Owned by the caller. */
char *itp_kernel_image_kallsyms(const char *path);

/* ---- Kernel functions, from a file in the layout of /proc/kallsyms ---- */

struct itp_kallsyms {
	/* Owned by this. */
	GStringChunk *names;
	struct itp_symbol_table table;
	/* All addresses read as zero: the reader was not allowed to see them. */
	bool hidden;
	/* Addresses of two symbols, 0 without them. */
	uint64_t text_start;
	uint64_t text_end;
	struct itp_kernel_tables tables;
};

/* Reads a file of symbols. A file named by the user may be a pipe, read once; files found at usual
 * places must be regular. */
struct itp_kallsyms *itp_kallsyms_new(const char *path, bool is_named, enum itp_error *ret_error);
void itp_kallsyms_free(struct itp_kallsyms *kallsyms);

/* NULL when there is none at `address`. *ret_module is "[NAME]" for a function of a kernel
 * module and "[kernel]" otherwise; weak, terminated. */
const struct itp_symbol *itp_kallsyms_find(const struct itp_kallsyms *kallsyms, uint64_t address,
					   const char **ret_module);

#endif
