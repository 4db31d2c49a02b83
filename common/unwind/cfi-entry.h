/* SPDX-License-Identifier: MIT */
/*
 * Entries of .eh_frame and .debug_frame: their functions, and the places of their instructions.
 *
 * Layouts: DWARF 5, section 6.4.1, and Linux Standard Base, "Exception Frames". Entries are named
 * by their offset in the section. Internal to cfi.c and its parts.
 */
#ifndef ITP_UNWIND_CFI_ENTRY_H
#define ITP_UNWIND_CFI_ENTRY_H

#include "common/elf/bytes.h"

struct itp_cfi_section {
	/* Weak. */
	struct itp_bytes bytes;
	/* Address of the section when loaded. */
	uint64_t vaddr;
	/* Bytes of an address, 4 or 8. */
	uint8_t address_bytes;
	/* Kind of the section: .eh_frame and .debug_frame differ in references between entries. */
	bool is_eh_frame;
};

/* Common properties of functions. */
struct itp_cfi_common {
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_register;
	/* Encoding of addresses in the functions' entries (DW_EH_PE_…). */
	uint8_t encoding;
	/* Encoding of the address of a function's exception table, DW_EH_PE_omit without a
	 * table. */
	uint8_t table_encoding;
	/* Entries have a length, and as many bytes for other readers. */
	bool has_augmentation;
	bool is_signal_frame;
	struct itp_bytes program;
};

/* A function, or a part of it: [start, end). */
struct itp_cfi_function {
	struct itp_cfi_common common;
	uint64_t start;
	uint64_t end;
	/* Address of the language's exception table, 0 without. */
	uint64_t exception_table;
	struct itp_bytes program;
};

/* False without a valid entry of a function at `offset`. */
bool itp_cfi_read_function(const struct itp_cfi_section *section, uint64_t offset,
			   struct itp_cfi_function *ret_function);

/* Offset of the entry behind the entry at `offset`; false at the end of the section. */
bool itp_cfi_next_entry(const struct itp_cfi_section *section, uint64_t offset, uint64_t *ret_next);

/* Reads an address in the given encoding; false for unknown encodings. */
bool itp_cfi_take_address(const struct itp_cfi_section *section, struct itp_bytes *bytes,
			  uint8_t encoding, uint64_t *ret_address);

/* LEB128 numbers; bits beyond the 64th are dropped. */
bool itp_cfi_take_unsigned(struct itp_bytes *bytes, uint64_t *ret_value);
bool itp_cfi_take_signed(struct itp_bytes *bytes, int64_t *ret_value);

#endif
