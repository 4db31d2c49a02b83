/* SPDX-License-Identifier: MIT */
/*
 * Questions of the core to a reader of functions' code (design, rule 3).
 *
 * The core sees a function at the same place on two stacks. Only its code tells whether both sights
 * can be of a single call.
 */
#ifndef ITP_BASE_FLOW_H
#define ITP_BASE_FLOW_H

#include "common/base/stack-event.h"

#include <stdbool.h>
#include <stdint.h>

/* A function resumed at `from`, and stood at `to` later. */
struct itp_flow_step {
	uint32_t function;
	/* Begin and end of the way, as in itp_frame: the address behind the call waited for; the
	 * address where the thread stood if `…_is_exact`. */
	uint64_t from;
	uint64_t to;
	bool from_is_exact;
	bool to_is_exact;
};

/* False when the function must have returned on the way for certain. */
typedef bool itp_flow_can_stay(void *data, const struct itp_flow_step *step);

/* False when a call of `step`'s function makes the call behind `from` for certain before it stands
 * at `to`, or before it ends where `to` is 0. For a system call at `from`: any. */
typedef bool itp_flow_may_avoid(void *data, const struct itp_flow_step *step);

/* True when the call in which `caller` waits always calls the function of `callee`. */
typedef bool itp_flow_always_calls(void *data, const struct itp_frame *caller,
				   const struct itp_frame *callee);

/* True when `function`, at `address`, keeps no frame pointer. */
typedef bool itp_flow_is_frameless(void *data, uint32_t function, uint64_t address);

/* True when the function of `frame` can have ended from there on in a jump to the function of
 * `other`, at once or through more jumps, and `other` takes its place above the same call. */
typedef bool itp_flow_may_jump_away(void *data, const struct itp_frame *frame,
				    const struct itp_frame *other);

struct itp_flow {
	/* All NULL when nobody knows: functions then can always stay, avoid everything, call
	 * anything, and show their callers. */
	itp_flow_can_stay *can_stay;
	itp_flow_may_jump_away *may_jump_away;
	itp_flow_may_avoid *may_avoid;
	itp_flow_always_calls *always_calls;
	itp_flow_is_frameless *is_frameless;
	/* Weak, unless the flow is to be closed. */
	void *data;
	/* Frees `data`, to be called by the one who opened the flow; NULL: nothing to free. */
	void (*close)(void *data);
};

#endif
