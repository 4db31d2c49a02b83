/* SPDX-License-Identifier: MIT */
/*
 * Stacks of a set as a tree in an array, each node before its subtree, the range behind it. Only
 * functions asked for are in it: stacks that differ in others alone are merged.
 */
#ifndef ITP_MINE_FOREST_H
#define ITP_MINE_FOREST_H

#include <stdbool.h>

#include "common/mine/stack-set.h"

struct itp_forest_node {
	uint32_t function;
	/* Index of the parent; the node's own for an outermost one. */
	uint32_t parent;
	/* End of the subtree. */
	uint32_t end;
	/* Cost of the stacks that end in it or below. */
	int64_t cost_ns;
};

struct itp_forest {
	/* Owned by this. */
	struct itp_forest_node *nodes;
	uint32_t count;
	/* Indices in the set of the stacks that end in a node: node i's are from first[i] up to
	 * first[i + 1]. Owned by this. */
	uint32_t *stacks;
	uint32_t *first;
};

/* With the functions for which `keeps`, by id, is true: stacks with none of them are left out.
 * NULL: with all functions, and with nodes of which no stack costs anything. */
void itp_forest_init(struct itp_forest *forest, const struct itp_stack_set *set, const bool *keeps);
void itp_forest_release(struct itp_forest *forest);

/* Cost (ns) of all stacks with a function, by function id, below `function_count`. To be freed. */
int64_t *itp_forest_costs(const struct itp_forest *forest, uint32_t function_count);

#endif
