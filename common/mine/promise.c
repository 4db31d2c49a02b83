/* SPDX-License-Identifier: MIT */
/*
 * Cost of the stacks for which a pattern can still be told: see search-parts.h.
 *
 * Functions of a stack down to a node of the forest are a pattern, too, which is costly where the
 * node is. In a stack, the longest such pattern ends in its innermost costly node. Every part of it
 * has a longer costly pattern in the stack, so that the stack is none of its own. A stack is
 * therefore a pattern's own only where the pattern is the longest one itself, or ends below its
 * node.
 *
 * Example: of main a b c, which takes half of the time, and main a b d, which takes the other half,
 * both are told, and no part of them. A recursion of 100 calls has 2^100 parts.
 */
#include "common/mine/search-parts.h"

void itp_promise_init(struct itp_promise *promise, const struct itp_forest *forest,
		      int64_t least_ns)
{
	*promise = (struct itp_promise){
		.depths = g_new(uint32_t, forest->count + 1),
		.open_ns = g_new0(int64_t, forest->count + 1),
		.rest_ns = g_new0(int64_t, forest->count + 1),
		.ends_ns = g_new0(int64_t, forest->count + 1),
	};
	for (uint32_t i = 0; i < forest->count; i++) {
		uint32_t parent = forest->nodes[i].parent;

		promise->depths[i] = parent == i ? 1 : promise->depths[parent] + 1;
	}
	/* The subtree of a node has been added up at its turn. */
	for (uint32_t i = forest->count; i-- > 0;) {
		const struct itp_forest_node *node = &forest->nodes[i];
		const bool is_costly = node->cost_ns >= least_ns;

		promise->rest_ns[i] = node->cost_ns - promise->rest_ns[i];
		promise->ends_ns[i] += node->cost_ns;
		if (!is_costly) {
			promise->open_ns[i] = node->cost_ns;
		}
		if (node->parent != i) {
			promise->open_ns[node->parent] += promise->open_ns[i];
			promise->rest_ns[node->parent] += is_costly ? node->cost_ns : 0;
			promise->ends_ns[node->parent] -= node->cost_ns;
		}
	}
}

void itp_promise_release(struct itp_promise *promise)
{
	g_free(promise->depths);
	g_free(promise->open_ns);
	g_free(promise->rest_ns);
	g_free(promise->ends_ns);
}

/* True when the pattern is all functions down to its last node. */
static bool is_all_of(const struct itp_pattern_search *search, uint32_t node)
{
	return search->promise.depths[node] == search->pattern->len;
}

int64_t itp_search_promised(const struct itp_pattern_search *search, uint32_t node)
{
	return is_all_of(search, node) ? itp_search_node(search, node)->cost_ns :
					 search->promise.open_ns[node];
}

bool itp_search_is_promising(struct itp_pattern_search *search, const GArray *projection)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < projection->len; i++) {
		sum_ns += itp_search_promised(search, g_array_index(projection, uint32_t, i));
	}
	itp_search_work(search, projection->len);
	return sum_ns >= search->options->least_ns;
}

int64_t itp_search_most_own(struct itp_pattern_search *search, const GArray *projection)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < projection->len; i++) {
		uint32_t node = g_array_index(projection, uint32_t, i);
		bool is_costly = itp_search_node(search, node)->cost_ns >=
				 search->options->least_ns;

		sum_ns += !is_costly || is_all_of(search, node) ? search->promise.rest_ns[node] : 0;
	}
	itp_search_work(search, projection->len);
	return sum_ns;
}
