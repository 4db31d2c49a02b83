/* SPDX-License-Identifier: MIT */
/*
 * Stacks that records refer to by numbers: those walked in the kernel, those unwound here, from a
 * copy, and both with interpreted functions.
 *
 * The last 65536 of each CPU are remembered; a thread that has slept since before has none.
 */
#ifndef ITP_PERF_RECORD_STACKS_H
#define ITP_PERF_RECORD_STACKS_H

#include "common/unwind/unwind.h"
#include "plugins/perf/record/followed.h"
#include "plugins/perf/record/interpreted.h"

/* Most frames of a stack. */
#define ITP_RECORDER_STACK_FRAMES (ITP_UNWIND_MAX_FRAMES + ITP_RECORD_INTERPRETED_FRAMES)

struct itp_recorder_stack {
	uint32_t count;
	/* Stack not followed to its root. */
	uint32_t is_cut;
	/* Leaf first. */
	uint64_t frames[];
};

struct itp_recorder_stacks;

struct itp_recorder_stacks *itp_recorder_stacks_new(void);
void itp_recorder_stacks_free(struct itp_recorder_stacks *stacks);

void itp_recorder_stacks_add(struct itp_recorder_stacks *stacks,
			     const struct itp_record_stack *record);
/* `space` is the thread's at the copy's time. */
void itp_recorder_stacks_add_copy(struct itp_recorder_stacks *stacks,
				  const struct itp_record_copy *record,
				  struct itp_address_space *space);

/* A stack that was added before, with interpreted functions in it: each run of them is called by
 * machine code, and calls the machine code of its interpreter's loop. Without them where the two do
 * not fit, as while a function is being entered. */
void itp_recorder_stacks_add_interpreted(struct itp_recorder_stacks *stacks,
					 const struct itp_record_interpreted *record,
					 const struct itp_recorder_interpreted *interpreted);

/* NULL when unknown. Weak, for good. */
const struct itp_recorder_stack *itp_recorder_stacks_find(const struct itp_recorder_stacks *stacks,
							  uint64_t number);

#endif
