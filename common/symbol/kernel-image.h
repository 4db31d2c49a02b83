/* SPDX-License-Identifier: MIT */
/*
 * Files with code and symbols of a kernel.
 *
 * Its code is in its uncompressed image (vmlinux), as it was linked, or a copy of
 * its memory (kcore), as it ran.
 *
 * A copy of memory holds no symbols: they are in the file `kallsyms` of the same directory, which
 * perf record --kcore fills. So may those of an image that was stripped. What is read there has
 * the addresses of the running kernel.
 *
 * Whether symbols belong to the recorded kernel is the caller's business (symbolizer.c), as is the
 * distance between their addresses and the recorded ones.
 */
#ifndef ITP_SYMBOL_KERNEL_IMAGE_H
#define ITP_SYMBOL_KERNEL_IMAGE_H

#include "common/base/error.h"
#include "common/elf/image.h"
#include "common/symbol/symbol-table.h"

/* Where `perf record --kcore` puts its copy inside of the recording's directory. */
#define ITP_KCORE_IN_RECORDING "kcore_dir/kcore"

/* Where a kernel has the tables of its jump labels and of the faults that it expects, which are no
 * sections of their own everywhere; zeros where that is not known. */
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

/* A copy of memory, with the addresses of the kernel that ran. */
bool itp_kernel_image_is_memory(const struct itp_elf_image *image);

/* Where the text of an image begins (_text); 0 when there is none. */
uint64_t itp_kernel_image_text(const struct itp_elf_image *image);

/* Of the symbols that go with the file at `path`, whether they are there or not. Owned by the
 * caller. */
char *itp_kernel_image_kallsyms(const char *path);

/* ---- Kernel functions, from a file in the layout of /proc/kallsyms ---- */

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
