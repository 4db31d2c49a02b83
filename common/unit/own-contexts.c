/* SPDX-License-Identifier: MIT */
/*
 * See own-contexts.h.
 */
#include "common/unit/own-contexts.h"

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/unit/path-sets.h"
#include "common/unit/waits.h"

struct itp_own_contexts {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* Contexts of units; and their nodes by loop and node of the inference's tree (itp_pair()).
	 * Owned by this. */
	struct itp_context_tree *own_tree;
	GHashTable *own_nodes;
};

struct itp_own_contexts *itp_own_contexts_new(const struct itp_context_tree *tree,
					      const struct itp_function_table *functions)
{
	struct itp_own_contexts *contexts = g_new0(struct itp_own_contexts, 1);

	contexts->tree = tree;
	contexts->functions = functions;
	contexts->own_tree = itp_context_tree_new();
	contexts->own_nodes = g_hash_table_new(itp_hash_number, NULL);
	return contexts;
}

void itp_own_contexts_free(struct itp_own_contexts *contexts)
{
	itp_context_tree_free(contexts->own_tree);
	g_hash_table_unref(contexts->own_nodes);
	g_free(contexts);
}

static uint32_t depth_of_context(const struct itp_own_contexts *contexts, uint32_t node)
{
	return itp_context_tree_get(contexts->tree, node)->depth;
}

/* Process of `loop` in the units' tree; ITP_CONTEXT_ROOT for a loop of depth 1, the node for a
 * thread. */
static uint32_t own_process(struct itp_own_contexts *contexts, uint32_t loop)
{
	if (depth_of_context(contexts, loop) == 1) {
		return ITP_CONTEXT_ROOT;
	}
	while (depth_of_context(contexts, loop) > 1) {
		loop = itp_context_tree_get(contexts->tree, loop)->parent;
	}
	return itp_context_tree_child(contexts->own_tree, ITP_CONTEXT_ROOT,
				      itp_context_tree_get(contexts->tree, loop)->function);
}

static bool is_nameless(const struct itp_own_contexts *contexts, uint32_t node)
{
	return itp_function_is_nameless_code(
		itp_context_function(contexts->tree, contexts->functions, node));
}

/* True when `node`, or a caller of it below `loop`, is incidental. */
static bool is_incidental(const struct itp_own_contexts *contexts, uint32_t loop, uint32_t node)
{
	while (node != loop && !itp_wait_is_incidental(contexts->tree, contexts->functions, node)) {
		node = itp_context_tree_get(contexts->tree, node)->parent;
	}
	return node != loop;
}

uint32_t itp_own_contexts_of(struct itp_own_contexts *contexts, uint32_t loop, uint32_t node)
{
	const gpointer key = itp_pair(loop, node);
	uint32_t own = GPOINTER_TO_UINT(g_hash_table_lookup(contexts->own_nodes, key));
	uint32_t parent = itp_context_tree_get(contexts->tree, node)->parent;

	if (own != ITP_CONTEXT_ROOT) {
		return own;
	}
	parent = node == loop ? own_process(contexts, loop) :
				itp_own_contexts_of(contexts, loop, parent);
	own = node != loop && (is_nameless(contexts, node) || is_incidental(contexts, loop, node)) ?
		      parent :
		      itp_context_tree_child(contexts->own_tree, parent,
					     itp_context_tree_get(contexts->tree, node)->function);
	g_hash_table_insert(contexts->own_nodes, key, GUINT_TO_POINTER(own));
	return own;
}

/* True when `node`, below `loop`, counts as its caller. */
static bool is_elided(struct itp_own_contexts *contexts, uint32_t loop, uint32_t node)
{
	const uint32_t parent = itp_context_tree_get(contexts->tree, node)->parent;

	return node != loop && itp_own_contexts_of(contexts, loop, node) ==
				       itp_own_contexts_of(contexts, loop, parent);
}

static void take_nodes(struct itp_own_contexts *contexts, uint32_t loop, GArray *nodes,
		       bool are_calls)
{
	guint kept = 0;

	for (guint i = 0; i < nodes->len; i++) {
		const uint32_t path = g_array_index(nodes, uint32_t, i);
		const uint32_t node = itp_path_node(path);

		if (itp_wait_is_below(contexts->tree, node, loop) &&
		    !(are_calls && is_elided(contexts, loop, node))) {
			g_array_index(nodes, uint32_t, kept++) =
				itp_own_contexts_of(contexts, loop, node) | (path & ITP_PATH_ASKS);
		}
	}
	g_array_set_size(nodes, kept);
}

void itp_own_contexts_take_ticks(struct itp_own_contexts *contexts, uint32_t loop, GArray *ticks)
{
	take_nodes(contexts, loop, ticks, false);
}

void itp_own_contexts_take_calls(struct itp_own_contexts *contexts, uint32_t loop, GArray *calls)
{
	take_nodes(contexts, loop, calls, true);
}

const struct itp_context_tree *itp_own_contexts_tree(const struct itp_own_contexts *contexts)
{
	return contexts->own_tree;
}
