/* SPDX-License-Identifier: MIT */
/*
 * Python's trampoline on x86-64 is
 *
 *      sub  $8, %rsp
 *      call *%rcx
 *      add  $8, %rsp
 *      ret
 *
 * with an endbr64 before it in builds for such machines. On arm64 it keeps a frame pointer.
 */
#include "common/symbol/made-code.h"

#include <string.h>

#define PYTHON_PREFIX "py::"
#define TRAMPOLINE_BYTES 11
#define ENDBR_BYTES 4
/* Where the stack pointer is down by 8: from the call on, and until it is back. */
#define LOWERED_BEGIN 4
#define LOWERED_END 10

/* DWARF numbers. */
#define RBX 3
#define RBP 6
#define RSP 7
#define R12 12
#define R13 13
#define R14 14
#define R15 15
#define RIP 16

#define KEPT                                                                     \
	(ITP_REGISTER_BIT(RBX) | ITP_REGISTER_BIT(RBP) | ITP_REGISTER_BIT(R12) | \
	 ITP_REGISTER_BIT(R13) | ITP_REGISTER_BIT(R14) | ITP_REGISTER_BIT(R15))

/* The CFA is so far above the stack pointer, and the return address right below it. */
#define ROW(bytes)                                                                    \
	{                                                                             \
		.kept = KEPT,                                                         \
		.cfa = { .kind = ITP_CFI_REGISTER, .source = RSP, .value = (bytes) }, \
		.return_register = RIP, .is_simple = true, .rule_count = 1,           \
		.rules = {                                                            \
			[0] = { .kind = ITP_CFI_SAVED, .target = RIP, .value = -8 },  \
		},                                                                    \
	}

static const struct itp_cfi_row at_rest = ROW(8);
static const struct itp_cfi_row lowered = ROW(16);

const struct itp_cfi_row *itp_made_code_row(const struct itp_symbol *function, uint64_t address)
{
	uint64_t size = function->end - function->start;
	uint64_t begin = function->start + (size == TRAMPOLINE_BYTES ? 0 : ENDBR_BYTES);

	if ((size != TRAMPOLINE_BYTES && size != TRAMPOLINE_BYTES + ENDBR_BYTES) ||
	    function->name_length < strlen(PYTHON_PREFIX) ||
	    strncmp(function->name, PYTHON_PREFIX, strlen(PYTHON_PREFIX)) != 0) {
		return NULL;
	}
	return address >= begin + LOWERED_BEGIN && address < begin + LOWERED_END ? &lowered :
										   &at_rest;
}
