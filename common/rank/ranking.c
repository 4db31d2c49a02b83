/* SPDX-License-Identifier: MIT */
/*
 * The steps of a ranking, and the kept paths in full: only these are ever written out frame by
 * frame.
 */
#include "common/rank/ranking.h"

#include <stdlib.h>

#include "common/rank/culprit.h"
#include "common/rank/doubts.h"
#include "common/rank/entries.h"
#include "common/rank/flat.h"
#include "common/rank/idle.h"
#include "common/rank/moved.h"
#include "common/rank/noise.h"
#include "common/rank/order.h"
#include "common/rank/scale.h"

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

const char *const itp_rank_by_names[] = {
	[ITP_RANK_BY_PATH] = "path",
	[ITP_RANK_BY_FUNCTION] = "function",
	[ITP_RANK_BY_MODULE] = "module",
	NULL,
};

const char *const itp_novelty_names[] = {
	[ITP_NOVELTY_NONE] = "none",
	[ITP_NOVELTY_NEW] = "new",
	[ITP_NOVELTY_VANISHED] = "vanished",
	[ITP_NOVELTY_MOVED] = "moved",
};

const char *const itp_doubt_names[] = {
	"base-empty", "suspect-empty", "other-programs", "no-common-context", "length",
};

/* What is known when the paths are written out. */
struct order {
	const struct itp_rank_state *state;
	/* struct itp_rank_leaf. */
	GArray *leaves;
	struct itp_rank_entries *entries;
	/* As of itp_moved_find(); NULL without a base. */
	const uint32_t *moved_from;
};

/* ---- Paths in order ---- */

/* By the names of the functions root first, so that node ids do not show in the result. */
static int compare_paths(const struct itp_rank_state *state, uint32_t a, uint32_t b)
{
	g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) right = g_array_new(FALSE, FALSE, sizeof(uint32_t));

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

static gint compare_leaves(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_rank_leaf *left = a;
	const struct itp_rank_leaf *right = b;

	if (left->cost != right->cost) {
		return left->cost > right->cost ? -1 : 1;
	}
	return left->node == right->node ? 0 : compare_paths(data, left->node, right->node);
}

static bool is_paper(const struct itp_rank_state *state)
{
	return state->options->method == ITP_METHOD_PAPER;
}

/* What of the base is taken out of the path to `leaf`. */
static int64_t base_path_value(const struct itp_rank_state *state, uint32_t leaf)
{
	return is_paper(state) && !state->base.is_leaf[leaf] ? 0 : state->base.path_value[leaf];
}

/* Where a path ends: in the suspect, or only in the base, unless the paper is followed. */
static bool is_path(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_is_frame(state, node) &&
	       (state->suspect.is_leaf[node] || (!is_paper(state) && state->base.is_leaf[node] &&
						 !state->suspect.is_present[node]));
}

/* GETPATHSET: every leaf stands for its path. Most expensive first. */
static GArray *find_leaves(struct itp_rank_state *state, const uint32_t *culprits)
{
	GArray *leaves = g_array_new(FALSE, FALSE, sizeof(struct itp_rank_leaf));

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct itp_rank_leaf leaf = { .node = node };

		if (is_path(state, node)) {
			leaf.cost = state->suspect.path_value[node] - base_path_value(state, node);
			leaf.culprit = culprits[node];
			g_array_append_val(leaves, leaf);
		}
	}
	g_array_sort_with_data(leaves, compare_leaves, state);
	return leaves;
}

/* ---- One path in full ---- */

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

		more_ns = itp_divide(more_calls * base_own_ns, base->count);
	}
	delta->more_calls_ns += more_ns;
	delta->slower_calls_ns += suspect->own_ns - base_own_ns - more_ns;
}

static void rank_frames(const struct itp_rank_state *state, struct itp_ranked_path *path)
{
	for (uint32_t i = 0; i < path->frame_count; i++) {
		const struct itp_ranked_frame *frame = &path->frames[i];
		int64_t share = frame->value - (is_paper(state) ? 0 : frame->base_value);
		uint32_t rank = 1;

		for (uint32_t j = 0; j < path->frame_count; j++) {
			const struct itp_ranked_frame *other = &path->frames[j];
			int64_t other_share =
				other->value - (is_paper(state) ? 0 : other->base_value);

			rank += other_share > share || (other_share == share && j < i);
		}
		path->frames[i].rank = rank;
	}
}

/* Nobody is sent to the kernel or to a runtime. */
static bool is_to_be_opened(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_kind(state, node) <= ITP_MODULE_SYSTEM_LIBRARY;
}

/* Frames from the leaf up, the culprit's index among them. */
static void fill_frames(const struct itp_rank_state *state, struct itp_ranked_path *path,
			uint32_t leaf, uint32_t culprit)
{
	const struct itp_profile *base = state->base.profile;
	bool has_base = base && (!is_paper(state) || state->base.is_leaf[leaf]);
	uint32_t node = leaf;

	path->culprit = -1;
	path->frame_count = itp_context_tree_get(state->tree, node)->depth - 1;
	path->frames = g_new0(struct itp_ranked_frame, path->frame_count);
	for (uint32_t i = path->frame_count; i-- > 0; node = itp_rank_parent(state, node)) {
		struct itp_ranked_frame *frame = &path->frames[i];

		frame->node = node;
		frame->function = itp_context_tree_get(state->tree, node)->function;
		frame->value = state->suspect.value[node];
		frame->base_value = has_base ? state->base.value[node] : 0;
		frame->suspect = itp_profile_peek(state->suspect.profile, node);
		frame->base = base ? itp_profile_peek(base, node) : NULL;
		if (node == culprit && is_to_be_opened(state, node)) {
			path->culprit = (int32_t)i;
		}
	}
}

/* `face` is the node that is new, or has vanished, or neither. */
static void find_novelty(const struct order *order, struct itp_ranked_path *path, uint32_t leaf,
			 uint32_t face)
{
	const struct itp_rank_state *state = order->state;

	if (!state->base.profile) {
		return;
	}
	if (!state->base.is_present[face]) {
		path->novelty = ITP_NOVELTY_NEW;
	} else if (!state->suspect.is_present[face]) {
		path->novelty = ITP_NOVELTY_VANISHED;
	}
	for (uint32_t node = leaf; itp_rank_is_frame(state, node);
	     node = itp_rank_parent(state, node)) {
		if (order->moved_from && order->moved_from[node] != ITP_CONTEXT_ROOT) {
			path->novelty = ITP_NOVELTY_MOVED;
			path->moved_from = order->moved_from[node];
		}
	}
}

/* A path that stands for itself. */
static void fill_alone(struct itp_ranked_path *path)
{
	for (uint32_t i = 0; i < path->frame_count; i++) {
		add_delta(&path->delta, &path->frames[i]);
	}
	if (path->culprit >= 0) {
		const struct itp_ranked_frame *culprit = &path->frames[path->culprit];

		path->suspect_calls = culprit->suspect->count;
		path->base_calls = culprit->base ? culprit->base->count : 0;
	}
}

static void fill_entry(struct itp_ranked_path *path, const struct itp_rank_entry *entry)
{
	path->delta = entry->delta;
	path->suspect_calls = entry->suspect_calls;
	path->base_calls = entry->base_calls;
	path->variant_count = entry->variants->len;
	path->variants =
		g_memdup2(entry->variants->data, entry->variants->len * sizeof(struct itp_variant));
}

static void find_wakers(const struct itp_rank_state *state, struct itp_ranked_path *path,
			const struct itp_rank_entry *entry)
{
	g_autoptr(GArray) wakers = g_array_new(FALSE, FALSE, sizeof(struct itp_waker));

	itp_wakers_of_nodes(state->suspect.profile->wakers, (const uint32_t *)entry->woken->data,
			    entry->woken->len, state->functions, wakers);
	path->waker_count = wakers->len;
	path->wakers = g_memdup2(wakers->data, wakers->len * sizeof(struct itp_waker));
}

static void append_path(struct itp_ranking *ranking, const struct order *order,
			const struct itp_rank_entry *entry, uint32_t rank)
{
	const struct itp_rank_state *state = order->state;
	const struct itp_rank_leaf *leaf =
		&g_array_index(order->leaves, struct itp_rank_leaf, entry->leaf);
	struct itp_ranked_path path = {
		.rank = rank,
		.suspect_value = entry->suspect_value,
		.base_value = entry->base_value,
		.cost = entry->suspect_value - entry->base_value,
		.path_cost = leaf->cost,
		.process = itp_context_tree_get(state->tree, itp_rank_process(state, leaf->node))
				   ->function,
		.path_count = entry->path_count,
		.significance = entry->significance,
		.is_rare = entry->is_rare,
		.cost_function = entry->cost_function,
		.syscall = entry->syscall,
	};

	fill_frames(state, &path, leaf->node, entry->culprit);
	if (entry->variants->len > 0) {
		fill_entry(&path, entry);
	} else {
		fill_alone(&path);
	}
	find_wakers(state, &path, entry);
	find_novelty(order, &path, leaf->node,
		     entry->variants->len > 0 ? entry->culprit : leaf->node);
	rank_frames(state, &path);
	g_array_append_val(ranking->paths, path);
}

/* ---- Entries ---- */

static void mark_rare(const struct itp_rank_state *state, GArray *entries)
{
	for (guint i = 0; i < entries->len; i++) {
		struct itp_rank_entry *entry = &g_array_index(entries, struct itp_rank_entry, i);

		entry->is_rare = entry->suspect_calls + entry->base_calls <
				 state->options->min_count;
	}
}

static void rank_paths(struct itp_ranking *ranking, struct itp_rank_state *state,
		       const uint32_t *moved_from, const struct itp_runs *suspect,
		       const struct itp_runs *base)
{
	struct order order = { .state = state, .moved_from = moved_from };
	g_autofree uint32_t *culprits = itp_culprits_find(state);
	struct itp_rank_kept kept;
	GArray *entries;

	order.leaves = find_leaves(state, culprits);
	order.entries = itp_rank_entries_new(state, culprits, order.leaves);
	entries = order.entries->entries;
	if (base && itp_rank_folds(state)) {
		itp_noise_judge(state, order.entries, suspect, base);
	}
	mark_rare(state, entries);
	itp_rank_order(entries);
	kept = itp_rank_choose(entries, state->options->top);
	ranking->entry_count = entries->len;
	ranking->path_count = order.leaves->len;
	for (guint i = 0; i < entries->len; i++) {
		const struct itp_rank_entry *entry =
			&g_array_index(entries, struct itp_rank_entry, i);

		ranking->significant_count += !entry->significance.is_noise;
		if (i < kept.first_end || (i >= kept.savings_begin && i < kept.savings_end)) {
			append_path(ranking, &order, entry, i + 1);
		}
	}
	itp_rank_entries_free(order.entries);
	g_array_unref(order.leaves);
}

/* ---- The whole ---- */

static int64_t own_of_frames(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t own_ns = 0;

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		own_ns += itp_rank_is_frame(state, node) && !state->is_idle[node] ?
				  itp_profile_peek(profile, node)->own_ns :
				  0;
	}
	return own_ns;
}

static struct itp_call_counts count_calls(const struct itp_rank_state *state,
					  const struct itp_profile *profile)
{
	struct itp_call_counts counts = { .calls = 0 };

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node)) {
			const struct itp_node_stats *stats = itp_profile_peek(profile, node);
			uint64_t calls = stats->count + stats->lost_count;

			counts.calls += calls;
			counts.unnamed += itp_rank_function(state, node)->is_unnamed ? calls : 0;
		}
	}
	return counts;
}

static void clear_path(gpointer data)
{
	struct itp_ranked_path *path = data;

	g_free(path->frames);
	g_free(path->variants);
	g_free(path->wakers);
}

static struct itp_ranking *make(const struct itp_ranking_options *options,
				const struct itp_runs *suspect, const struct itp_runs *base)
{
	struct itp_ranking *ranking = g_new0(struct itp_ranking, 1);

	ranking->options = *options;
	ranking->paths = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_path));
	g_array_set_clear_func(ranking->paths, clear_path);
	ranking->suspect = itp_runs_merge(suspect);
	ranking->suspect_units = itp_runs_units(suspect);
	ranking->suspect_runs = suspect->count;
	if (base) {
		ranking->base = itp_runs_merge(base);
		ranking->base_units = itp_runs_units(base);
		ranking->base_runs = base->count;
	}
	return ranking;
}

/* Makes the base comparable. Returns what has moved, or NULL. */
static uint32_t *prepare(struct itp_ranking *ranking, struct itp_rank_state *state)
{
	uint32_t *moved_from = NULL;

	if (!state->options->ranks_idle && !is_paper(state)) {
		itp_idle_find(state, ranking->suspect, ranking->base);
	}
	if (ranking->base && !is_paper(state)) {
		itp_profile_scale(ranking->base, ranking->suspect_units / ranking->base_units);
		moved_from = itp_moved_find(state, ranking->suspect, ranking->base);
	}
	itp_side_init(&state->suspect, state, ranking->suspect);
	itp_side_init(&state->base, state, ranking->base);
	return moved_from;
}

static void cut(GArray *rows, size_t top)
{
	if (top > 0 && rows->len > top) {
		g_array_set_size(rows, (guint)top);
	}
}

struct itp_ranking *itp_ranking_new(const struct itp_ranking_options *options,
				    const struct itp_function_table *functions,
				    const struct itp_context_tree *tree,
				    const struct itp_runs *suspect, const struct itp_runs *base)
{
	struct itp_ranking *ranking = make(options, suspect, base);
	struct itp_rank_state state = {
		.options = options,
		.functions = functions,
		.tree = tree,
		.node_count = itp_context_tree_size(tree),
		.kinds = itp_module_kinds_new(options->modules, functions),
		.is_idle = g_new0(bool, itp_context_tree_size(tree)),
	};
	g_autofree uint32_t *moved_from = prepare(ranking, &state);

	ranking->functions = functions;
	ranking->tree = tree;
	ranking->suspect_own_ns = own_of_frames(&state, ranking->suspect);
	ranking->base_own_ns = own_of_frames(&state, ranking->base);
	ranking->suspect_calls = count_calls(&state, ranking->suspect);
	ranking->base_calls = count_calls(&state, ranking->base);
	ranking->idle = itp_idle_waits(&state);
	ranking->doubts = itp_doubts_find(&state, suspect, base);
	if (options->by == ITP_RANK_BY_PATH) {
		ranking->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_row));
		rank_paths(ranking, &state, moved_from, suspect, base);
	} else {
		ranking->rows = itp_flat_rows(&state);
		ranking->entry_count = ranking->rows->len;
		cut(ranking->rows, options->top);
	}
	itp_side_release(&state.suspect);
	itp_side_release(&state.base);
	g_free(state.is_idle);
	g_free(state.kinds);
	return ranking;
}

void itp_ranking_free(struct itp_ranking *ranking)
{
	if (!ranking) {
		return;
	}
	g_array_free(ranking->paths, TRUE);
	g_array_free(ranking->rows, TRUE);
	g_array_free(ranking->idle, TRUE);
	itp_profile_free(ranking->suspect);
	itp_profile_free(ranking->base);
	g_free(ranking);
}
