/* SPDX-License-Identifier: MIT */
/*
 * Sections of an ELF file by name, and ELF files that are not on disk: the file packed into
 * .gnu_debugdata ("MiniDebugInfo"), with symbols taken away by stripping.
 */
#ifndef ITP_ELF_SECTION_H
#define ITP_ELF_SECTION_H

#include "common/elf/build-id.h"
#include "common/elf/image.h"

/* Contents of the first section of a name, as they lie in the file; nothing when there is none. */
struct itp_bytes itp_elf_section(const struct itp_elf_image *image, const char *name);

/* itp_elf_section(), with the section's virtual address. */
struct itp_bytes itp_elf_section_at(const struct itp_elf_image *image, const char *name,
				    uint64_t *ret_vaddr);

/* Contents and address of a section, unpacked if compressed; nothing when too large. Valid as long
 * as the image. */
struct itp_bytes itp_elf_section_inflated(struct itp_elf_image *image, const char *name,
					  uint64_t *ret_vaddr);

/* Contents of a section of at most 64 KiB, also of an image only looked at; nothing when there is
 * none. Valid as long as the image. */
struct itp_bytes itp_elf_section_small(const struct itp_elf_image *image, const char *name);

/* True when the file has a symbol table beside the one for dynamic linking. */
bool itp_elf_has_symbol_table(const struct itp_elf_image *image);

/* Like itp_elf_image_init(), for `size` bytes in memory, which are copied. */
int itp_elf_image_from_memory(struct itp_elf_image *image, const void *bytes, size_t size);

/* Unpacks .gnu_debugdata of `image`. ITP_ERROR_IO when there is none, ITP_ERROR_LIMIT when too
 * large, ITP_ERROR_CORRUPT when bad. */
int itp_elf_unpack_debugdata(const struct itp_elf_image *image, struct itp_elf_image *ret_packed);

#endif
