/* SPDX-License-Identifier: MIT */
/*
 * A step from a frame to its caller on x86-64, within the means of a program in the kernel: from
 * instruction, stack and frame pointer to the caller's. Other registers are not followed; a rule
 * with another register is no step. Also included by programs that run in the kernel.
 */
#ifndef ITP_UNWIND_STEP_H
#define ITP_UNWIND_STEP_H

#include <stdint.h>

/* The canonical frame address (CFA), which is the caller's stack pointer. The return address lies 8
 * bytes below it. */
enum itp_step_cfa {
	/* The table does not tell: another register, another expression, or no rule at all. */
	ITP_STEP_CFA_UNKNOWN = 0,
	/* No caller. */
	ITP_STEP_CFA_ROOT,
	/* Stack pointer, or frame pointer, + offset. */
	ITP_STEP_CFA_SP,
	ITP_STEP_CFA_BP,
	/* In memory at frame pointer + offset: functions that align their stack. */
	ITP_STEP_CFA_AT_BP,
	/* Stack pointer + 8, and 8 more from the byte `cfa_offset` of each 16 bytes of code on:
	 * procedure linkage tables. */
	ITP_STEP_CFA_PLT,
	/* The stack pointer is at the kernel's ucontext of a signal: the caller was interrupted. */
	ITP_STEP_CFA_SIGNAL,
	/* Code without rules: the frame pointer + 16, if it is in use. The
	 * caller's frame pointer lies there, and the return address above it. */
	ITP_STEP_CFA_UNRULED,
};

/* The caller's frame pointer. */
enum itp_step_bp {
	/* Equal to the called frame's. */
	ITP_STEP_BP_SAME = 0,
	/* In memory at CFA, or at the called frame's frame pointer, + offset. */
	ITP_STEP_BP_AT_CFA,
	ITP_STEP_BP_AT_BP,
	/* The table does not tell. */
	ITP_STEP_BP_UNKNOWN,
};

struct itp_step {
	int32_t cfa_offset;
	int32_t bp_offset;
	/* An itp_step_cfa and an itp_step_bp. */
	uint8_t cfa;
	uint8_t bp;
	/* Reached by a return address, the code has no caller: it has changed to a stack of its own
	 * before its first call. */
	uint8_t is_root_above;
	uint8_t unused;
};

/* The step from `begin` on up to the next row. */
struct itp_step_row {
	/* Relative to the table's base. */
	uint32_t begin;
	/* Number of the step, 0 for ITP_STEP_CFA_UNKNOWN. */
	uint32_t step;
};

/* Offsets of registers in the kernel's ucontext: uc_mcontext begins at 40. */
#define ITP_STEP_SIGNAL_BP 120
#define ITP_STEP_SIGNAL_SP 160
#define ITP_STEP_SIGNAL_IP 168

/* Bytes of code for each entry of a table's index, as a power of two. */
#define ITP_STEP_BUCKET_BITS 8

#endif
