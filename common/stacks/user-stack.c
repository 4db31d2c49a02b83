/* SPDX-License-Identifier: MIT */
/*
 * From a sample to the unwinder and back.
 */
#include "common/stacks/user-stack.h"

#include "common/symbol/elf-symbols.h"
#include "common/symbol/module.h"

struct itp_user_stacks {
	enum itp_architecture architecture;
	struct itp_unwinder *unwinder;
	uint64_t registers[ITP_REGISTER_LIMIT * 2];
	struct itp_unwound_frame frames[ITP_UNWIND_MAX_FRAMES];
};

/* Only executable memory is in an address space, so what is also mapped as data cannot mislead. */
static bool find_place(void *data, uint64_t address, struct itp_unwind_place *ret_place)
{
	struct itp_address_space *space = data;
	const struct itp_mapping *mapping = itp_address_space_find(space, address);

	if (!mapping) {
		return false;
	}
	ret_place->cfi = itp_module_cfi(mapping->module, address - mapping->start + mapping->offset,
					&ret_place->vaddr);
	if (!ret_place->cfi) {
		ret_place->row = itp_module_made_row(mapping->module, address);
	}
	return true;
}

static bool find_code(void *data, uint64_t address, struct itp_unwind_code *ret_code)
{
	const struct itp_mapping *mapping = itp_address_space_find(data, address);
	const struct itp_elf_symbols *symbols = mapping && !itp_module_is_memory(mapping->module) ?
							itp_module_symbols(mapping->module) :
							NULL;
	struct itp_elf_function function;
	struct itp_bytes code;
	uint64_t begin;
	uint64_t vaddr;

	if (!symbols || !itp_elf_image_vaddr(&symbols->image, mapping->offset, &begin)) {
		return false;
	}
	vaddr = begin + (address - mapping->start);
	function = itp_elf_symbols_find(symbols, vaddr);
	code = itp_elf_image_at(&symbols->image, begin);
	*ret_code = (struct itp_unwind_code){
		.bytes = code.data,
		.begin = mapping->start,
		.end = mapping->start + MIN(mapping->end - mapping->start, code.size),
		.entry = function.name ? mapping->start + (function.start - begin) : 0,
	};
	return code.size > 0;
}

struct itp_user_stacks *itp_user_stacks_new(const char *arch)
{
	struct itp_user_stacks *stacks = g_new0(struct itp_user_stacks, 1);

	stacks->architecture = g_strcmp0(arch, "aarch64") == 0 ? ITP_ARM64 : ITP_X86_64;
	stacks->unwinder = itp_unwinder_new(find_place, find_code);
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
