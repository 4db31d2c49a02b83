/* SPDX-License-Identifier: MIT */
/*
 * Targets of exceptions: the call-site table of a function's exception table (.gcc_except_table),
 * shared by C++, Rust, Ada and C with cleanups; in a kernel, places behind faults.
 */
#ifndef ITP_CONTROL_FLOW_LANDING_H
#define ITP_CONTROL_FLOW_LANDING_H

#include "common/control-flow/code.h"

struct itp_flow_landing {
	/* Code that may throw. */
	struct itp_flow_range range;
	/* Place where the function goes on after a throw. */
	uint64_t pad;
};

/* Appends the landings of `part` to *landings, of struct itp_flow_landing. False when a table
 * cannot be read. */
bool itp_flow_landings(const struct itp_flow_code *code, struct itp_flow_range part,
		       GArray *landings);

#endif
