/* SPDX-License-Identifier: MIT */
/*
 * See made-code.h.
 */
#include "common/unit/made-code.h"

#include <stdbool.h>

struct itp_made_code {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* Owned by this. */
	struct itp_context_tree *contexts;
	/* uint32_t: context by node, and outermost node by context. Owned by this. */
	GArray *context_of;
	GArray *node_of;
	/* Function of all runs, the first that was seen. */
	bool has_function;
	uint32_t function;
};

struct itp_made_code *itp_made_code_new(const struct itp_context_tree *tree,
					const struct itp_function_table *functions)
{
	const uint32_t root = ITP_CONTEXT_ROOT;
	struct itp_made_code *made = g_new0(struct itp_made_code, 1);

	made->tree = tree;
	made->functions = functions;
	made->contexts = itp_context_tree_new();
	made->context_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	made->node_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_array_append_val(made->context_of, root);
	g_array_append_val(made->node_of, root);
	return made;
}

void itp_made_code_free(struct itp_made_code *made)
{
	itp_context_tree_free(made->contexts);
	g_array_unref(made->context_of);
	g_array_unref(made->node_of);
	g_free(made);
}

const struct itp_context_tree *itp_made_code_tree(const struct itp_made_code *made)
{
	return made->contexts;
}

static bool is_nameless_function(const struct itp_made_code *made, uint32_t function)
{
	return itp_function_is_nameless_code(itp_function_table_get(made->functions, function));
}

/* True for the context of a run. */
static bool is_run(const struct itp_made_code *made, uint32_t context)
{
	return made->has_function && context != ITP_CONTEXT_ROOT &&
	       itp_context_tree_get(made->contexts, context)->function == made->function;
}

/* Context of the next node, whose parent has one already. */
static uint32_t find_context(struct itp_made_code *made, uint32_t node)
{
	const struct itp_context *given = itp_context_tree_get(made->tree, node);
	const uint32_t parent = g_array_index(made->context_of, uint32_t, given->parent);

	if (!is_nameless_function(made, given->function)) {
		return itp_context_tree_child(made->contexts, parent, given->function);
	}
	if (!made->has_function) {
		made->function = given->function;
		made->has_function = true;
	}
	return is_run(made, parent) ?
		       parent :
		       itp_context_tree_child(made->contexts, parent, made->function);
}

uint32_t itp_made_code_context(struct itp_made_code *made, uint32_t node)
{
	while (made->context_of->len <= node) {
		const uint32_t next = made->context_of->len;
		const uint32_t context = find_context(made, next);

		g_array_append_val(made->context_of, context);
		if (context == made->node_of->len) {
			g_array_append_val(made->node_of, next);
		}
	}
	return g_array_index(made->context_of, uint32_t, node);
}

uint32_t itp_made_code_node(const struct itp_made_code *made, uint32_t context)
{
	return g_array_index(made->node_of, uint32_t, context);
}

const struct itp_instance *itp_made_code_call(struct itp_made_code *made,
					      const struct itp_instance *call,
					      struct itp_instance *storage)
{
	const uint32_t context = itp_made_code_context(made, call->node);
	const uint32_t parent = itp_context_tree_get(made->tree, call->node)->parent;

	if (context == call->node) {
		return call;
	}
	if (context == itp_made_code_context(made, parent)) {
		return NULL;
	}
	*storage = *call;
	storage->node = context;
	storage->depth = itp_context_tree_get(made->contexts, context)->depth - 1;
	return storage;
}
