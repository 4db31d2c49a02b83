/* SPDX-License-Identifier: MIT */
/*
 * What strata.c sums and shares.c divides; nobody else includes this.
 */
#ifndef ITP_INFER_STRATA_SUMS_H
#define ITP_INFER_STRATA_SUMS_H

#include "common/infer/strata.h"
#include "common/infer/tick-blocks.h"

/* As how many ticks counts what continuity.h said of the gaps that are divided together. */
#define ITP_STRATA_PRIOR_TICKS 0.5

/* One context of one kind. */
struct itp_stratum_context {
	uint32_t kind;
	uint32_t node;
	/* Of the same kind, 0 = it is the last. */
	uint32_t next;
	/* CPU time that was given to it. */
	int64_t given_ns;
	/* Ticks that found it innermost, and for how long they stand. */
	double weight;
	uint32_t ticks;
	/* The same weight, of all ticks ever, of it and of what it called that the stacks around
	 * the gaps do not show. */
	double seeming_weight;
};

struct itp_stratum {
	uint32_t before;
	uint32_t after;
	/* enum itp_gap_edge of both, the one before in the upper half of a byte. */
	uint32_t edges;
	/* The first and the last of its contexts, 0 = none. */
	uint32_t first;
	uint32_t last;
	/* Sums over the contexts. */
	int64_t cpu_ns;
	double weight;
	/* There has been a tick, ever. */
	bool has_learnt;
};

struct itp_strata {
	/* Weak. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* ITP_FUNCTION_UNKNOWN before it was found at work. */
	uint32_t recorder;
	/* struct itp_stratum and struct itp_stratum_context; those numbered 0 are none. Owned by
	 * this. */
	GArray *kinds;
	GArray *contexts;
	/* Number of the kind, or 0 where the slot is free. Owned by this. */
	uint32_t *slots;
	/* A power of two, more than twice the number of kinds. */
	uint32_t slot_count;
	/* Number of the context, found by kind and node, or 0. Owned by this. */
	uint32_t *context_slots;
	uint32_t context_slot_count;
	/* Of all ticks since something was told. Owned by this. */
	struct itp_tick_blocks *blocks;
	/* Sums over the kinds. */
	int64_t cpu_ns;
	double weight;
	uint64_t ticks;
	/* Of the first tick, in the timer's unit; 0 before. What is divided does not depend on the
	 * unit, down to the last bit. */
	double first_weight;
	/* Of all ticks ever; what the prior weighs. */
	double mean_weight;
	double prior_weight;
};

static inline struct itp_stratum *itp_strata_get(const struct itp_strata *strata, uint32_t kind)
{
	return &g_array_index(strata->kinds, struct itp_stratum, kind);
}

static inline struct itp_stratum_context *itp_strata_context(const struct itp_strata *strata,
							     uint32_t i)
{
	return &g_array_index(strata->contexts, struct itp_stratum_context, i);
}

/* Sums begin anew; what was learnt stays. */
void itp_strata_begin_sums(struct itp_strata *strata);

/* The innermost context that both have in common. */
uint32_t itp_strata_common(const struct itp_strata *strata, uint32_t a, uint32_t b);

#endif
