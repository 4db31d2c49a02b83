/* SPDX-License-Identifier: MIT */
/*
 * Evaluates DWARF expressions of unwind rules: of procedure linkage tables, of the kernel's signal
 * frames and of some functions that align their stack.
 *
 * An expression may come from a hostile file: it runs a bounded number of operations on a bounded
 * stack, and reads no memory but the recorded copy.
 */
#ifndef ITP_UNWIND_CFI_EXPRESSION_H
#define ITP_UNWIND_CFI_EXPRESSION_H

#include "common/elf/bytes.h"
#include "common/unwind/registers.h"

/* A copy of the top of a stack. */
struct itp_stack_copy {
	/* Weak. */
	const uint8_t *data;
	uint64_t size;
	/* Address of the first byte in the process. */
	uint64_t address;
};

/* False when the copy does not have all eight bytes. */
static inline bool itp_stack_copy_load(const struct itp_stack_copy *copy, uint64_t address,
				       uint64_t *ret_value)
{
	uint64_t offset = address - copy->address;

	if (copy->size < sizeof(*ret_value) || offset > copy->size - sizeof(*ret_value)) {
		return false;
	}
	*ret_value = itp_load_u64(copy->data + offset);
	return true;
}

enum itp_cfi_result {
	ITP_CFI_OK,
	/* Memory outside of the copy, or an unknown register, is needed. */
	ITP_CFI_NO_MEMORY,
	ITP_CFI_NO_REGISTER,
	/* Evaluation is impossible: unknown operation, empty stack, limit exceeded. */
	ITP_CFI_UNUSABLE,
};

struct itp_cfi_context {
	/* Registers of the called frame, and the copied stack. Weak. */
	const struct itp_registers *registers;
	const struct itp_stack_copy *stack;
	/* The CFA; NULL while the expression computes the CFA itself. Weak. */
	const uint64_t *cfa;
};

/* Evaluates a rule. Rules of registers begin with the CFA of `context` on the stack. */
enum itp_cfi_result itp_cfi_evaluate(struct itp_bytes expression,
				     const struct itp_cfi_context *context, uint64_t *ret_value);

#endif
