/* SPDX-License-Identifier: MIT */
/*
 * The search for patterns, as the files share it that do it: patterns.c grows them, places.c says
 * where in a stack a pattern is, and own-stacks.c which stacks have no longer costly one.
 */
#ifndef ITP_MINE_SEARCH_H
#define ITP_MINE_SEARCH_H

#include "common/mine/patterns.h"

/* A function that a pattern can grow by. */
struct itp_growth {
	uint32_t function;
	int64_t cost_ns;
};

struct itp_pattern_search {
	struct itp_mined_patterns *patterns;
	const struct itp_pattern_options *options;
	/* By function: the nodes of it, ascending, are from first[f] up to first[f + 1]. Owned by
	 * this. */
	uint32_t *nodes_of;
	uint32_t *first;
	/* By function, for one projection: its cost below that, and behind what is below the last
	 * of its nodes that counted. All 0 in between. Owned by this. */
	int64_t *costs;
	uint32_t *covered;
	/* uint32_t: the pattern at hand. Owned by this. */
	GArray *pattern;
	uint64_t steps;
	/* guint: where in a path the pattern's functions are, as early as they can be, and as late.
	 * Owned by this. */
	GArray *firsts;
	GArray *lasts;
	/* GArray of uint32_t, for can_insert(): functions that are in each gap of all stacks. Owned
	 * by this. */
	GPtrArray *gaps;
	/* For own-stacks.c: see there. Owned by this. */
	GArray *groups;
	GArray *group_functions;
};

static inline const struct itp_forest_node *itp_search_node(const struct itp_pattern_search *search,
							    uint32_t i)
{
	return &search->patterns->forest.nodes[i];
}

/* ---- places.c ---- */

/* Index in nodes_of of the first node of `function` that is `least` or more. */
uint32_t itp_search_find(const struct itp_pattern_search *search, uint32_t function,
			 uint32_t least);

/* The functions (uint32_t) from the outermost to that of `node`, into `path`. */
void itp_search_path(const struct itp_pattern_search *search, uint32_t node, GArray *path);

/* Sets `firsts` and `lasts` for `path`, which has the pattern and ends with its last function. */
void itp_search_places(struct itp_pattern_search *search, const GArray *path);

/* What lies in `path` between the place before function `i` of the pattern and its own last one:
 * there, a function could be put into the pattern. Weak. */
const uint32_t *itp_search_gap(const struct itp_pattern_search *search, const GArray *path, guint i,
			       guint *ret_count);

/* ---- own-stacks.c ---- */

/* What the stacks cost that have the pattern at hand, of which `projection` is, and no longer
 * costly one; `growths` (struct itp_growth) is all that it can grow by. What is less than the limit
 * may be told as 0. */
int64_t itp_search_own_cost(struct itp_pattern_search *search, const GArray *projection,
			    const GArray *growths);

/* What `groups` is to be. */
GArray *itp_search_groups_new(void);

#endif
