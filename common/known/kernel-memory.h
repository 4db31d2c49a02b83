/* SPDX-License-Identifier: MIT */
/*
 * Kernel functions about memory: page faults, pages of files and the asking of disks for them, the
 * freeing of some.
 *
 * Meanings for a comparison are left to common/rank/evidence-parts.h.
 */
#ifndef ITP_KNOWN_KERNEL_MEMORY_H
#define ITP_KNOWN_KERNEL_MEMORY_H

#include <stdbool.h>

/* True for the entry of a page fault. */
bool itp_kernel_memory_is_faulted_by(const char *name);

/* True for a function that gets the pages of a file, or a block of a file system, as of a
 * directory, from memory or from a disk. */
bool itp_kernel_memory_is_fetched_by(const char *name);

/* True for a function by which a thread frees memory before it gets any. */
bool itp_kernel_memory_is_freed_by(const char *name);

/* True for a function that asks disks for pages of files. */
bool itp_kernel_memory_is_read_by(const char *name);

#endif
