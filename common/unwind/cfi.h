/* SPDX-License-Identifier: MIT */
/*
 * Unwind rules of an ELF file: the way from a frame's registers to its caller's.
 *
 *   cfi.c             finds a program counter's entry; keeps results
 *   cfi-entry.c       the entries of .eh_frame and .debug_frame
 *   cfi-program.c     from an entry's instructions to the row of rules at an address
 *   cfi-expression.c  rules that are DWARF expressions
 *   cfi-signal.c      code that returns from signal handlers
 *
 * The tables are read here and not through libdw's dwarf_cfi_addrframe(), for three reasons: its
 * memory grows with the largest register number in a file (2 GB for 20 bytes of a hostile file) and
 * it reads beyond a section's end; it takes rbx for clobbered by every call, and loses the caller
 * of the dynamic linker's resolver; and a new address costs ten times as much. The tests compare
 * all rows of real libraries with libdw's.
 *
 * Rows are interned: a library has tens of thousands of program counters with rules and a few
 * hundred different rows.
 */
#ifndef ITP_UNWIND_CFI_H
#define ITP_UNWIND_CFI_H

#include "common/unwind/cfi-row.h"

struct itp_cfi;

/* NULL for a file without unwind tables. `image` is weak and must outlive the result. */
struct itp_cfi *itp_cfi_new(struct itp_elf_image *image);
/* Likewise, also of a file without unwind tables: where stacks begin is still to be told. */
struct itp_cfi *itp_cfi_new_of_any(struct itp_elf_image *image);
void itp_cfi_free(struct itp_cfi *cfi);

enum itp_architecture itp_cfi_architecture(const struct itp_cfi *cfi);
/* The file, as long as *cfi. */
const struct itp_elf_image *itp_cfi_image(const struct itp_cfi *cfi);

/* Functions called by the function [start, end) stand on a stack without callers. To be told before
 * the first row is asked for. */
void itp_cfi_begin_stack(struct itp_cfi *cfi, uint64_t start, uint64_t end);

/* The row of the code at `vaddr`; NULL without rules, and for an unknown architecture. The code at
 * the file's entry point is outermost if it has no rules. Valid as long as *cfi; but when
 * *ret_is_lasting is false, only until the next call. `rules` has only rule_count elements. */
const struct itp_cfi_row *itp_cfi_find(struct itp_cfi *cfi, uint64_t vaddr, bool *ret_is_lasting);

/* Tells the rows of all code with rules, in the order of addresses: equal to itp_cfi_find() for
 * each of them. Code not told has no rules, or has rules in .debug_frame while the file has an
 * .eh_frame, too. */
void itp_cfi_tell_rows(struct itp_cfi *cfi, itp_cfi_row_func *tell, void *data);

/* True when the frame, by the rules at `vaddr`, does not lie at the frame pointer, which may still
 * be its caller's, or any other number. */
bool itp_cfi_is_frameless(struct itp_cfi *cfi, uint64_t vaddr);

/* Owner of the frame that the frame pointer points to. */
enum itp_cfi_frame {
	/* No rule, or a rule unlike functions of compilers. */
	ITP_CFI_FRAME_UNKNOWN,
	/* The function itself: the code has set the frame pointer. */
	ITP_CFI_FRAME_OWN,
	/* The caller, or an earlier caller that kept a frame pointer. */
	ITP_CFI_FRAME_OF_CALLER,
	/* The caller as well, but the register is saved, and may by now serve as any other. */
	ITP_CFI_FRAME_SAVED,
};

/* Owner for the code at `vaddr`. */
enum itp_cfi_frame itp_cfi_frame(struct itp_cfi *cfi, uint64_t vaddr);

/* Start and end of the function, or part of a function, around `vaddr`. Also for stripped files,
 * and for any architecture. */
bool itp_cfi_bounds(struct itp_cfi *cfi, uint64_t vaddr, uint64_t *ret_start, uint64_t *ret_end);

/* Address of the exception table (.gcc_except_table) for the code at `vaddr`, 0 without a table,
 * UINT64_MAX for a table at an unknown place. */
uint64_t itp_cfi_exception_table(struct itp_cfi *cfi, uint64_t vaddr);

#endif
