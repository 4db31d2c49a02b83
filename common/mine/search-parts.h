/* SPDX-License-Identifier: MIT */
/*
 * State of a search for patterns, as shared by its files:
 *
 *   search.c      grows patterns
 *   promise.c     cost for which a pattern, or a growth of it, can still be told
 *   inserting.c   patterns that other ways of the search find as well
 *   prospects.c   patterns left by a closer look at their continuations
 *   endings.c     patterns left by a closer look at their common ending
 *   places.c      places of a pattern in a stack
 *   own-stacks.c  stacks without a longer costly pattern
 *
 * Everything that takes time adds to `steps`: about one for each node, function or stack looked at,
 * so that a limit of steps is a limit of time.
 */
#ifndef ITP_MINE_SEARCH_PARTS_H
#define ITP_MINE_SEARCH_PARTS_H

#include "common/mine/pattern.h"
#include "common/mine/window.h"

/* Function by which a pattern can grow. */
struct itp_growth {
	uint32_t function;
	int64_t cost_ns;
};

/* By node of the forest. See promise.c. All owned by this. */
struct itp_promise {
	/* Functions from the outermost to the node's. */
	uint32_t *depths;
	/* Cost of the stacks at and below the node that end below their innermost costly node. */
	int64_t *open_ns;
	/* Cost of the stacks at and below the node that go through no costly node below it. */
	int64_t *rest_ns;
	/* Cost of the stacks that end in the node. */
	int64_t *ends_ns;
};

/* See prospects.c. All owned by this. */
struct itp_prospects {
	/* By gap of the pattern: a GArray of its functions. */
	GPtrArray *gaps;
	/* Bit of the stacks at hand. */
	uint64_t bit;
	/* uint64_t: sets of stacks that share a function in a gap, each once, ascending. */
	GArray *masks;
	/* Place in `laid`, + 1, by the place before and the function. */
	GHashTable *places;
	/* struct laid, as many for each place as the projection has nodes. */
	GArray *laid;
	/* Functions in which stacks end. */
	struct itp_window ends;
};

struct itp_pattern_search {
	struct itp_mined_patterns *patterns;
	const struct itp_pattern_options *options;
	/* By function: the nodes of it, ascending, are from first[f] up to first[f + 1]. Owned by
	 * this. */
	uint32_t *nodes_of;
	uint32_t *first;
	struct itp_promise promise;
	struct itp_prospects prospects;
	/* The steps when the last pattern was found. */
	uint64_t found_at;
	/* By function, for a projection: its cost below, and the end of the subtree below its last
	 * counted node. All 0 in between. Owned by this. */
	int64_t *costs;
	uint32_t *covered;
	/* struct level of search.c: patterns being grown, each from the one before. Owned by
	 * this. */
	GArray *levels;
	/* uint32_t: the pattern at hand. Owned by this. */
	GArray *pattern;
	/* uint32_t: the functions down to a node. Owned by this. */
	GArray *path;
	/* guint: where in a path the pattern's functions are, as early as they can be, and as late.
	 * Owned by this. */
	GArray *firsts;
	GArray *lasts;
	/* For inserting.c: GArray of uint32_t, functions in each gap of all stacks; and the gap at
	 * hand of a stack. Owned by this. */
	GPtrArray *gaps;
	struct itp_window window;
	/* For own-stacks.c: see there. Owned by this. */
	GArray *groups;
	GArray *group_functions;
};

static inline const struct itp_forest_node *itp_search_node(const struct itp_pattern_search *search,
							    uint32_t i)
{
	return &search->patterns->forest.nodes[i];
}

static inline void itp_search_work(struct itp_pattern_search *search, uint64_t steps)
{
	search->patterns->steps += steps;
}

/* ---- promise.c ---- */

void itp_promise_init(struct itp_promise *promise, const struct itp_forest *forest,
		      int64_t least_ns);
void itp_promise_release(struct itp_promise *promise);

/* Cost of the stacks at and below a node of the projection that may be left for the pattern at
 * hand, or for its growths. */
int64_t itp_search_promised(const struct itp_pattern_search *search, uint32_t node);

/* True when the pattern at hand, with its `projection`, or a growth of it, may be told. */
bool itp_search_is_promising(struct itp_pattern_search *search, const GArray *projection);

/* Upper bound of the cost of stacks with the pattern at hand and no longer costly one. */
int64_t itp_search_most_own(struct itp_pattern_search *search, const GArray *projection);

/* ---- inserting.c ---- */

/* True when some function can be put into the pattern at hand, at the same place in all its stacks.
 * `before` and `projection` are the pattern's without its last function (NULL: of none) and with
 * it. */
bool itp_search_can_insert(struct itp_pattern_search *search, const GArray *before,
			   const GArray *projection);

/* Calls `tell` for each gap of the pattern at hand in the stacks that have it first in `node`, from
 * the outermost: the functions in it (uint32_t), each once. */
void itp_search_gaps(struct itp_pattern_search *search, uint32_t node,
		     void (*tell)(guint gap, const GArray *functions, void *data), void *data);

/* ---- prospects.c ---- */

void itp_prospects_init(struct itp_prospects *prospects, uint32_t function_count);
void itp_prospects_release(struct itp_prospects *prospects);

/* True when stacks of sufficient cost may be left for growths of the pattern at hand, or for
 * itself. */
bool itp_search_has_prospects(struct itp_pattern_search *search, const GArray *projection);

/* ---- endings.c ---- */

/* True when stacks of sufficient cost may have behind the pattern at hand the whole ending shared
 * by all its stacks. */
bool itp_search_fits_ending(struct itp_pattern_search *search, const GArray *projection);

/* ---- places.c ---- */

/* Index in nodes_of of the first node of `function` that is `least` or more. */
uint32_t itp_search_find(const struct itp_pattern_search *search, uint32_t function,
			 uint32_t least);

/* Functions (uint32_t) from the outermost to the node's, into `path`. */
void itp_search_path(struct itp_pattern_search *search, uint32_t node, GArray *path);

/* Sets `firsts` and `lasts` for `path`, which has the pattern and ends with its last function. */
void itp_search_places(struct itp_pattern_search *search, const GArray *path);

/* ---- own-stacks.c ---- */

/* Cost of the stacks with the pattern at hand, with its `projection`, and no longer costly one;
 * `growths` (struct itp_growth) are all its growths. A cost below the limit may be told as 0. */
int64_t itp_search_own_cost(struct itp_pattern_search *search, const GArray *projection,
			    const GArray *growths);

/* New array for `groups`. */
GArray *itp_search_groups_new(void);

#endif
