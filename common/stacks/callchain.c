/* SPDX-License-Identifier: MIT */
/*
 * A pass over the chain, leaf first.
 *
 * A return address lies behind its call, perhaps behind its function's end, and is looked up one
 * byte earlier. Addresses not put there by a call are taken as they are: the first of the user's
 * part (also below a system call, where it follows the instruction that entered the kernel), and
 * the kernel's first, except in tracepoints, whose chains begin with the return address into the
 * function with the tracepoint.
 *
 * Copied stacks go to the unwinder, with the registers and the process's mappings.
 */
#include "common/stacks/callchain.h"

#include <linux/perf_event.h>

#include "common/symbol/elf-symbols.h"
#include "common/symbol/jit-dump.h"
#include "common/symbol/module.h"

/* Kernel's limit unless changed (kernel.perf_event_max_stack). A longer chain shows a changed
 * limit; a chain of exactly this length was most likely cut. */
#define DEFAULT_MAX_STACK 127
/* User parts that come later have a limit of their own: a page of addresses without its head. */
#define DEFERRED_MAX_STACK 510

struct walk {
	struct itp_symbolizer *symbolizer;
	const struct itp_callchain_input *input;
	struct itp_frame *next;
	enum itp_chain_part part;
	/* No frame of the part came yet. */
	bool is_first;
	/* The last frame was not called by the next, but interrupted it. */
	bool is_interrupted;
	/* The next entry is the number of the user part. */
	bool is_cookie;
	bool lacks_user_part;
	/* Reason for an end before the root of the user's part; ITP_STACK_END_ROOT without any. */
	enum itp_stack_end end;
	bool has_user_frames;
	/* Where the user's frames lie, if `has_user_frames`. Weak. */
	struct itp_address_space *space;
	/* Function called by the next frame of the user's, if `has_user_frames`. */
	struct itp_completion_frame above;
	/* Completion, the input's; NULL where the stack is unwound. */
	struct itp_completion *completion;
	uint32_t filled_count;
	/* Inlined functions are left out, as there was no room for them. */
	bool leaves_out_inlined;
	bool has_inlined;
	/* Number of the last frames that lie in byte code: one of code has to follow, as
	 * interpreters are called. */
	size_t doubtful_count;
	size_t addresses;
};

struct itp_user_stacks {
	enum itp_architecture architecture;
	struct itp_unwinder *unwinder;
	uint64_t registers[ITP_REGISTER_LIMIT * 2];
	struct itp_unwound_frame frames[ITP_UNWIND_MAX_FRAMES];
};

/* ---- Copied stacks ---- */

/* Rules of code that was made, by a map of its names or by a dump; NULL without any. */
static const struct itp_cfi_row *made_row(struct itp_address_space *space,
					  struct itp_module *module, uint64_t address)
{
	struct itp_jit_dump *dump = itp_module_is_memory(module) ? itp_address_space_jit(space) :
								   NULL;
	const struct itp_cfi_row *row = itp_module_made_row(module, address);

	return row || !dump ? row : itp_jit_dump_row(dump, address);
}

/* Only memory with code is in an address space, so what is also mapped as data cannot mislead. */
static bool find_unwind_place(void *data, uint64_t address, struct itp_unwind_place *ret_place)
{
	struct itp_address_space *space = data;
	const struct itp_mapping *mapping = itp_address_space_find(space, address);

	if (!mapping || mapping->is_byte_code) {
		return false;
	}
	ret_place->cfi = itp_module_cfi(mapping->module, address - mapping->start + mapping->offset,
					&ret_place->vaddr);
	if (!ret_place->cfi) {
		ret_place->row = made_row(space, mapping->module, address);
	}
	return true;
}

static bool find_code(void *data, uint64_t address, struct itp_unwind_code *ret_code)
{
	const struct itp_mapping *mapping = itp_address_space_find(data, address);
	const struct itp_elf_symbols *symbols = mapping && !itp_module_is_memory(mapping->module) ?
							itp_module_symbols(mapping->module) :
							NULL;
	const GElf_Phdr *segment;
	struct itp_elf_function function;
	struct itp_bytes code;
	uint64_t before;
	uint64_t vaddr;

	if (!symbols || !itp_elf_image_vaddr(&symbols->image,
					     address - mapping->start + mapping->offset, &vaddr)) {
		return false;
	}
	segment = itp_elf_image_loaded(&symbols->image, vaddr);
	before = MIN(address - mapping->start, segment ? vaddr - segment->p_vaddr : 0);
	function = itp_elf_symbols_find(symbols, vaddr);
	code = itp_elf_image_at(&symbols->image, vaddr - before);
	*ret_code = (struct itp_unwind_code){
		.bytes = code.data,
		.begin = address - before,
		.end = address - before + MIN(mapping->end - (address - before), code.size),
		.entry = function.name ? address - (vaddr - function.start) : 0,
	};
	return code.size > 0;
}

struct itp_user_stacks *itp_user_stacks_new(const char *arch)
{
	struct itp_user_stacks *stacks = g_new0(struct itp_user_stacks, 1);

	stacks->architecture = g_strcmp0(arch, "aarch64") == 0 ? ITP_ARM64 : ITP_X86_64;
	stacks->unwinder = itp_unwinder_new(find_unwind_place, find_code);
	return stacks;
}

void itp_user_stacks_free(struct itp_user_stacks *stacks)
{
	if (!stacks) {
		return;
	}
	itp_unwinder_free(stacks->unwinder);
	g_free(stacks);
}

static enum itp_stack_end translate_end(enum itp_unwind_end end, const struct itp_user_state *user)
{
	switch (end) {
	case ITP_UNWIND_ROOT:
		return ITP_STACK_END_ROOT;
	case ITP_UNWIND_DEPTH:
		return user->stack.size < user->stack_room ? ITP_STACK_END_SHORT_COPY :
							     ITP_STACK_END_DEPTH;
	case ITP_UNWIND_LIMIT:
		return ITP_STACK_END_DEPTH;
	default:
		return ITP_STACK_END_UNWIND;
	}
}

/* Both lists go from strong to weak; the leaf, from the registers, tells nothing. */
static enum itp_found_by weakest(const struct itp_user_stack *stack)
{
	static const enum itp_found_by found_by[] = {
		[ITP_UNWIND_REGISTERS] = ITP_FOUND_BY_RULE,
		[ITP_UNWIND_RULE] = ITP_FOUND_BY_RULE,
		[ITP_UNWIND_EXPRESSION] = ITP_FOUND_BY_EXPRESSION,
		[ITP_UNWIND_FRAME_POINTER] = ITP_FOUND_BY_FRAME_POINTER,
		[ITP_UNWIND_CALL_SITE] = ITP_FOUND_BY_FRAME_POINTER,
	};
	uint8_t how = ITP_UNWIND_REGISTERS;

	for (size_t i = 0; i < stack->count; i++) {
		how = MAX(how, stack->frames[i].how);
	}
	return found_by[how];
}

struct itp_user_stack itp_user_stacks_unwind(struct itp_user_stacks *stacks,
					     const struct itp_user_state *user,
					     struct itp_address_space *space)
{
	struct itp_unwind_input input = {
		.architecture = stacks->architecture,
		.layout = itp_address_space_layout(space),
		.register_mask = user->register_mask,
		.registers = stacks->registers,
		.stack = user->stack.data,
		.stack_bytes = user->stack.size,
	};
	struct itp_bytes registers = user->registers;
	struct itp_user_stack result = { .frames = stacks->frames,
					 .end = ITP_STACK_END_UNWIND,
					 .found_by = ITP_FOUND_BY_RULE };
	enum itp_unwind_end end;

	if (itp_address_space_is_empty(space)) {
		return result;
	}
	while (input.register_count < G_N_ELEMENTS(stacks->registers) &&
	       itp_bytes_u64(&registers, &stacks->registers[input.register_count])) {
		input.register_count++;
	}
	result.count = itp_unwind(stacks->unwinder, &input, space, stacks->frames,
				  G_N_ELEMENTS(stacks->frames), &end);
	result.end = translate_end(end, user);
	result.found_by = weakest(&result);
	return result;
}

/* ---- Chains ---- */

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

/* Puts a frame below the others; the deepest stacks lose their root. */
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

/* Inserts functions missing between `caller` and the frame above, which the function called by
 * `caller` may have called in turn. */
static void fill_hole(struct walk *walk, const struct itp_frame *begin,
		      const struct itp_completion_frame *caller)
{
	const uint32_t *functions;
	size_t count =
		walk->input->fill(walk->completion, walk->space, caller, &walk->above, &functions);

	while (count > 0 && add_frame(walk, begin, 0, functions[--count])) {
		walk->next->is_assumed = true;
		walk->next->is_filled = true;
		walk->filled_count++;
	}
}

static bool is_byte_code(struct itp_address_space *space, uint64_t address)
{
	const struct itp_mapping *mapping = itp_address_space_has_byte_code(space) ?
						    itp_address_space_find(space, address) :
						    NULL;

	return mapping && mapping->is_byte_code;
}

/* Adds the frames of a function and of those inlined into it at `address`. */
static bool add_frames(struct walk *walk, const struct itp_frame *begin,
		       const struct itp_completion_frame *frame)
{
	const struct itp_callchain_input *input = walk->input;
	const uint64_t slide = input->in_memory ? 0 : frame->slide;
	const struct itp_inlined_chain *inlined =
		walk->leaves_out_inlined ?
			NULL :
			itp_symbolizer_inlined(walk->symbolizer, walk->space,
					       frame->address - !frame->is_exact);
	uint64_t address = frame->address - slide;

	for (uint32_t i = inlined ? inlined->count : 0; i-- > 0;) {
		if (!add_frame(walk, begin, address, inlined->calls[i].function)) {
			return false;
		}
		address = inlined->calls[i].site;
		walk->has_inlined = true;
	}
	return add_frame(walk, begin, address, frame->function);
}

/* `is_exact`: the address is where the thread was, not where it will return to. */
static void add_user(struct walk *walk, const struct itp_frame *begin, uint64_t address,
		     bool is_exact)
{
	struct itp_completion_frame frame = { .address = address, .is_exact = is_exact };

	/* Frames below a broken place are not known to have called anything. */
	if (walk->end != ITP_STACK_END_ROOT) {
		return;
	}
	if (address == 0) {
		walk->end = ITP_STACK_END_UNWIND;
		return;
	}
	if (!walk->has_user_frames) {
		walk->space = itp_process_space(walk->input->process, address - !is_exact);
	}
	frame.function = itp_symbolizer_user(walk->symbolizer, walk->space, address - !is_exact,
					     &frame.slide);
	if (frame.function == ITP_FUNCTION_UNMAPPED) {
		walk->end = ITP_STACK_END_UNWIND;
		return;
	}
	/* Frame pointers have led to leftovers of another function on the stack. */
	if (!walk->input->user->is_present && walk->has_user_frames &&
	    !itp_symbolizer_may_call(walk->symbolizer, frame.function, walk->above.function)) {
		walk->end = ITP_STACK_END_UNWIND;
		return;
	}
	if (walk->completion && walk->has_user_frames) {
		fill_hole(walk, begin, &frame);
	}
	walk->has_user_frames = true;
	walk->above = frame;
	if (add_frames(walk, begin, &frame)) {
		walk->doubtful_count = is_byte_code(walk->space, address - !is_exact) ?
					       walk->doubtful_count + 1 :
					       0;
	}
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

/* All entries are the user's, markers among them mean nothing. */
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

/* The user's part is the last: a marker in it is a stray number in a caller's place. */
static void add_marker(struct walk *walk, uint64_t marker)
{
	if (walk->has_user_frames) {
		if (walk->end == ITP_STACK_END_ROOT) {
			walk->end = ITP_STACK_END_UNWIND;
		}
		return;
	}
	walk->part = part_of_marker(marker);
	walk->is_first = true;
	walk->is_cookie = marker == ITP_CHAIN_USER_LATER;
	walk->input->process->is_user |= walk->part == ITP_CHAIN_USER;
}

static void add_chain_entry(struct walk *walk, const struct itp_frame *begin, uint64_t entry)
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

/* A chain that ends in byte code has got lost there. */
static void drop_doubtful(struct walk *walk)
{
	if (walk->doubtful_count > 0) {
		walk->next += walk->doubtful_count;
		walk->end = walk->end == ITP_STACK_END_ROOT ? ITP_STACK_END_UNWIND : walk->end;
	}
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

static void resolve_chain(struct itp_callchain *chain, struct walk *walk)
{
	const struct itp_callchain_input *input = walk->input;
	const struct itp_frame *end = chain->room + G_N_ELEMENTS(chain->room);
	struct itp_bytes entries = *input->chain;
	uint64_t entry;

	while (itp_bytes_u64(&entries, &entry)) {
		add_chain_entry(walk, chain->room, entry);
	}
	chain->found_by = input->user->is_present ? add_unwound(walk, chain->room) :
						    ITP_FOUND_BY_RECORDER;
	drop_doubtful(walk);
	chain->frames = walk->next;
	chain->count = (size_t)(end - walk->next);
	chain->filled_count = walk->filled_count;
	chain->lacks_user_part = walk->lacks_user_part;
	chain->end = end_of(walk);
}

/* True when inlined functions have taken the room of others: these matter more. */
static bool is_full(const struct itp_callchain *chain, const struct walk *walk)
{
	return walk->has_inlined && walk->next == chain->room;
}

void itp_callchain_resolve(struct itp_callchain *chain, struct itp_symbolizer *symbolizer,
			   const struct itp_callchain_input *input)
{
	struct walk begin = {
		.symbolizer = symbolizer,
		.input = input,
		.next = chain->room + G_N_ELEMENTS(chain->room),
		.part = input->part,
		.is_first = true,
		.end = ITP_STACK_END_ROOT,
		.completion = input->user->is_present ? NULL : input->completion,
	};
	struct walk walk = begin;

	resolve_chain(chain, &walk);
	if (is_full(chain, &walk)) {
		begin.leaves_out_inlined = true;
		resolve_chain(chain, &begin);
	}
}

void itp_callchain_show(const struct itp_callchain *chain, struct itp_stack_event *event)
{
	if (event) {
		event->frames = chain->frames;
		event->frame_count = chain->count;
		event->end = chain->end;
		event->complete = event->end == ITP_STACK_END_ROOT;
		event->found_by = chain->found_by;
		event->filled_count = chain->filled_count;
	}
}
