/* SPDX-License-Identifier: MIT */
/*
 * Stacks that count for a pattern: all that have it, except stacks with a longer pattern around it.
 * The cost of a pattern is the rest left unexplained by longer patterns.
 */
#ifndef ITP_MINE_COUNTING_H
#define ITP_MINE_COUNTING_H

#include "common/mine/pattern.h"

/* Sets the nodes of a pattern of known functions, in a forest perhaps without it. */
void itp_pattern_find(struct itp_pattern *pattern, const struct itp_forest *forest);

/* Sets the ranges of patterns (struct itp_pattern *) of known nodes. */
void itp_patterns_count(const GPtrArray *patterns, const struct itp_forest *forest);

/* The ranges of all the patterns (struct itp_pattern *), joined where they overlap, ascending: a
 * GArray of struct itp_node_range. Free with g_array_unref(). */
GArray *itp_patterns_ranges(const GPtrArray *patterns);

/* Cost of the stacks that end in one of the ranges, and the number of their events. */
struct itp_stacks_sum {
	int64_t cost_ns;
	uint64_t events;
};

struct itp_stacks_sum itp_ranges_sum(const GArray *ranges, const struct itp_forest *forest,
				     const struct itp_stack_set *set);

/* True when all of `part` is in `whole`, in this order. */
bool itp_is_subsequence(const uint32_t *part, uint32_t part_length, const uint32_t *whole,
			uint32_t whole_length);

#endif
