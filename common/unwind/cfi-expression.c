/* SPDX-License-Identifier: MIT */
/*
 * DWARF 5, section 2.5, as far as it makes sense in unwind rules (section 6.4.2): no references to
 * debugging entries, no locations in pieces. All numbers have 64 bits.
 */
#include "common/unwind/cfi-expression.h"

#include "common/unwind/cfi-entry.h"

#include <dwarf.h>

/* Real expressions have up to 15 operations and need 3 places. */
#define MAX_OPERATIONS 256
#define MAX_DEPTH 64

struct evaluation {
	const struct itp_cfi_context *context;
	/* The whole expression, and the part not yet evaluated. */
	struct itp_bytes whole;
	struct itp_bytes rest;
	uint64_t stack[MAX_DEPTH];
	unsigned int depth;
};

static enum itp_cfi_result push_value(struct evaluation *evaluation, uint64_t value)
{
	if (evaluation->depth == MAX_DEPTH) {
		return ITP_CFI_UNUSABLE;
	}
	evaluation->stack[evaluation->depth++] = value;
	return ITP_CFI_OK;
}

static bool pop(struct evaluation *evaluation, uint64_t *ret_value)
{
	if (evaluation->depth == 0) {
		return false;
	}
	*ret_value = evaluation->stack[--evaluation->depth];
	return true;
}

static enum itp_cfi_result push_register(struct evaluation *evaluation, uint64_t number)
{
	const struct itp_registers *registers = evaluation->context->registers;
	int64_t offset;

	if (!itp_cfi_take_signed(&evaluation->rest, &offset)) {
		return ITP_CFI_UNUSABLE;
	}
	if (number >= ITP_REGISTER_LIMIT || !(registers->known & ITP_REGISTER_BIT(number))) {
		return ITP_CFI_NO_REGISTER;
	}
	return push_value(evaluation, registers->values[number] + (uint64_t)offset);
}

static enum itp_cfi_result push_named_register(struct evaluation *evaluation)
{
	uint64_t number;

	return itp_cfi_take_unsigned(&evaluation->rest, &number) ?
		       push_register(evaluation, number) :
		       ITP_CFI_UNUSABLE;
}

/* A constant of the next `size` bytes. */
static enum itp_cfi_result push_constant(struct evaluation *evaluation, size_t size, bool is_signed)
{
	const uint8_t *place = itp_bytes_take(&evaluation->rest, size);
	unsigned int unused_bits = 64 - 8 * (unsigned int)size;
	uint64_t value = 0;

	if (!place) {
		return ITP_CFI_UNUSABLE;
	}
	memcpy(&value, place, size);
	value = GUINT64_FROM_LE(value) << unused_bits;
	return push_value(evaluation, is_signed ? (uint64_t)((int64_t)value >> unused_bits) :
						  value >> unused_bits);
}

static enum itp_cfi_result push_leb128(struct evaluation *evaluation, bool is_signed)
{
	uint64_t value;
	bool is_read = is_signed ? itp_cfi_take_signed(&evaluation->rest, (int64_t *)&value) :
				   itp_cfi_take_unsigned(&evaluation->rest, &value);

	return is_read ? push_value(evaluation, value) : ITP_CFI_UNUSABLE;
}

static enum itp_cfi_result dereference(struct evaluation *evaluation, uint8_t size)
{
	unsigned int unused_bits = 64 - 8 * (unsigned int)size;
	uint64_t value;

	if (size == 0 || size > sizeof(value) || !pop(evaluation, &value)) {
		return ITP_CFI_UNUSABLE;
	}
	if (!itp_stack_copy_load(evaluation->context->stack, value, &value)) {
		return ITP_CFI_NO_MEMORY;
	}
	return push_value(evaluation, value << unused_bits >> unused_bits);
}

static enum itp_cfi_result dereference_sized(struct evaluation *evaluation)
{
	const uint8_t *size = itp_bytes_take(&evaluation->rest, 1);

	return size ? dereference(evaluation, *size) : ITP_CFI_UNUSABLE;
}

/* Copies the element with `distance` others above it. */
static enum itp_cfi_result pick(struct evaluation *evaluation, unsigned int distance)
{
	if (distance >= evaluation->depth) {
		return ITP_CFI_UNUSABLE;
	}
	return push_value(evaluation, evaluation->stack[evaluation->depth - 1 - distance]);
}

static enum itp_cfi_result pick_numbered(struct evaluation *evaluation)
{
	const uint8_t *distance = itp_bytes_take(&evaluation->rest, 1);

	return distance ? pick(evaluation, *distance) : ITP_CFI_UNUSABLE;
}

/* Moves the first of the topmost `count` elements below the others. */
static enum itp_cfi_result rotate(struct evaluation *evaluation, unsigned int count)
{
	uint64_t *top;
	uint64_t first;

	if (evaluation->depth < count) {
		return ITP_CFI_UNUSABLE;
	}
	top = &evaluation->stack[evaluation->depth - 1];
	first = *top;
	memmove(top - (count - 2), top - (count - 1), (count - 1) * sizeof(first));
	*(top - (count - 1)) = first;
	return ITP_CFI_OK;
}

static enum itp_cfi_result branch(struct evaluation *evaluation, bool is_conditional)
{
	const uint8_t *place = itp_bytes_take(&evaluation->rest, 2);
	struct itp_bytes target = evaluation->whole;
	uint64_t condition = 1;
	int64_t distance;

	if (!place || (is_conditional && !pop(evaluation, &condition))) {
		return ITP_CFI_UNUSABLE;
	}
	distance = (int16_t)itp_load_u16(place);
	if (condition != 0) {
		/* Backwards past the begin, the offset becomes too large a number. */
		uint64_t offset = (uint64_t)(evaluation->rest.data - target.data + distance);

		if (!itp_bytes_take(&target, offset)) {
			return ITP_CFI_UNUSABLE;
		}
		evaluation->rest = target;
	}
	return ITP_CFI_OK;
}

static enum itp_cfi_result apply_unary(struct evaluation *evaluation, uint8_t operation)
{
	uint64_t value;
	uint64_t addend;

	if (!pop(evaluation, &value)) {
		return ITP_CFI_UNUSABLE;
	}
	switch (operation) {
	case DW_OP_abs:
		value = (int64_t)value < 0 ? -value : value;
		break;
	case DW_OP_neg:
		value = -value;
		break;
	case DW_OP_not:
		value = ~value;
		break;
	default:
		if (!itp_cfi_take_unsigned(&evaluation->rest, &addend)) {
			return ITP_CFI_UNUSABLE;
		}
		value += addend;
		break;
	}
	return push_value(evaluation, value);
}

static bool divide_signed(uint64_t left, uint64_t right, uint64_t *ret_value)
{
	if (right == 0) {
		return false;
	}
	/* The only signed division that overflows equals a negation. */
	*ret_value = right == UINT64_MAX ? -left : (uint64_t)((int64_t)left / (int64_t)right);
	return true;
}

static bool calculate(uint8_t operation, uint64_t left, uint64_t right, uint64_t *ret_value)
{
	switch (operation) {
	case DW_OP_and:
		*ret_value = left & right;
		return true;
	case DW_OP_or:
		*ret_value = left | right;
		return true;
	case DW_OP_xor:
		*ret_value = left ^ right;
		return true;
	case DW_OP_plus:
		*ret_value = left + right;
		return true;
	case DW_OP_minus:
		*ret_value = left - right;
		return true;
	case DW_OP_mul:
		*ret_value = left * right;
		return true;
	case DW_OP_div:
		return divide_signed(left, right, ret_value);
	case DW_OP_mod:
		*ret_value = right != 0 ? left % right : 0;
		return right != 0;
	case DW_OP_shl:
		*ret_value = right < 64 ? left << right : 0;
		return true;
	case DW_OP_shr:
		*ret_value = right < 64 ? left >> right : 0;
		return true;
	case DW_OP_shra:
		*ret_value = (uint64_t)((int64_t)left >> MIN(right, 63));
		return true;
	default:
		return false;
	}
}

static bool compare_values(uint8_t operation, uint64_t left, uint64_t right, uint64_t *ret_value)
{
	int64_t a = (int64_t)left;
	int64_t b = (int64_t)right;

	switch (operation) {
	case DW_OP_eq:
		*ret_value = a == b;
		return true;
	case DW_OP_ne:
		*ret_value = a != b;
		return true;
	case DW_OP_lt:
		*ret_value = a < b;
		return true;
	case DW_OP_le:
		*ret_value = a <= b;
		return true;
	case DW_OP_gt:
		*ret_value = a > b;
		return true;
	case DW_OP_ge:
		*ret_value = a >= b;
		return true;
	default:
		return false;
	}
}

static enum itp_cfi_result apply_binary(struct evaluation *evaluation, uint8_t operation)
{
	uint64_t left;
	uint64_t right;
	uint64_t value;

	if (!pop(evaluation, &right) || !pop(evaluation, &left) ||
	    (!calculate(operation, left, right, &value) &&
	     !compare_values(operation, left, right, &value))) {
		return ITP_CFI_UNUSABLE;
	}
	return push_value(evaluation, value);
}

/* Constants, and operations that move elements about. */
static enum itp_cfi_result apply_stack(struct evaluation *evaluation, uint8_t operation)
{
	uint64_t ignored;

	switch (operation) {
	case DW_OP_const1u ... DW_OP_const8s: {
		unsigned int index = operation - DW_OP_const1u;

		return push_constant(evaluation, (size_t)1 << index / 2, index % 2);
	}
	case DW_OP_constu:
		return push_leb128(evaluation, false);
	case DW_OP_consts:
		return push_leb128(evaluation, true);
	case DW_OP_dup:
		return pick(evaluation, 0);
	case DW_OP_drop:
		return pop(evaluation, &ignored) ? ITP_CFI_OK : ITP_CFI_UNUSABLE;
	case DW_OP_over:
		return pick(evaluation, 1);
	case DW_OP_pick:
		return pick_numbered(evaluation);
	case DW_OP_swap:
		return rotate(evaluation, 2);
	case DW_OP_rot:
		return rotate(evaluation, 3);
	default:
		return apply_binary(evaluation, operation);
	}
}

static enum itp_cfi_result apply(struct evaluation *evaluation, uint8_t operation)
{
	const uint64_t *cfa = evaluation->context->cfa;

	switch (operation) {
	case DW_OP_lit0 ... DW_OP_lit31:
		return push_value(evaluation, operation - DW_OP_lit0);
	case DW_OP_breg0 ... DW_OP_breg31:
		return push_register(evaluation, operation - DW_OP_breg0);
	case DW_OP_bregx:
		return push_named_register(evaluation);
	case DW_OP_deref:
		return dereference(evaluation, 8);
	case DW_OP_deref_size:
		return dereference_sized(evaluation);
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
		return apply_unary(evaluation, operation);
	case DW_OP_bra:
		return branch(evaluation, true);
	case DW_OP_skip:
		return branch(evaluation, false);
	case DW_OP_call_frame_cfa:
		return cfa ? push_value(evaluation, *cfa) : ITP_CFI_UNUSABLE;
	case DW_OP_nop:
		return ITP_CFI_OK;
	default:
		return apply_stack(evaluation, operation);
	}
}

enum itp_cfi_result itp_cfi_evaluate(struct itp_bytes expression,
				     const struct itp_cfi_context *context, uint64_t *ret_value)
{
	struct evaluation evaluation;

	evaluation.context = context;
	evaluation.whole = expression;
	evaluation.rest = expression;
	evaluation.depth = 0;
	if (context->cfa) {
		push_value(&evaluation, *context->cfa);
	}
	for (unsigned int count = 0; evaluation.rest.size > 0; count++) {
		const uint8_t *operation = itp_bytes_take(&evaluation.rest, 1);
		enum itp_cfi_result result =
			count < MAX_OPERATIONS ? apply(&evaluation, *operation) : ITP_CFI_UNUSABLE;

		if (result != ITP_CFI_OK) {
			return result;
		}
	}
	return pop(&evaluation, ret_value) ? ITP_CFI_OK : ITP_CFI_UNUSABLE;
}
