/* SPDX-License-Identifier: MIT */
/*
 * Registers, places in memory and elements of tables, as operands name them.
 */
#include "common/control-flow/operand.h"

#define REGISTER_NAMES(number, r64, r32, r16, r8)                   \
	{ r64, number, 8 }, { r32, number, 4 }, { r16, number, 2 }, \
	{                                                           \
		r8, number, 1                                       \
	}

static const struct itp_flow_register register_names[] = {
	REGISTER_NAMES(0, X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL),
	REGISTER_NAMES(1, X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL),
	REGISTER_NAMES(2, X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL),
	REGISTER_NAMES(3, X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL),
	REGISTER_NAMES(4, X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL),
	REGISTER_NAMES(5, X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL),
	REGISTER_NAMES(6, X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL),
	REGISTER_NAMES(7, X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL),
	REGISTER_NAMES(8, X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B),
	REGISTER_NAMES(9, X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B),
	REGISTER_NAMES(10, X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B),
	REGISTER_NAMES(11, X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B),
	REGISTER_NAMES(12, X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B),
	REGISTER_NAMES(13, X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B),
	REGISTER_NAMES(14, X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B),
	REGISTER_NAMES(15, X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B),
	/* Bits 8 to 15: written they change the register, read they are unknown. */
	{ X86_REG_AH, 0, 0 },
	{ X86_REG_CH, 1, 0 },
	{ X86_REG_DH, 2, 0 },
	{ X86_REG_BH, 3, 0 },
};

const struct itp_flow_register *itp_flow_find_register(unsigned int name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(register_names); i++) {
		if (register_names[i].name == name) {
			return &register_names[i];
		}
	}
	return NULL;
}

struct itp_flow_value itp_flow_fresh(struct itp_flow_values *values, uint8_t width)
{
	return (struct itp_flow_value){ .kind = ITP_FLOW_VALUE_OPAQUE,
					.id = ++values->last_id,
					.width = width };
}

struct itp_flow_value itp_flow_truncate(struct itp_flow_values *values, struct itp_flow_value value,
					uint8_t bytes)
{
	if (bytes == 0) {
		return itp_flow_fresh(values, 8);
	}
	if (bytes >= sizeof(uint64_t)) {
		return value;
	}
	if (value.kind == ITP_FLOW_VALUE_CONSTANT) {
		value.number &= (UINT64_C(1) << bytes * 8) - 1;
		return value;
	}
	if (value.kind == ITP_FLOW_VALUE_OPAQUE ||
	    (value.kind == ITP_FLOW_VALUE_SHORT_ELEMENT && bytes == 4)) {
		value.width = (uint8_t)MIN(value.width, bytes * 8);
		return value;
	}
	return itp_flow_fresh(values, (uint8_t)(bytes * 8));
}

struct itp_flow_value itp_flow_read_register(struct itp_flow_values *values, x86_reg name)
{
	const struct itp_flow_register *found = itp_flow_find_register(name);

	if (!found) {
		return itp_flow_fresh(values, 64);
	}
	return itp_flow_truncate(values, values->registers[found->number], found->bytes);
}

void itp_flow_write_register(struct itp_flow_values *values, x86_reg name,
			     struct itp_flow_value value)
{
	const struct itp_flow_register *found = itp_flow_find_register(name);

	if (found) {
		/* Writing 32 bits clears the others; writing fewer does not. */
		values->registers[found->number] = found->bytes >= 4 ? value :
								       itp_flow_fresh(values, 64);
	}
}

bool itp_flow_find_place(const struct itp_flow_values *values, const cs_insn *instruction,
			 const x86_op_mem *memory, struct itp_flow_place *ret_place)
{
	const struct itp_flow_register *base = itp_flow_find_register(memory->base);

	if (memory->segment != X86_REG_INVALID || memory->index != X86_REG_INVALID) {
		return false;
	}
	ret_place->displacement = memory->disp;
	ret_place->base_id = 0;
	if (memory->base == X86_REG_RIP) {
		ret_place->displacement += (int64_t)(instruction->address + instruction->size);
		return true;
	}
	if (!base || base->bytes != 8) {
		return memory->base == X86_REG_INVALID;
	}
	ret_place->base_id = values->registers[base->number].id;
	return values->registers[base->number].kind == ITP_FLOW_VALUE_OPAQUE;
}

void itp_flow_remember_place(struct itp_flow_values *values, const struct itp_flow_place *place)
{
	values->places[values->place_count++ % ITP_FLOW_MAX_PLACES] = *place;
}

static struct itp_flow_value load_place(struct itp_flow_values *values, const cs_insn *instruction,
					const cs_x86_op *operand)
{
	struct itp_flow_place place = { .size = operand->size };
	uint32_t count = MIN(values->place_count, ITP_FLOW_MAX_PLACES);

	place.value = itp_flow_fresh(values, (uint8_t)(MIN(operand->size, 8) * 8));
	if (operand->size == 8) {
		place.value.kind = ITP_FLOW_VALUE_POINTER;
	}
	if (!itp_flow_find_place(values, instruction, &operand->mem, &place)) {
		/* Words relative to a thread's memory may be in disguise. */
		place.value.kind = operand->mem.segment == X86_REG_INVALID ? place.value.kind :
									     ITP_FLOW_VALUE_OPAQUE;
		return place.value;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct itp_flow_place *known = &values->places[i];

		if (known->base_id == place.base_id && known->size == place.size &&
		    known->displacement == place.displacement) {
			return known->value;
		}
	}
	itp_flow_remember_place(values, &place);
	return place.value;
}

/* base + index * scale, as far as it is the element of a table; *ret_element is set then. */
static bool find_element(const struct itp_flow_value *base, const struct itp_flow_value *index,
			 int scale, int64_t displacement, struct itp_flow_value *ret_element)
{
	struct itp_flow_value element = { .id = index->id, .width = index->width };

	if (index->kind == ITP_FLOW_VALUE_SCALED && scale == 1) {
		scale = index->scale;
	} else if (index->kind != ITP_FLOW_VALUE_OPAQUE) {
		return false;
	}
	if (base->kind == ITP_FLOW_VALUE_CONSTANT) {
		element.number = base->number + (uint64_t)displacement;
	} else if (base->kind == ITP_FLOW_VALUE_OPAQUE && base->id <= ITP_FLOW_REGISTERS &&
		   base->width == 64 && displacement == 0) {
		element.base_id = (uint8_t)base->id;
	} else {
		return false;
	}
	element.scale = (uint8_t)scale;
	*ret_element = element;
	return true;
}

static struct itp_flow_value load_operand(struct itp_flow_values *values,
					  const cs_insn *instruction, const cs_x86_op *operand)
{
	const x86_op_mem *memory = &operand->mem;
	struct itp_flow_value base = { .kind = ITP_FLOW_VALUE_CONSTANT };
	struct itp_flow_value index;
	struct itp_flow_value element;

	if (memory->index == X86_REG_INVALID || memory->segment != X86_REG_INVALID ||
	    memory->index == X86_REG_RIZ || (operand->size != 4 && operand->size != 8)) {
		return load_place(values, instruction, operand);
	}
	index = itp_flow_read_register(values, memory->index);
	if (memory->base != X86_REG_INVALID) {
		base = itp_flow_read_register(values, memory->base);
	}
	if (!find_element(&base, &index, memory->scale, memory->disp, &element) &&
	    !(memory->scale == 1 &&
	      find_element(&index, &base, memory->scale, memory->disp, &element))) {
		return load_place(values, instruction, operand);
	}
	if (element.scale != operand->size) {
		return load_place(values, instruction, operand);
	}
	element.kind = operand->size == 4 ? ITP_FLOW_VALUE_SHORT_ELEMENT :
					    ITP_FLOW_VALUE_WIDE_ELEMENT;
	return element;
}

struct itp_flow_value itp_flow_read_operand(struct itp_flow_values *values,
					    const cs_insn *instruction, const cs_x86_op *operand)
{
	switch (operand->type) {
	case X86_OP_REG:
		return itp_flow_read_register(values, operand->reg);
	case X86_OP_IMM:
		return itp_flow_truncate(
			values,
			(struct itp_flow_value){ .kind = ITP_FLOW_VALUE_CONSTANT,
						 .number = (uint64_t)operand->imm },
			operand->size);
	case X86_OP_MEM:
		return load_operand(values, instruction, operand);
	default:
		return itp_flow_fresh(values, 64);
	}
}
