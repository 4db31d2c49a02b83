/* SPDX-License-Identifier: MIT */
/*
 * See scan.h. A function that has set up its frame cannot end in a jump before it has taken that
 * down, by which indirect jumps inside of it are told from those out of it.
 */
#include "common/completion/scan.h"

/* Of one function. */
#define MAX_BYTES (1024u * 1024)
#define MAX_PARTS 64

struct scan {
	const struct itp_flow_code *code;
	itp_scan_func *visit;
	void *data;
	/* struct itp_flow_range: what belongs to the function. */
	GArray *parts;
	uint64_t bytes;
	bool is_complete;
};

static void add_part(struct scan *scan, uint64_t vaddr)
{
	struct itp_flow_range part;

	for (guint i = 0; i < scan->parts->len; i++) {
		if (itp_flow_range_holds(g_array_index(scan->parts, struct itp_flow_range, i),
					 vaddr)) {
			return;
		}
	}
	if (scan->parts->len >= MAX_PARTS || !itp_flow_code_part(scan->code, vaddr, &part)) {
		scan->is_complete = false;
		return;
	}
	g_array_append_val(scan->parts, part);
}

static void scan_jump(struct scan *scan, struct itp_flow_range part,
		      const struct itp_flow_instruction *jump)
{
	switch (itp_flow_code_jump(scan->code, part, jump->vaddr, jump->target)) {
	case ITP_FLOW_JUMP_STAYS:
		add_part(scan, jump->target);
		break;
	case ITP_FLOW_JUMP_LEAVES:
		scan->visit(jump, true, scan->data);
		break;
	case ITP_FLOW_JUMP_UNCLEAR:
		scan->is_complete = false;
		break;
	}
}

static void scan_indirect_jump(struct scan *scan, const struct itp_flow_instruction *jump)
{
	switch (itp_flow_code_stack(scan->code, jump->vaddr)) {
	case ITP_FLOW_STACK_AS_CALLED:
		scan->visit(jump, true, scan->data);
		break;
	case ITP_FLOW_STACK_DEEPER:
		break;
	case ITP_FLOW_STACK_UNKNOWN:
		scan->is_complete = false;
		break;
	}
}

static void scan_instruction(struct scan *scan, struct itp_flow_range part,
			     const struct itp_flow_instruction *instruction)
{
	switch ((enum itp_flow_kind)instruction->kind) {
	case ITP_FLOW_CONDITIONAL:
	case ITP_FLOW_JUMP:
		scan_jump(scan, part, instruction);
		break;
	case ITP_FLOW_JUMP_INDIRECT:
		scan_indirect_jump(scan, instruction);
		break;
	case ITP_FLOW_CALL:
	case ITP_FLOW_CALL_INDIRECT:
		scan->visit(instruction, false, scan->data);
		break;
	case ITP_FLOW_UNCLEAR:
		scan->is_complete = false;
		break;
	case ITP_FLOW_PLAIN:
	case ITP_FLOW_SYSTEM_CALL:
	case ITP_FLOW_RETURN:
	case ITP_FLOW_STOP:
	case ITP_FLOW_TRAP:
		break;
	}
}

static void scan_part(struct scan *scan, struct itp_flow_range part)
{
	uint64_t vaddr = part.start;

	while (vaddr < part.end && scan->is_complete) {
		struct itp_flow_instruction instruction = itp_flow_code_decode(scan->code, vaddr);

		scan_instruction(scan, part, &instruction);
		vaddr += MAX(instruction.size, 1);
	}
}

bool itp_scan_function(const struct itp_flow_code *code, uint64_t vaddr, itp_scan_func *visit,
		       void *data)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_range));
	struct scan scan = {
		.code = code, .visit = visit, .data = data, .parts = parts, .is_complete = true
	};

	add_part(&scan, vaddr);
	for (guint i = 0; i < parts->len && scan.is_complete; i++) {
		struct itp_flow_range part = g_array_index(parts, struct itp_flow_range, i);

		scan.bytes += part.end - part.start;
		scan.is_complete &= scan.bytes <= MAX_BYTES;
		scan_part(&scan, part);
	}
	return scan.is_complete;
}
