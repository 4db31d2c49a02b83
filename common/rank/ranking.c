/* SPDX-License-Identifier: MIT */
/*
 * Costs of all root-to-leaf paths by prefix sums over the tree, and the top of them in full.
 *
 * Parents have smaller ids than their children, so one pass over the ids in order adds up every
 * path, and only those that are kept are ever written out frame by frame.
 */
#include "common/rank/ranking.h"

#include <string.h>

#include "common/rank/culprit.h"

const char *const itp_metric_names[] = {
	[ITP_METRIC_OWN] = "own",
	[ITP_METRIC_TOTAL] = "total",
	[ITP_METRIC_COUNT] = "count",
	[ITP_METRIC_EACH] = "each",
	NULL,
};

const char *const itp_method_names[] = {
	[ITP_METHOD_TOTALS] = "totals",
	[ITP_METHOD_PAPER] = "paper",
	NULL,
};

/* Values of one workload by node. */
struct side {
	/* NULL: there is no base, and everything is zero. Weak. */
	const struct itp_profile *profile;
	/* The metric. Owned by this. */
	int64_t *value;
	/* Sum of `value` from the process root's child to the node. Owned by this. */
	int64_t *path_value;
	/* The workload has been in the context, and has gone no further from it. Owned by this. */
	bool *is_present;
	bool *is_leaf;
};

struct leaf {
	uint32_t node;
	int64_t cost;
};

struct rank_state {
	const struct itp_ranking_options *options;
	const struct itp_function_table *functions;
	const struct itp_context_tree *tree;
	uint32_t node_count;
	struct side suspect;
	struct side base;
};

/* a / b, rounded to the nearest; b > 0. */
static int64_t divide(__int128 a, uint64_t b)
{
	__int128 half = (__int128)(b / 2);

	return (int64_t)((a >= 0 ? a + half : a - half) / (__int128)b);
}

static int64_t mean(int64_t total_ns, uint64_t count)
{
	return count > 0 ? divide(total_ns, count) : 0;
}

static bool is_frame(const struct rank_state *state, uint32_t node)
{
	return itp_context_tree_get(state->tree, node)->depth > 1;
}

static void find_leaves(const struct rank_state *state, struct side *side)
{
	for (uint32_t node = state->node_count; node-- > 1;) {
		const struct itp_node_stats *stats = itp_profile_peek(side->profile, node);
		uint32_t parent = itp_context_tree_get(state->tree, node)->parent;

		/* A node is present before its children are known to be only if it has none. */
		side->is_leaf[node] = !side->is_present[node];
		side->is_present[node] |= stats->count > 0 || stats->lost_count > 0;
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
static void normalize_means(const struct rank_state *state, struct side *side)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(side->profile, node);
		int64_t node_mean = mean(stats->total_ns, stats->count);

		side->value[node] += node_mean;
		side->value[itp_context_tree_get(state->tree, node)->parent] -= node_mean;
	}
}

static void fill_values(const struct rank_state *state, struct side *side)
{
	enum itp_metric metric = state->options->metric;
	bool by_means = state->options->method == ITP_METHOD_PAPER;

	if (by_means && (metric == ITP_METRIC_OWN || metric == ITP_METRIC_EACH)) {
		normalize_means(state, side);
		return;
	}
	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(side->profile, node);

		side->value[node] = by_means && metric == ITP_METRIC_TOTAL ?
					    mean(stats->total_ns, stats->count) :
					    value_of(stats, metric);
	}
}

static void fill_path_values(const struct rank_state *state, struct side *side)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (is_frame(state, node)) {
			uint32_t parent = itp_context_tree_get(state->tree, node)->parent;

			side->path_value[node] = side->path_value[parent] + side->value[node];
		}
	}
}

static void side_init(struct side *side, const struct rank_state *state,
		      const struct itp_profile *profile)
{
	side->profile = profile;
	side->value = g_new0(int64_t, state->node_count);
	side->path_value = g_new0(int64_t, state->node_count);
	side->is_present = g_new0(bool, state->node_count);
	side->is_leaf = g_new0(bool, state->node_count);
	if (profile) {
		find_leaves(state, side);
		fill_values(state, side);
		fill_path_values(state, side);
	}
}

static void side_release(struct side *side)
{
	g_free(side->value);
	g_free(side->path_value);
	g_free(side->is_present);
	g_free(side->is_leaf);
}

/* What of the base is taken out of the path to `leaf`. */
static int64_t base_path_value(const struct rank_state *state, uint32_t leaf)
{
	if (state->options->method == ITP_METHOD_PAPER && !state->base.is_leaf[leaf]) {
		return 0;
	}
	return state->base.path_value[leaf];
}

static int compare_functions(const struct itp_function_table *functions, uint32_t a, uint32_t b)
{
	const struct itp_function *left = itp_function_table_get(functions, a);
	const struct itp_function *right = itp_function_table_get(functions, b);
	int order = strcmp(left->name, right->name);

	if (order == 0) {
		order = strcmp(left->module, right->module);
	}
	return order != 0 ? order : (int)left->layer - (int)right->layer;
}

/* By the names of the functions root first, so that node ids do not show in the result. */
static int compare_paths(const struct rank_state *state, uint32_t a, uint32_t b)
{
	g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) right = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	itp_context_tree_path(state->tree, a, left);
	itp_context_tree_path(state->tree, b, right);
	for (guint i = 0; i < MIN(left->len, right->len); i++) {
		int order = compare_functions(state->functions, g_array_index(left, uint32_t, i),
					      g_array_index(right, uint32_t, i));

		if (order != 0) {
			return order;
		}
	}
	return (left->len > right->len) - (left->len < right->len);
}

static gint compare_leaves(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct leaf *left = a;
	const struct leaf *right = b;

	if (left->cost != right->cost) {
		return left->cost > right->cost ? -1 : 1;
	}
	return left->node == right->node ? 0 : compare_paths(data, left->node, right->node);
}

/* GETPATHSET: every leaf stands for its path. Most expensive first. */
static GArray *sorted_leaves(struct rank_state *state)
{
	GArray *leaves = g_array_new(FALSE, FALSE, sizeof(struct leaf));

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct leaf leaf = { .node = node };

		if (state->suspect.is_leaf[node] && is_frame(state, node)) {
			leaf.cost = state->suspect.path_value[node] - base_path_value(state, node);
			g_array_append_val(leaves, leaf);
		}
	}
	g_array_sort_with_data(leaves, compare_leaves, state);
	return leaves;
}

/* Splits Δ = n₁m₁ − n₀m₀ into (n₁ − n₀)·m₀ and n₁·(m₁ − m₀). */
static void add_delta(struct itp_delta *delta, const struct itp_ranked_frame *frame)
{
	const struct itp_node_stats *suspect = frame->suspect;
	const struct itp_node_stats *base = frame->base;
	int64_t more_ns = suspect->own_ns;
	int64_t base_own_ns = base ? base->own_ns : 0;

	itp_time_use_add(&delta->use, &suspect->own_use, 1);
	if (base) {
		itp_time_use_add(&delta->use, &base->own_use, -1);
	}
	if (base && base->count > 0) {
		__int128 more_calls = (__int128)suspect->count - (__int128)base->count;

		more_ns = divide(more_calls * base_own_ns, base->count);
	}
	delta->more_calls_ns += more_ns;
	delta->slower_calls_ns += suspect->own_ns - base_own_ns - more_ns;
}

static void rank_frames(const struct rank_state *state, struct itp_ranked_path *path)
{
	bool by_value = state->options->method == ITP_METHOD_PAPER;

	for (uint32_t i = 0; i < path->frame_count; i++) {
		const struct itp_ranked_frame *frame = &path->frames[i];
		int64_t share = frame->value - (by_value ? 0 : frame->base_value);
		uint32_t rank = 1;

		for (uint32_t j = 0; j < path->frame_count; j++) {
			const struct itp_ranked_frame *other = &path->frames[j];
			int64_t other_share = other->value - (by_value ? 0 : other->base_value);

			rank += other_share > share || (other_share == share && j < i);
		}
		path->frames[i].rank = rank;
	}
}

/* Frames from the leaf up; returns the process root. */
static uint32_t fill_frames(const struct rank_state *state, struct itp_ranked_path *path,
			    uint32_t leaf)
{
	bool has_base = state->base.profile &&
			(state->options->method != ITP_METHOD_PAPER || state->base.is_leaf[leaf]);
	uint32_t node = leaf;

	path->frame_count = itp_context_tree_get(state->tree, leaf)->depth - 1;
	path->frames = g_new0(struct itp_ranked_frame, path->frame_count);
	for (uint32_t i = path->frame_count; i-- > 0;) {
		const struct itp_context *context = itp_context_tree_get(state->tree, node);
		struct itp_ranked_frame *frame = &path->frames[i];

		frame->node = node;
		frame->function = context->function;
		frame->value = state->suspect.value[node];
		frame->base_value = has_base ? state->base.value[node] : 0;
		frame->suspect = itp_profile_peek(state->suspect.profile, node);
		frame->base = state->base.profile ? itp_profile_peek(state->base.profile, node) :
						    NULL;
		add_delta(&path->delta, frame);
		node = context->parent;
	}
	return node;
}

static void append_path(struct itp_ranking *ranking, const struct rank_state *state,
			const struct leaf *leaf)
{
	struct itp_ranked_path path = {
		.rank = ranking->paths->len + 1,
		.cost = leaf->cost,
		.suspect_value = state->suspect.path_value[leaf->node],
		.base_value = base_path_value(state, leaf->node),
		.is_new = state->base.profile && !state->base.is_present[leaf->node],
	};
	uint32_t root = fill_frames(state, &path, leaf->node);

	path.process = itp_context_tree_get(state->tree, root)->function;
	rank_frames(state, &path);
	path.culprit = itp_culprit_find(&path, state->functions);
	g_array_append_val(ranking->paths, path);
}

static int64_t own_of_frames(const struct rank_state *state, const struct itp_profile *profile)
{
	int64_t own_ns = 0;

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		own_ns += is_frame(state, node) ? itp_profile_peek(profile, node)->own_ns : 0;
	}
	return own_ns;
}

static struct itp_call_counts count_calls(const struct rank_state *state,
					  const struct itp_profile *profile)
{
	struct itp_call_counts counts = { .calls = 0 };

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (is_frame(state, node)) {
			const struct itp_node_stats *stats = itp_profile_peek(profile, node);
			uint32_t function = itp_context_tree_get(state->tree, node)->function;
			uint64_t calls = stats->count + stats->lost_count;

			counts.calls += calls;
			counts.unnamed +=
				itp_function_table_get(state->functions, function)->is_unnamed ?
					calls :
					0;
		}
	}
	return counts;
}

static void clear_path(gpointer data)
{
	struct itp_ranked_path *path = data;

	g_free(path->frames);
}

struct itp_ranking *itp_ranking_new(const struct itp_ranking_options *options,
				    const struct itp_function_table *functions,
				    const struct itp_context_tree *tree,
				    const struct itp_profile *suspect,
				    const struct itp_profile *base)
{
	struct itp_ranking *ranking = g_new0(struct itp_ranking, 1);
	struct rank_state state = {
		.options = options,
		.functions = functions,
		.tree = tree,
		.node_count = itp_context_tree_size(tree),
	};
	g_autoptr(GArray) leaves = NULL;
	size_t kept;

	side_init(&state.suspect, &state, suspect);
	side_init(&state.base, &state, base);
	leaves = sorted_leaves(&state);
	kept = options->top > 0 ? MIN(options->top, leaves->len) : leaves->len;
	ranking->options = *options;
	ranking->suspect = suspect;
	ranking->base = base;
	ranking->functions = functions;
	ranking->path_count = leaves->len;
	ranking->suspect_own_ns = own_of_frames(&state, suspect);
	ranking->base_own_ns = own_of_frames(&state, base);
	ranking->suspect_calls = count_calls(&state, suspect);
	ranking->base_calls = count_calls(&state, base);
	ranking->paths = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_path));
	g_array_set_clear_func(ranking->paths, clear_path);
	for (size_t i = 0; i < kept; i++) {
		append_path(ranking, &state, &g_array_index(leaves, struct leaf, i));
	}
	side_release(&state.suspect);
	side_release(&state.base);
	return ranking;
}

void itp_ranking_free(struct itp_ranking *ranking)
{
	if (!ranking) {
		return;
	}
	g_array_free(ranking->paths, TRUE);
	g_free(ranking);
}
