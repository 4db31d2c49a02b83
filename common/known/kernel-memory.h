/* SPDX-License-Identifier: MIT */
/*
 * Kernel functions about memory: the freeing of some, and the asking of disks for pages of files.
 *
 * Meanings for a comparison are left to common/rank/evidence.h.
 */
#ifndef ITP_KNOWN_KERNEL_MEMORY_H
#define ITP_KNOWN_KERNEL_MEMORY_H

#include <stdbool.h>

/* True for a function by which a thread frees memory before it gets any. */
bool itp_kernel_memory_is_freed_by(const char *name);

/* True for a function that asks disks for pages of files. */
bool itp_kernel_memory_is_read_by(const char *name);

#endif
