/* SPDX-License-Identifier: MIT */
/*
 * What a function may call, and which functions it may end in a jump to.
 *
 * All its instructions are looked at, one behind the other, whether control is known to come there
 * or not: there is always as much as there can be, and a function is known although jumps inside of
 * it are not.
 */
#ifndef ITP_COMPLETION_SCAN_H
#define ITP_COMPLETION_SCAN_H

#include "common/control-flow/code.h"

/* A call, or a jump out of the function if `is_tail`. */
typedef void itp_scan_func(const struct itp_flow_instruction *instruction, bool is_tail,
			   void *data);

/* Shows `visit` those of the function that begins at `vaddr`. False when there may be more. */
bool itp_scan_function(const struct itp_flow_code *code, uint64_t vaddr, itp_scan_func *visit,
		       void *data);

#endif
