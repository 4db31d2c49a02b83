/* SPDX-License-Identifier: MIT */
/*
 * What is being found out about one function: the instructions that can be reached and the parts
 * that they lie in. Internal to the files that make graphs.
 */
#ifndef ITP_CONTROL_FLOW_FOLLOW_H
#define ITP_CONTROL_FLOW_FOLLOW_H

#include "common/control-flow/code.h"
#include "common/control-flow/graph.h"
#include "common/control-flow/jump.h"

/* Instead of where something is in the code: nowhere. */
#define ITP_FLOW_NOWHERE UINT32_MAX

#define ITP_FLOW_MARK_DECODED 1
#define ITP_FLOW_MARK_LEADER 2

/* Instructions that are looked at to resolve all jumps of a function. */
#define ITP_FLOW_MAX_RESOLVE_STEPS (1024u * 1024)

struct itp_flow_part {
	struct itp_flow_range range;
	/* One for each byte of code. Owned by this. */
	uint8_t *marks;
	/* struct itp_flow_landing. Owned by this. */
	GArray *landings;
	bool has_known_landings;
};

/* An instruction. */
struct itp_flow_step {
	uint32_t offset;
	/* Where it jumps to in the function, and where control goes when it does not jump; or
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
	/* What was known once and is no longer is not asked again. */
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
	/* struct itp_flow_range: those of `parts`. Owned by this. */
	GArray *ranges;
	/* struct itp_flow_step. Owned by this. */
	GArray *steps;
	/* uint64_t. Owned by this. */
	GArray *waiting;
	/* struct itp_flow_pending_jump. Owned by this. */
	GArray *jumps;
	/* uint64_t: addresses that the code makes. Owned by this. */
	GArray *mentions;
	/* uint64_t: where control can come from anywhere in the function. Owned by this. */
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

/* The part that holds `vaddr` if it is already known, NULL otherwise. */
struct itp_flow_part *itp_flow_walk_known_part(const struct itp_flow_walk *walk, uint64_t vaddr);

/* The part that holds `vaddr`. Valid until the next call. NULL when there is none, or too many. */
struct itp_flow_part *itp_flow_walk_part(struct itp_flow_walk *walk, uint64_t vaddr);

/* Control comes to `vaddr` by other ways than from the instruction before. */
void itp_flow_walk_enter(struct itp_flow_walk *walk, uint64_t vaddr);

/* Decodes all that can be reached from where was entered. */
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
