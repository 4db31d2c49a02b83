/* SPDX-License-Identifier: MIT */
/*
 * A step: find the row of the address, work out the CFA, load the registers saved by the row.
 *
 * A fixed table remembers rows by layout and address, so that a repeated step costs one probe and a
 * few loads. Return addresses are looked up one byte back, in the call itself: behind a call that
 * does not return another function may begin. Without a row, as in programs built without unwind
 * tables to make them small, the caller is known by its call (call-site.h), if the function's name
 * is. Else frame pointers are believed as long as they point up into the copy, to code.
 *
 * Loops are impossible: the CFA grows with each step, except at a signal frame, which may lead to
 * another stack; and the number of frames is limited.
 */
#include "common/unwind/unwind.h"

#include "common/unwind/cfi-expression.h"

/* 192 KiB. */
#define RECENT_BITS 13
/* How large a frame without a rule may be. */
#define SCAN_BYTES 8192
/* Places tried for a frame, with as many frames each, and with as many of these found by trial. */
#define TRIALS_MOST 16
#define TRIAL_FRAMES 64
#define TRIALS_DEEP 4

struct recent {
	/* Address as looked up, not as shown. */
	uint64_t address;
	/* NULL for none. Weak. */
	const struct itp_cfi_row *row;
	uint32_t layout;
	bool is_mapped;
};

struct itp_unwinder {
	/* Weak. */
	itp_unwind_resolve *resolve;
	itp_unwind_find_code *find_code;
	struct recent recent[1u << RECENT_BITS];
};

struct walk {
	/* All weak. */
	struct itp_unwinder *unwinder;
	const struct itp_unwind_input *input;
	void *data;
	const struct itp_register_set *set;
	struct itp_stack_copy stack;
	struct itp_registers registers;
	/* Registers that would be known from a larger copy. */
	uint64_t beyond_copy;
	/* Address of the thread in this frame, now or after a return. */
	uint64_t address;
	bool is_exact;
	bool is_leaf;
	/* No row vouches for the address. */
	bool is_guessed;
	/* How many frames are only tried. */
	unsigned int trials;
	enum itp_unwind_how how;
	enum itp_unwind_end end;
};

struct itp_unwinder *itp_unwinder_new(itp_unwind_resolve *resolve, itp_unwind_find_code *find_code)
{
	struct itp_unwinder *unwinder = g_new0(struct itp_unwinder, 1);

	unwinder->resolve = resolve;
	unwinder->find_code = find_code;
	return unwinder;
}

void itp_unwinder_free(struct itp_unwinder *unwinder)
{
	g_free(unwinder);
}

/* Fills *entry, and returns whether it may be kept. */
static bool look_up_row(const struct itp_unwinder *unwinder, void *data, struct recent *entry)
{
	struct itp_unwind_place place = { .cfi = NULL };
	bool is_lasting = true;

	entry->is_mapped = unwinder->resolve(data, entry->address, &place);
	entry->row = entry->is_mapped && place.cfi ?
			     itp_cfi_find(place.cfi, place.vaddr, &is_lasting) :
			     place.row;
	return is_lasting;
}

static struct recent find_recent(const struct walk *walk, uint64_t address)
{
	const uint32_t layout = walk->input->layout;
	uint64_t mixed = (address + ((uint64_t)layout << 40)) * UINT64_C(0x9e3779b97f4a7c15);
	struct recent *kept = &walk->unwinder->recent[mixed >> (64 - RECENT_BITS)];
	struct recent entry = { .address = address, .layout = layout };

	if (G_LIKELY(kept->address == address && kept->layout == layout)) {
		return *kept;
	}
	if (look_up_row(walk->unwinder, walk->data, &entry)) {
		*kept = entry;
	}
	return entry;
}

static bool stop(struct walk *walk, enum itp_unwind_end end)
{
	walk->end = end;
	return false;
}

/* Ends without a register: as too little was copied, or for lack of a rule. */
static bool stop_without(struct walk *walk, uint64_t registers)
{
	return stop(walk, walk->beyond_copy & registers ? ITP_UNWIND_DEPTH : ITP_UNWIND_NO_RULE);
}

static bool stop_for(struct walk *walk, enum itp_cfi_result result)
{
	switch (result) {
	case ITP_CFI_NO_MEMORY:
		return stop(walk, ITP_UNWIND_DEPTH);
	case ITP_CFI_NO_REGISTER:
		return stop_without(walk, UINT64_MAX);
	default:
		return stop(walk, ITP_UNWIND_NO_RULE);
	}
}

/* The caller's stack pointer must be above this frame's; a leaf may have its return address in a
 * register and nothing on the stack (arm64; vfork on x86-64). */
static bool is_growing(const struct walk *walk, uint64_t cfa)
{
	uint64_t stack_pointer = walk->registers.values[walk->set->stack_pointer];

	return cfa > stack_pointer || (cfa == stack_pointer && walk->is_leaf);
}

/* Goes on at `address`, with the caller's registers. */
static bool arrive(struct walk *walk, uint64_t address, bool is_exact, enum itp_unwind_how how)
{
	if (address == 0) {
		return stop(walk, ITP_UNWIND_ROOT);
	}
	walk->address = address;
	walk->registers.values[walk->set->program_counter] = address;
	walk->registers.known |= ITP_REGISTER_BIT(walk->set->program_counter);
	walk->is_exact = is_exact;
	walk->is_guessed = walk->is_leaf ? walk->is_guessed : false;
	walk->is_guessed |= how >= ITP_UNWIND_FRAME_POINTER;
	walk->is_leaf = false;
	walk->how = how;
	return true;
}

/* Goes on at the row's return address. */
static bool arrive_at_return(struct walk *walk, const struct itp_cfi_row *row,
			     enum itp_unwind_how how)
{
	uint64_t bit = ITP_REGISTER_BIT(row->return_register);

	if (!(walk->registers.known & bit)) {
		return stop_without(walk, bit);
	}
	return arrive(walk, walk->registers.values[row->return_register] & walk->set->address_bits,
		      row->is_signal_frame, how);
}

/* Rows with all rules "saved at CFA + offset": nearly all rows. */
static bool step_simple(struct walk *walk, const struct itp_cfi_row *row)
{
	struct itp_registers *registers = &walk->registers;
	uint64_t cfa = registers->values[row->cfa.source] + (uint64_t)(int64_t)row->cfa.value;
	uint64_t loaded = ITP_REGISTER_BIT(walk->set->stack_pointer);
	uint64_t beyond = 0;

	if (G_UNLIKELY(!(registers->known & ITP_REGISTER_BIT(row->cfa.source)))) {
		return stop_without(walk, ITP_REGISTER_BIT(row->cfa.source));
	}
	if (G_UNLIKELY(!is_growing(walk, cfa))) {
		return stop(walk, ITP_UNWIND_BAD);
	}
	for (uint32_t i = 0; i < row->rule_count; i++) {
		const struct itp_cfi_rule *rule = &row->rules[i];
		uint64_t bit = ITP_REGISTER_BIT(rule->target);

		if (G_LIKELY(itp_stack_copy_load(&walk->stack, cfa + (uint64_t)(int64_t)rule->value,
						 &registers->values[rule->target]))) {
			loaded |= bit;
		} else {
			beyond |= bit;
		}
	}
	registers->values[walk->set->stack_pointer] = cfa;
	registers->known = (registers->known & row->kept) | loaded;
	walk->beyond_copy = (walk->beyond_copy & row->kept) | beyond;
	return arrive_at_return(walk, row, ITP_UNWIND_RULE);
}

static enum itp_cfi_result evaluate(const struct walk *walk, const struct itp_cfi_row *row,
				    const struct itp_cfi_rule *rule, const uint64_t *cfa,
				    uint64_t *ret_value)
{
	const struct itp_cfi_context context = {
		.registers = &walk->registers,
		.stack = &walk->stack,
		.cfa = cfa,
	};
	const struct itp_bytes expression = { .data = row->expressions + rule->value,
					      .size = rule->source };

	return itp_cfi_evaluate(expression, &context, ret_value);
}

static enum itp_cfi_result load_word(const struct walk *walk, uint64_t address, uint64_t *ret_value)
{
	return itp_stack_copy_load(&walk->stack, address, ret_value) ? ITP_CFI_OK :
								       ITP_CFI_NO_MEMORY;
}

/* The value of a rule of any kind. For the CFA's own rule, `cfa` is NULL. */
static enum itp_cfi_result apply_rule(const struct walk *walk, const struct itp_cfi_row *row,
				      const struct itp_cfi_rule *rule, const uint64_t *cfa,
				      uint64_t *ret_value)
{
	uint64_t offset = (uint64_t)(int64_t)rule->value;
	enum itp_cfi_result result;

	switch (rule->kind) {
	case ITP_CFI_SAVED:
		return load_word(walk, *cfa + offset, ret_value);
	case ITP_CFI_CFA_PLUS:
		*ret_value = *cfa + offset;
		return ITP_CFI_OK;
	case ITP_CFI_REGISTER:
		*ret_value = walk->registers.values[rule->source] + offset;
		return walk->registers.known & ITP_REGISTER_BIT(rule->source) ? ITP_CFI_OK :
										ITP_CFI_NO_REGISTER;
	case ITP_CFI_SAVED_AT_EXPRESSION:
		result = evaluate(walk, row, rule, cfa, ret_value);
		return result == ITP_CFI_OK ? load_word(walk, *ret_value, ret_value) : result;
	default:
		return evaluate(walk, row, rule, cfa, ret_value);
	}
}

/* Any row. The rules read the called frame's registers, so the caller's are collected apart. */
static bool step_general(struct walk *walk, const struct itp_cfi_row *row)
{
	const uint8_t stack_pointer = walk->set->stack_pointer;
	struct itp_registers caller = walk->registers;
	uint64_t loaded = ITP_REGISTER_BIT(stack_pointer);
	uint64_t beyond = 0;
	uint64_t cfa;
	enum itp_cfi_result result = apply_rule(walk, row, &row->cfa, NULL, &cfa);

	if (result != ITP_CFI_OK) {
		return stop_for(walk, result);
	}
	caller.values[stack_pointer] = cfa;
	for (uint32_t i = 0; i < row->rule_count; i++) {
		const struct itp_cfi_rule *rule = &row->rules[i];
		uint64_t bit = ITP_REGISTER_BIT(rule->target);

		result = apply_rule(walk, row, rule, &cfa, &caller.values[rule->target]);
		loaded = result == ITP_CFI_OK ? loaded | bit : loaded & ~bit;
		beyond |= result == ITP_CFI_NO_MEMORY ? bit : 0;
	}
	if (!row->is_signal_frame && !is_growing(walk, caller.values[stack_pointer])) {
		return stop(walk, ITP_UNWIND_BAD);
	}
	caller.known = (caller.known & row->kept) | loaded;
	walk->registers = caller;
	walk->beyond_copy = (walk->beyond_copy & row->kept) | beyond;
	return arrive_at_return(walk, row,
				row->expressions ? ITP_UNWIND_EXPRESSION : ITP_UNWIND_RULE);
}

/* Without a rule: a frame pointer into the copy, above the stack pointer, to the caller's frame
 * pointer and the return address. Equal on x86-64 and arm64. */
static bool step_frame_pointer(struct walk *walk)
{
	struct itp_registers *registers = &walk->registers;
	uint64_t bit = ITP_REGISTER_BIT(walk->set->frame_pointer);
	uint64_t frame = registers->values[walk->set->frame_pointer];
	uint64_t caller_frame;
	uint64_t address;

	/* A chain of frame pointers ends with 0, by the calling conventions. */
	if (frame == 0 && walk->how == ITP_UNWIND_FRAME_POINTER) {
		return stop(walk, ITP_UNWIND_ROOT);
	}
	if (!(registers->known & bit) || frame % sizeof(frame) != 0 ||
	    frame < registers->values[walk->set->stack_pointer] ||
	    !itp_stack_copy_load(&walk->stack, frame, &caller_frame) ||
	    !itp_stack_copy_load(&walk->stack, frame + sizeof(frame), &address)) {
		return stop(walk, ITP_UNWIND_NO_RULE);
	}
	registers->values[walk->set->frame_pointer] = caller_frame;
	registers->values[walk->set->stack_pointer] = frame + 2 * sizeof(frame);
	registers->known = bit | ITP_REGISTER_BIT(walk->set->stack_pointer);
	walk->beyond_copy = 0;
	return arrive(walk, address & walk->set->address_bits, false, ITP_UNWIND_FRAME_POINTER);
}

static struct recent find_row(struct walk *walk);
static bool step_to_caller(struct walk *walk, const struct recent *found);

/* Goes on at `address`, found on the stack at `place`. */
static bool arrive_at_call_site(struct walk *walk, uint64_t place, uint64_t address)
{
	struct itp_registers *registers = &walk->registers;

	registers->values[walk->set->stack_pointer] = place + sizeof(address);
	registers->known = ITP_REGISTER_BIT(walk->set->stack_pointer);
	walk->beyond_copy = 0;
	return arrive(walk, address, false, ITP_UNWIND_CALL_SITE);
}

/* True when the stack leads from `place` to a frame without a caller, by rules and call sites. */
static bool leads_to_root(const struct walk *from, uint64_t place, uint64_t address)
{
	struct walk walk = *from;

	if (++walk.trials > TRIALS_DEEP) {
		return false;
	}
	arrive_at_call_site(&walk, place, address);
	for (size_t i = 0; i < TRIAL_FRAMES; i++) {
		const struct recent found = find_row(&walk);

		if (!step_to_caller(&walk, &found)) {
			return found.row && found.row->caller == ITP_CFI_CALLER_NONE;
		}
	}
	return false;
}

/* Return address of an indirect call, which may have called any function: the nearest place from
 * which the whole stack is sound. */
static bool step_indirect(struct walk *walk, uint64_t begin, uint64_t end)
{
	unsigned int tried = 0;
	uint64_t address;

	for (uint64_t at = begin; at < end && itp_stack_copy_load(&walk->stack, at, &address);
	     at += sizeof(address)) {
		struct itp_unwind_code code;

		if (walk->unwinder->find_code(walk->data, address - 1, &code) &&
		    itp_call_site_is_indirect(&code, address)) {
			if (leads_to_root(walk, at, address)) {
				return arrive_at_call_site(walk, at, address);
			}
			if (++tried == TRIALS_MOST) {
				return false;
			}
		}
	}
	return false;
}

/* Without a rule, on x86-64: the nearest address on the stack behind a call of the function. Old
 * contents of the stack mislead only if they are of a call of the very function. */
static bool step_call_site(struct walk *walk)
{
	const uint64_t begin = walk->registers.values[walk->set->stack_pointer];
	const uint64_t end = begin + SCAN_BYTES;
	struct itp_unwind_code code;
	uint64_t address;

	if (walk->set != itp_register_set(ITP_X86_64) ||
	    !walk->unwinder->find_code(walk->data, walk->address - (walk->is_exact ? 0 : 1),
				       &code) ||
	    code.entry == 0) {
		return false;
	}
	for (uint64_t at = begin; at < end && itp_stack_copy_load(&walk->stack, at, &address);
	     at += sizeof(address)) {
		if (itp_call_site_is_of(&code, address)) {
			return arrive_at_call_site(walk, at, address);
		}
	}
	return step_indirect(walk, begin, end);
}

/* True when the frame pointer is in use: it led here, or leads to code of a frame above, with a
 * frame pointer still higher, or 0. In code without frame pointers, the register may hold
 * anything. */
static bool keeps_frame_pointer(const struct walk *walk)
{
	uint64_t frame = walk->registers.values[walk->set->frame_pointer];
	uint64_t caller_frame;
	uint64_t address;

	return walk->how == ITP_UNWIND_FRAME_POINTER ||
	       ((walk->registers.known & ITP_REGISTER_BIT(walk->set->frame_pointer)) &&
		frame >= walk->registers.values[walk->set->stack_pointer] &&
		itp_stack_copy_load(&walk->stack, frame, &caller_frame) &&
		itp_stack_copy_load(&walk->stack, frame + sizeof(frame), &address) &&
		(caller_frame > frame || caller_frame == 0) &&
		find_recent(walk, (address & walk->set->address_bits) - 1).is_mapped);
}

static bool step_without_rule(struct walk *walk)
{
	if (walk->trials > 0) {
		return step_call_site(walk) || stop(walk, ITP_UNWIND_NO_RULE);
	}
	return (!keeps_frame_pointer(walk) && step_call_site(walk)) || step_frame_pointer(walk);
}

/* From the frame at hand to its caller's; false at the end. */
static bool step_to_caller(struct walk *walk, const struct recent *found)
{
	const struct itp_cfi_row *row = found->row;

	if (!row) {
		return found->is_mapped ? step_without_rule(walk) : stop(walk, ITP_UNWIND_BAD);
	}
	if (row->caller == ITP_CFI_CALLER_NONE ||
	    (row->caller != ITP_CFI_CALLER_BY_RULES && !walk->is_exact)) {
		return stop(walk, ITP_UNWIND_ROOT);
	}
	if (row->caller == ITP_CFI_CALLER_ON_OTHER_STACK_UNRULED) {
		return step_without_rule(walk);
	}
	return row->is_simple ? step_simple(walk, row) : step_general(walk, row);
}

static bool begin_walk(struct walk *walk)
{
	const struct itp_unwind_input *input = walk->input;

	walk->set = itp_register_set(input->architecture);
	if (!itp_registers_from_perf(walk->set, input->register_mask, input->registers,
				     input->register_count, &walk->registers)) {
		return stop(walk, ITP_UNWIND_BAD);
	}
	walk->stack = (struct itp_stack_copy){
		.data = input->stack,
		.size = input->stack_bytes,
		.address = walk->registers.values[walk->set->stack_pointer],
	};
	walk->address = walk->registers.values[walk->set->program_counter];
	walk->is_exact = true;
	walk->is_leaf = true;
	walk->how = ITP_UNWIND_REGISTERS;
	return true;
}

/* A stack made to begin in a function, as by makecontext(), has the function's begin as a return
 * address that no call has left, behind bytes that are no code; its own rules hold for a call. The
 * kernel makes up the return address of a signal handler alike, but the rules at the address
 * hold. */
static bool find_made_up_return(const struct walk *walk, struct recent *ret_found)
{
	static const struct itp_cfi_row root = { .caller = ITP_CFI_CALLER_NONE };

	const struct itp_cfi_row *row;

	if (walk->is_leaf || walk->is_exact) {
		return false;
	}
	row = find_recent(walk, walk->address).row;
	if (!row) {
		return false;
	}
	ret_found->row = row->is_signal_frame ? row : &root;
	return true;
}

/* The row of the current frame. Behind a system call rules may be missing: because the function
 * ends with the call (sigreturn), or because the code behind it runs in two threads (clone). The
 * row before it still holds. */
static struct recent find_row(struct walk *walk)
{
	const unsigned int distances[] = { 1, 1 + walk->set->syscall_bytes };
	struct recent found = find_recent(walk, walk->address - (walk->is_exact ? 0 : 1));

	if (G_UNLIKELY(!found.row) && find_made_up_return(walk, &found)) {
		walk->is_exact = true;
		return found;
	}
	for (size_t i = 0; G_UNLIKELY(!found.row) && walk->is_leaf && found.is_mapped &&
			   i < G_N_ELEMENTS(distances);
	     i++) {
		struct recent before = find_recent(walk, walk->address - distances[i]);

		if (before.row) {
			walk->is_exact = false;
			walk->is_guessed = true;
			return before;
		}
	}
	return found;
}

size_t itp_unwind(struct itp_unwinder *unwinder, const struct itp_unwind_input *input, void *data,
		  struct itp_unwound_frame *frames, size_t max, enum itp_unwind_end *ret_end)
{
	struct walk walk = { .unwinder = unwinder, .input = input, .data = data };
	size_t count = 0;
	bool is_going_on = begin_walk(&walk);

	while (is_going_on) {
		struct recent found = find_row(&walk);

		if (!found.is_mapped && walk.is_guessed) {
			stop(&walk, ITP_UNWIND_NO_RULE);
			break;
		}
		if (count == max) {
			stop(&walk, ITP_UNWIND_LIMIT);
			break;
		}
		frames[count++] = (struct itp_unwound_frame){
			.address = walk.address,
			.how = (uint8_t)walk.how,
			/* Signal frames are the kernel's; nothing was called there. */
			.is_exact = walk.is_exact ||
				    (found.row && found.row->is_signal_frame && !walk.is_leaf),
		};
		is_going_on = step_to_caller(&walk, &found);
	}
	*ret_end = walk.end;
	return count;
}
