/* SPDX-License-Identifier: MIT */
/*
 * Values by node, and their sums along the paths; and bounds of calls.
 *
 * Parents have smaller ids than their children, so a pass over the ids in order adds up every path.
 */
#include "common/rank/side.h"

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

		if (itp_rank_is_apart(state, node)) {
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

		if (!itp_rank_is_apart(state, node)) {
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

void itp_side_init(struct itp_side *side, const struct itp_rank_state *state)
{
	side->value = g_new0(int64_t, state->node_count);
	side->path_value = g_new0(int64_t, state->node_count);
	side->is_present = g_new0(bool, state->node_count);
	side->is_leaf = g_new0(bool, state->node_count);
	if (side->profile) {
		find_leaves(state, side);
		side->telling = itp_calls_telling(side->profile, state->functions, state->tree);
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
		if (itp_rank_is_ranked(state, node)) {
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

/* ---- Calls ---- */

uint8_t *itp_calls_telling(const struct itp_profile *profile,
			   const struct itp_function_table *functions,
			   const struct itp_context_tree *tree)
{
	uint8_t *telling = g_new0(uint8_t, itp_function_table_size(functions));
	uint32_t size = itp_context_tree_size(tree);

	for (uint32_t node = 1; node < size; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		uint8_t *of = &telling[itp_context_tree_get(tree, node)->function];

		if (stats->counted_count > 0) {
			*of = ITP_TELLING_COUNTED;
		} else if (itp_node_stats_calls(stats, &profile->workload.counts).possible !=
			   ITP_CALLS_UNKNOWN) {
			*of = MAX(*of, ITP_TELLING_SHOWN);
		}
	}
	return telling;
}

struct itp_call_bounds itp_calls_of(const struct itp_profile *profile,
				    const struct itp_node_stats *stats, uint8_t telling)
{
	const struct itp_infer_counts *counts = &profile->workload.counts;
	bool has_call = stats->count > stats->part_count;
	struct itp_call_bounds bounds = { .seen = 0 };

	if (has_call || stats->counted_count + stats->shown_count > 0 ||
	    telling == ITP_TELLING_NOTHING || counts->losses > 0) {
		return itp_node_stats_calls(stats, counts);
	}
	if (telling == ITP_TELLING_SHOWN && itp_node_stats_is_present(stats)) {
		bounds.possible = counts->broken_stacks;
	}
	return bounds;
}

struct itp_call_bounds itp_side_calls(const struct itp_rank_state *state,
				      const struct itp_side *side, uint32_t node)
{
	if (!side->profile) {
		return (struct itp_call_bounds){ .seen = 0 };
	}
	return itp_calls_of(side->profile, itp_profile_peek(side->profile, node),
			    side->telling[itp_rank_function_id(state, node)]);
}

bool itp_calls_compare(struct itp_call_bounds suspect, struct itp_call_bounds base,
		       uint64_t *ret_suspect, uint64_t *ret_base)
{
	bool are_close = itp_call_bounds_are_close(suspect) && itp_call_bounds_are_close(base);
	bool is_more = suspect.seen > base.possible;

	if (!are_close && !is_more && base.seen <= suspect.possible) {
		return false;
	}
	*ret_suspect = are_close || is_more ? suspect.seen : suspect.possible;
	*ret_base = !are_close && is_more ? base.possible : base.seen;
	return true;
}

void itp_calls_split(struct itp_delta *delta, int64_t suspect_ns, int64_t base_ns,
		     struct itp_call_bounds suspect, struct itp_call_bounds base)
{
	int64_t difference_ns = suspect_ns - base_ns;
	int64_t more_ns = difference_ns;
	uint64_t suspect_calls;
	uint64_t base_calls;

	if (!itp_calls_compare(suspect, base, &suspect_calls, &base_calls) ||
	    (base_calls == 0 && base_ns != 0)) {
		delta->unsplit_ns += difference_ns;
		return;
	}
	if (base_calls > 0) {
		__int128 more = (__int128)suspect_calls - (__int128)base_calls;

		more_ns = itp_divide(more * base_ns, base_calls);
	}
	delta->more_calls_ns += more_ns;
	delta->slower_calls_ns += difference_ns - more_ns;
}
