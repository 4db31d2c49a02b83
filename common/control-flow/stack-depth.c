/* SPDX-License-Identifier: MIT */
/*
 * See stack-depth.h.
 */
#include "common/control-flow/stack-depth.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/control-flow/decode.h"

/* Longest stretch of code that is walked. */
#define STRETCH_MOST (64u * 1024)
#define WORD 8
/* Number of rsp in unwind rules. */
#define STACK_POINTER 7
/* Bytes of which filling is made, beside nop. */
#define ZERO 0x00
#define BREAKPOINT 0xcc

/* Stack in front of an instruction, seen from the canonical frame address (CFA), which is the stack
 * pointer of the caller. */
struct depth {
	/* CFA less the stack pointer; 8 at the begin of a function. 0 when unknown. */
	int32_t sp;
	/* CFA less the frame pointer, if it points into the frame; else 0. */
	int32_t bp;
	/* Place of the caller's frame pointer, as CFA less its address; 0: in the register. */
	int32_t saved_bp;
};

/* An instruction on a way that has been walked. */
struct place {
	uint64_t begin;
	uint64_t end;
	struct depth depth;
};

struct itp_stack_depth {
	/* Weak. */
	struct itp_cfi *cfi;
	/* Owned by this. */
	struct itp_flow_decoder *decoder;
	uint64_t end;
	/* Begins of the functions understood, as pointers. Owned by this. */
	GHashTable *starts;
	/* Of the function that is walked: struct place, in the order of addresses; address →
	 * struct depth, of these and of targets ahead. Both owned by this. */
	GArray *places;
	GHashTable *depths;
	/* The last target ahead. */
	uint64_t furthest;
	/* Control leaves the function somewhere, to its caller or another function. */
	bool is_left;
};

static const struct depth at_begin = { .sp = WORD };

static bool is_equal(const struct depth *a, const struct depth *b)
{
	return a->sp == b->sp && a->bp == b->bp && a->saved_bp == b->saved_bp;
}

struct itp_stack_depth *itp_stack_depth_new(struct itp_cfi *cfi)
{
	struct itp_flow_decoder *decoder = itp_flow_decoder_new(ITP_X86_64);
	struct itp_stack_depth *depth;

	if (!decoder) {
		return NULL;
	}
	depth = g_new0(struct itp_stack_depth, 1);
	depth->cfi = cfi;
	depth->decoder = decoder;
	depth->starts = g_hash_table_new(itp_hash_number, NULL);
	depth->depths = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	depth->places = g_array_new(FALSE, FALSE, sizeof(struct place));
	return depth;
}

void itp_stack_depth_free(struct itp_stack_depth *depth)
{
	if (!depth) {
		return;
	}
	itp_flow_decoder_free(depth->decoder);
	g_hash_table_unref(depth->starts);
	g_hash_table_unref(depth->depths);
	g_array_unref(depth->places);
	g_free(depth);
}

/* ---- Operands ---- */

static bool is_register(const cs_x86_op *operand, x86_reg wanted)
{
	return operand->type == X86_OP_REG && operand->reg == wanted;
}

/* True for an operand that is an address "register + offset". */
static bool is_based(const cs_x86_op *operand, x86_reg base)
{
	return operand->type == X86_OP_MEM && operand->mem.base == base &&
	       operand->mem.index == X86_REG_INVALID && operand->mem.segment == X86_REG_INVALID;
}

static bool writes_any(struct itp_stack_depth *walk, const cs_insn *instruction,
		       const x86_reg *wanted, size_t count)
{
	cs_regs written;
	uint8_t written_count = 0;

	itp_flow_written_registers(walk->decoder, instruction, written, &written_count);
	for (uint8_t i = 0; i < written_count; i++) {
		for (size_t k = 0; k < count; k++) {
			if (written[i] == wanted[k]) {
				return true;
			}
		}
	}
	return false;
}

/* ---- Effects on the stack ---- */

/* Moves the stack pointer to CFA - `sp`; false above the return address, or above the place of the
 * caller's frame pointer. */
static bool set_sp(struct depth *depth, int64_t sp)
{
	depth->sp = (int32_t)sp;
	return sp >= WORD && sp == depth->sp && depth->saved_bp <= depth->sp;
}

static bool push_operand(struct depth *depth, const cs_x86_op *operand)
{
	if (depth->sp == 0 || operand->size != WORD) {
		return false;
	}
	if (!set_sp(depth, (int64_t)depth->sp + WORD)) {
		return false;
	}
	if (is_register(operand, X86_REG_RBP) && depth->saved_bp == 0) {
		depth->saved_bp = depth->sp;
	}
	return true;
}

static bool pop(struct depth *depth, const cs_x86_op *operand)
{
	if (depth->sp == 0 || operand->size != WORD || operand->type != X86_OP_REG ||
	    operand->reg == X86_REG_RSP) {
		return false;
	}
	if (operand->reg == X86_REG_RBP) {
		if (depth->saved_bp != depth->sp) {
			return false;
		}
		depth->saved_bp = 0;
		depth->bp = 0;
	}
	return set_sp(depth, (int64_t)depth->sp - WORD);
}

/* Pops the frame: mov %rbp, %rsp; pop %rbp. */
static bool pop_frame(struct depth *depth)
{
	if (depth->bp == 0 || depth->bp != depth->saved_bp) {
		return false;
	}
	depth->sp = depth->bp;
	depth->bp = 0;
	depth->saved_bp = 0;
	return set_sp(depth, (int64_t)depth->sp - WORD);
}

/* add, sub, and, mov, lea with the stack pointer as their result. */
static bool change_sp(struct depth *depth, const cs_insn *instruction)
{
	const cs_x86_op *from = &instruction->detail->x86.operands[1];
	const bool is_known_amount = depth->sp != 0 && from->type == X86_OP_IMM;

	switch (instruction->id) {
	case X86_INS_SUB:
		if (!is_known_amount) {
			depth->sp = 0;
			return depth->bp != 0;
		}
		return set_sp(depth, depth->sp + from->imm);
	case X86_INS_ADD:
		return is_known_amount && set_sp(depth, depth->sp - from->imm);
	case X86_INS_AND:
		depth->sp = 0;
		return depth->bp != 0;
	case X86_INS_MOV:
		return is_register(from, X86_REG_RBP) && depth->bp != 0 && set_sp(depth, depth->bp);
	case X86_INS_LEA:
		if (is_based(from, X86_REG_RBP)) {
			return depth->bp != 0 && set_sp(depth, depth->bp - from->mem.disp);
		}
		return is_based(from, X86_REG_RSP) && depth->sp != 0 &&
		       set_sp(depth, depth->sp - from->mem.disp);
	default:
		return false;
	}
}

/* Any instruction with the frame pointer as its result, which has to be saved by then. */
static bool change_bp(struct depth *depth, const cs_insn *instruction)
{
	const cs_x86 *x86 = &instruction->detail->x86;
	const cs_x86_op *from = &x86->operands[1];

	if (depth->saved_bp == 0) {
		return false;
	}
	depth->bp = 0;
	if (x86->op_count == 2 && depth->sp != 0 && is_register(&x86->operands[0], X86_REG_RBP)) {
		if (instruction->id == X86_INS_MOV && is_register(from, X86_REG_RSP)) {
			depth->bp = depth->sp;
		} else if (instruction->id == X86_INS_LEA && is_based(from, X86_REG_RSP)) {
			const int64_t bp = depth->sp - from->mem.disp;

			depth->bp = (int32_t)bp;
			return bp > 0 && bp == depth->bp;
		}
	}
	return true;
}

static bool change_plain(struct itp_stack_depth *walk, struct depth *depth,
			 const cs_insn *instruction)
{
	static const x86_reg stack[] = { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL };
	static const x86_reg frame[] = { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL };
	const cs_x86 *x86 = &instruction->detail->x86;

	switch (instruction->id) {
	case X86_INS_PUSH:
		return push_operand(depth, &x86->operands[0]);
	case X86_INS_POP:
		return pop(depth, &x86->operands[0]);
	case X86_INS_LEAVE:
		return pop_frame(depth);
	default:
		break;
	}
	if (writes_any(walk, instruction, stack, G_N_ELEMENTS(stack))) {
		return x86->op_count == 2 && is_register(&x86->operands[0], X86_REG_RSP) &&
		       change_sp(depth, instruction);
	}
	return !writes_any(walk, instruction, frame, G_N_ELEMENTS(frame)) ||
	       change_bp(depth, instruction);
}

/* ---- Ways ---- */

static void note_depth(struct itp_stack_depth *walk, uint64_t vaddr, const struct depth *depth)
{
	g_hash_table_insert(walk->depths, GSIZE_TO_POINTER(vaddr),
			    g_memdup2(depth, sizeof(*depth)));
}

static const struct depth *noted(const struct itp_stack_depth *walk, uint64_t vaddr)
{
	return g_hash_table_lookup(walk->depths, GSIZE_TO_POINTER(vaddr));
}

/* True for the begin of a function that has been understood, or whose rules begin like a
 * function's: those of its cold part do not. */
static bool is_start(const struct itp_stack_depth *walk, uint64_t vaddr)
{
	const struct itp_cfi_row *row;
	bool is_lasting;
	uint64_t start;
	uint64_t end;

	if (g_hash_table_contains(walk->starts, GSIZE_TO_POINTER(vaddr))) {
		return true;
	}
	row = itp_cfi_find(walk->cfi, vaddr, &is_lasting);
	return row && row->cfa.kind == ITP_CFI_REGISTER && row->cfa.source == STACK_POINTER &&
	       row->cfa.value == WORD && itp_cfi_bounds(walk->cfi, vaddr, &start, &end) &&
	       start == vaddr;
}

/* Control leaves the function, for which the stack has to be as at its begin. */
static bool leave_function(struct itp_stack_depth *walk, const struct depth *depth)
{
	walk->is_left = true;
	return is_equal(depth, &at_begin);
}

/* A jump to `target`, with this depth, from the function [start, next): one inside of it, or one to
 * another function, for good. */
static bool take_jump(struct itp_stack_depth *walk, uint64_t start, uint64_t next, uint64_t target,
		      const struct depth *depth)
{
	const struct depth *known = noted(walk, target);

	if (known) {
		return is_equal(known, depth);
	}
	if (target >= next && target < walk->end) {
		note_depth(walk, target, depth);
		walk->furthest = MAX(walk->furthest, target);
		return true;
	}
	return (target < start || target >= walk->end) && leave_function(walk, depth) &&
	       is_start(walk, target);
}

/* Follows the instruction at `at`. Returns false when it is not understood; *depth is the stack
 * behind it, *ret_goes_on whether anything is. */
static bool follow_instruction(struct itp_stack_depth *walk, uint64_t start, uint64_t at,
			       const struct itp_flow_instruction *flow, struct itp_bytes bytes,
			       struct depth *depth, bool *ret_goes_on)
{
	const uint64_t next = at + flow->size;
	const cs_insn *instruction;

	*ret_goes_on = true;
	switch (flow->kind) {
	case ITP_FLOW_CONDITIONAL:
		return take_jump(walk, start, next, flow->target, depth);
	case ITP_FLOW_JUMP:
		*ret_goes_on = false;
		return take_jump(walk, start, next, flow->target, depth);
	case ITP_FLOW_JUMP_INDIRECT:
		*ret_goes_on = false;
		return leave_function(walk, depth);
	case ITP_FLOW_RETURN:
		*ret_goes_on = false;
		instruction = itp_flow_decode_detail(walk->decoder, bytes, at);
		return leave_function(walk, depth) && instruction &&
		       instruction->detail->x86.op_count == 0;
	case ITP_FLOW_STOP:
	case ITP_FLOW_TRAP:
		*ret_goes_on = false;
		return true;
	case ITP_FLOW_CALL:
		return flow->target != next;
	case ITP_FLOW_CALL_INDIRECT:
	case ITP_FLOW_SYSTEM_CALL:
		return true;
	case ITP_FLOW_PLAIN:
		instruction = itp_flow_decode_detail(walk->decoder, bytes, at);
		return instruction && change_plain(walk, depth, instruction);
	default:
		return false;
	}
}

/* Bytes of filling between functions at `at`, 0 of anything else. Capstone 4 takes endbr64, with
 * which functions begin, for a nop as well. */
static uint64_t filling_bytes(struct itp_stack_depth *walk, struct itp_bytes bytes, uint64_t at)
{
	static const uint8_t begin[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct itp_flow_instruction flow;

	if (bytes.size == 0 ||
	    (bytes.size >= sizeof(begin) && memcmp(bytes.data, begin, sizeof(begin)) == 0)) {
		return 0;
	}
	if (bytes.data[0] == ZERO || bytes.data[0] == BREAKPOINT) {
		return 1;
	}
	flow = itp_flow_decode(walk->decoder, bytes, at);
	return flow.is_padding ? flow.size : 0;
}

/* Notes the instruction at `at` and follows it; returns its length, 0 when it is not understood. */
static uint64_t step_over(struct itp_stack_depth *walk, uint64_t start, uint64_t at,
			  struct itp_bytes bytes, struct depth *depth, bool *ret_goes_on)
{
	const struct itp_flow_instruction flow = itp_flow_decode(walk->decoder, bytes, at);
	const struct place place = { at, at + flow.size, *depth };

	g_array_append_val(walk->places, place);
	note_depth(walk, at, depth);
	return place.end <= walk->end && follow_instruction(walk, start, at, &flow, bytes, depth,
							    ret_goes_on) ?
		       flow.size :
		       0;
}

/* Walks the function at `start` up to *ret_end; false when it is not understood. */
static bool walk_function(struct itp_stack_depth *walk, const struct itp_elf_image *image,
			  uint64_t start, uint64_t *ret_end)
{
	struct depth depth = at_begin;
	bool is_reached = true;
	uint64_t at = start;

	g_hash_table_remove_all(walk->depths);
	g_array_set_size(walk->places, 0);
	walk->furthest = start;
	walk->is_left = false;
	while (at < walk->end) {
		const struct itp_bytes bytes = itp_elf_image_at(image, at);
		const struct depth *known = noted(walk, at);
		uint64_t size;

		if (known && is_reached && !is_equal(known, &depth)) {
			return false;
		}
		depth = known ? *known : depth;
		is_reached |= known != NULL;
		if (!is_reached && at > walk->furthest) {
			break;
		}
		size = is_reached ? step_over(walk, start, at, bytes, &depth, &is_reached) :
				    filling_bytes(walk, bytes, at);
		if (size == 0) {
			return false;
		}
		at += size;
	}
	*ret_end = at;
	return !is_reached && walk->furthest < at && walk->is_left;
}

/* ---- The stretch ---- */

static struct itp_step step_of(const struct depth *depth)
{
	struct itp_step step = {
		.cfa = depth->sp != 0 ? ITP_STEP_CFA_SP : ITP_STEP_CFA_BP,
		.cfa_offset = depth->sp != 0 ? depth->sp : depth->bp,
		.bp = depth->saved_bp != 0 ? ITP_STEP_BP_AT_CFA : ITP_STEP_BP_SAME,
		.bp_offset = -depth->saved_bp,
	};

	return step;
}

static void tell_places(const struct itp_stack_depth *walk, itp_step_func *tell, void *data)
{
	for (guint i = 0; i < walk->places->len; i++) {
		const struct place *place = &g_array_index(walk->places, struct place, i);
		const struct itp_step step = step_of(&place->depth);

		tell(data, place->begin, place->end, &step);
	}
}

void itp_stack_depth_tell(void *depth, uint64_t begin, uint64_t end, itp_step_func *tell,
			  void *data)
{
	struct itp_stack_depth *walk = depth;
	const struct itp_elf_image *image = itp_cfi_image(walk->cfi);
	uint64_t at = begin;

	if (end - begin > STRETCH_MOST) {
		return;
	}
	walk->end = end;
	g_hash_table_remove_all(walk->starts);
	while (at < end) {
		const uint64_t start = at;
		const uint64_t filling = filling_bytes(walk, itp_elf_image_at(image, at), at);

		if (filling > 0) {
			at += filling;
			continue;
		}
		if (!walk_function(walk, image, start, &at)) {
			return;
		}
		g_hash_table_add(walk->starts, GSIZE_TO_POINTER(start));
		tell_places(walk, tell, data);
	}
}
