/* SPDX-License-Identifier: MIT */
/*
 * One ELF file as it lies on disk, and where the loader puts its parts.
 *
 *   elf-image.c    the mapped file, its segments and build id
 *   cfi.c          unwind tables: where functions begin and end, and how to leave them
 *   elf-symbols.c  names of functions, from .symtab and .dynsym
 *
 * Three kinds of address appear: what the recording says (absolute), the offset in the file, and
 * the file's own virtual address, in which symbols and tables count. Only the last two are known
 * here.
 */
#ifndef ITP_SYMBOL_ELF_IMAGE_H
#define ITP_SYMBOL_ELF_IMAGE_H

#include "common/error.h"
#include "common/symbol/bytes.h"

#include <gelf.h>

struct itp_elf_image {
	/* Owned by this. */
	Elf *elf;
	/* The whole file. Owned by this (mmap). */
	struct itp_bytes raw;
	/* GElf_Phdr. Owned by this. */
	GArray *segments;
	/* "" when the file has none. Owned by this. */
	char *build_id;
	/* What is mapped is no longer what the file holds. */
	bool is_changed;
};

/* Maps `path`, which must be a regular little-endian ELF file. Zeroes the image on error. */
int itp_elf_image_init(struct itp_elf_image *image, const char *path);
void itp_elf_image_release(struct itp_elf_image *image);

/* What was read until now will hardly be needed again: the memory that it is mapped to can go. It
 * stays readable. */
void itp_elf_image_forget(const struct itp_elf_image *image);

/* The virtual address of the byte at `offset`; false when it is not loaded. */
bool itp_elf_image_vaddr(const struct itp_elf_image *image, uint64_t offset, uint64_t *ret_vaddr);

/* What the file holds from `vaddr` to the end of its segment; nothing for a bad address. */
struct itp_bytes itp_elf_image_at(const struct itp_elf_image *image, uint64_t vaddr);

/* The first segment of this type, NULL when there is none. */
const GElf_Phdr *itp_elf_image_segment(const struct itp_elf_image *image, uint32_t type);

/* Contents of a segment; nothing when it lies outside of the file. */
struct itp_bytes itp_elf_image_contents(const struct itp_elf_image *image,
					const GElf_Phdr *segment);

/* Whether other files find the function that begins at `vaddr` under `name`, one of perhaps
 * several. Looks at all names. */
bool itp_elf_image_exports(const struct itp_elf_image *image, const char *name, uint64_t vaddr);

#endif
