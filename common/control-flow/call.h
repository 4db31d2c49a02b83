/* SPDX-License-Identifier: MIT */
/*
 * Call instruction in front of a return address, the name of its callee, and the place to which the
 * call comes back.
 */
#ifndef ITP_CONTROL_FLOW_CALL_H
#define ITP_CONTROL_FLOW_CALL_H

#include "common/control-flow/code.h"

/* Bytes of a call instruction: from two to ten with all prefixes. */
#define ITP_FLOW_MIN_CALL_BYTES 2
#define ITP_FLOW_MAX_CALL_BYTES 10

/* Call, or system call, that ends at `vaddr`; false when there is none, or several are possible. */
bool itp_flow_call_before(const struct itp_flow_code *code, uint64_t vaddr,
			  struct itp_flow_instruction *ret_call);

/* The name under which `call` finds a function of another file, or of its own by way of the
 * linkage table; NULL when it does not. Part of the file. */
const char *itp_flow_call_name(const struct itp_flow_code *code,
			       const struct itp_flow_instruction *call);

enum itp_flow_callee {
	ITP_FLOW_CALLEE_RETURNS,
	ITP_FLOW_CALLEE_NEVER_RETURNS,
	/* setjmp() and its like: comes back whenever any later function says so. */
	ITP_FLOW_CALLEE_RETURNS_TWICE,
	/* Comes back to somewhere else, or to an unknown place. */
	ITP_FLOW_CALLEE_UNCLEAR,
};

/* Of a call in `part`. */
enum itp_flow_callee itp_flow_callee(const struct itp_flow_code *code, struct itp_flow_range part,
				     const struct itp_flow_instruction *call);

#endif
