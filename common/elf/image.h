/* SPDX-License-Identifier: MIT */
/*
 * One ELF file as it lies on disk, and where the loader puts its parts.
 *
 *   image.c     the file, its segments and build id
 *   section.c   what a section holds, also one that is compressed
 *   build-id.c  which build it is
 *   file-map.c  its bytes, which may shrink while they are read
 *
 * Unwind tables are left to common/unwind, names to common/symbol.
 *
 * Three kinds of address appear: what the recording says (absolute), the offset in the file, and
 * the file's own virtual address, in which symbols and tables count. Only the last two are known
 * here.
 */
#ifndef ITP_ELF_IMAGE_H
#define ITP_ELF_IMAGE_H

#include "common/base/error.h"
#include "common/elf/file-map.h"

#include <gelf.h>

struct itp_elf_image {
	/* Owned by this. */
	Elf *elf;
	/* The file while it is only looked at, else -1. Owned by this. */
	int file;
	uint64_t file_bytes;
	/* The whole file once it is mapped, else nothing. Owned by this. */
	struct itp_file_map map;
	/* GElf_Phdr. Owned by this. */
	GArray *segments;
	/* "" when the file has none. Owned by this. */
	char *build_id;
	/* The map was written to, and so is no longer what the file holds. */
	bool is_written;
};

/* Opens `path`, which must be a regular little-endian ELF file, and maps it. Empties the image on
 * error. */
int itp_elf_image_init(struct itp_elf_image *image, const char *path);

/* The first step of that: what the file is, its segments and build id, without what it holds. */
int itp_elf_image_look(struct itp_elf_image *image, const char *path);
/* The second one, which empties the image on error. ITP_ERROR_CHANGED for a file that has become
 * shorter meanwhile; of one that does so later, the map tells. */
int itp_elf_image_take(struct itp_elf_image *image);

void itp_elf_image_release(struct itp_elf_image *image);

/* What was read until now will hardly be needed again: the memory that it is mapped to can go. It
 * stays readable. */
void itp_elf_image_forget(const struct itp_elf_image *image);

/* The virtual address of the byte at `offset`; false when it is not loaded. */
bool itp_elf_image_vaddr(const struct itp_elf_image *image, uint64_t offset, uint64_t *ret_vaddr);

/* The segment that puts a byte of the file at `vaddr`, NULL when none does. */
const GElf_Phdr *itp_elf_image_loaded(const struct itp_elf_image *image, uint64_t vaddr);

/* What the file holds from `vaddr` to the end of its segment; nothing for a bad address. */
struct itp_bytes itp_elf_image_at(const struct itp_elf_image *image, uint64_t vaddr);

/* The first segment of this type, NULL when there is none. */
const GElf_Phdr *itp_elf_image_segment(const struct itp_elf_image *image, uint32_t type);

/* Contents of a segment; nothing when it lies outside of the file. */
struct itp_bytes itp_elf_image_contents(const struct itp_elf_image *image,
					const GElf_Phdr *segment);

/* Whether the file asks the dynamic linker for others; that itself does not. */
bool itp_elf_image_needs_others(const struct itp_elf_image *image);

/* Whether other files find the function that begins at `vaddr` under `name`, one of perhaps
 * several. Looks at all names. */
bool itp_elf_image_exports(const struct itp_elf_image *image, const char *name, uint64_t vaddr);

/* The names under which other files find the function that begins at `vaddr`: the first `size` of
 * them, parts of the file, into ret_names. Returns how many there are of these. */
size_t itp_elf_image_names(const struct itp_elf_image *image, uint64_t vaddr,
			   const char **ret_names, size_t size);

/* Where the function begins that other files find under `name`; false when there is none, and for
 * one that is chosen while the program starts (an "ifunc"). Looks at all names. */
bool itp_elf_image_find_export(const struct itp_elf_image *image, const char *name,
			       uint64_t *ret_vaddr);

#endif
