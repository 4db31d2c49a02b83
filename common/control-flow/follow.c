/* SPDX-License-Identifier: MIT */
/*
 * Following the code, part by part.
 */
#include "common/control-flow/follow.h"

#include "common/control-flow/call.h"
#include "common/control-flow/landing.h"

/* The largest functions of interpreters have some ten thousand instructions. */
#define MAX_INSTRUCTIONS (512u * 1024)
#define MAX_PARTS 256
/* Of all parts together. */
#define MAX_PART_BYTES (16u * 1024 * 1024)
/* Usual alignment of functions, in bytes. */
#define MAX_PADDING_BYTES 64
#define MAX_JUMPS 4096
/* Instructions decoded to find one, in its block before it. */
#define MAX_BLOCK_STEPS 32
#define MAX_LANDINGS 65536
#define MAX_MENTIONS 16384

static void clear_part(gpointer data)
{
	struct itp_flow_part *part = data;

	g_free(part->marks);
	g_array_unref(part->landings);
}

static void clear_jump(gpointer data)
{
	struct itp_flow_pending_jump *jump = data;

	g_array_unref(jump->targets);
}

void itp_flow_walk_init(struct itp_flow_walk *walk, const struct itp_flow_code *code,
			const GArray *roots)
{
	*walk = (struct itp_flow_walk){ .code = code,
					.roots = roots,
					.resolve_steps = ITP_FLOW_MAX_RESOLVE_STEPS };
	walk->parts = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_part));
	g_array_set_clear_func(walk->parts, clear_part);
	walk->ranges = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_range));
	walk->steps = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_step));
	walk->waiting = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	walk->jumps = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_pending_jump));
	g_array_set_clear_func(walk->jumps, clear_jump);
	walk->mentions = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	walk->labels = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	walk->edges = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void itp_flow_walk_release(struct itp_flow_walk *walk)
{
	g_array_unref(walk->parts);
	g_array_unref(walk->ranges);
	g_array_unref(walk->steps);
	g_array_unref(walk->waiting);
	g_array_unref(walk->jumps);
	g_array_unref(walk->mentions);
	g_array_unref(walk->labels);
	g_array_unref(walk->edges);
}
struct itp_flow_part *itp_flow_walk_known_part(const struct itp_flow_walk *walk, uint64_t vaddr)
{
	for (guint i = 0; i < walk->parts->len; i++) {
		struct itp_flow_part *part = &g_array_index(walk->parts, struct itp_flow_part, i);

		if (itp_flow_range_holds(part->range, vaddr)) {
			return part;
		}
	}
	return NULL;
}

void itp_flow_walk_enter(struct itp_flow_walk *walk, uint64_t vaddr)
{
	g_array_append_val(walk->waiting, vaddr);
}

struct itp_flow_part *itp_flow_walk_part(struct itp_flow_walk *walk, uint64_t vaddr)
{
	struct itp_flow_part *known = itp_flow_walk_known_part(walk, vaddr);
	struct itp_flow_part part = { .marks = NULL };
	uint64_t size;

	if (known) {
		return known;
	}
	if (!itp_flow_code_part(walk->code, vaddr, &part.range)) {
		return NULL;
	}
	size = part.range.end - part.range.start;
	if (walk->parts->len >= MAX_PARTS || size > MAX_PART_BYTES - walk->part_bytes) {
		walk->is_too_large = true;
		return NULL;
	}
	walk->part_bytes += size;
	part.marks = g_malloc0(size);
	part.landings = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_landing));
	part.has_known_landings = itp_flow_landings(walk->code, part.range, part.landings);
	for (guint i = 0; i < part.landings->len; i++) {
		itp_flow_walk_enter(walk,
				    g_array_index(part.landings, struct itp_flow_landing, i).pad);
	}
	walk->landing_count += part.landings->len;
	walk->is_too_large |= walk->landing_count > MAX_LANDINGS;
	g_array_append_val(walk->parts, part);
	g_array_append_val(walk->ranges, part.range);
	return &g_array_index(walk->parts, struct itp_flow_part, walk->parts->len - 1);
}

static void take_jump_target(struct itp_flow_walk *walk, struct itp_flow_range part,
			     const struct itp_flow_instruction *instruction,
			     struct itp_flow_step *step)
{
	switch (itp_flow_code_jump(walk->code, part, instruction->vaddr, instruction->target)) {
	case ITP_FLOW_JUMP_STAYS:
		step->target = itp_flow_walk_offset(walk, instruction->target);
		itp_flow_walk_enter(walk, instruction->target);
		break;
	case ITP_FLOW_JUMP_LEAVES:
		break;
	case ITP_FLOW_JUMP_UNCLEAR:
		step->cause = ITP_FLOW_STRAY_JUMP;
		break;
	}
}

static void take_call(struct itp_flow_walk *walk, struct itp_flow_range part,
		      const struct itp_flow_instruction *instruction, struct itp_flow_step *step)
{
	uint64_t next = instruction->vaddr + instruction->size;

	if (!itp_flow_code_comes_back(walk->code, part, instruction->vaddr, next)) {
		step->next = ITP_FLOW_NOWHERE;
	}
	switch (itp_flow_callee(walk->code, part, instruction)) {
	case ITP_FLOW_CALLEE_RETURNS:
		break;
	case ITP_FLOW_CALLEE_NEVER_RETURNS:
		step->next = ITP_FLOW_NOWHERE;
		break;
	case ITP_FLOW_CALLEE_RETURNS_TWICE:
		if (step->next != ITP_FLOW_NOWHERE) {
			g_array_append_val(walk->labels, next);
		}
		break;
	case ITP_FLOW_CALLEE_UNCLEAR:
		step->cause = ITP_FLOW_STRANGE_CALL;
		break;
	}
}

static void take_indirect_jump(struct itp_flow_walk *walk,
			       const struct itp_flow_instruction *instruction)
{
	struct itp_flow_pending_jump jump = { .offset = itp_flow_walk_offset(walk,
									     instruction->vaddr) };

	if (instruction->target != 0 &&
	    itp_flow_imports_name(walk->code->imports, instruction->target)) {
		return;
	}
	if (walk->jumps->len >= MAX_JUMPS) {
		walk->is_too_large = true;
		return;
	}
	jump.targets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_array_append_val(walk->jumps, jump);
}

/* Takes a number in the code for an address only where code has fixed addresses. */
static void take_mention(struct itp_flow_walk *walk, const struct itp_flow_instruction *instruction)
{
	if (itp_flow_range_holds(walk->code->range, instruction->mentioned) &&
	    (!instruction->is_number || walk->code->is_fixed)) {
		walk->is_too_large |= walk->mentions->len >= MAX_MENTIONS;
		g_array_append_val(walk->mentions, instruction->mentioned);
	}
}

static struct itp_flow_step take_instruction(struct itp_flow_walk *walk, struct itp_flow_range part,
					     const struct itp_flow_instruction *instruction)
{
	struct itp_flow_step step = { .offset = itp_flow_walk_offset(walk, instruction->vaddr),
				      .target = ITP_FLOW_NOWHERE,
				      .next = itp_flow_walk_offset(walk, instruction->vaddr +
										 instruction->size),
				      .size = instruction->size,
				      .kind = instruction->kind };

	switch ((enum itp_flow_kind)instruction->kind) {
	case ITP_FLOW_PLAIN:
		take_mention(walk, instruction);
		break;
	case ITP_FLOW_CONDITIONAL:
		take_jump_target(walk, part, instruction, &step);
		break;
	case ITP_FLOW_JUMP:
		step.next = ITP_FLOW_NOWHERE;
		take_jump_target(walk, part, instruction, &step);
		break;
	case ITP_FLOW_JUMP_INDIRECT:
		step.next = ITP_FLOW_NOWHERE;
		take_indirect_jump(walk, instruction);
		break;
	case ITP_FLOW_CALL:
	case ITP_FLOW_CALL_INDIRECT:
	case ITP_FLOW_SYSTEM_CALL:
	case ITP_FLOW_TRAP:
		take_call(walk, part, instruction, &step);
		break;
	case ITP_FLOW_RETURN:
	case ITP_FLOW_STOP:
		step.next = ITP_FLOW_NOWHERE;
		break;
	case ITP_FLOW_UNCLEAR:
		step.next = ITP_FLOW_NOWHERE;
		step.cause = ITP_FLOW_UNDECODED;
		break;
	}
	return step;
}

/* Kind of a thunk: kernels jump to addresses in registers, and return, through functions that keep
 * the processor from guessing. */
static enum itp_flow_kind thunk_kind(const struct itp_symbol *symbol, enum itp_flow_kind other)
{
	static const char indirect[] = "__x86_indirect_";
	static const char back[] = "return_thunk";
	const char *end = symbol->name + symbol->name_length;

	if (symbol->name_length >= strlen(indirect) &&
	    memcmp(symbol->name, indirect, strlen(indirect)) == 0) {
		return ITP_FLOW_UNCLEAR;
	}
	if (other == ITP_FLOW_JUMP && symbol->name_length >= strlen(back) &&
	    memcmp(end - strlen(back), back, strlen(back)) == 0) {
		return ITP_FLOW_RETURN;
	}
	return other;
}

/* Heeds the kernel's possible replacements of an instruction of `part`. */
static void heed_patch(const struct itp_flow_walk *walk, struct itp_flow_range part,
		       struct itp_flow_instruction *instruction)
{
	const struct itp_flow_code *code = walk->code;
	const struct itp_symbol *symbol =
		instruction->kind == ITP_FLOW_JUMP || instruction->kind == ITP_FLOW_CONDITIONAL ?
			itp_flow_code_symbol(code, instruction->target) :
			NULL;
	uint64_t next = instruction->vaddr + instruction->size;

	if (symbol) {
		instruction->kind = (uint8_t)thunk_kind(symbol, instruction->kind);
	}
	switch (itp_flow_patches_find(code->patches, part.start, instruction,
				      &instruction->target)) {
	case ITP_FLOW_PATCH_NONE:
		break;
	case ITP_FLOW_PATCH_BRANCH:
		instruction->kind = ITP_FLOW_CONDITIONAL;
		break;
	case ITP_FLOW_PATCH_MAY_NOT_JUMP:
		if (itp_flow_code_comes_back(code, part, instruction->vaddr, next) &&
		    itp_flow_code_jump(code, part, instruction->vaddr, instruction->target) ==
			    ITP_FLOW_JUMP_STAYS) {
			instruction->kind = ITP_FLOW_CONDITIONAL;
		}
		break;
	case ITP_FLOW_PATCH_UNCLEAR:
		instruction->kind = ITP_FLOW_UNCLEAR;
		break;
	}
}

/* Functions written in assembler run on into the next over the filling between them. */
static uint64_t skip_padding(const struct itp_flow_walk *walk, uint64_t vaddr)
{
	uint64_t behind = vaddr;
	struct itp_flow_range part;

	while (behind - vaddr < MAX_PADDING_BYTES &&
	       !itp_flow_code_part(walk->code, behind, &part)) {
		struct itp_flow_instruction instruction = itp_flow_code_decode(walk->code, behind);

		if (!instruction.is_padding) {
			return vaddr;
		}
		behind += instruction.size;
	}
	return behind;
}

/* Decodes from `vaddr` on, until control goes elsewhere or to decoded code. */
static void follow_code(struct itp_flow_walk *walk, uint64_t vaddr)
{
	struct itp_flow_part *part = itp_flow_walk_part(walk, vaddr);
	uint8_t mark = ITP_FLOW_MARK_LEADER;
	unsigned int length = 0;

	while (part && !walk->is_too_large) {
		uint8_t *marks = &part->marks[vaddr - part->range.start];
		struct itp_flow_instruction instruction;
		struct itp_flow_range range;
		struct itp_flow_step step;
		bool ends_block;

		if (*marks & ITP_FLOW_MARK_DECODED) {
			*marks |= ITP_FLOW_MARK_LEADER;
			return;
		}
		*marks |= ITP_FLOW_MARK_DECODED | mark;
		range = part->range;
		instruction = itp_flow_code_decode(walk->code, vaddr);
		if (walk->code->patches) {
			heed_patch(walk, range, &instruction);
		}
		step = take_instruction(walk, range, &instruction);
		ends_block = instruction.kind != ITP_FLOW_PLAIN || ++length % MAX_BLOCK_STEPS == 0;
		part = NULL;
		if (step.next != ITP_FLOW_NOWHERE) {
			vaddr += instruction.size;
			if (!itp_flow_range_holds(range, vaddr)) {
				vaddr = skip_padding(walk, vaddr);
			}
			part = itp_flow_walk_part(walk, vaddr);
			step.next = part ? itp_flow_walk_offset(walk, vaddr) : ITP_FLOW_NOWHERE;
			ends_block |= vaddr != instruction.vaddr + instruction.size;
			step.cause = part ? step.cause : ITP_FLOW_STRAY_JUMP;
		}
		g_array_append_val(walk->steps, step);
		walk->is_too_large |= walk->steps->len >= MAX_INSTRUCTIONS;
		mark = ends_block ? ITP_FLOW_MARK_LEADER : 0;
	}
}

/* Enters addresses of the function's own code that its code makes: somebody may jump to them. */
static void enter_mentioned(struct itp_flow_walk *walk)
{
	for (guint i = 0; i < walk->mentions->len; i++) {
		uint64_t vaddr = g_array_index(walk->mentions, uint64_t, i);
		const struct itp_flow_part *part = itp_flow_walk_known_part(walk, vaddr);

		if (part && vaddr != part->range.start) {
			g_array_append_val(walk->labels, vaddr);
			itp_flow_walk_enter(walk, vaddr);
			g_array_remove_index_fast(walk->mentions, i--);
		}
	}
}

void itp_flow_walk_follow(struct itp_flow_walk *walk)
{
	do {
		while (walk->waiting->len > 0 && !walk->is_too_large) {
			guint last = walk->waiting->len - 1;
			uint64_t vaddr = g_array_index(walk->waiting, uint64_t, last);

			g_array_set_size(walk->waiting, last);
			follow_code(walk, vaddr);
		}
		enter_mentioned(walk);
	} while (walk->waiting->len > 0 && !walk->is_too_large);
}
