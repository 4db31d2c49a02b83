/* SPDX-License-Identifier: MIT */
/*
 * Row of unwind rules: the way from a frame's registers to its caller's, for a range of addresses.
 */
#ifndef ITP_UNWIND_CFI_ROW_H
#define ITP_UNWIND_CFI_ROW_H

#include "common/elf/image.h"
#include "common/unwind/registers.h"

enum itp_cfi_kind {
	/* Not recoverable. */
	ITP_CFI_UNDEFINED,
	/* Equal to the called frame's. */
	ITP_CFI_SAME,
	/* In memory at CFA + value. */
	ITP_CFI_SAVED,
	/* CFA + value itself. */
	ITP_CFI_CFA_PLUS,
	/* The register `source` + value. Of the CFA, the usual kind. */
	ITP_CFI_REGISTER,
	/* In memory at the address computed by an expression; or the expression's value. */
	ITP_CFI_SAVED_AT_EXPRESSION,
	ITP_CFI_EXPRESSION,
};

struct itp_cfi_rule {
	uint8_t kind;
	/* Register of the caller, set by the rule. */
	uint8_t target;
	/* A register, or the number of bytes of an expression. */
	uint16_t source;
	/* An offset, or the begin of the expression in `expressions` of the row. */
	int32_t value;
};

/* Callers of a frame. */
enum itp_cfi_caller {
	/* The caller found by the rules. */
	ITP_CFI_CALLER_BY_RULES,
	/* No caller. */
	ITP_CFI_CALLER_NONE,
	/* No caller: the code has changed to a stack without callers before its first call. */
	ITP_CFI_CALLER_ON_OTHER_STACK,
	/* Likewise, without rules for the code before the change. */
	ITP_CFI_CALLER_ON_OTHER_STACK_UNRULED,
};

/* Rules for a range of addresses. */
struct itp_cfi_row {
	/* A bit for each register unchanged in the caller. */
	uint64_t kept;
	/* NULL when no rule is an expression. Weak: part of the file. */
	const uint8_t *expressions;
	struct itp_cfi_rule cfa;
	/* The register with the return address, after the rules. */
	uint8_t return_register;
	/* The frame is the kernel's, put on the stack for a signal handler: its caller was
	 * interrupted, not calling. */
	bool is_signal_frame;
	/* An itp_cfi_caller. */
	uint8_t caller;
	/* The CFA is a register + offset, all rules are of kind SAVED and the caller's stack
	 * pointer is the CFA. */
	bool is_simple;
	uint32_t rule_count;
	/* Rules of all registers but kept and undefined; without the stack pointer if it equals the
	 * CFA. */
	struct itp_cfi_rule rules[ITP_REGISTER_LIMIT];
};

/* Takes `row` of [begin, end) of the file's code, NULL without rules. The row is gone
 * afterwards. */
typedef void itp_cfi_row_func(void *data, uint64_t begin, uint64_t end,
			      const struct itp_cfi_row *row);

#endif
