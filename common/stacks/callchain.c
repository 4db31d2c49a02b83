/* SPDX-License-Identifier: MIT */
/*
 * One pass over the chain, leaf first.
 *
 * A return address lies behind its call, which may be the last instruction of its function, so
 * it is looked up one byte earlier. Addresses that were not put there by a call are taken as they
 * are: the first one of the user's part (also below a system call, where it follows the
 * instruction that entered the kernel), and the kernel's first one, except in tracepoints: these
 * begin with the function that contains the tracepoint, by the return address into it.
 */
#include "common/stacks/callchain.h"

#include <linux/perf_event.h>

/* The kernel's limit unless somebody changed it (kernel.perf_event_max_stack). A chain that is
 * longer shows that it was changed, one of just this length was most likely cut. */
#define DEFAULT_MAX_STACK 127
/* User parts that come later have a limit of their own: a page of addresses without its head. */
#define DEFERRED_MAX_STACK 510

struct walk {
	struct itp_symbolizer *symbolizer;
	const struct itp_callchain_input *input;
	struct itp_frame *next;
	enum itp_chain_part part;
	/* No frame of this part came yet. */
	bool is_first;
	/* The last frame was not called by the one that comes now: it interrupted it. */
	bool is_interrupted;
	/* The next entry tells which user part belongs here. */
	bool is_cookie;
	bool lacks_user_part;
	/* What ended the user's part before its root; ITP_STACK_END_ROOT as long as nothing did. */
	enum itp_stack_end end;
	bool has_user_frames;
	/* What the next frame of the user's has called, if `has_user_frames`. */
	struct itp_completion_frame above;
	/* As in the input; NULL where the stack is unwound. */
	struct itp_completion *completion;
	uint32_t filled_count;
	size_t addresses;
};

static enum itp_chain_part part_of_marker(uint64_t marker)
{
	switch (marker) {
	case (uint64_t)PERF_CONTEXT_KERNEL:
		return ITP_CHAIN_KERNEL;
	case (uint64_t)PERF_CONTEXT_USER:
	case ITP_CHAIN_USER_LATER:
		return ITP_CHAIN_USER;
	default:
		return ITP_CHAIN_FOREIGN;
	}
}

/* Puts a frame below the ones that are there; the deepest stacks lose their root. */
static bool add_frame(struct walk *walk, const struct itp_frame *begin, uint64_t address,
		      uint32_t function)
{
	if (walk->next == begin) {
		walk->end = ITP_STACK_END_DEPTH;
		return false;
	}
	walk->next--;
	*walk->next = (struct itp_frame){ .address = address, .function = function };
	return true;
}

/* What `caller` has called may not be what comes above it, but a function that called that one. */
static void fill(struct walk *walk, const struct itp_frame *begin,
		 const struct itp_completion_frame *caller)
{
	const uint32_t *functions;
	size_t count = itp_completion_find(walk->completion, walk->input->process->space, caller,
					   &walk->above, &functions);

	while (count > 0 && add_frame(walk, begin, 0, functions[--count])) {
		walk->next->is_assumed = true;
		walk->next->is_filled = true;
		walk->filled_count++;
	}
}

/* `is_exact`: the address is where the thread was, not where it will return to. */
static void add_user(struct walk *walk, const struct itp_frame *begin, uint64_t address,
		     bool is_exact)
{
	struct itp_completion_frame frame = { .address = address, .is_exact = is_exact };

	/* What lies below a broken place is not known to have called anything. */
	if (walk->end != ITP_STACK_END_ROOT) {
		return;
	}
	if (address == 0) {
		walk->end = ITP_STACK_END_UNWIND;
		return;
	}
	frame.function = itp_symbolizer_user(walk->symbolizer, walk->input->process->space,
					     address - !is_exact, &frame.slide);
	if (frame.function == ITP_FUNCTION_UNMAPPED) {
		walk->end = ITP_STACK_END_UNWIND;
		return;
	}
	if (walk->completion && walk->has_user_frames) {
		fill(walk, begin, &frame);
	}
	walk->has_user_frames = true;
	walk->above = frame;
	add_frame(walk, begin, walk->input->in_memory ? address : address - frame.slide,
		  frame.function);
}

static void add_kernel(struct walk *walk, const struct itp_frame *begin, uint64_t address)
{
	bool is_exact = walk->is_interrupted ||
			(walk->is_first && !walk->input->begins_with_return);
	uint32_t function;
	uint64_t slide;

	/* The kernel's part comes before the user's. */
	if (walk->has_user_frames) {
		return;
	}
	function = itp_symbolizer_kernel_function(walk->symbolizer, address - !is_exact, &slide);
	add_frame(walk, begin, walk->input->in_memory ? address : address - slide, function);
	walk->is_interrupted = itp_symbolizer_is_interruption(walk->symbolizer, function);
}

/* All of it is the user's, so a marker in it tells nothing. */
static void add_deferred(struct walk *walk, const struct itp_frame *begin, uint64_t cookie)
{
	const struct itp_callchain_input *input = walk->input;
	struct itp_bytes chain;
	size_t addresses = 0;
	uint64_t entry;

	if (!input->find_later || !input->find_later(input->later, cookie, &chain)) {
		walk->lacks_user_part = true;
		walk->end = ITP_STACK_END_UNKNOWN;
		return;
	}
	while (itp_bytes_u64(&chain, &entry)) {
		if (entry < ITP_CHAIN_FIRST_MARKER) {
			add_user(walk, begin, entry, addresses == 0);
			addresses++;
		}
	}
	if (addresses >= DEFERRED_MAX_STACK && walk->end == ITP_STACK_END_ROOT) {
		walk->end = ITP_STACK_END_DEPTH;
	}
}

static void add_marker(struct walk *walk, uint64_t marker)
{
	walk->part = part_of_marker(marker);
	walk->is_first = true;
	walk->is_cookie = marker == ITP_CHAIN_USER_LATER;
	walk->input->process->is_user |= walk->part == ITP_CHAIN_USER;
}

static void add_entry(struct walk *walk, const struct itp_frame *begin, uint64_t entry)
{
	if (walk->is_cookie) {
		walk->is_cookie = false;
		if (!walk->input->user->is_present) {
			add_deferred(walk, begin, entry);
		}
		return;
	}
	if (entry >= ITP_CHAIN_FIRST_MARKER) {
		add_marker(walk, entry);
		return;
	}
	walk->addresses++;
	if (walk->part == ITP_CHAIN_USER) {
		if (!walk->input->user->is_present) {
			add_user(walk, begin, entry, walk->is_first);
		}
	} else if (walk->part == ITP_CHAIN_KERNEL) {
		add_kernel(walk, begin, entry);
	}
	walk->is_first = false;
}

/* Returns how the frames were found. */
static enum itp_found_by add_unwound(struct walk *walk, const struct itp_frame *begin)
{
	const struct itp_callchain_input *input = walk->input;
	struct itp_user_stack stack =
		itp_user_stacks_unwind(input->stacks, input->user, input->process->space);

	input->process->is_user = true;
	for (size_t i = 0; i < stack.count; i++) {
		add_user(walk, begin, stack.frames[i].address, stack.frames[i].is_exact);
	}
	if (walk->end == ITP_STACK_END_ROOT) {
		walk->end = stack.end;
	}
	return stack.found_by;
}

static bool reached_limit(uint32_t max_stack, size_t addresses)
{
	return max_stack != 0 ? addresses >= max_stack : addresses == DEFAULT_MAX_STACK;
}

static enum itp_stack_end end_of(const struct walk *walk)
{
	if (walk->end != ITP_STACK_END_ROOT) {
		return walk->end;
	}
	if (reached_limit(walk->input->max_stack, walk->addresses)) {
		return ITP_STACK_END_DEPTH;
	}
	return walk->has_user_frames || !walk->input->process->is_user ? ITP_STACK_END_ROOT :
									 ITP_STACK_END_UNKNOWN;
}

void itp_callchain_resolve(struct itp_callchain *chain, struct itp_symbolizer *symbolizer,
			   const struct itp_callchain_input *input)
{
	const struct itp_frame *end = chain->room + G_N_ELEMENTS(chain->room);
	struct itp_bytes entries = *input->chain;
	struct walk walk = {
		.symbolizer = symbolizer,
		.input = input,
		.next = chain->room + G_N_ELEMENTS(chain->room),
		.part = input->part,
		.is_first = true,
		.end = ITP_STACK_END_ROOT,
		.completion = input->user->is_present ? NULL : input->completion,
	};
	uint64_t entry;

	while (itp_bytes_u64(&entries, &entry)) {
		add_entry(&walk, chain->room, entry);
	}
	chain->found_by = input->user->is_present ? add_unwound(&walk, chain->room) :
						    ITP_FOUND_BY_RECORDER;
	chain->frames = walk.next;
	chain->count = (size_t)(end - walk.next);
	chain->filled_count = walk.filled_count;
	chain->lacks_user_part = walk.lacks_user_part;
	chain->end = end_of(&walk);
}
