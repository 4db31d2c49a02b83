/* SPDX-License-Identifier: MIT */
/*
 * Where an exception goes: the call-site table of a function's exception table
 * (.gcc_except_table), which C++, Rust, Ada and C with cleanups share; in a kernel, where it goes
 * on after a fault.
 */
#ifndef ITP_CONTROL_FLOW_LANDING_H
#define ITP_CONTROL_FLOW_LANDING_H

#include "common/control-flow/code.h"

struct itp_flow_landing {
	/* Code that may throw. */
	struct itp_flow_range range;
	/* Where the function goes on when it does. */
	uint64_t pad;
};

/* Appends the landings of `part` to *landings, of struct itp_flow_landing. False when there is a
 * table that cannot be read. */
bool itp_flow_landings(const struct itp_flow_code *code, struct itp_flow_range part,
		       GArray *landings);

#endif
