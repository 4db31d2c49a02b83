/* SPDX-License-Identifier: MIT */
/*
 * Return addresses known by the instruction in front of them, on x86-64: candidates for the caller
 * of a function without unwind rules. The choice among them is left to unwind.c.
 */
#ifndef ITP_UNWIND_CALL_SITE_H
#define ITP_UNWIND_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

/* Code, mapped from `begin` to `end`. */
struct itp_unwind_code {
	/* Weak. */
	const uint8_t *bytes;
	uint64_t begin;
	uint64_t end;
	/* Begin of the function asked for; 0 when unknown. */
	uint64_t entry;
};

/* Target of a direct call in front of `address`; false for other instructions. */
bool itp_call_site_target(const struct itp_unwind_code *code, uint64_t address,
			  uint64_t *ret_target);

/* True when the instruction in front of `address` calls the function at `code->entry`. */
bool itp_call_site_is_of(const struct itp_unwind_code *code, uint64_t address);

/* True when the instruction in front of `address` calls through a register or memory. */
bool itp_call_site_is_indirect(const struct itp_unwind_code *code, uint64_t address);

#endif
