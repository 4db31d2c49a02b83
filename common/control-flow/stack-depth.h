/* SPDX-License-Identifier: MIT */
/*
 * Depth of the stack in code without unwind rules, by its instructions, on x86-64: what compilers
 * put around the constructors of every library (_init, __do_global_dtors_aux), and functions
 * written by hand, as in GMP.
 *
 * A stretch of such code is walked from its begin, a function at a time. A function is known as a
 * whole or not at all: it returns, or goes on to the begin of another function, with the stack as
 * at its begin, wherever it does, and somewhere it does; and all ways to a place agree about the
 * depth there. Behind the first function that is not understood nothing is told, as nobody knows
 * where the next one begins.
 */
#ifndef ITP_CONTROL_FLOW_STACK_DEPTH_H
#define ITP_CONTROL_FLOW_STACK_DEPTH_H

#include "common/unwind/step-table.h"

struct itp_stack_depth;

/* NULL where Capstone was built without x86-64. `cfi` is weak and must outlive the result. */
struct itp_stack_depth *itp_stack_depth_new(struct itp_cfi *cfi);
void itp_stack_depth_free(struct itp_stack_depth *depth);

/* An itp_step_gaps_func. */
void itp_stack_depth_tell(void *depth, uint64_t begin, uint64_t end, itp_step_func *tell,
			  void *data);

#endif
