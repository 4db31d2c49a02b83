/* SPDX-License-Identifier: MIT */
/*
 * Functions of contexts, where the nodes of a tree stand for functions of a table.
 */
#ifndef ITP_BASE_CONTEXT_FUNCTION_H
#define ITP_BASE_CONTEXT_FUNCTION_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"

/* Function of a node that is not the root. Weak: the table's. */
static inline const struct itp_function *itp_context_function(
	const struct itp_context_tree *tree, const struct itp_function_table *functions,
	uint32_t node)
{
	return itp_function_table_get(functions, itp_context_tree_get(tree, node)->function);
}

#endif
