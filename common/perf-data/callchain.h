/* SPDX-License-Identifier: MIT */
/*
 * From the recorded call chain, addresses leaf first with markers between them, to frames, root
 * first, the user's before the kernel's.
 *
 * The kernel follows frame pointers, also through code that keeps none. Such chains end in
 * numbers that are no code: everything from there to the root is cut off, and the stack counts
 * as not unwound to its root. Functions that they lack are put in where their callers' code tells
 * which they are. Where the sample has registers and a copy of the stack, the user's
 * part is unwound from these instead; where it was recorded later than the sample, it is looked up.
 */
#ifndef ITP_PERF_DATA_CALLCHAIN_H
#define ITP_PERF_DATA_CALLCHAIN_H

#include "common/base/stack-event.h"
#include "common/completion/completion.h"
#include "common/perf-data/deferred.h"
#include "common/perf-data/reader.h"
#include "common/perf-data/sample.h"
#include "common/perf-data/task.h"
#include "common/perf-data/user-stack.h"
#include "common/symbol/symbolizer.h"

/* Entries of a recorded chain from here on are markers. */
#define ITP_CHAIN_FIRST_MARKER ((uint64_t)-4095)

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
	const struct itp_perf_attr *attr;
	const struct itp_perf_stamp *stamp;
	/* Of the record: the mode of the CPU counts until the first marker. */
	uint16_t misc;
	struct itp_process *process;
	/* Where user parts are that came later; may be NULL. */
	const struct itp_deferred *deferred;
	/* Frames get the addresses that the process has, rather than those of the files. */
	bool in_memory;
	/* What tells the functions that the chain lacks; NULL where it lacks none, or none are
	 * wanted. */
	struct itp_completion *completion;
	/* What the user's part is to be unwound from, and with. */
	const struct itp_perf_user_state *user;
	struct itp_user_stacks *stacks;
};

void itp_callchain_resolve(struct itp_callchain *chain, struct itp_symbolizer *symbolizer,
			   const struct itp_callchain_input *input);

#endif
