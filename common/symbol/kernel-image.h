/* SPDX-License-Identifier: MIT */
/*
 * Files with code of a kernel: its uncompressed image (vmlinux), as it was linked, or a copy of
 * its memory (kcore), as it ran.
 *
 * A copy of memory holds no symbols: they are in the file `kallsyms` of the same directory, which
 * perf record --kcore fills. So may those of an image that was stripped. What is read there has
 * the addresses of the running kernel.
 */
#ifndef ITP_SYMBOL_KERNEL_IMAGE_H
#define ITP_SYMBOL_KERNEL_IMAGE_H

#include "common/elf/image.h"

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

#endif
