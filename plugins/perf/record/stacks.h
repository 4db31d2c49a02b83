/* SPDX-License-Identifier: MIT */
/*
 * Stacks by number, as records refer to them: walked in the kernel, unwound here from a copy, and
 * both with interpreted functions.
 *
 * The last 65536 of each room of each CPU are remembered; a thread asleep for longer has none.
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

/* Takes a stack walked in the kernel. */
void itp_recorder_stacks_add(struct itp_recorder_stacks *stacks,
			     const struct itp_record_stack *record);
/* Takes a copied stack and unwinds it. `space` is the thread's at the time of the copy. */
void itp_recorder_stacks_add_copy(struct itp_recorder_stacks *stacks,
				  const struct itp_record_copy *record,
				  struct itp_address_space *space);

/* Takes a stack added before, with interpreted functions in it, unless `interpreted` is NULL: each
 * run of them is called by machine code, and calls the machine code of its interpreter's loop. Left
 * out if runs and loops do not fit, as while a function is being entered. */
void itp_recorder_stacks_add_interpreted(struct itp_recorder_stacks *stacks,
					 const struct itp_record_interpreted *record,
					 const struct itp_recorder_interpreted *interpreted);

/* True for the number of a copied stack that is not added yet. */
bool itp_recorder_stacks_lack_copy(const struct itp_recorder_stacks *stacks, uint64_t number);

/* Stack with a number; NULL when unknown, or forgotten. Weak, valid as long as `stacks`. */
const struct itp_recorder_stack *itp_recorder_stacks_find(const struct itp_recorder_stacks *stacks,
							  uint64_t number);

#endif
