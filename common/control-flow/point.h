/* SPDX-License-Identifier: MIT */
/*
 * Place in the code of a file at which a frame will go on.
 */
#ifndef ITP_CONTROL_FLOW_POINT_H
#define ITP_CONTROL_FLOW_POINT_H

#include <stdbool.h>
#include <stdint.h>

/* Place at which a frame will go on. */
struct itp_flow_point {
	/* The file's own address. */
	uint64_t vaddr;
	/* True: the call or system call that ends at `vaddr` is being carried out: in all frames
	 * that called another (`vaddr` is the return address), and in the leaf inside of a system
	 * call. False: the instruction at `vaddr` comes next, as in an interrupted leaf. */
	bool is_behind_call;
};

#endif
