/* SPDX-License-Identifier: MIT */
/*
 * Context tree: an array of nodes and one open-addressing hash of all edges.
 *
 * A single table keyed by (parent, function) makes a node with thousands of callees as cheap as
 * one with two, and takes one probe on the path that every stack event walks.
 */
#include "common/base/context-tree.h"

#include "common/base/hash.h"

#define INITIAL_SLOTS 1024u

struct itp_context_tree {
	/* struct itp_context by node id. Owned by this. */
	GArray *nodes;
	/* Node id of the edge, or 0 where the slot is free, as the root is nobody's child. Owned by
	 * this. */
	uint32_t *slots;
	/* A power of two, more than twice the number of nodes. */
	uint32_t slot_count;
};

/* Slot of the edge, or the free slot where the edge belongs. */
static uint32_t *find_slot(const struct itp_context_tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t mask = tree->slot_count - 1;
	uint32_t at = itp_hash_number(itp_pair(parent, function)) & mask;

	while (tree->slots[at] != ITP_CONTEXT_ROOT) {
		const struct itp_context *node = itp_context_tree_get(tree, tree->slots[at]);

		if (node->parent == parent && node->function == function) {
			break;
		}
		at = (at + 1) & mask;
	}
	return &tree->slots[at];
}

static void resize(struct itp_context_tree *tree, uint32_t slot_count)
{
	g_free(tree->slots);
	tree->slots = g_new0(uint32_t, slot_count);
	tree->slot_count = slot_count;
	for (uint32_t id = 1; id < tree->nodes->len; id++) {
		const struct itp_context *node = itp_context_tree_get(tree, id);

		*find_slot(tree, node->parent, node->function) = id;
	}
}

struct itp_context_tree *itp_context_tree_new(void)
{
	struct itp_context_tree *tree = g_new0(struct itp_context_tree, 1);
	const struct itp_context root = { 0 };

	tree->nodes = g_array_new(FALSE, FALSE, sizeof(struct itp_context));
	g_array_append_val(tree->nodes, root);
	resize(tree, INITIAL_SLOTS);
	return tree;
}

void itp_context_tree_free(struct itp_context_tree *tree)
{
	if (!tree) {
		return;
	}
	g_array_free(tree->nodes, TRUE);
	g_free(tree->slots);
	g_free(tree);
}

uint32_t itp_context_tree_find(const struct itp_context_tree *tree, uint32_t parent,
			       uint32_t function)
{
	return *find_slot(tree, parent, function);
}

uint32_t itp_context_tree_child(struct itp_context_tree *tree, uint32_t parent, uint32_t function)
{
	uint32_t *slot = find_slot(tree, parent, function);
	struct itp_context node = { .parent = parent, .function = function };
	uint32_t id = *slot;

	if (id != ITP_CONTEXT_ROOT) {
		return id;
	}
	node.depth = itp_context_tree_get(tree, parent)->depth + 1;
	id = tree->nodes->len;
	*slot = id;
	g_array_append_val(tree->nodes, node);
	if (tree->nodes->len > tree->slot_count / 2) {
		resize(tree, tree->slot_count * 2);
	}
	return id;
}

const struct itp_context *itp_context_tree_get(const struct itp_context_tree *tree, uint32_t node)
{
	return &g_array_index(tree->nodes, struct itp_context, node);
}

uint32_t itp_context_tree_size(const struct itp_context_tree *tree)
{
	return tree->nodes->len;
}

void itp_context_tree_path(const struct itp_context_tree *tree, uint32_t node, GArray *ret_path)
{
	uint32_t depth = itp_context_tree_get(tree, node)->depth;

	g_array_set_size(ret_path, depth);
	while (depth > 0) {
		const struct itp_context *context = itp_context_tree_get(tree, node);

		g_array_index(ret_path, uint32_t, --depth) = context->function;
		node = context->parent;
	}
}
