/* SPDX-License-Identifier: MIT */
/*
 * Instructions between a switch statement's comparison and its jump, as compilers use them. All
 * others make the registers written unknown.
 */
#include "common/control-flow/operand.h"

/* Registers that calls may change, numbered as in `registers`. */
static const uint8_t call_clobbered[] = { 0, 1, 2, 6, 7, 8, 9, 10, 11 };
static const uint8_t system_call_clobbered[] = { 0, 1, 11 };

#define RESULT_REGISTER 0

void itp_flow_values_init(struct itp_flow_values *values)
{
	*values = (struct itp_flow_values){ .last_id = 0 };
	for (size_t i = 0; i < ITP_FLOW_REGISTERS; i++) {
		values->registers[i] = itp_flow_fresh(values, 64);
	}
}

static void forget_registers(struct itp_flow_values *values, const uint8_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		values->registers[numbers[i]] = itp_flow_fresh(values, 64);
	}
	values->place_count = 0;
	values->compared.id = 0;
}

void itp_flow_values_call(struct itp_flow_values *values, bool is_system_call)
{
	if (is_system_call) {
		forget_registers(values, system_call_clobbered,
				 G_N_ELEMENTS(system_call_clobbered));
		return;
	}
	forget_registers(values, call_clobbered, G_N_ELEMENTS(call_clobbered));
	/* A function's result is a whole pointer, if it is a pointer. */
	values->registers[RESULT_REGISTER].kind = ITP_FLOW_VALUE_POINTER;
}

static void set_bound(struct itp_flow_values *values, uint32_t id, uint64_t highest)
{
	values->bounds[values->bound_count++ % ITP_FLOW_MAX_BOUNDS] =
		(struct itp_flow_bound){ .id = id, .highest = highest };
}

bool itp_flow_values_bound(const struct itp_flow_values *values, uint32_t id, uint64_t *ret_highest)
{
	uint32_t count = MIN(values->bound_count, ITP_FLOW_MAX_BOUNDS);
	bool is_bound = false;

	for (uint32_t i = 0; i < count; i++) {
		const struct itp_flow_bound *bound = &values->bounds[i];

		if (bound->id == id && (!is_bound || bound->highest < *ret_highest)) {
			*ret_highest = bound->highest;
			is_bound = true;
		}
	}
	return is_bound;
}

/* A 32-bit value with its sign copied into the upper half. */
static struct itp_flow_value sign_extend(struct itp_flow_values *values,
					 struct itp_flow_value value)
{
	uint64_t highest = UINT64_MAX;

	if (value.kind == ITP_FLOW_VALUE_SHORT_ELEMENT) {
		value.kind = ITP_FLOW_VALUE_ELEMENT;
		return value;
	}
	if (value.kind == ITP_FLOW_VALUE_OPAQUE &&
	    (value.width < 32 ||
	     (itp_flow_values_bound(values, value.id, &highest) && highest <= INT32_MAX))) {
		return value;
	}
	return itp_flow_fresh(values, 64);
}

static bool is_base_of(const struct itp_flow_value *base, const struct itp_flow_value *element)
{
	if (element->base_id != 0) {
		return base->kind == ITP_FLOW_VALUE_OPAQUE && base->id == element->base_id &&
		       base->width == 64;
	}
	return base->kind == ITP_FLOW_VALUE_CONSTANT && base->number == element->number;
}

static struct itp_flow_value add_values(struct itp_flow_values *values, struct itp_flow_value left,
					struct itp_flow_value right)
{
	if (left.kind == ITP_FLOW_VALUE_ELEMENT && is_base_of(&right, &left)) {
		left.kind = ITP_FLOW_VALUE_PLACE;
		return left;
	}
	if (right.kind == ITP_FLOW_VALUE_ELEMENT && is_base_of(&left, &right)) {
		right.kind = ITP_FLOW_VALUE_PLACE;
		return right;
	}
	return itp_flow_fresh(values, 64);
}

static struct itp_flow_value effective_address(struct itp_flow_values *values,
					       const cs_insn *instruction, const x86_op_mem *memory)
{
	struct itp_flow_value index;

	if (memory->base == X86_REG_RIP) {
		return (struct itp_flow_value){
			.kind = ITP_FLOW_VALUE_CONSTANT,
			.number = instruction->address + instruction->size + (uint64_t)memory->disp,
		};
	}
	if (memory->disp != 0 || memory->index == X86_REG_INVALID) {
		return itp_flow_fresh(values, 64);
	}
	index = itp_flow_read_register(values, memory->index);
	if (memory->base != X86_REG_INVALID) {
		return memory->scale == 1 ?
			       add_values(values, index,
					  itp_flow_read_register(values, memory->base)) :
			       itp_flow_fresh(values, 64);
	}
	if (index.kind != ITP_FLOW_VALUE_OPAQUE) {
		return itp_flow_fresh(values, 64);
	}
	index.kind = ITP_FLOW_VALUE_SCALED;
	index.scale = (uint8_t)memory->scale;
	return index;
}

/* Of a register or memory with a number. */
static void compare_operands(struct itp_flow_values *values, const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	struct itp_flow_value value = itp_flow_read_operand(values, instruction, &operands[0]);
	uint8_t bits = (uint8_t)(MIN(operands[0].size, 8) * 8);
	uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	values->compared.id = 0;
	if (operands[1].type != X86_OP_IMM ||
	    (value.kind != ITP_FLOW_VALUE_OPAQUE && value.kind != ITP_FLOW_VALUE_POINTER)) {
		return;
	}
	values->compared.id = value.id;
	values->compared.highest = (uint64_t)operands[1].imm & all;
	values->is_compared_unsigned = value.width < bits;
}

void itp_flow_values_branch(struct itp_flow_values *values, const cs_insn *jump, bool is_taken)
{
	bool allows_equal = true;
	bool is_below_when_taken;

	switch (jump->id) {
	case X86_INS_JG:
	case X86_INS_JA:
		is_below_when_taken = false;
		break;
	case X86_INS_JGE:
	case X86_INS_JAE:
		is_below_when_taken = false;
		allows_equal = false;
		break;
	case X86_INS_JLE:
	case X86_INS_JBE:
		is_below_when_taken = true;
		break;
	case X86_INS_JL:
	case X86_INS_JB:
		is_below_when_taken = true;
		allows_equal = false;
		break;
	default:
		return;
	}
	if ((jump->id == X86_INS_JG || jump->id == X86_INS_JGE || jump->id == X86_INS_JL ||
	     jump->id == X86_INS_JLE) &&
	    !values->is_compared_unsigned) {
		return;
	}
	if (values->compared.id == 0 || is_taken != is_below_when_taken ||
	    (!allows_equal && values->compared.highest == 0)) {
		return;
	}
	set_bound(values, values->compared.id, values->compared.highest - !allows_equal);
}

/* Makes every register written by an instruction unknown. */
static void forget_written(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
			   const cs_insn *instruction)
{
	cs_regs written;
	uint8_t count;

	itp_flow_written_registers(decoder, instruction, written, &count);
	for (uint8_t i = 0; i < count; i++) {
		const struct itp_flow_register *found = itp_flow_find_register(written[i]);

		if (written[i] == X86_REG_EFLAGS) {
			values->compared.id = 0;
		} else if (found) {
			values->registers[found->number] =
				itp_flow_fresh(values, found->bytes == 4 ? 32 : 64);
		}
	}
}

static void store(struct itp_flow_values *values, const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	struct itp_flow_place place = { .size = operands[0].size };

	values->place_count = 0;
	if (operands[1].type == X86_OP_REG &&
	    itp_flow_find_place(values, instruction, &operands[0].mem, &place)) {
		place.value = itp_flow_read_register(values, operands[1].reg);
		itp_flow_remember_place(values, &place);
	}
}

static void move(struct itp_flow_values *values, const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;

	if (operands[0].type == X86_OP_MEM) {
		store(values, instruction);
	} else {
		itp_flow_write_register(values, operands[0].reg,
					itp_flow_read_operand(values, instruction, &operands[1]));
	}
}

/* and, shr: the result is small. */
static void reduce(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
		   const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	const struct itp_flow_register *found;
	uint64_t number = (uint64_t)operands[1].imm;
	uint64_t highest = number;

	forget_written(values, decoder, instruction);
	found = operands[0].type == X86_OP_REG ? itp_flow_find_register(operands[0].reg) : NULL;
	if (!found || found->bytes < 4 || operands[1].type != X86_OP_IMM || number > INT32_MAX) {
		return;
	}
	if (instruction->id == X86_INS_SHR) {
		if (number == 0 || number >= found->bytes * 8u) {
			return;
		}
		highest = UINT64_MAX >> (64 - found->bytes * 8u + number);
	}
	set_bound(values, values->registers[found->number].id, highest);
}

static void subtract(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
		     const cs_insn *instruction)
{
	struct itp_flow_bound compared;

	compare_operands(values, instruction);
	compared = values->compared;
	forget_written(values, decoder, instruction);
	values->compared = compared;
}

static bool is_register_operation(const cs_x86 *x86)
{
	return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG;
}

static void add_registers(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
			  const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	struct itp_flow_value sum;

	if (operands[0].size != 8 || operands[1].type != X86_OP_REG) {
		forget_written(values, decoder, instruction);
		return;
	}
	sum = add_values(values, itp_flow_read_register(values, operands[0].reg),
			 itp_flow_read_register(values, operands[1].reg));
	forget_written(values, decoder, instruction);
	itp_flow_write_register(values, operands[0].reg, sum);
}

/* False for other instructions. */
static bool step_with_registers(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
				const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;

	switch (instruction->id) {
	case X86_INS_MOVSXD:
		itp_flow_write_register(
			values, operands[0].reg,
			sign_extend(values,
				    itp_flow_read_operand(values, instruction, &operands[1])));
		return true;
	case X86_INS_LEA:
		itp_flow_write_register(
			values, operands[0].reg,
			itp_flow_truncate(values,
					  effective_address(values, instruction, &operands[1].mem),
					  operands[0].size));
		return true;
	case X86_INS_ADD:
		add_registers(values, decoder, instruction);
		return true;
	case X86_INS_SUB:
		subtract(values, decoder, instruction);
		return true;
	case X86_INS_AND:
	case X86_INS_SHR:
		reduce(values, decoder, instruction);
		return true;
	default:
		return false;
	}
}

void itp_flow_values_step(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
			  const cs_insn *instruction)
{
	const cs_x86 *x86 = &instruction->detail->x86;

	switch (instruction->id) {
	case X86_INS_NOP:
	case X86_INS_ENDBR64:
		return;
	case X86_INS_MOV:
	case X86_INS_MOVABS:
	case X86_INS_MOVZX:
		move(values, instruction);
		return;
	case X86_INS_CMP:
		compare_operands(values, instruction);
		return;
	case X86_INS_CDQE:
		values->registers[RESULT_REGISTER] =
			sign_extend(values, itp_flow_read_register(values, X86_REG_EAX));
		return;
	case X86_INS_TEST:
		values->compared.id = 0;
		return;
	default:
		if (is_register_operation(x86) &&
		    step_with_registers(values, decoder, instruction)) {
			return;
		}
		/* The instruction may write to memory as well. */
		values->place_count = 0;
		forget_written(values, decoder, instruction);
	}
}

struct itp_flow_value itp_flow_values_target(struct itp_flow_values *values, const cs_insn *jump)
{
	return itp_flow_read_operand(values, jump, &jump->detail->x86.operands[0]);
}
