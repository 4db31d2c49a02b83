/* SPDX-License-Identifier: MIT */
/*
 * Unwind rules of one ELF file: how to get from a frame's registers to its caller's.
 *
 *   cfi.c             finds a program counter's entry; keeps what was worked out
 *   cfi-entry.c       the entries of .eh_frame and .debug_frame
 *   cfi-program.c     from an entry's instructions to the row of rules that holds at an address
 *   cfi-expression.c  rules that are DWARF expressions
 *
 * The tables are read here and not through libdw's dwarf_cfi_addrframe(), for three reasons: its
 * memory grows with the largest register number that a file names (2 GB for 20 bytes of a
 * hostile one) and it reads beyond a section's end; it takes rbx for clobbered by every call,
 * which loses what called the dynamic linker's resolver; and a new address costs ten times as
 * much. The tests compare all rows of real libraries with libdw's.
 *
 * Rows are interned: a library has tens of thousands of program counters with rules and a few
 * hundred different rows.
 */
#ifndef ITP_UNWIND_CFI_H
#define ITP_UNWIND_CFI_H

#include "common/elf/image.h"
#include "common/unwind/registers.h"

enum itp_cfi_kind {
	/* Not recoverable. */
	ITP_CFI_UNDEFINED,
	/* As in the called frame. */
	ITP_CFI_SAME,
	/* In memory at CFA + value. */
	ITP_CFI_SAVED,
	/* CFA + value itself. */
	ITP_CFI_CFA_PLUS,
	/* The register `source` + value. Of the CFA, the usual kind. */
	ITP_CFI_REGISTER,
	/* In memory at the address that an expression yields, or what it yields. */
	ITP_CFI_SAVED_AT_EXPRESSION,
	ITP_CFI_EXPRESSION,
};

struct itp_cfi_rule {
	uint8_t kind;
	/* Register whose value in the caller the rule tells. */
	uint8_t target;
	/* A register, or the number of bytes of an expression. */
	uint16_t source;
	/* An offset, or where the expression begins behind `expressions` of the row. */
	int32_t value;
};

/* What a frame's caller is. */
enum itp_cfi_caller {
	/* Where the rules lead. */
	ITP_CFI_CALLER_BY_RULES,
	/* There is none. */
	ITP_CFI_CALLER_NONE,
	/* The code has changed to a stack without callers before it called something. */
	ITP_CFI_CALLER_ON_OTHER_STACK,
	/* Likewise, and there are no rules for what is the case before it has. */
	ITP_CFI_CALLER_ON_OTHER_STACK_UNRULED,
};

/* What holds for a range of addresses. */
struct itp_cfi_row {
	/* One bit for each register that the caller finds unchanged. */
	uint64_t kept;
	/* NULL when no rule is an expression. Weak: part of the file. */
	const uint8_t *expressions;
	struct itp_cfi_rule cfa;
	/* The register whose value in the caller is where it continues. */
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
	/* Of all registers but those that are kept or undefined; without the stack pointer when
	 * that is the CFA. */
	struct itp_cfi_rule rules[ITP_REGISTER_LIMIT];
};

struct itp_cfi;

/* NULL for a file without unwind tables. `image` is weak and must outlive the result. */
struct itp_cfi *itp_cfi_new(struct itp_elf_image *image);
void itp_cfi_free(struct itp_cfi *cfi);

enum itp_architecture itp_cfi_architecture(const struct itp_cfi *cfi);

/* What the function [start, end) calls stands on a stack without callers. To be told before the
 * first row is asked for. */
void itp_cfi_begin_stack(struct itp_cfi *cfi, uint64_t start, uint64_t end);

/* The row of the code at `vaddr`; NULL when there is none, or for an unknown architecture. The code
 * at the file's entry point is outermost if it has no rules. Valid as long as *cfi; but when
 * *ret_is_lasting is false, only until the next call. `rules` has only rule_count elements. */
const struct itp_cfi_row *itp_cfi_find(struct itp_cfi *cfi, uint64_t vaddr, bool *ret_is_lasting);

/* Told of [begin, end) of the file's code: `row` holds there, NULL for none. It is gone afterwards.
 */
typedef void itp_cfi_row_func(void *data, uint64_t begin, uint64_t end,
			      const struct itp_cfi_row *row);

/* Tells the rows of all code that the file has rules for, in the order of addresses: what
 * itp_cfi_find() finds for each of them. What is not told has none, or is in .debug_frame while
 * the file has an .eh_frame too. */
void itp_cfi_tell_rows(struct itp_cfi *cfi, itp_cfi_row_func *tell, void *data);

/* By the rules of the code at `vaddr` the frame does not lie at the frame pointer, which may still
 * be its caller's, or a number like any other. */
bool itp_cfi_is_frameless(struct itp_cfi *cfi, uint64_t vaddr);

/* Which function's frame the frame pointer points to. */
enum itp_cfi_frame {
	/* There is no rule, or another one than functions of compilers have. */
	ITP_CFI_FRAME_UNKNOWN,
	/* Its own: the code has set the frame pointer. */
	ITP_CFI_FRAME_OWN,
	/* Still its caller's, or that of whoever last kept a frame pointer. */
	ITP_CFI_FRAME_OF_CALLER,
	/* Its caller's as well, but it is saved, and may serve as any other register by now. */
	ITP_CFI_FRAME_SAVED,
};

/* Of the code at `vaddr`. */
enum itp_cfi_frame itp_cfi_frame(struct itp_cfi *cfi, uint64_t vaddr);

/* Start and end of the function, or part of one, that `vaddr` belongs to. Even stripped files tell
 * this, and those of any architecture. */
bool itp_cfi_bounds(struct itp_cfi *cfi, uint64_t vaddr, uint64_t *ret_start, uint64_t *ret_end);

/* Address of the exception table (.gcc_except_table) for the code at `vaddr`, 0 when there is none,
 * UINT64_MAX when there is one in a place that cannot be told. */
uint64_t itp_cfi_exception_table(struct itp_cfi *cfi, uint64_t vaddr);

#endif
