/* SPDX-License-Identifier: MIT */
/*
 * A function under exploration: reachable instructions, and their parts. Internal to the files that
 * make graphs.
 */
#ifndef ITP_CONTROL_FLOW_FOLLOW_H
#define ITP_CONTROL_FLOW_FOLLOW_H

#include "common/control-flow/code.h"
#include "common/control-flow/graph.h"
#include "common/control-flow/jump.h"

/* Place nowhere in the code. */
#define ITP_FLOW_NOWHERE UINT32_MAX

#define ITP_FLOW_MARK_DECODED 1
#define ITP_FLOW_MARK_LEADER 2

/* Instructions looked at to resolve all jumps of a function. */
#define ITP_FLOW_MAX_RESOLVE_STEPS (1024u * 1024)

struct itp_flow_part {
	struct itp_flow_range range;
	/* Marks, one for each byte of code. Owned by this. */
	uint8_t *marks;
	/* struct itp_flow_landing. Owned by this. */
	GArray *landings;
	bool has_known_landings;
};

/* An instruction. */
struct itp_flow_step {
	uint32_t offset;
	/* Target in the function, and the next instruction when it does not jump; or
	 * ITP_FLOW_NOWHERE. */
	uint32_t target;
	uint32_t next;
	uint8_t size;
	uint8_t kind;
	uint8_t cause;
};

/* An indirect jump. */
struct itp_flow_pending_jump {
	uint32_t offset;
	enum itp_flow_resolution resolution;
	/* Resolved once and lost again: not asked again. */
	bool is_given_up;
	/* uint64_t. Owned by this. */
	GArray *targets;
};

struct itp_flow_walk {
	const struct itp_flow_code *code;
	/* Weak. */
	const GArray *roots;
	/* struct itp_flow_part. Owned by this. */
	GArray *parts;
	/* struct itp_flow_range: ranges of `parts`. Owned by this. */
	GArray *ranges;
	/* struct itp_flow_step. Owned by this. */
	GArray *steps;
	/* uint64_t. Owned by this. */
	GArray *waiting;
	/* struct itp_flow_pending_jump. Owned by this. */
	GArray *jumps;
	/* uint64_t: addresses made by the code. Owned by this. */
	GArray *mentions;
	/* uint64_t: places reached from anywhere in the function. Owned by this. */
	GArray *labels;
	/* From block << 32 to block. Owned by this. */
	GArray *edges;
	size_t part_bytes;
	uint32_t landing_count;
	uint32_t target_count;
	uint32_t resolve_steps;
	bool is_too_large;
};

void itp_flow_walk_init(struct itp_flow_walk *walk, const struct itp_flow_code *code,
			const GArray *roots);
void itp_flow_walk_release(struct itp_flow_walk *walk);

/* Known part with `vaddr`, NULL otherwise. */
struct itp_flow_part *itp_flow_walk_known_part(const struct itp_flow_walk *walk, uint64_t vaddr);

/* Part with `vaddr`. Valid until the next call. NULL when there is none, or too many. */
struct itp_flow_part *itp_flow_walk_part(struct itp_flow_walk *walk, uint64_t vaddr);

/* Control comes to `vaddr` by other ways than from the instruction before. */
void itp_flow_walk_enter(struct itp_flow_walk *walk, uint64_t vaddr);

/* Decodes everything reachable from the entries. */
void itp_flow_walk_follow(struct itp_flow_walk *walk);

static inline uint32_t itp_flow_walk_offset(const struct itp_flow_walk *walk, uint64_t vaddr)
{
	return (uint32_t)(vaddr - walk->code->range.start);
}

static inline uint64_t itp_flow_walk_vaddr(const struct itp_flow_walk *walk, uint32_t offset)
{
	return walk->code->range.start + offset;
}

#endif
