/* SPDX-License-Identifier: MIT */
/*
 * Threads and their stacks, whichever tracer recorded them.
 *
 *   task.c         threads and processes, with their address spaces
 *   callchain.c    recorded chains into frames
 *   user-stack.c   the user's part, from a copy of the stack
 *   event-queue.c  the stack events of a record
 *
 * From the recorded call chain, addresses leaf first with markers between them, to frames, root
 * first, the user's before the kernel's.
 *
 * The kernel follows frame pointers, also through code that keeps none. Such chains end in
 * numbers that are no code: everything from there to the root is cut off, and the stack counts
 * as not unwound to its root. Functions that they lack are put in where their callers' code tells
 * which they are. Where the sample has registers and a copy of the stack, the user's
 * part is unwound from these instead; where it was recorded later than the sample, it is looked up.
 */
#ifndef ITP_STACKS_CALLCHAIN_H
#define ITP_STACKS_CALLCHAIN_H

#include "common/base/stack-event.h"
#include "common/completion/completion.h"
#include "common/stacks/task.h"
#include "common/stacks/user-stack.h"
#include "common/symbol/symbolizer.h"

/* Entries of a recorded chain from here on are markers. */
#define ITP_CHAIN_FIRST_MARKER ((uint64_t)-4095)
/* The marker that the user's part was recorded later, under the number that follows. */
#define ITP_CHAIN_USER_LATER ((uint64_t)-640)

/* Where the code lies that addresses of a chain point to. */
enum itp_chain_part {
	ITP_CHAIN_USER,
	ITP_CHAIN_KERNEL,
	/* A hypervisor's or a guest's: not part of the thread. */
	ITP_CHAIN_FOREIGN,
};

/* Finds the user's part that was recorded later, leaf first; false when it was not. *ret_chain is
 * weak. */
typedef bool (*itp_chain_later_func)(const void *data, uint64_t number,
				     struct itp_bytes *ret_chain);

struct itp_callchain {
	/* Filled from the end, because the leaf comes first. */
	struct itp_frame room[ITP_MAX_STACK_DEPTH];
	/* In `room`, root first. */
	const struct itp_frame *frames;
	size_t count;
	/* Of these, frames that the chain did not have. */
	uint32_t filled_count;
	enum itp_stack_end end;
	enum itp_found_by found_by;
	/* The user's part was to come later, and did not. */
	bool lacks_user_part;
};

/* What the chain is to be read with; all pointers are weak. */
struct itp_callchain_input {
	const struct itp_bytes *chain;
	/* What the entries before the first marker are. */
	enum itp_chain_part part;
	/* Even the first address of the kernel is one to return to: that of a tracepoint. */
	bool begins_with_return;
	/* The recorder's limit for all addresses of a chain; 0 when it is not known. */
	uint32_t max_stack;
	struct itp_process *process;
	/* For user parts that came later, with its data. */
	itp_chain_later_func find_later;
	const void *later;
	/* Frames get the addresses that the process has, rather than those of the files. */
	bool in_memory;
	/* What tells the functions that the chain lacks; NULL where it lacks none, or none are
	 * wanted. */
	struct itp_completion *completion;
	/* What the user's part is to be unwound from, and with. */
	const struct itp_user_state *user;
	struct itp_user_stacks *stacks;
};

void itp_callchain_resolve(struct itp_callchain *chain, struct itp_symbolizer *symbolizer,
			   const struct itp_callchain_input *input);

#endif
