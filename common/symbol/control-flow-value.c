/* SPDX-License-Identifier: MIT */
/*
 * The instructions that compilers use between a switch statement's comparison and its jump. All
 * others make what they write unknown.
 */
#include "common/symbol/control-flow-value.h"

/* Numbered as in `registers`; those that calls may change. */
static const uint8_t call_clobbered[] = { 0, 1, 2, 6, 7, 8, 9, 10, 11 };
static const uint8_t system_call_clobbered[] = { 0, 1, 11 };

#define RESULT_REGISTER 0

struct register_name {
	x86_reg name;
	uint8_t number;
	uint8_t bytes;
};

#define REGISTER_NAMES(number, r64, r32, r16, r8)                   \
	{ r64, number, 8 }, { r32, number, 4 }, { r16, number, 2 }, \
	{                                                           \
		r8, number, 1                                       \
	}

static const struct register_name register_names[] = {
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
	/* Bits 8 to 15: written they change the register, read they are nothing that is known. */
	{ X86_REG_AH, 0, 0 },
	{ X86_REG_CH, 1, 0 },
	{ X86_REG_DH, 2, 0 },
	{ X86_REG_BH, 3, 0 },
};

/* NULL for what is no general register. */
static const struct register_name *find_register(unsigned int name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(register_names); i++) {
		if (register_names[i].name == name) {
			return &register_names[i];
		}
	}
	return NULL;
}

static struct itp_flow_value fresh(struct itp_flow_values *values, uint8_t width)
{
	return (struct itp_flow_value){ .kind = ITP_FLOW_VALUE_OPAQUE,
					.id = ++values->last_id,
					.width = width };
}

void itp_flow_values_init(struct itp_flow_values *values)
{
	*values = (struct itp_flow_values){ .last_id = 0 };
	for (size_t i = 0; i < ITP_FLOW_REGISTERS; i++) {
		values->registers[i] = fresh(values, 64);
	}
}

static void forget(struct itp_flow_values *values, const uint8_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		values->registers[numbers[i]] = fresh(values, 64);
	}
	values->place_count = 0;
	values->compared.id = 0;
}

void itp_flow_values_call(struct itp_flow_values *values, bool is_system_call)
{
	if (is_system_call) {
		forget(values, system_call_clobbered, G_N_ELEMENTS(system_call_clobbered));
		return;
	}
	forget(values, call_clobbered, G_N_ELEMENTS(call_clobbered));
	/* What a function returns is a whole pointer, if it is one. */
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

/* The low bytes of a value. */
static struct itp_flow_value truncate_value(struct itp_flow_values *values,
					    struct itp_flow_value value, uint8_t bytes)
{
	if (bytes == 0) {
		return fresh(values, 8);
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
	return fresh(values, (uint8_t)(bytes * 8));
}

/* What an operand's register holds. */
static struct itp_flow_value read_register(struct itp_flow_values *values, x86_reg name)
{
	const struct register_name *found = find_register(name);

	if (!found) {
		return fresh(values, 64);
	}
	return truncate_value(values, values->registers[found->number], found->bytes);
}

static void write_register(struct itp_flow_values *values, x86_reg name,
			   struct itp_flow_value value)
{
	const struct register_name *found = find_register(name);

	if (found) {
		/* Writing 32 bits clears the others; writing fewer does not. */
		values->registers[found->number] = found->bytes >= 4 ? value : fresh(values, 64);
	}
}

/* In which base registers and displacements tell one place from another. */
static bool is_simple_place(const struct itp_flow_values *values, const cs_insn *instruction,
			    const x86_op_mem *memory, struct itp_flow_place *ret_place)
{
	const struct register_name *base = find_register(memory->base);

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

static void remember_place(struct itp_flow_values *values, const struct itp_flow_place *place)
{
	values->places[values->place_count++ % ITP_FLOW_MAX_PLACES] = *place;
}

static struct itp_flow_value load_place(struct itp_flow_values *values, const cs_insn *instruction,
					const cs_x86_op *operand)
{
	struct itp_flow_place place = { .size = operand->size };
	uint32_t count = MIN(values->place_count, ITP_FLOW_MAX_PLACES);

	place.value = fresh(values, (uint8_t)(MIN(operand->size, 8) * 8));
	if (operand->size == 8) {
		place.value.kind = ITP_FLOW_VALUE_POINTER;
	}
	if (!is_simple_place(values, instruction, &operand->mem, &place)) {
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
	remember_place(values, &place);
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

static struct itp_flow_value load(struct itp_flow_values *values, const cs_insn *instruction,
				  const cs_x86_op *operand)
{
	const x86_op_mem *memory = &operand->mem;
	struct itp_flow_value base = { .kind = ITP_FLOW_VALUE_CONSTANT };
	struct itp_flow_value index;
	struct itp_flow_value element;

	if (memory->index == X86_REG_INVALID || memory->segment != X86_REG_INVALID ||
	    memory->index == X86_REG_RIZ || (operand->size != 4 && operand->size != 8)) {
		return load_place(values, instruction, operand);
	}
	index = read_register(values, memory->index);
	if (memory->base != X86_REG_INVALID) {
		base = read_register(values, memory->base);
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

static struct itp_flow_value read_operand(struct itp_flow_values *values,
					  const cs_insn *instruction, const cs_x86_op *operand)
{
	switch (operand->type) {
	case X86_OP_REG:
		return read_register(values, operand->reg);
	case X86_OP_IMM:
		return truncate_value(values,
				      (struct itp_flow_value){ .kind = ITP_FLOW_VALUE_CONSTANT,
							       .number = (uint64_t)operand->imm },
				      operand->size);
	case X86_OP_MEM:
		return load(values, instruction, operand);
	default:
		return fresh(values, 64);
	}
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
	return fresh(values, 64);
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
	return fresh(values, 64);
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
		return fresh(values, 64);
	}
	index = read_register(values, memory->index);
	if (memory->base != X86_REG_INVALID) {
		return memory->scale == 1 ?
			       add_values(values, index, read_register(values, memory->base)) :
			       fresh(values, 64);
	}
	if (index.kind != ITP_FLOW_VALUE_OPAQUE) {
		return fresh(values, 64);
	}
	index.kind = ITP_FLOW_VALUE_SCALED;
	index.scale = (uint8_t)memory->scale;
	return index;
}

/* Of a register or memory with a number. */
static void compare(struct itp_flow_values *values, const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	struct itp_flow_value value = read_operand(values, instruction, &operands[0]);
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

/* Makes all that an instruction writes unknown. */
static void forget_written(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
			   const cs_insn *instruction)
{
	cs_regs written;
	uint8_t count;

	itp_flow_written_registers(decoder, instruction, written, &count);
	for (uint8_t i = 0; i < count; i++) {
		const struct register_name *found = find_register(written[i]);

		if (written[i] == X86_REG_EFLAGS) {
			values->compared.id = 0;
		} else if (found) {
			values->registers[found->number] =
				fresh(values, found->bytes == 4 ? 32 : 64);
		}
	}
}

static void store(struct itp_flow_values *values, const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	struct itp_flow_place place = { .size = operands[0].size };

	values->place_count = 0;
	if (operands[1].type == X86_OP_REG &&
	    is_simple_place(values, instruction, &operands[0].mem, &place)) {
		place.value = read_register(values, operands[1].reg);
		remember_place(values, &place);
	}
}

static void move(struct itp_flow_values *values, const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;

	if (operands[0].type == X86_OP_MEM) {
		store(values, instruction);
	} else {
		write_register(values, operands[0].reg,
			       read_operand(values, instruction, &operands[1]));
	}
}

/* and, shr: the result is small. */
static void reduce(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
		   const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	const struct register_name *found;
	uint64_t number = (uint64_t)operands[1].imm;
	uint64_t highest = number;

	forget_written(values, decoder, instruction);
	found = operands[0].type == X86_OP_REG ? find_register(operands[0].reg) : NULL;
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

	compare(values, instruction);
	compared = values->compared;
	forget_written(values, decoder, instruction);
	values->compared = compared;
}

static bool is_register_operation(const cs_x86 *x86)
{
	return x86->op_count == 2 && x86->operands[0].type == X86_OP_REG;
}

static void add(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
		const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;
	struct itp_flow_value sum;

	if (operands[0].size != 8 || operands[1].type != X86_OP_REG) {
		forget_written(values, decoder, instruction);
		return;
	}
	sum = add_values(values, read_register(values, operands[0].reg),
			 read_register(values, operands[1].reg));
	forget_written(values, decoder, instruction);
	write_register(values, operands[0].reg, sum);
}

/* False for instructions that do something else. */
static bool step_with_registers(struct itp_flow_values *values, struct itp_flow_decoder *decoder,
				const cs_insn *instruction)
{
	const cs_x86_op *operands = instruction->detail->x86.operands;

	switch (instruction->id) {
	case X86_INS_MOVSXD:
		write_register(
			values, operands[0].reg,
			sign_extend(values, read_operand(values, instruction, &operands[1])));
		return true;
	case X86_INS_LEA:
		write_register(
			values, operands[0].reg,
			truncate_value(values,
				       effective_address(values, instruction, &operands[1].mem),
				       operands[0].size));
		return true;
	case X86_INS_ADD:
		add(values, decoder, instruction);
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
		compare(values, instruction);
		return;
	case X86_INS_CDQE:
		values->registers[RESULT_REGISTER] =
			sign_extend(values, read_register(values, X86_REG_EAX));
		return;
	case X86_INS_TEST:
		values->compared.id = 0;
		return;
	default:
		if (is_register_operation(x86) &&
		    step_with_registers(values, decoder, instruction)) {
			return;
		}
		/* It may write to memory as well. */
		values->place_count = 0;
		forget_written(values, decoder, instruction);
	}
}

struct itp_flow_value itp_flow_values_target(struct itp_flow_values *values, const cs_insn *jump)
{
	return read_operand(values, jump, &jump->detail->x86.operands[0]);
}
