/* SPDX-License-Identifier: MIT */
/*
 * See redistribution.h.
 */
#include "tests/unit/redistribution.h"

uint32_t redistribution_node(struct test_run *run, uint32_t parent, const char *name)
{
	const struct itp_function function = {
		.name = name, .module = "p", .build_id = "", .layer = ITP_LAYER_USER
	};

	return itp_context_tree_child(run->tree, parent,
				      itp_function_table_intern(run->functions, &function));
}

const char *redistribution_name(const struct itp_recall *recall, uint32_t function)
{
	return function == ITP_FUNCTION_UNKNOWN ?
		       "-" :
		       itp_function_table_get(recall->functions, function)->name;
}

const char *redistribution_name_at(const struct itp_recall *recall, uint32_t node)
{
	return redistribution_name(recall, itp_context_tree_get(recall->tree, node)->function);
}

const char *redistribution_vertex_name(const struct itp_recall *recall,
				       const struct itp_redistribution *result, uint32_t index)
{
	const struct itp_wait_vertex *vertex =
		&g_array_index(result->vertices, struct itp_wait_vertex, index);

	switch (vertex->kind) {
	case ITP_VERTEX_THREADS:
		return redistribution_name_at(recall, vertex->root_node);
	case ITP_VERTEX_TIME:
		return "time";
	default:
		return redistribution_name(recall, vertex->function);
	}
}
