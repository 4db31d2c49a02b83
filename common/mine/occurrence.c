/* SPDX-License-Identifier: MIT */
/*
 * See occurrence.h. A walk over the forest knows how much of the pattern each node and those above
 * it have: as early as it can be matched, a pattern is.
 */
#include "common/mine/occurrence.h"

/* Marks the nodes in which the first occurrences end. `matched` has room for all nodes. */
static void mark(const struct itp_forest *forest, const struct itp_pattern *pattern,
		 uint32_t *matched, bool *is_end)
{
	for (uint32_t i = 0; i < forest->count;) {
		const struct itp_forest_node *node = &forest->nodes[i];

		matched[i] = node->parent == i ? 0 : matched[node->parent];
		matched[i] += matched[i] < pattern->length &&
			      pattern->functions[matched[i]] == node->function;
		if (matched[i] == pattern->length) {
			is_end[i] = true;
			i = node->end;
		} else {
			i++;
		}
	}
}

GArray *itp_occurrence_nodes(const struct itp_forest *forest, const GPtrArray *patterns)
{
	g_autofree uint32_t *matched = g_new(uint32_t, forest->count + 1);
	g_autofree bool *is_end = g_new0(bool, forest->count + 1);
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < patterns->len; i++) {
		mark(forest, g_ptr_array_index(patterns, i), matched, is_end);
	}
	for (uint32_t i = 0; i < forest->count;) {
		if (is_end[i]) {
			g_array_append_val(nodes, i);
			i = forest->nodes[i].end;
		} else {
			i++;
		}
	}
	return nodes;
}

int64_t itp_occurrence_cost(const struct itp_forest *forest, const GPtrArray *patterns)
{
	g_autoptr(GArray) nodes = itp_occurrence_nodes(forest, patterns);
	int64_t cost_ns = 0;

	for (guint i = 0; i < nodes->len; i++) {
		cost_ns += forest->nodes[g_array_index(nodes, uint32_t, i)].cost_ns;
	}
	return cost_ns;
}
