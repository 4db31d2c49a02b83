/* SPDX-License-Identifier: MIT */
/*
 * Return addresses known by the instruction in front of them, on x86-64: what tells where a
 * function without unwind rules will return to. Which of them is the one, unwind.c says.
 */
#ifndef ITP_UNWIND_CALL_SITE_H
#define ITP_UNWIND_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

/* Code as it is mapped from `begin` to `end`. */
struct itp_unwind_code {
	/* Weak. */
	const uint8_t *bytes;
	uint64_t begin;
	uint64_t end;
	/* Where the function begins that was asked for; 0 when that is not known. */
	uint64_t entry;
};

/* What the instruction in front of `address` calls at a distance; false when it is no such call. */
bool itp_call_site_target(const struct itp_unwind_code *code, uint64_t address,
			  uint64_t *ret_target);

/* Whether it calls the function at `code->entry`. */
bool itp_call_site_is_of(const struct itp_unwind_code *code, uint64_t address);

/* Whether it calls what a register or memory holds. */
bool itp_call_site_is_indirect(const struct itp_unwind_code *code, uint64_t address);

#endif
