/* SPDX-License-Identifier: MIT */
/*
 * Which stacks count for which of some patterns: those that have it, but for those that have a
 * longer one of them, of which it is a part. What a pattern costs is what no longer one explains.
 */
#ifndef ITP_MINE_COUNTING_H
#define ITP_MINE_COUNTING_H

#include "common/mine/patterns.h"

/* Sets the nodes of a pattern, of which the functions are known, in a forest in which it may not
 * have been found. */
void itp_pattern_find(struct itp_pattern *pattern, const struct itp_forest *forest);

/* Sets the ranges of patterns (struct itp_pattern *), of which the nodes are known. */
void itp_patterns_count(const GPtrArray *patterns, const struct itp_forest *forest);

/* The ranges of all the patterns (struct itp_pattern *), joined where they overlap, ascending: a
 * GArray of struct itp_node_range. Free with g_array_unref(). */
GArray *itp_patterns_ranges(const GPtrArray *patterns);

/* What the stacks cost, and how many events they are of, that end in one of the ranges. */
struct itp_stacks_sum {
	int64_t cost_ns;
	uint64_t events;
};

struct itp_stacks_sum itp_ranges_sum(const GArray *ranges, const struct itp_forest *forest,
				     const struct itp_stack_set *set);

#endif
