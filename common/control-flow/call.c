/* SPDX-License-Identifier: MIT */
/*
 * See call.h.
 */
#include "common/control-flow/call.h"

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
	/* The end of one call may look like another. */
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
