/* SPDX-License-Identifier: MIT */
/*
 * See forest.h. Made in two steps: a tree of the kept functions, whose nodes come in any order, and
 * then its nodes in the order of a walk.
 */
#include "common/mine/forest.h"

#define NONE UINT32_MAX

struct making {
	const struct itp_stack_set *set;
	/* Tree of kept functions: the set's own where all are kept, else owned by this. */
	struct itp_context_tree *tree;
	/* By index of the set's stacks: its node in the tree. */
	uint32_t *ends;
	/* By node of the tree: the first of its children, the next of its siblings, and its place
	 * in the forest. */
	uint32_t *child;
	uint32_t *sibling;
	uint32_t *place;
};

/* Node of `node`'s path without functions that are not kept. */
static uint32_t kept_path(struct making *making, uint32_t node, const bool *keeps, GArray *path)
{
	uint32_t kept = ITP_CONTEXT_ROOT;

	if (!keeps) {
		return node;
	}
	itp_context_tree_path(making->set->tree, node, path);
	for (guint i = 0; i < path->len; i++) {
		uint32_t function = g_array_index(path, uint32_t, i);

		if (keeps[function]) {
			kept = itp_context_tree_child(making->tree, kept, function);
		}
	}
	return kept;
}

static void make_tree(struct making *making, const bool *keeps)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const GArray *stacks = making->set->stacks;

	making->tree = keeps ? itp_context_tree_new() : making->set->tree;
	making->ends = g_new(uint32_t, stacks->len + 1);
	for (guint i = 0; i < stacks->len; i++) {
		const struct itp_stack *stack = &g_array_index(stacks, struct itp_stack, i);

		making->ends[i] = stack->cost_ns > 0 ? kept_path(making, stack->node, keeps, path) :
						       ITP_CONTEXT_ROOT;
	}
}

/* Children have greater ids than their parents: linked from the last one on, each comes before its
 * later siblings. */
static void link_children(struct making *making)
{
	uint32_t size = itp_context_tree_size(making->tree);

	making->child = g_new(uint32_t, size);
	making->sibling = g_new(uint32_t, size);
	making->place = g_new(uint32_t, size);
	for (uint32_t node = 0; node < size; node++) {
		making->child[node] = NONE;
		making->sibling[node] = NONE;
	}
	for (uint32_t node = size - 1; node > ITP_CONTEXT_ROOT; node--) {
		uint32_t parent = itp_context_tree_get(making->tree, node)->parent;

		making->sibling[node] = making->child[parent];
		making->child[parent] = node;
	}
}

static void place_node(struct itp_forest *forest, struct making *making, uint32_t node)
{
	const struct itp_context *context = itp_context_tree_get(making->tree, node);
	uint32_t place = forest->count++;

	making->place[node] = place;
	forest->nodes[place] = (struct itp_forest_node){
		.function = context->function,
		.parent = context->parent == ITP_CONTEXT_ROOT ? place :
								making->place[context->parent],
	};
}

/* Places all nodes in the order of a walk; a node's end is known when the walk leaves it. */
static void walk(struct itp_forest *forest, struct making *making)
{
	uint32_t node = making->child[ITP_CONTEXT_ROOT];

	while (node != NONE) {
		place_node(forest, making, node);
		if (making->child[node] != NONE) {
			node = making->child[node];
			continue;
		}
		while (node != ITP_CONTEXT_ROOT && making->sibling[node] == NONE) {
			forest->nodes[making->place[node]].end = forest->count;
			node = itp_context_tree_get(making->tree, node)->parent;
		}
		if (node == ITP_CONTEXT_ROOT) {
			break;
		}
		forest->nodes[making->place[node]].end = forest->count;
		node = making->sibling[node];
	}
}

static void add_costs(struct itp_forest *forest, const struct making *making)
{
	const GArray *stacks = making->set->stacks;

	for (guint i = 0; i < stacks->len; i++) {
		const struct itp_stack *stack = &g_array_index(stacks, struct itp_stack, i);

		if (making->ends[i] != ITP_CONTEXT_ROOT) {
			struct itp_forest_node *node =
				&forest->nodes[making->place[making->ends[i]]];

			node->cost_ns += stack->cost_ns;
		}
	}
	for (uint32_t i = forest->count; i-- > 0;) {
		const struct itp_forest_node *node = &forest->nodes[i];

		if (node->parent != i) {
			forest->nodes[node->parent].cost_ns += node->cost_ns;
		}
	}
}

/* By counting: number of stacks for each node, then their begins. */
static void list_stacks(struct itp_forest *forest, const struct making *making)
{
	uint32_t stack_count = making->set->stacks->len;

	forest->first = g_new0(uint32_t, forest->count + 2);
	forest->stacks = g_new(uint32_t, stack_count + 1);
	for (uint32_t i = 0; i < stack_count; i++) {
		if (making->ends[i] != ITP_CONTEXT_ROOT) {
			forest->first[making->place[making->ends[i]] + 2]++;
		}
	}
	for (uint32_t i = 2; i < forest->count + 2; i++) {
		forest->first[i] += forest->first[i - 1];
	}
	for (uint32_t i = 0; i < stack_count; i++) {
		if (making->ends[i] != ITP_CONTEXT_ROOT) {
			forest->stacks[forest->first[making->place[making->ends[i]] + 1]++] = i;
		}
	}
}

void itp_forest_init(struct itp_forest *forest, const struct itp_stack_set *set, const bool *keeps)
{
	struct making making = { .set = set };

	make_tree(&making, keeps);
	link_children(&making);
	*forest = (struct itp_forest){
		.nodes = g_new(struct itp_forest_node, itp_context_tree_size(making.tree)),
	};
	walk(forest, &making);
	g_free(making.child);
	g_free(making.sibling);
	if (keeps) {
		itp_context_tree_free(making.tree);
	}
	add_costs(forest, &making);
	list_stacks(forest, &making);
	g_free(making.ends);
	g_free(making.place);
}

void itp_forest_release(struct itp_forest *forest)
{
	g_clear_pointer(&forest->nodes, g_free);
	g_clear_pointer(&forest->stacks, g_free);
	g_clear_pointer(&forest->first, g_free);
}

int64_t *itp_forest_costs(const struct itp_forest *forest, uint32_t function_count)
{
	int64_t *costs = g_new0(int64_t, function_count + 1);
	/* By function: end of the subtree below its last counted node. */
	g_autofree uint32_t *covered = g_new0(uint32_t, function_count + 1);

	for (uint32_t i = 0; i < forest->count; i++) {
		const struct itp_forest_node *node = &forest->nodes[i];

		if (i >= covered[node->function]) {
			costs[node->function] += node->cost_ns;
			covered[node->function] = node->end;
		}
	}
	return costs;
}
