/* SPDX-License-Identifier: MIT */
/*
 * Jump tables and tail calls of x86-64.
 *
 * The code right before a jump is carried out symbolically (value.c): the block itself, and blocks
 * before it as long as a single way leads to it. The content of a register at the beginning is
 * searched backwards on all ways.
 *
 * A jump to a pointer loaded as a whole is a tail call if the stack is as when the function was
 * called and nobody keeps an address inside of the function that it could be.
 */
#include "common/control-flow/jump.h"

#include "common/base/hash.h"
#include "common/control-flow/value.h"

/* Of blocks in a row. */
#define MAX_CHAIN 8
/* Registers at the end of blocks, searched for the origin of a value. */
#define MAX_SEARCHED 4096
/* Switch statements of real programs have at most some thousand cases. */
#define MAX_TABLE_ENTRIES 16384
/* Bits of an index bounded by its width alone. */
#define MAX_INDEX_BITS 8

/* Origin of a register's value. */
struct origin {
	uint64_t constant;
	/* Largest possible value, when it is no address. */
	uint64_t highest;
	uint32_t constant_count;
	uint32_t pointer_count;
	uint32_t bound_count;
	bool is_unclear;
};

/* A register, by its number, at the beginning of a block. */
struct searched {
	uint32_t block;
	uint32_t number;
};

static uint64_t block_vaddr(const struct itp_flow_function *function, uint32_t block)
{
	return function->code->range.start + function->graph->blocks[block].start;
}

/* Carries out a block up to its last instruction, which is returned undone. Valid until the next
 * decoding. */
static const cs_insn *run_block(const struct itp_flow_function *function, uint32_t block,
				struct itp_flow_values *values)
{
	uint64_t vaddr = block_vaddr(function, block);
	uint64_t end = vaddr + function->graph->blocks[block].size;
	bool is_plain = function->graph->blocks[block].kind == ITP_FLOW_PLAIN;

	while (*function->budget > 0) {
		const cs_insn *instruction = itp_flow_decode_detail(
			function->code->decoder, itp_flow_code_at(function->code, vaddr), vaddr);

		--*function->budget;
		if (!instruction) {
			return NULL;
		}
		vaddr += instruction->size;
		if (vaddr >= end && !is_plain) {
			return instruction;
		}
		itp_flow_values_step(values, function->code->decoder, instruction);
		if (vaddr >= end) {
			return instruction;
		}
	}
	return NULL;
}

/* All of a block. */
static bool run_whole_block(const struct itp_flow_function *function, uint32_t block,
			    struct itp_flow_values *values)
{
	enum itp_flow_kind kind = (enum itp_flow_kind)function->graph->blocks[block].kind;
	const cs_insn *last = run_block(function, block, values);

	if (last && itp_flow_is_call(kind)) {
		itp_flow_values_call(values, kind == ITP_FLOW_SYSTEM_CALL);
	} else if (last && (kind == ITP_FLOW_JUMP_INDIRECT || kind == ITP_FLOW_CONDITIONAL ||
			    kind == ITP_FLOW_JUMP || kind == ITP_FLOW_PLAIN)) {
		/* Branches write no register but loop's, which is no pointer. */
		return true;
	}
	return last && itp_flow_is_call(kind);
}

/* The only block before `block`, or UINT32_MAX. */
static uint32_t only_predecessor(const struct itp_flow_function *function, uint32_t block)
{
	uint32_t first = function->first_predecessor[block];
	uint32_t before;

	if (function->entries[block] != ITP_FLOW_NOT_ENTERED ||
	    function->first_predecessor[block + 1] != first + 1) {
		return UINT32_MAX;
	}
	before = function->predecessors[first];
	switch ((enum itp_flow_kind)function->graph->blocks[before].kind) {
	case ITP_FLOW_PLAIN:
	case ITP_FLOW_JUMP:
	case ITP_FLOW_CONDITIONAL:
		return before;
	default:
		return UINT32_MAX;
	}
}

/* Carries out the straight way to `block`: *ret_values holds before its jump, which is returned.
 * NULL when the code cannot be followed. */
static const cs_insn *run_chain(const struct itp_flow_function *function, uint32_t block,
				struct itp_flow_values *ret_values, uint32_t *ret_first)
{
	uint32_t chain[MAX_CHAIN];
	uint32_t count = 1;

	chain[0] = block;
	while (count < MAX_CHAIN) {
		uint32_t before = only_predecessor(function, chain[count - 1]);

		if (before == UINT32_MAX || before == block) {
			break;
		}
		chain[count++] = before;
	}
	*ret_first = chain[count - 1];
	itp_flow_values_init(ret_values);
	while (count-- > 1) {
		const struct itp_flow_block *next = &function->graph->blocks[chain[count - 1]];
		const struct itp_flow_block *now = &function->graph->blocks[chain[count]];
		const cs_insn *last = run_block(function, chain[count], ret_values);

		if (!last) {
			return NULL;
		}
		if (now->kind == ITP_FLOW_CONDITIONAL) {
			itp_flow_values_branch(ret_values, last,
					       next->start != now->start + now->size);
		}
	}
	return run_block(function, block, ret_values);
}

static void add_searched(GArray *waiting, GHashTable *known, uint32_t block, uint32_t number)
{
	const struct searched next = { .block = block, .number = number };
	gpointer key = GSIZE_TO_POINTER((gsize)block * ITP_FLOW_REGISTERS + number + 1);

	if (g_hash_table_add(known, key)) {
		g_array_append_val(waiting, next);
	}
}

/* False when nothing is known of how large the value can be. */
static bool find_highest(const struct itp_flow_values *values, const struct itp_flow_value *value,
			 uint64_t *ret_highest)
{
	if (value->kind != ITP_FLOW_VALUE_OPAQUE) {
		return false;
	}
	if (itp_flow_values_bound(values, value->id, ret_highest)) {
		return true;
	}
	if (value->width > MAX_INDEX_BITS) {
		return false;
	}
	*ret_highest = (UINT64_C(1) << value->width) - 1;
	return true;
}

/* Takes the origin of `value` at the end of a block. Number of the register that held it at the
 * beginning of the block, otherwise ITP_FLOW_REGISTERS. */
static uint32_t take_origin(struct origin *origin, const struct itp_flow_values *values,
			    const struct itp_flow_value *value)
{
	uint64_t highest;

	if (value->kind == ITP_FLOW_VALUE_OPAQUE && value->id <= ITP_FLOW_REGISTERS &&
	    value->width == 64) {
		return value->id - 1;
	}
	if (value->kind == ITP_FLOW_VALUE_CONSTANT &&
	    (origin->constant_count == 0 || origin->constant == value->number)) {
		origin->constant = value->number;
		origin->constant_count++;
	} else if (value->kind == ITP_FLOW_VALUE_POINTER) {
		origin->pointer_count++;
	} else if (find_highest(values, value, &highest)) {
		origin->highest = MAX(origin->highest, highest);
		origin->bound_count++;
	} else {
		origin->is_unclear = true;
	}
	return ITP_FLOW_REGISTERS;
}

/* Searches a step backwards from the beginning of a block. */
static void search_before(const struct itp_flow_function *function, const struct searched *searched,
			  struct origin *origin, GArray *waiting, GHashTable *known)
{
	if (function->entries[searched->block] == ITP_FLOW_ENTERED_SOMEHOW) {
		origin->is_unclear = true;
	} else if (function->entries[searched->block] == ITP_FLOW_ENTERED_BY_CALL) {
		/* An argument. */
		origin->pointer_count++;
	}
	for (uint32_t i = function->first_predecessor[searched->block];
	     i < function->first_predecessor[searched->block + 1] && !origin->is_unclear; i++) {
		uint32_t before = function->predecessors[i];
		struct itp_flow_values values;
		uint32_t number;

		itp_flow_values_init(&values);
		if (function->entries[before] == ITP_FLOW_ENTERED_SOMEHOW ||
		    !run_whole_block(function, before, &values)) {
			origin->is_unclear = true;
			return;
		}
		number = take_origin(origin, &values, &values.registers[searched->number]);
		if (number < ITP_FLOW_REGISTERS) {
			add_searched(waiting, known, before, number);
		}
	}
}

/* Origin of register `number` at the beginning of `block`. */
static struct origin find_origin(const struct itp_flow_function *function, uint32_t block,
				 uint32_t number)
{
	g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(struct searched));
	g_autoptr(GHashTable) known = g_hash_table_new(itp_hash_number, NULL);
	struct origin origin = { .constant_count = 0 };

	add_searched(waiting, known, block, number);
	while (waiting->len > 0 && !origin.is_unclear) {
		struct searched next = g_array_index(waiting, struct searched, waiting->len - 1);

		g_array_set_size(waiting, waiting->len - 1);
		search_before(function, &next, &origin, waiting, known);
		origin.is_unclear |= g_hash_table_size(known) > MAX_SEARCHED;
	}
	return origin;
}

static bool is_constant_data(const struct itp_flow_code *code, uint64_t vaddr)
{
	const GElf_Phdr *segment = itp_elf_image_loaded(&code->symbols->image, vaddr);

	return segment && !(segment->p_flags & PF_W);
}

static bool is_in_parts(const struct itp_flow_function *function, uint64_t vaddr)
{
	for (guint i = 0; i < function->parts->len; i++) {
		if (itp_flow_range_holds(g_array_index(function->parts, struct itp_flow_range, i),
					 vaddr)) {
			return true;
		}
	}
	return false;
}

static bool take_entry(struct itp_bytes *bytes, uint64_t table, bool is_wide, uint64_t *ret_target)
{
	uint32_t distance;

	if (is_wide) {
		return itp_bytes_u64(bytes, ret_target);
	}
	if (!itp_bytes_u32(bytes, &distance)) {
		return false;
	}
	*ret_target = table + (uint64_t)(int64_t)(int32_t)distance;
	return true;
}

/* The highest index of a table. *ret_is_exact is false when only the width of the index tells. */
static bool find_last_entry(const struct itp_flow_function *function,
			    const struct itp_flow_values *values,
			    const struct itp_flow_value *element, uint32_t first,
			    uint64_t *ret_highest, bool *ret_is_exact)
{
	const struct itp_flow_value index = { .kind = ITP_FLOW_VALUE_OPAQUE,
					      .id = element->id,
					      .width = element->width };
	struct origin origin;

	*ret_is_exact = itp_flow_values_bound(values, element->id, ret_highest);
	if (*ret_is_exact || find_highest(values, &index, ret_highest)) {
		return true;
	}
	if (element->id > ITP_FLOW_REGISTERS) {
		return false;
	}
	origin = find_origin(function, first, element->id - 1);
	*ret_highest = origin.highest;
	return !origin.is_unclear && origin.pointer_count == 0 && origin.constant_count == 0 &&
	       origin.bound_count > 0;
}

/* Appends the targets of the table at `table`, whose index is `element`. False unless all of it is
 * certain. `first` is the begin of the block where `values` begins. */
static bool read_table(const struct itp_flow_function *function,
		       const struct itp_flow_values *values, const struct itp_flow_value *element,
		       uint64_t table, uint32_t first, GArray *targets)
{
	struct itp_bytes bytes = itp_elf_image_at(&function->code->symbols->image, table);
	bool is_wide = element->kind == ITP_FLOW_VALUE_WIDE_ELEMENT;
	uint64_t highest;
	bool is_exact;

	if (!find_last_entry(function, values, element, first, &highest, &is_exact) ||
	    highest >= MAX_TABLE_ENTRIES || !is_constant_data(function->code, table) ||
	    (is_wide && !function->code->is_fixed)) {
		return false;
	}
	for (uint64_t i = 0; i <= highest; i++) {
		uint64_t target;

		if (!take_entry(&bytes, table, is_wide, &target) ||
		    (!is_exact && !is_in_parts(function, target))) {
			return false;
		}
		g_array_append_val(targets, target);
	}
	return true;
}

static enum itp_flow_resolution resolve_table(const struct itp_flow_function *function,
					      const struct itp_flow_values *values,
					      const struct itp_flow_value *element, uint32_t first,
					      GArray *targets)
{
	uint64_t table = element->number;

	if (element->base_id != 0) {
		struct origin origin = find_origin(function, first, element->base_id - 1u);

		if (origin.is_unclear || origin.pointer_count > 0 || origin.bound_count > 0 ||
		    origin.constant_count == 0) {
			return ITP_FLOW_UNRESOLVED;
		}
		table = origin.constant;
	}
	if (!read_table(function, values, element, table, first, targets)) {
		g_array_set_size(targets, 0);
		return ITP_FLOW_UNRESOLVED;
	}
	return ITP_FLOW_TABLE;
}

static enum itp_flow_resolution resolve_pointer(const struct itp_flow_function *function,
						uint64_t jump)
{
	if (function->has_labels ||
	    itp_flow_code_stack(function->code, jump) != ITP_FLOW_STACK_AS_CALLED) {
		return ITP_FLOW_UNRESOLVED;
	}
	for (guint i = 0; i < function->parts->len; i++) {
		if (itp_flow_imports_point_into(
			    function->code->imports,
			    g_array_index(function->parts, struct itp_flow_range, i))) {
			return ITP_FLOW_UNRESOLVED;
		}
	}
	return ITP_FLOW_LEAVES;
}

enum itp_flow_resolution itp_flow_resolve_jump(const struct itp_flow_function *function,
					       uint32_t block, GArray *targets)
{
	struct itp_flow_values values;
	struct itp_flow_value value;
	struct origin origin;
	const cs_insn *jump;
	uint64_t vaddr;
	uint32_t first;

	if (function->code->architecture != ITP_X86_64) {
		return ITP_FLOW_UNRESOLVED;
	}
	jump = run_chain(function, block, &values, &first);
	if (!jump || jump->id != X86_INS_JMP) {
		return ITP_FLOW_UNRESOLVED;
	}
	vaddr = jump->address;
	value = itp_flow_values_target(&values, jump);
	if (value.kind == ITP_FLOW_VALUE_PLACE || value.kind == ITP_FLOW_VALUE_WIDE_ELEMENT) {
		return resolve_table(function, &values, &value, first, targets);
	}
	origin = (struct origin){ .constant_count = 0 };
	if (take_origin(&origin, &values, &value) < ITP_FLOW_REGISTERS) {
		origin = find_origin(function, first, value.id - 1);
	}
	return origin.is_unclear || origin.bound_count > 0 ? ITP_FLOW_UNRESOLVED :
							     resolve_pointer(function, vaddr);
}
