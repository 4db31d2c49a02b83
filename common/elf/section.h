/* SPDX-License-Identifier: MIT */
/*
 * Sections of an ELF file by name, and ELF files that are not on disk: the file packed into
 * .gnu_debugdata ("MiniDebugInfo"), with symbols taken away by stripping. And build ids, which tell
 * two builds of a program apart: lower-case hexadecimal strings; "" stands for an unknown id.
 */
#ifndef ITP_ELF_SECTION_H
#define ITP_ELF_SECTION_H

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

/* ---- Build ids ---- */

/* Most bytes of a build id: 20 are usual (SHA-1); linkers can be told to write longer ones. */
#define ITP_BUILD_ID_MAX_BYTES 64

/* Owned by the caller (g_free). "" when `size` is 0 or more than the maximum. */
char *itp_build_id_text(const uint8_t *bytes, size_t size);

/* The build id in the ELF notes of `size` bytes at `notes`, NULL when there is none. Owned by
 * the caller. */
char *itp_build_id_from_notes(const uint8_t *notes, size_t size);

/* Build id of the running kernel, NULL when it tells none. Owned by the caller. */
char *itp_build_id_running_kernel(void);

/* True when two ids can belong to a single build: they are equal, or either is unknown. perf pads
 * short ids with zeros, so a difference of trailing zeros does not count. */
bool itp_build_id_may_equal(const char *left, const char *right);

#endif
