/* SPDX-License-Identifier: MIT */
/*
 * What kind of function a call leads to, by its name or by how it begins.
 */
#include "common/control-flow/callee.h"

#define MAX_CALLEES (1024u * 1024)
/* In which a function shows that it is setjmp(). */
#define MAX_FIRST_INSTRUCTIONS 4

struct callee_name {
	const char *name;
	enum itp_flow_callee kind;
};

static const struct callee_name callee_names[] = {
	{ "setjmp", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "_setjmp", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__setjmp", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "sigsetjmp", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__sigsetjmp", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__sigsetjmp_cancel", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__libc_sigsetjmp", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "savectx", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "getcontext", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__getcontext", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "vfork", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__vfork", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__libc_vfork", ITP_FLOW_CALLEE_RETURNS_TWICE },
	{ "__morestack", ITP_FLOW_CALLEE_UNCLEAR },
	{ "abort", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "exit", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "_exit", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "_Exit", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "quick_exit", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "pthread_exit", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "longjmp", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "_longjmp", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "siglongjmp", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__longjmp_chk", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__assert_fail", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__assert_perror_fail", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__stack_chk_fail", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__chk_fail", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__fortify_fail", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__libc_fatal", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__cxa_throw", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__cxa_rethrow", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__cxa_bad_cast", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__cxa_bad_typeid", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__cxa_call_unexpected", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "__cxa_throw_bad_array_new_length", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "_Unwind_Resume", ITP_FLOW_CALLEE_NEVER_RETURNS },
	{ "_ZSt9terminatev", ITP_FLOW_CALLEE_NEVER_RETURNS },
};

/* std::__throw_…() */
static const char throwing_prefix[] = "_ZSt";
static const char throwing_infix[] = "__throw_";

static enum itp_flow_callee kind_of_name(const char *name, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(callee_names); i++) {
		if (strlen(callee_names[i].name) == length &&
		    memcmp(callee_names[i].name, name, length) == 0) {
			return callee_names[i].kind;
		}
	}
	if (length > strlen(throwing_prefix) &&
	    memcmp(name, throwing_prefix, strlen(throwing_prefix)) == 0 &&
	    g_strstr_len(name, (gssize)length, throwing_infix)) {
		return ITP_FLOW_CALLEE_NEVER_RETURNS;
	}
	return ITP_FLOW_CALLEE_RETURNS;
}

/* setjmp() and the like may have no name or another one, but begin like no other function: they
 * store a register of their caller through their argument, or take the return address off. */
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
