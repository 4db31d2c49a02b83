/* SPDX-License-Identifier: MIT */
/*
 * See face.h.
 */
#include "common/wait/face.h"

#include <string.h>

#include "common/base/context-function.h"
#include "common/known/modules.h"

bool itp_face_can_be(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_USER && function->module[0] != '\0' &&
	       !itp_function_is_nameless_code(function) && !itp_module_is_go_between(function);
}

/* Nearest caller in the same file with a name, if `node` has none; else `node`. */
static uint32_t named_near(const struct itp_context_tree *tree,
			   const struct itp_function_table *functions, uint32_t node)
{
	const char *module = itp_context_function(tree, functions, node)->module;
	uint32_t at = node;

	while (itp_context_function(tree, functions, at)->is_unnamed &&
	       strcmp(itp_context_function(tree, functions, at)->module, module) == 0) {
		at = itp_context_tree_get(tree, at)->parent;
	}
	return strcmp(itp_context_function(tree, functions, at)->module, module) == 0 ? at : node;
}

uint32_t itp_face_of(const struct itp_context_tree *tree,
		     const struct itp_function_table *functions, uint32_t node)
{
	while (itp_context_tree_get(tree, node)->depth > 1 &&
	       !itp_face_can_be(itp_context_function(tree, functions, node))) {
		node = itp_context_tree_get(tree, node)->parent;
	}
	return named_near(tree, functions, node);
}
