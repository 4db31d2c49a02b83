/* SPDX-License-Identifier: MIT */
/*
 * Costly patterns (StackMine, section V): subsequences of stacks, consecutive or not. A pattern is
 * costly if the stacks that have it cost a limit or more. It is told if its stacks without a longer
 * costly pattern around it cost the limit, too.
 *
 * The paper tells maximal patterns only, part of no longer costly one. They are told here, too; but
 * where a cause lies below many functions, few of which are in stacks that cost enough by
 * themselves, all the other stacks have the shorter pattern alone. Each stack left out has a longer
 * costly pattern that explains it better.
 */
#ifndef ITP_MINE_PATTERN_H
#define ITP_MINE_PATTERN_H

#include "common/mine/forest.h"

struct itp_pattern {
	/* Function ids, outermost first. Owned by this. */
	uint32_t *functions;
	uint32_t length;
	int64_t cost_ns;
	uint64_t events;
	/* Nodes of the forest in which its first occurrences end, ascending: its stacks end in
	 * these or below. Owned by this. */
	uint32_t *nodes;
	uint32_t node_count;
	/* struct itp_node_range: last nodes of the stacks that count for it. Owned by this. */
	GArray *ranges;
};

/* Nodes of a forest. */
struct itp_node_range {
	uint32_t begin;
	uint32_t end;
};

/* Choice of the costly patterns to be told. */
enum itp_pattern_choice {
	ITP_PATTERNS_OWN = 0,
	/* Patterns inside of no longer costly one, as in the paper. */
	ITP_PATTERNS_MAXIMAL,
};

struct itp_pattern_options {
	/* Least cost of a pattern; above 0. */
	int64_t least_ns;
	enum itp_pattern_choice choice;
	/* Steps after which the search stops, including the later steps for its findings; steps
	 * since the last found pattern, where stacks are few; and number of found patterns. 0: no
	 * limit. */
	uint64_t max_steps;
	uint64_t max_idle_steps;
	uint32_t max_candidates;
	/* Each pattern is looked at closely (prospects.c), not only after a long search
	 * without findings. Findings are the same. */
	bool looks_closely;
};

struct itp_mined_patterns {
	/* struct itp_pattern, the dearest first, then by their functions. Owned by this. */
	GArray *list;
	/* Stacks of the patterns. Owned by this. */
	struct itp_forest forest;
	/* Of all patterns of the list together. */
	uint64_t functions;
	/* Work of the search: nodes, functions and stacks looked at. */
	uint64_t steps;
	/* The search was stopped: others may exist, and longer ones. */
	bool is_incomplete;
};

#endif
