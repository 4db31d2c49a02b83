/* SPDX-License-Identifier: MIT */
/*
 * Entries of .eh_frame and .debug_frame: where their instructions lie and what they are for.
 *
 * Layouts: DWARF 5, section 6.4.1, and Linux Standard Base, "Exception Frames". Entries are
 * named by their offset in the section. Internal to cfi.c and its parts.
 */
#ifndef ITP_UNWIND_CFI_ENTRY_H
#define ITP_UNWIND_CFI_ENTRY_H

#include "common/elf/bytes.h"

struct itp_cfi_section {
	/* Weak. */
	struct itp_bytes bytes;
	/* Where it is loaded. */
	uint64_t vaddr;
	/* 4 or 8. */
	uint8_t address_bytes;
	/* .eh_frame, which differs from .debug_frame in how entries refer to one another. */
	bool is_eh_frame;
};

/* What functions have in common. */
struct itp_cfi_common {
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_register;
	/* Of addresses in the functions' entries (DW_EH_PE_…). */
	uint8_t encoding;
	/* Of the address of a function's exception table, DW_EH_PE_omit when there is none. */
	uint8_t table_encoding;
	/* Entries have a length and as many bytes that are for others. */
	bool has_augmentation;
	bool is_signal_frame;
	struct itp_bytes program;
};

/* One function, or a part of it: [start, end). */
struct itp_cfi_function {
	struct itp_cfi_common common;
	uint64_t start;
	uint64_t end;
	/* Of the language's exception table, 0 when there is none. */
	uint64_t exception_table;
	struct itp_bytes program;
};

/* False when there is no function's entry at `offset`, or one that makes no sense. */
bool itp_cfi_read_function(const struct itp_cfi_section *section, uint64_t offset,
			   struct itp_cfi_function *ret_function);

/* Where the entry behind the one at `offset` begins; false at the end of the section. */
bool itp_cfi_next_entry(const struct itp_cfi_section *section, uint64_t offset, uint64_t *ret_next);

/* Reads an address in the given encoding; false for one that is not known. */
bool itp_cfi_take_address(const struct itp_cfi_section *section, struct itp_bytes *bytes,
			  uint8_t encoding, uint64_t *ret_address);

/* LEB128 numbers; bits beyond the 64th are dropped. */
bool itp_cfi_take_unsigned(struct itp_bytes *bytes, uint64_t *ret_value);
bool itp_cfi_take_signed(struct itp_bytes *bytes, int64_t *ret_value);

#endif
