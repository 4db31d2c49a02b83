/* SPDX-License-Identifier: MIT */
/*
 * The machine of DWARF 5, section 6.4.2. Rules for vector registers and the like are read over:
 * no frame's address depends on them.
 */
#include "common/unwind/cfi-program.h"

#include <dwarf.h>

/* Compilers nest them once. */
#define MAX_REMEMBERED 16
/* The longest programs of real functions have some kilobytes. */
#define MAX_PROGRAM_BYTES (256u * 1024)
#define MAX_EXPRESSION_BYTES 1024

/* Missing in elfutils' dwarf.h; takes no operand, like the instruction without _with_pc. */
#define AARCH64_NEGATE_RA_STATE_WITH_PC 0x2c

/* The upper two bits of an instruction, when they are not zero, and its operand. */
#define PRIMARY_MASK 0xc0
#define OPERAND_MASK 0x3f

struct state {
	struct itp_cfi_rule cfa;
	struct itp_cfi_rule rules[ITP_REGISTER_LIMIT];
};

struct machine {
	const struct itp_cfi_section *section;
	const struct itp_cfi_common *common;
	const struct itp_register_set *set;
	struct itp_bytes program;
	/* First address of the rules in `state`, and the address in question. */
	uint64_t location;
	uint64_t wanted;
	struct state state;
	/* State after the common entry; NULL while the common entry runs. Weak. */
	const struct state *initial;
	struct state remembered[MAX_REMEMBERED];
	unsigned int remembered_count;
};

static bool take_signed_product(struct machine *machine, bool is_signed, int64_t *ret_value)
{
	uint64_t factor = (uint64_t)machine->common->data_factor;
	uint64_t value;

	/* Multiplied without signs, which may overflow; the range is checked afterwards. */
	if (is_signed ? !itp_cfi_take_signed(&machine->program, (int64_t *)&value) :
			!itp_cfi_take_unsigned(&machine->program, &value)) {
		return false;
	}
	*ret_value = (int64_t)(value * factor);
	return true;
}

static bool set_offset(struct itp_cfi_rule *rule, int64_t value)
{
	rule->value = (int32_t)value;
	return rule->value == value;
}

static bool set_rule(struct machine *machine, uint64_t target, enum itp_cfi_kind kind,
		     int64_t value)
{
	struct itp_cfi_rule *rule;

	if (target >= machine->set->count) {
		return true;
	}
	rule = &machine->state.rules[target];
	*rule = (struct itp_cfi_rule){ .kind = (uint8_t)kind, .target = (uint8_t)target };
	return set_offset(rule, value);
}

static bool set_saved(struct machine *machine, enum itp_cfi_kind kind, bool is_signed)
{
	uint64_t target;
	int64_t value;

	return itp_cfi_take_unsigned(&machine->program, &target) &&
	       take_signed_product(machine, is_signed, &value) &&
	       set_rule(machine, target, kind, value);
}

static bool set_plain(struct machine *machine, enum itp_cfi_kind kind)
{
	uint64_t target;

	return itp_cfi_take_unsigned(&machine->program, &target) &&
	       set_rule(machine, target, kind, 0);
}

static bool set_register(struct machine *machine)
{
	uint64_t target;
	uint64_t source;

	if (!itp_cfi_take_unsigned(&machine->program, &target) ||
	    !itp_cfi_take_unsigned(&machine->program, &source)) {
		return false;
	}
	if (source >= machine->set->count) {
		return set_rule(machine, target, ITP_CFI_UNDEFINED, 0);
	}
	if (target < machine->set->count) {
		set_rule(machine, target, ITP_CFI_REGISTER, 0);
		machine->state.rules[target].source = (uint16_t)source;
	}
	return true;
}

static bool take_expression(struct machine *machine, enum itp_cfi_kind kind,
			    struct itp_cfi_rule *rule)
{
	const uint8_t *begin;
	uint64_t size;

	if (!itp_cfi_take_unsigned(&machine->program, &size) || size > MAX_EXPRESSION_BYTES) {
		return false;
	}
	begin = itp_bytes_take(&machine->program, size);
	rule->kind = (uint8_t)kind;
	rule->source = (uint16_t)size;
	return begin && set_offset(rule, begin - machine->section->bytes.data);
}

static bool set_expression(struct machine *machine, enum itp_cfi_kind kind)
{
	struct itp_cfi_rule ignored;
	uint64_t target;

	if (!itp_cfi_take_unsigned(&machine->program, &target)) {
		return false;
	}
	if (target >= machine->set->count) {
		return take_expression(machine, kind, &ignored);
	}
	machine->state.rules[target].target = (uint8_t)target;
	return take_expression(machine, kind, &machine->state.rules[target]);
}

static bool set_cfa_register(struct machine *machine, uint64_t source)
{
	struct itp_cfi_rule *cfa = &machine->state.cfa;

	cfa->kind = source < machine->set->count ? ITP_CFI_REGISTER : ITP_CFI_UNDEFINED;
	cfa->source = (uint16_t)source;
	return true;
}

static bool set_cfa_offset(struct machine *machine, bool is_signed)
{
	uint64_t value;
	int64_t offset;

	if (is_signed) {
		return take_signed_product(machine, true, &offset) &&
		       set_offset(&machine->state.cfa, offset);
	}
	return itp_cfi_take_unsigned(&machine->program, &value) &&
	       set_offset(&machine->state.cfa, (int64_t)value);
}

/* Restores the rule of the common entry, or of the calling convention. */
static bool restore(struct machine *machine, uint64_t target)
{
	if (!machine->initial) {
		return false;
	}
	if (target < machine->set->count) {
		machine->state.rules[target] = machine->initial->rules[target];
	}
	return true;
}

static bool remember(struct machine *machine)
{
	if (machine->remembered_count == MAX_REMEMBERED) {
		return false;
	}
	machine->remembered[machine->remembered_count++] = machine->state;
	return true;
}

static bool restore_remembered(struct machine *machine)
{
	if (machine->remembered_count == 0) {
		return false;
	}
	machine->state = machine->remembered[--machine->remembered_count];
	return true;
}

static bool advance(struct machine *machine, size_t operand_bytes)
{
	const uint8_t *place = itp_bytes_take(&machine->program, operand_bytes);
	uint64_t distance;

	if (!place) {
		return false;
	}
	distance = operand_bytes == 1 ? *place :
		   operand_bytes == 2 ? itp_load_u16(place) :
					itp_load_u32(place);
	machine->location += distance * machine->common->code_factor;
	return true;
}

static bool skip_number(struct machine *machine)
{
	uint64_t ignored;

	return itp_cfi_take_unsigned(&machine->program, &ignored);
}

static bool restore_named(struct machine *machine)
{
	uint64_t target;

	return itp_cfi_take_unsigned(&machine->program, &target) && restore(machine, target);
}

static bool define_cfa(struct machine *machine, bool is_signed)
{
	uint64_t source;

	return itp_cfi_take_unsigned(&machine->program, &source) &&
	       set_cfa_register(machine, source) && set_cfa_offset(machine, is_signed);
}

/* Sets half of the CFA's definition; an expression has no halves. */
static bool redefine_cfa_register(struct machine *machine)
{
	uint64_t source;

	return machine->state.cfa.kind == ITP_CFI_REGISTER &&
	       itp_cfi_take_unsigned(&machine->program, &source) &&
	       set_cfa_register(machine, source);
}

static bool redefine_cfa_offset(struct machine *machine, bool is_signed)
{
	return machine->state.cfa.kind == ITP_CFI_REGISTER && set_cfa_offset(machine, is_signed);
}

/* An offset below the CFA, written without its sign (a GNU extension of old compilers). */
static bool set_negative(struct machine *machine)
{
	uint64_t target;
	uint64_t value;

	return itp_cfi_take_unsigned(&machine->program, &target) &&
	       itp_cfi_take_unsigned(&machine->program, &value) &&
	       set_rule(machine, target, ITP_CFI_SAVED,
			(int64_t)(-value * (uint64_t)machine->common->data_factor));
}

/* Instructions about a single register. */
static bool run_register_rule(struct machine *machine, uint8_t instruction)
{
	switch (instruction) {
	case DW_CFA_offset_extended:
		return set_saved(machine, ITP_CFI_SAVED, false);
	case DW_CFA_offset_extended_sf:
		return set_saved(machine, ITP_CFI_SAVED, true);
	case DW_CFA_val_offset:
		return set_saved(machine, ITP_CFI_CFA_PLUS, false);
	case DW_CFA_val_offset_sf:
		return set_saved(machine, ITP_CFI_CFA_PLUS, true);
	case DW_CFA_GNU_negative_offset_extended:
		return set_negative(machine);
	case DW_CFA_undefined:
		return set_plain(machine, ITP_CFI_UNDEFINED);
	case DW_CFA_same_value:
		return set_plain(machine, ITP_CFI_SAME);
	case DW_CFA_register:
		return set_register(machine);
	case DW_CFA_restore_extended:
		return restore_named(machine);
	case DW_CFA_expression:
		return set_expression(machine, ITP_CFI_SAVED_AT_EXPRESSION);
	case DW_CFA_val_expression:
		return set_expression(machine, ITP_CFI_EXPRESSION);
	default:
		return false;
	}
}

/* Instructions without operand bits of their own. */
static bool run_extended(struct machine *machine, uint8_t instruction)
{
	switch (instruction) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc:
		return itp_cfi_take_address(machine->section, &machine->program,
					    machine->common->encoding, &machine->location);
	case DW_CFA_advance_loc1:
		return advance(machine, 1);
	case DW_CFA_advance_loc2:
		return advance(machine, 2);
	case DW_CFA_advance_loc4:
		return advance(machine, 4);
	case DW_CFA_remember_state:
		return remember(machine);
	case DW_CFA_restore_state:
		return restore_remembered(machine);
	case DW_CFA_def_cfa:
		return define_cfa(machine, false);
	case DW_CFA_def_cfa_sf:
		return define_cfa(machine, true);
	case DW_CFA_def_cfa_register:
		return redefine_cfa_register(machine);
	case DW_CFA_def_cfa_offset:
		return redefine_cfa_offset(machine, false);
	case DW_CFA_def_cfa_offset_sf:
		return redefine_cfa_offset(machine, true);
	case DW_CFA_def_cfa_expression:
		return take_expression(machine, ITP_CFI_EXPRESSION, &machine->state.cfa);
	case DW_CFA_GNU_args_size:
		return skip_number(machine);
	case DW_CFA_AARCH64_negate_ra_state:
	case AARCH64_NEGATE_RA_STATE_WITH_PC:
		/* Signatures of return addresses are taken off whether announced or not. */
		return machine->set->has_signatures;
	default:
		return run_register_rule(machine, instruction);
	}
}

static bool run_instruction(struct machine *machine)
{
	uint8_t instruction = *itp_bytes_take(&machine->program, 1);
	uint8_t operand = instruction & OPERAND_MASK;
	int64_t value;

	switch (instruction & PRIMARY_MASK) {
	case DW_CFA_advance_loc:
		machine->location += operand * machine->common->code_factor;
		return true;
	case DW_CFA_offset:
		return take_signed_product(machine, false, &value) &&
		       set_rule(machine, operand, ITP_CFI_SAVED, value);
	case DW_CFA_restore:
		return restore(machine, operand);
	default:
		return run_extended(machine, instruction);
	}
}

/* Until the rules of the next instruction hold behind the address in question. */
static bool run_program(struct machine *machine, struct itp_bytes program)
{
	if (program.size > MAX_PROGRAM_BYTES) {
		return false;
	}
	machine->program = program;
	while (machine->program.size > 0 && machine->location <= machine->wanted) {
		if (!run_instruction(machine)) {
			return false;
		}
	}
	return true;
}

static void set_defaults(struct machine *machine)
{
	const struct itp_register_set *set = machine->set;

	for (uint8_t i = 0; i < set->count; i++) {
		bool is_preserved = set->preserved & ITP_REGISTER_BIT(i);

		set_rule(machine, i, is_preserved ? ITP_CFI_SAME : ITP_CFI_UNDEFINED, 0);
	}
	set_rule(machine, set->stack_pointer, ITP_CFI_CFA_PLUS, 0);
}

static bool is_expression(const struct itp_cfi_rule *rule)
{
	return rule->kind == ITP_CFI_EXPRESSION || rule->kind == ITP_CFI_SAVED_AT_EXPRESSION;
}

static void add_rule(struct itp_cfi_row *row, const struct itp_cfi_rule *rule,
		     const struct itp_register_set *set)
{
	if (rule->kind == ITP_CFI_UNDEFINED) {
		return;
	}
	if (rule->kind == ITP_CFI_SAME) {
		row->kept |= ITP_REGISTER_BIT(rule->target);
		return;
	}
	if (rule->target == set->stack_pointer && rule->kind == ITP_CFI_CFA_PLUS &&
	    rule->value == 0) {
		return;
	}
	row->is_simple &= rule->kind == ITP_CFI_SAVED;
	row->rules[row->rule_count++] = *rule;
}

static bool make_row(const struct machine *machine, struct itp_cfi_row *row)
{
	const struct itp_cfi_common *common = machine->common;
	const struct state *state = &machine->state;
	bool has_expressions = is_expression(&state->cfa);

	if (common->return_register >= machine->set->count ||
	    state->cfa.kind == ITP_CFI_UNDEFINED) {
		return false;
	}
	memset(row, 0, sizeof(*row));
	row->cfa = state->cfa;
	row->return_register = (uint8_t)common->return_register;
	row->is_signal_frame = common->is_signal_frame;
	row->is_simple = state->cfa.kind == ITP_CFI_REGISTER;
	row->caller = state->rules[common->return_register].kind == ITP_CFI_UNDEFINED ?
			      ITP_CFI_CALLER_NONE :
			      ITP_CFI_CALLER_BY_RULES;
	for (uint8_t i = 0; i < machine->set->count; i++) {
		has_expressions |= is_expression(&state->rules[i]);
		add_rule(row, &state->rules[i], machine->set);
	}
	row->is_simple &= !row->is_signal_frame;
	row->expressions = has_expressions ? machine->section->bytes.data : NULL;
	return true;
}

/* Runs the common entry; the function's own program begins behind it. `initial` must live as long
 * as the machine. */
static bool begin_program(struct machine *machine, const struct itp_cfi_section *section,
			  const struct itp_cfi_function *function,
			  enum itp_architecture architecture, struct state *initial)
{
	machine->section = section;
	machine->common = &function->common;
	machine->set = itp_register_set(architecture);
	machine->location = 0;
	machine->wanted = UINT64_MAX;
	machine->initial = NULL;
	machine->remembered_count = 0;
	machine->state.cfa = (struct itp_cfi_rule){ .kind = ITP_CFI_UNDEFINED };
	set_defaults(machine);
	if (!run_program(machine, function->common.program)) {
		return false;
	}
	*initial = machine->state;
	machine->initial = initial;
	machine->location = function->start;
	return true;
}

bool itp_cfi_run(const struct itp_cfi_section *section, const struct itp_cfi_function *function,
		 enum itp_architecture architecture, uint64_t vaddr, struct itp_cfi_row *ret_row)
{
	struct machine machine;
	struct state initial;

	if (!begin_program(&machine, section, function, architecture, &initial)) {
		return false;
	}
	machine.wanted = vaddr;
	return run_program(&machine, function->program) && make_row(&machine, ret_row);
}

/* Tells the row of [from, until). */
static void tell_until(const struct machine *machine, uint64_t from, uint64_t until,
		       itp_cfi_row_func *tell, void *data)
{
	struct itp_cfi_row row;

	if (until > from) {
		tell(data, from, until, make_row(machine, &row) ? &row : NULL);
	}
}

/* Tells rows up to the first invalid instruction, where the machine stops. */
static bool tell_rows(struct machine *machine, const struct itp_cfi_function *function,
		      uint64_t *from, itp_cfi_row_func *tell, void *data)
{
	if (function->program.size > MAX_PROGRAM_BYTES) {
		return false;
	}
	machine->program = function->program;
	while (machine->program.size > 0 && machine->location < function->end) {
		if (!run_instruction(machine)) {
			return false;
		}
		if (machine->location != *from) {
			tell_until(machine, *from, MIN(machine->location, function->end), tell,
				   data);
			if (machine->location < *from) {
				return false;
			}
			*from = machine->location;
		}
	}
	return true;
}

void itp_cfi_run_whole(const struct itp_cfi_section *section,
		       const struct itp_cfi_function *function, enum itp_architecture architecture,
		       itp_cfi_row_func *tell, void *data)
{
	struct machine machine;
	struct state initial;
	uint64_t from = function->start;

	if (begin_program(&machine, section, function, architecture, &initial) &&
	    tell_rows(&machine, function, &from, tell, data)) {
		tell_until(&machine, from, function->end, tell, data);
	} else if (from < function->end) {
		tell(data, from, function->end, NULL);
	}
}
