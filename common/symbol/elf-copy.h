/* SPDX-License-Identifier: MIT */
/*
 * A copy of an ELF file that is mapped in its place. Programs are installed anew and written over
 * while they are read: whatever happens to the file, its copy stays as it was, and touching it
 * never ends the process (SIGBUS). Internal to elf-image.c.
 */
#ifndef ITP_SYMBOL_ELF_COPY_H
#define ITP_SYMBOL_ELF_COPY_H

#include "common/error.h"
#include "common/symbol/bytes.h"

#include <gelf.h>

/* Copies `file`, open as `elf` and with so many bytes then, but for the sections that nobody here
 * reads, which are zeros. What comes is mapped for the caller to write to and to unmap;
 * *ret_is_memory when it has no file behind it. Returns 0; ITP_ERROR_CHANGED when the file has
 * become shorter; ITP_ERROR_LIMIT, ITP_ERROR_MEMORY; or ITP_ERROR_IO with errno set. */
int itp_elf_copy(int file, Elf *elf, uint64_t size, struct itp_bytes *ret_bytes,
		 bool *ret_is_memory);

#endif
