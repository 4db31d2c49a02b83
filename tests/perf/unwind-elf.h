/* SPDX-License-Identifier: MIT */
/*
 * Makes small ELF files that hold hand-made unwind tables: one segment that maps the whole file at
 * address 0, and a section header for the table.
 */
#ifndef ITP_TESTS_UNWIND_ELF_H
#define ITP_TESTS_UNWIND_ELF_H

#include "common/unwind/cfi.h"

/* Where the table begins, as offset and as address. */
#define UNWIND_TABLE 0x200
/* The file's entry point. */
#define UNWIND_ENTRY 0x3000

struct unwind_elf {
	struct itp_elf_image image;
	/* NULL when the file has no usable rules. */
	struct itp_cfi *cfi;
};

/* A table under construction. */
struct unwind_table_maker {
	GByteArray *bytes;
	/* Of the last common entry. */
	guint common;
};

void unwind_table_begin(struct unwind_table_maker *maker);
/* An entry with data factor -8, code factor 1 and addresses of 8 bytes. `augmentation` is "" or
 * "zS". */
void unwind_table_add_common(struct unwind_table_maker *maker, const char *augmentation,
			     uint8_t return_register, const uint8_t *program, size_t size);
/* Of the function [start, start + length) under the last common entry. */
void unwind_table_add_function(struct unwind_table_maker *maker, uint64_t start, uint64_t length,
			       const uint8_t *program, size_t size);

/* Takes the bytes. `section` is ".eh_frame" or ".debug_frame", `machine` an EM_ number. False when
 * the file is refused. */
bool unwind_elf_init(struct unwind_elf *elf, GByteArray *table, const char *section,
		     uint16_t machine);
/* The same with the bytes of a whole file, which are not taken. */
bool unwind_elf_init_from(struct unwind_elf *elf, const void *bytes, size_t size);
void unwind_elf_release(struct unwind_elf *elf);

#endif
