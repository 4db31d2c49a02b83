/* SPDX-License-Identifier: MIT */
/*
 * An ELF file as it lies on disk, and the addresses at which the loader puts its parts.
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
	/* Descriptor while the file is only looked at, else -1. Owned by this. */
	int file;
	uint64_t file_bytes;
	/* The whole file once it is mapped, else nothing. Owned by this. */
	struct itp_file_map map;
	/* GElf_Phdr. Owned by this. */
	GArray *segments;
	/* Build id, "" without one. Owned by this. */
	char *build_id;
	/* Map was written to, and differs from the file. */
	bool is_written;
};

/* Opens `path`, which must be a regular little-endian ELF file, and maps it. Empties the image on
 * error. */
int itp_elf_image_init(struct itp_elf_image *image, const char *path);

/* Looks at `path`: kind of file, its segments and build id, without its contents. */
int itp_elf_image_look(struct itp_elf_image *image, const char *path);
/* Maps an image already looked at; empties it on error. ITP_ERROR_CHANGED for a file that has
 * become shorter meanwhile; the map tells of later changes. */
int itp_elf_image_take(struct itp_elf_image *image);

void itp_elf_image_release(struct itp_elf_image *image);

/* Gives back the memory of everything read until now, hardly needed again. It stays readable. */
void itp_elf_image_forget(const struct itp_elf_image *image);

/* Bits of an address within a page, of the smallest there are. */
#define ITP_PAGE_MASK UINT64_C(4095)

/* Virtual address of the byte at `offset`; false when it is not loaded. Code is mapped from the
 * begin of its first page on, which may belong to another segment in the file, as linked by lld:
 * there the address is that of the mapped code. */
bool itp_elf_image_vaddr(const struct itp_elf_image *image, uint64_t offset, uint64_t *ret_vaddr);

/* The segment that puts a byte of the file at `vaddr`, NULL when none does. */
const GElf_Phdr *itp_elf_image_loaded(const struct itp_elf_image *image, uint64_t vaddr);

/* Bytes of the file from `vaddr` to the end of its segment; nothing for a bad address. */
struct itp_bytes itp_elf_image_at(const struct itp_elf_image *image, uint64_t vaddr);

/* First segment of a type, NULL when there is none. */
const GElf_Phdr *itp_elf_image_segment(const struct itp_elf_image *image, uint32_t type);

/* Contents of a segment; nothing when it lies outside of the file. */
struct itp_bytes itp_elf_image_contents(const struct itp_elf_image *image,
					const GElf_Phdr *segment);

/* True when the file asks the dynamic linker for others; the linker itself does not. */
bool itp_elf_image_needs_others(const struct itp_elf_image *image);

/* True when other files find the function at `vaddr` under `name`, perhaps among other names. Looks
 * at all names. */
bool itp_elf_image_exports(const struct itp_elf_image *image, const char *name, uint64_t vaddr);

/* Names under which other files find the function at `vaddr`: the first `size`, parts of the file,
 * into ret_names. Returns their number. */
size_t itp_elf_image_names(const struct itp_elf_image *image, uint64_t vaddr,
			   const char **ret_names, size_t size);

/* Address of the function that other files find under `name`; false without one, and for one chosen
 * while the program starts (an "ifunc"). Looks at all names. */
bool itp_elf_image_find_export(const struct itp_elf_image *image, const char *name,
			       uint64_t *ret_vaddr);

/* Symbol that other files find under `name`, of a function or of data; false without one. Looks at
 * all names. */
bool itp_elf_image_find_symbol(const struct itp_elf_image *image, const char *name,
			       GElf_Sym *ret_symbol);

#endif
