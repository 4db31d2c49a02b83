/* SPDX-License-Identifier: MIT */
/*
 * Threads and their stacks, whichever tracer recorded them.
 *
 *   task.c       threads and processes, with their address spaces; the stack events of a record
 *   callchain.c  recorded chains, and copies of stacks, into frames
 *
 * From the recorded call chain, addresses leaf first with markers between them, to frames, root
 * first, the user's before the kernel's.
 *
 * The kernel follows frame pointers, also through code that keeps none. Such chains end in numbers
 * that are no code: the rest up to the root is cut off, and the stack counts as not unwound to its
 * root. Missing functions are put in where their callers' code names them. Where the sample has
 * registers and a copy of the stack, the user's part is unwound from the copy instead; where it was
 * recorded later than the sample, it is looked up.
 */
#ifndef ITP_STACKS_CALLCHAIN_H
#define ITP_STACKS_CALLCHAIN_H

#include "common/base/stack-event.h"
#include "common/completion/completion.h"
#include "common/stacks/task.h"
#include "common/symbol/symbolizer.h"
#include "common/unwind/unwind.h"

/* The registers and the top of the stack that a thread had in user mode. */
struct itp_user_state {
	/* True with registers and a stack of a 64-bit thread. */
	bool is_present;
	/* Registers as perf numbers them, and a 64-bit number for each bit of the mask. */
	uint64_t register_mask;
	struct itp_bytes registers;
	/* Copied bytes, from the stack pointer up; and the number of bytes asked for. The kernel
	 * stops at the first page not in memory. */
	struct itp_bytes stack;
	uint64_t stack_room;
};

struct itp_user_stacks;

/* `arch` as named in the recording (uname -m), or NULL: x86-64. */
struct itp_user_stacks *itp_user_stacks_new(const char *arch);
void itp_user_stacks_free(struct itp_user_stacks *stacks);

struct itp_user_stack {
	/* Leaf first. Weak: until the next call. */
	const struct itp_unwound_frame *frames;
	size_t count;
	enum itp_stack_end end;
	enum itp_found_by found_by;
};

/* Unwinds `user`, which must be present, of a thread in `space`. */
struct itp_user_stack itp_user_stacks_unwind(struct itp_user_stacks *stacks,
					     const struct itp_user_state *user,
					     struct itp_address_space *space);

/* Entries of a recorded chain from here on are markers. */
#define ITP_CHAIN_FIRST_MARKER ((uint64_t)-4095)
/* Marker of a user's part recorded later, under the number behind it. */
#define ITP_CHAIN_USER_LATER ((uint64_t)-640)

/* Place of the code for addresses of a chain. */
enum itp_chain_part {
	ITP_CHAIN_USER,
	ITP_CHAIN_KERNEL,
	/* A hypervisor's or a guest's: not part of the thread. */
	ITP_CHAIN_FOREIGN,
};

/* Finds a user's part recorded later, leaf first; false when absent. *ret_chain is weak. */
typedef bool (*itp_chain_later_func)(const void *data, uint64_t number,
				     struct itp_bytes *ret_chain);

struct itp_callchain {
	/* Filled from the end, because the leaf comes first. */
	struct itp_frame room[ITP_MAX_STACK_DEPTH];
	/* In `room`, root first. */
	const struct itp_frame *frames;
	size_t count;
	/* Frames among them that the chain lacked. */
	uint32_t filled_count;
	enum itp_stack_end end;
	enum itp_found_by found_by;
	/* The user's part was to come later, and did not. */
	bool lacks_user_part;
};

/* itp_completion_find(), as a pointer: programs without completion do not link its dependencies. */
typedef size_t (*itp_chain_fill_func)(struct itp_completion *completion,
				      struct itp_address_space *space,
				      const struct itp_completion_frame *caller,
				      const struct itp_completion_frame *callee,
				      const uint32_t **ret_functions);

/* Chain and everything needed to read it; all pointers are weak. */
struct itp_callchain_input {
	const struct itp_bytes *chain;
	/* Part of the entries before the first marker. */
	enum itp_chain_part part;
	/* True where even the kernel's first address is a return address: a tracepoint's. */
	bool begins_with_return;
	/* Recorder's limit of addresses in a chain; 0 when unknown. */
	uint32_t max_stack;
	struct itp_process *process;
	/* Finder of user parts that came later, with its data. */
	itp_chain_later_func find_later;
	const void *later;
	/* Frames get addresses of the process, rather than of the files. */
	bool in_memory;
	/* Finder of functions missing in the chain; NULL where none are missing or wanted. */
	struct itp_completion *completion;
	itp_chain_fill_func fill;
	/* Registers and stack of the user's part, and the unwinder for them. */
	const struct itp_user_state *user;
	struct itp_user_stacks *stacks;
};

void itp_callchain_resolve(struct itp_callchain *chain, struct itp_symbolizer *symbolizer,
			   const struct itp_callchain_input *input);

/* Gives `event`, which may be NULL, the stack resolved last. */
void itp_callchain_show(const struct itp_callchain *chain, struct itp_stack_event *event);

#endif
