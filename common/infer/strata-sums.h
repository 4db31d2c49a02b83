/* SPDX-License-Identifier: MIT */
/*
 * Sums of strata.c for shares.c; nobody else includes this.
 */
#ifndef ITP_INFER_STRATA_SUMS_H
#define ITP_INFER_STRATA_SUMS_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

/* Weight, in ticks, of continuity.h's shares of the gaps divided together. */
#define ITP_STRATA_PRIOR_TICKS 0.5

/* Context of a kind. */
struct itp_stratum_context {
	uint32_t kind;
	uint32_t node;
	/* Next context of the same kind, 0 = it is the last. */
	uint32_t next;
	/* CPU time given to it. */
	int64_t given_ns;
	/* Ticks that found it innermost, and their weight. */
	double weight;
	uint32_t ticks;
	/* Weight of all ticks ever, of it and of its callees that the stacks around the gaps do not
	 * show. */
	double seeming_weight;
};

struct itp_stratum {
	uint32_t before;
	uint32_t after;
	/* enum itp_gap_edge of both ends, the earlier one in the upper half of a byte. */
	uint32_t edges;
	/* The first and the last of its contexts, 0 = none. */
	uint32_t first;
	uint32_t last;
	/* Sums over the contexts. */
	int64_t cpu_ns;
	double weight;
	/* A tick has come, ever. */
	bool has_learnt;
};

struct itp_strata {
	/* Weak. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* ITP_FUNCTION_UNKNOWN before the recorder was found at work. */
	uint32_t recorder;
	/* struct itp_stratum and struct itp_stratum_context; numbers 0 stand for none. Owned by
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
	/* Sums over the kinds. */
	int64_t cpu_ns;
	double weight;
	uint64_t ticks;
	/* Of the first tick, in the timer's unit; 0 before. What is divided does not depend on the
	 * unit, down to the last bit. */
	double first_weight;
	/* Mean weight of all ticks ever, and the prior's weight. */
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

/* Sums begin anew; learnt weights stay. */
void itp_strata_begin_sums(struct itp_strata *strata);

/* Innermost context common to both. */
uint32_t itp_strata_common(const struct itp_strata *strata, uint32_t a, uint32_t b);

#endif
