/* SPDX-License-Identifier: MIT */
/*
 * Where a call comes back to.
 */
#ifndef ITP_CONTROL_FLOW_CALLEE_H
#define ITP_CONTROL_FLOW_CALLEE_H

#include "common/control-flow/code.h"

enum itp_flow_callee {
	ITP_FLOW_CALLEE_RETURNS,
	ITP_FLOW_CALLEE_NEVER_RETURNS,
	/* setjmp() and the like: comes back whenever anything that was called later says so. */
	ITP_FLOW_CALLEE_RETURNS_TWICE,
	/* Comes back to somewhere else, or nobody knows where to. */
	ITP_FLOW_CALLEE_UNCLEAR,
};

/* Of a call in `part`. */
enum itp_flow_callee itp_flow_callee(const struct itp_flow_code *code, struct itp_flow_range part,
				     const struct itp_flow_instruction *call);

#endif
