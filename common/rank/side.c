/* SPDX-License-Identifier: MIT */
/*
 * Values by node, and their sums along the paths.
 *
 * Parents have smaller ids than their children, so one pass over the ids in order adds up every
 * path.
 */
#include "common/rank/side.h"

#include "common/rank/calls.h"

uint32_t itp_rank_process(const struct itp_rank_state *state, uint32_t node)
{
	while (itp_rank_is_frame(state, node)) {
		node = itp_rank_parent(state, node);
	}
	return node;
}

static int64_t mean(int64_t total_ns, uint64_t count)
{
	return count > 0 ? itp_divide(total_ns, count) : 0;
}

static void find_leaves(const struct itp_rank_state *state, struct itp_side *side)
{
	for (uint32_t node = state->node_count; node-- > 1;) {
		const struct itp_node_stats *stats = itp_profile_peek(side->profile, node);
		uint32_t parent = itp_rank_parent(state, node);

		if (state->is_idle[node]) {
			continue;
		}
		/* A node is present before its children are known to be only if it has none. */
		side->is_leaf[node] = !side->is_present[node];
		side->is_present[node] |= itp_node_stats_is_present(stats);
		side->is_leaf[node] &= side->is_present[node];
		side->is_present[parent] |= side->is_present[node];
	}
}

static int64_t value_of(const struct itp_node_stats *stats, enum itp_metric metric)
{
	switch (metric) {
	case ITP_METRIC_OWN:
		return stats->own_ns;
	case ITP_METRIC_TOTAL:
		return stats->total_ns;
	case ITP_METRIC_COUNT:
		return (int64_t)stats->count;
	case ITP_METRIC_EACH:
		return mean(stats->own_ns, stats->count);
	}
	return 0;
}

/* Algorithm 3, first half, on the means of the nodes: LATENCYNORMALIZATION. */
static void normalize_means(const struct itp_rank_state *state, struct itp_side *side)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(side->profile, node);
		int64_t node_mean = mean(stats->total_ns, stats->count);

		side->value[node] += node_mean;
		side->value[itp_rank_parent(state, node)] -= node_mean;
	}
}

static void fill_values(const struct itp_rank_state *state, struct itp_side *side)
{
	enum itp_metric metric = state->options->metric;
	bool by_means = state->options->method == ITP_METHOD_PAPER;

	if (by_means && (metric == ITP_METRIC_OWN || metric == ITP_METRIC_EACH)) {
		normalize_means(state, side);
		return;
	}
	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(side->profile, node);

		if (!state->is_idle[node]) {
			side->value[node] = by_means && metric == ITP_METRIC_TOTAL ?
						    mean(stats->total_ns, stats->count) :
						    value_of(stats, metric);
		}
	}
}

static void fill_path_values(const struct itp_rank_state *state, struct itp_side *side)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node)) {
			side->path_value[node] =
				side->path_value[itp_rank_parent(state, node)] + side->value[node];
		}
	}
}

void itp_side_init(struct itp_side *side, const struct itp_rank_state *state,
		   const struct itp_profile *profile)
{
	side->profile = profile;
	side->value = g_new0(int64_t, state->node_count);
	side->path_value = g_new0(int64_t, state->node_count);
	side->is_present = g_new0(bool, state->node_count);
	side->is_leaf = g_new0(bool, state->node_count);
	if (profile) {
		find_leaves(state, side);
		side->telling = itp_calls_telling(profile, state->functions, state->tree);
		fill_values(state, side);
		fill_path_values(state, side);
	}
}

void itp_side_release(struct itp_side *side)
{
	g_free(side->value);
	g_free(side->path_value);
	g_free(side->is_present);
	g_free(side->is_leaf);
	g_free(side->telling);
}

int64_t itp_rank_own_ns(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t own_ns = 0;

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node) && !state->is_idle[node]) {
			own_ns += itp_profile_peek(profile, node)->own_ns;
		}
	}
	return own_ns;
}

int itp_rank_compare_paths(const struct itp_rank_state *state, uint32_t a, uint32_t b)
{
	g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) right = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	if (a == b) {
		return 0;
	}
	itp_context_tree_path(state->tree, a, left);
	itp_context_tree_path(state->tree, b, right);
	for (guint i = 0; i < MIN(left->len, right->len); i++) {
		int order = itp_function_compare(state->functions, g_array_index(left, uint32_t, i),
						 g_array_index(right, uint32_t, i));

		if (order != 0) {
			return order;
		}
	}
	return (left->len > right->len) - (left->len < right->len);
}
