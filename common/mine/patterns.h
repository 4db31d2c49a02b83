/* SPDX-License-Identifier: MIT */
/*
 * Costly patterns (StackMine, section V): subsequences of stacks, consecutive or not. A pattern is
 * costly if the stacks that have it cost a limit or more. It is told if those of them cost so much
 * that have no longer costly pattern of which it is a part.
 *
 * The paper tells those only that are part of no longer costly one, which are maximal. These are
 * told here, too; but where a cause lies below many functions, of which few are in stacks that cost
 * enough by themselves, all the other stacks have the shorter pattern alone. Each stack that is
 * left out has a longer costly pattern that explains it better.
 */
#ifndef ITP_MINE_PATTERNS_H
#define ITP_MINE_PATTERNS_H

#include "common/mine/forest.h"

struct itp_pattern {
	/* Function ids, outermost first. Owned by this. */
	uint32_t *functions;
	uint32_t length;
	int64_t cost_ns;
	uint64_t events;
	/* Nodes of the forest in which its first occurrences end, ascending: the stacks that have
	 * it end in these or below. Owned by this. */
	uint32_t *nodes;
	uint32_t node_count;
	/* struct itp_node_range: the nodes in which the stacks end that count for it. Owned by
	 * this. */
	GArray *ranges;
};

/* Nodes of a forest. */
struct itp_node_range {
	uint32_t begin;
	uint32_t end;
};

/* Which of the costly patterns are told. */
enum itp_pattern_choice {
	ITP_PATTERNS_OWN = 0,
	/* As in the paper: those that are part of no longer costly one. */
	ITP_PATTERNS_MAXIMAL,
};

struct itp_pattern_options {
	/* Patterns that cost less are left out; above 0. */
	int64_t least_ns;
	enum itp_pattern_choice choice;
	/* The search stops after so many steps, those included that what it has found takes later;
	 * after so many steps since it found a pattern, where the stacks are few; or after so many
	 * patterns that it found. 0: it does not. */
	uint64_t max_steps;
	uint64_t max_idle_steps;
	uint32_t max_candidates;
	/* Each pattern is looked at closely (search.h, prospects.c), not only where the search has
	 * found nothing for long. What is found is the same. */
	bool looks_closely;
};

struct itp_mined_patterns {
	/* struct itp_pattern, those that cost most first, then by their functions. Owned by this.
	 */
	GArray *list;
	/* What the patterns are patterns of. Owned by this. */
	struct itp_forest forest;
	/* Of all patterns of the list together. */
	uint64_t functions;
	/* The work of the search: nodes, functions and stacks that were looked at. */
	uint64_t steps;
	/* The search was stopped: there may be others, and longer ones. */
	bool is_incomplete;
};

/* Looks for the patterns of the stacks of `set`, whose functions are below `function_count`. */
void itp_mined_patterns_init(struct itp_mined_patterns *patterns, const struct itp_stack_set *set,
			     uint32_t function_count, const struct itp_pattern_options *options);
void itp_mined_patterns_release(struct itp_mined_patterns *patterns);

/* Frees what a pattern owns. */
void itp_pattern_clear(struct itp_pattern *pattern);

/* Whether all of `part` is in `whole`, in this order. */
bool itp_is_subsequence(const uint32_t *part, uint32_t part_length, const uint32_t *whole,
			uint32_t whole_length);

#endif
