/* SPDX-License-Identifier: MIT */
/*
 * See call.h. Kinds of called functions are known by name, or by their first instructions.
 */
#include "common/control-flow/call.h"

#include "common/known/returns.h"

#define MAX_CALLEES (1024u * 1024)
/* Instructions in which a function shows itself as setjmp(). */
#define MAX_FIRST_INSTRUCTIONS 4

/* The instruction in front of `vaddr`, if its function is nothing but instructions. */
static bool decode_until(const struct itp_flow_code *code, uint64_t vaddr,
			 struct itp_flow_instruction *ret_last)
{
	struct itp_flow_range part;
	uint64_t at;

	if (!itp_flow_code_part(code, vaddr - 1, &part)) {
		return false;
	}
	for (at = part.start; at < vaddr; at += MAX(ret_last->size, 1)) {
		*ret_last = itp_flow_code_decode(code, at);
	}
	return at == vaddr;
}

bool itp_flow_call_before(const struct itp_flow_code *code, uint64_t vaddr,
			  struct itp_flow_instruction *ret_call)
{
	struct itp_flow_instruction last;
	unsigned int count = 0;

	for (uint64_t size = ITP_FLOW_MIN_CALL_BYTES; size <= ITP_FLOW_MAX_CALL_BYTES; size++) {
		struct itp_flow_instruction call = itp_flow_code_decode(code, vaddr - size);

		if (call.size == size && itp_flow_is_call((enum itp_flow_kind)call.kind)) {
			*ret_call = call;
			count++;
		}
	}
	/* The end of a call may look like another call. */
	if (count > 1 && decode_until(code, vaddr, &last) &&
	    itp_flow_is_call((enum itp_flow_kind)last.kind)) {
		*ret_call = last;
		count = 1;
	}
	return count == 1;
}

const char *itp_flow_call_name(const struct itp_flow_code *code,
			       const struct itp_flow_instruction *call)
{
	switch (call->kind) {
	case ITP_FLOW_CALL:
	case ITP_FLOW_JUMP:
	case ITP_FLOW_CONDITIONAL:
		return itp_flow_code_linkage_name(code, call->target);
	case ITP_FLOW_CALL_INDIRECT:
	case ITP_FLOW_JUMP_INDIRECT:
		return itp_flow_imports_name(code->imports, call->target);
	default:
		return NULL;
	}
}

/* ---- Places to which calls come back ---- */

static enum itp_flow_callee kind_of_name(const char *name, size_t length)
{
	g_autofree char *whole = g_strndup(name, length);

	if (itp_returns_twice(whole)) {
		return ITP_FLOW_CALLEE_RETURNS_TWICE;
	}
	if (itp_returns_elsewhere(whole)) {
		return ITP_FLOW_CALLEE_UNCLEAR;
	}
	return itp_returns_never(whole) ? ITP_FLOW_CALLEE_NEVER_RETURNS : ITP_FLOW_CALLEE_RETURNS;
}

/* True for setjmp() and its like, which may have no name or another, but begin like no other
 * function: they store a register of their caller through their argument, or take the return
 * address off. */
static bool begins_like_setjmp(const struct itp_flow_code *code, uint64_t vaddr)
{
	bool is_first = true;

	if (code->architecture == ITP_ARM64) {
		/* stp x19, x20, [x0, …] */
		struct itp_bytes bytes = itp_flow_code_at(code, vaddr);
		uint32_t word;

		return itp_bytes_u32(&bytes, &word) &&
		       (word & UINT32_C(0xffc07fff)) == UINT32_C(0xa9005013);
	}
	for (unsigned int i = 0; i < MAX_FIRST_INSTRUCTIONS; i++) {
		const cs_insn *instruction =
			itp_flow_decode_detail(code->decoder, itp_flow_code_at(code, vaddr), vaddr);
		const cs_x86_op *operands;

		if (!instruction) {
			return false;
		}
		operands = instruction->detail->x86.operands;
		if (instruction->id == X86_INS_MOV && operands[0].type == X86_OP_MEM &&
		    operands[0].mem.base == X86_REG_RDI && operands[1].type == X86_OP_REG &&
		    (operands[1].reg == X86_REG_RBX || operands[1].reg == X86_REG_RBP)) {
			return true;
		}
		if (is_first && instruction->id == X86_INS_POP) {
			return true;
		}
		is_first = is_first && instruction->id == X86_INS_ENDBR64;
		vaddr += instruction->size;
	}
	return false;
}

static enum itp_flow_callee kind_of_function(const struct itp_flow_code *code, uint64_t vaddr)
{
	const struct itp_symbol *symbol = itp_flow_code_symbol(code, vaddr);
	const char *name = symbol ? NULL : itp_flow_code_linkage_name(code, vaddr);
	enum itp_flow_callee kind = ITP_FLOW_CALLEE_RETURNS;

	if (name) {
		return kind_of_name(name, strlen(name));
	}
	if (begins_like_setjmp(code, vaddr)) {
		return ITP_FLOW_CALLEE_RETURNS_TWICE;
	}
	if (symbol) {
		kind = kind_of_name(symbol->name, symbol->name_length);
		/* A program's own abort() may be something else. */
		if (kind == ITP_FLOW_CALLEE_NEVER_RETURNS && symbol->name[0] != '_') {
			kind = ITP_FLOW_CALLEE_RETURNS;
		}
	}
	return kind;
}

enum itp_flow_callee itp_flow_callee(const struct itp_flow_code *code, struct itp_flow_range part,
				     const struct itp_flow_instruction *call)
{
	gpointer key = GSIZE_TO_POINTER(call->target);
	enum itp_flow_callee kind;
	gpointer known;
	const char *name;

	if (call->kind == ITP_FLOW_CALL_INDIRECT) {
		name = itp_flow_imports_name(code->imports, call->target);
		return name ? kind_of_name(name, strlen(name)) : ITP_FLOW_CALLEE_RETURNS;
	}
	if (call->kind != ITP_FLOW_CALL) {
		return ITP_FLOW_CALLEE_RETURNS;
	}
	/* A call into the function itself, to put an address on the stack. */
	if (call->target != part.start && itp_flow_range_holds(part, call->target) &&
	    !itp_flow_code_symbol(code, call->target)) {
		return ITP_FLOW_CALLEE_UNCLEAR;
	}
	if (g_hash_table_lookup_extended(code->callees, key, NULL, &known)) {
		return (enum itp_flow_callee)GPOINTER_TO_INT(known);
	}
	kind = kind_of_function(code, call->target);
	if (g_hash_table_size(code->callees) < MAX_CALLEES) {
		g_hash_table_insert(code->callees, key, GINT_TO_POINTER(kind));
	}
	return kind;
}
