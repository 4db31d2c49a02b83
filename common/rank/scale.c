/* SPDX-License-Identifier: MIT */
/*
 * Units of work, sums of runs; and the transfer of a base's subtree to its place in the suspect.
 */
#include "common/rank/scale.h"

#include <math.h>
#include <string.h>

#include "common/base/order.h"
#include "common/rank/side.h"

#define NS_PER_S 1e9
/* Least cost of contexts that are moved, as a part of the whole. */
#define PART_LEAST 0.005

static bool is_counted(const struct itp_function *function, enum itp_per per, const char *name)
{
	if (per == ITP_PER_CALL) {
		return itp_name_is_meant(function->name, name) &&
		       function->layer != ITP_LAYER_PROCESS;
	}
	return g_strcmp0(itp_function_syscall(function), name) == 0;
}

static struct itp_call_bounds calls_of(const struct itp_profile *profile,
				       const struct itp_node_stats *stats, uint8_t telling)
{
	struct itp_call_bounds lost = { .seen = stats->lost_count };

	if (!itp_node_stats_is_present(stats)) {
		return lost;
	}
	return itp_call_bounds_sum(itp_calls_of(profile, stats, telling), lost);
}

/* Counts calls of the function outside of other calls of it. */
static double count_calls(const struct itp_profile *profile,
			  const struct itp_function_table *functions,
			  const struct itp_context_tree *tree, enum itp_per per, const char *name)
{
	uint32_t size = itp_context_tree_size(tree);
	g_autofree bool *is_inside = g_new0(bool, size);
	g_autofree uint8_t *telling = itp_calls_telling(profile, functions, tree);
	struct itp_call_bounds calls = { .seen = 0 };

	for (uint32_t node = 1; node < size; node++) {
		const struct itp_context *context = itp_context_tree_get(tree, node);
		const struct itp_function *function =
			itp_function_table_get(functions, context->function);

		is_inside[node] = is_inside[context->parent];
		if (!is_inside[node] && is_counted(function, per, name)) {
			const struct itp_node_stats *stats = itp_profile_peek(profile, node);

			is_inside[node] = true;
			calls = itp_call_bounds_sum(
				calls, calls_of(profile, stats, telling[context->function]));
		}
	}
	return itp_call_bounds_are_close(calls) ? (double)calls.seen : ITP_WORK_UNKNOWN;
}

double itp_work_units(const struct itp_profile *profile, const struct itp_function_table *functions,
		      const struct itp_context_tree *tree, enum itp_per per, const char *name)
{
	const struct itp_infer_counts *counts = &profile->workload.counts;

	switch (per) {
	case ITP_PER_RUN:
	case ITP_PER_UNIT:
		break;
	case ITP_PER_SECOND:
		return (double)(counts->end_ns - counts->begin_ns) / NS_PER_S;
	case ITP_PER_EVENT:
	case ITP_PER_CALL:
		return count_calls(profile, functions, tree, per, name);
	}
	return 1;
}

double itp_runs_units(const struct itp_runs *runs)
{
	double units = 0;

	for (size_t i = 0; i < runs->count; i++) {
		units += runs->units[i];
	}
	return units;
}

double itp_runs_length_ns(const struct itp_runs *runs)
{
	double length_ns = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct itp_infer_counts *counts = &runs->profiles[i]->workload.counts;

		length_ns +=
			((double)counts->end_ns - (double)counts->begin_ns) / (double)runs->count;
	}
	return length_ns;
}

bool itp_runs_are_commands(const struct itp_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		if (runs->profiles[i]->workload.counts.commands == 0) {
			return false;
		}
	}
	return true;
}

/* Clock of several recordings, as far as they agree. */
static struct itp_clock common_clock(const struct itp_runs *runs)
{
	struct itp_clock clock = runs->profiles[0]->workload.clock;

	for (size_t i = 1; i < runs->count; i++) {
		const struct itp_clock *other = &runs->profiles[i]->workload.clock;

		clock.has_epoch = clock.has_epoch && other->has_epoch;
		clock.offset_ns = clock.offset_ns == other->offset_ns ? clock.offset_ns : 0;
	}
	return clock;
}

/* Slowest calls and units know their run, unlike sums. */
static void tell_runs(struct itp_profile *merged, const struct itp_runs *runs)
{
	itp_slowest_free(merged->slowest);
	itp_unit_sums_free(merged->units);
	merged->slowest = itp_slowest_new();
	merged->units = itp_unit_sums_new();
	for (size_t i = 0; i < runs->count; i++) {
		itp_unit_sums_merge_run(merged->units, runs->profiles[i]->units, (uint32_t)i);
		itp_slowest_merge_run(merged->slowest, runs->profiles[i]->slowest, (uint32_t)i);
	}
}

struct itp_profile *itp_runs_merge(const struct itp_runs *runs)
{
	const struct itp_workload *first = &runs->profiles[0]->workload;
	struct itp_profile *merged = itp_profile_new(first->name);

	g_free(merged->workload.options);
	merged->workload.options = g_strdup(first->options);
	merged->workload.architecture = g_strdup(first->architecture);
	merged->workload.clock = common_clock(runs);
	merged->workload.recall = runs->count == 1 ? first->recall : NULL;
	if (merged->workload.recall && first->recall_nodes) {
		merged->workload.recall_nodes = g_array_ref(first->recall_nodes);
	}
	merged->workload.complete = true;
	for (size_t i = 0; i < runs->count; i++) {
		itp_profile_merge(merged, runs->profiles[i]);
	}
	tell_runs(merged, runs);
	if (runs->count > 1) {
		g_free(merged->workload.name);
		merged->workload.name =
			g_strdup_printf("%s and %zu more", first->name, runs->count - 1);
	}
	return merged;
}

static int64_t scaled(int64_t value, double factor)
{
	return llround((double)value * factor);
}

/* A count above 0 stays above 0. */
static uint64_t scaled_count(uint64_t count, double factor)
{
	return MAX((uint64_t)scaled((int64_t)count, factor), count > 0);
}

static void scale_use(struct itp_time_use *use, double factor)
{
	use->cpu_ns = scaled(use->cpu_ns, factor);
	use->blocked_ns = scaled(use->blocked_ns, factor);
	use->runnable_ns = scaled(use->runnable_ns, factor);
}

void itp_node_stats_scale_squares(struct itp_node_stats *stats, double factor)
{
	const double squares =
		((double)stats->square_sum_high * 0x1p64 + (double)stats->square_sum_low) * factor;

	stats->square_sum_high = (uint64_t)(squares / 0x1p64);
	stats->square_sum_low = (uint64_t)fmod(squares, 0x1p64);
}

void itp_node_stats_scale(struct itp_node_stats *stats, double factor)
{
	stats->count = scaled_count(stats->count, factor);
	stats->max_count = scaled_count(stats->max_count, factor);
	stats->counted_count = scaled_count(stats->counted_count, factor);
	stats->part_count = scaled_count(stats->part_count, factor);
	stats->shown_count = scaled_count(stats->shown_count, factor);
	stats->count_variance = (uint64_t)llround((double)stats->count_variance * factor * factor);
	stats->lost_count = (uint64_t)scaled((int64_t)stats->lost_count, factor);
	stats->total_ns = scaled(stats->total_ns, factor);
	stats->own_ns = scaled(stats->own_ns, factor);
	stats->lower_ns = scaled(stats->lower_ns, factor);
	stats->upper_ns = scaled(stats->upper_ns, factor);
	scale_use(&stats->use, factor);
	scale_use(&stats->own_use, factor);
	stats->demand.wanted_ns = scaled(stats->demand.wanted_ns, factor);
	stats->demand.life_ns = scaled(stats->demand.life_ns, factor);
	stats->demand.passed_ns = scaled(stats->demand.passed_ns, factor);
	/* The number of samples stays the same. */
	stats->own_variance_us2 = (uint64_t)((double)stats->own_variance_us2 * factor * factor);
	itp_node_stats_scale_squares(stats, factor);
}

void itp_profile_scale(struct itp_profile *profile, double factor)
{
	const uint32_t limit = factor != 1 ? itp_node_table_limit(profile->nodes) : 0;

	for (uint32_t node = 0; node < limit; node++) {
		struct itp_node_stats *stats = itp_node_table_find(profile->nodes, node);

		if (stats) {
			itp_node_stats_scale(stats, factor);
		}
	}
}

/* ---- Subtrees called by another function now ---- */

/* A context of a single workload. */
struct lone {
	uint32_t node;
	int64_t total_ns;
	/* Both have been in its caller. */
	bool is_topmost;
};

/* A function in two places: the base's and the suspect's. */
struct pair {
	struct lone from;
	struct lone to;
};

static bool is_present(const struct itp_profile *profile, uint32_t node)
{
	const struct itp_node_stats *stats = itp_profile_peek(profile, node);

	return itp_node_stats_is_present(stats);
}

/* Costly contexts that `profile` alone has: struct lone. */
static GArray *find_lone(const struct itp_rank_state *state, const struct itp_profile *profile,
			 const struct itp_profile *other)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct lone));
	int64_t least_ns = (int64_t)(PART_LEAST * (double)itp_rank_own_ns(state, profile));

	for (uint32_t node = 1; node < state->node_count; node++) {
		struct lone lone = { .node = node,
				     .total_ns = itp_profile_peek(profile, node)->total_ns };

		if (!itp_rank_is_ranked(state, node) || lone.total_ns < MAX(least_ns, 1) ||
		    !is_present(profile, node) || is_present(other, node)) {
			continue;
		}
		lone.is_topmost = is_present(other, itp_rank_parent(state, node));
		if (itp_module_kind_is_own(itp_rank_kind(state, node))) {
			g_array_append_val(found, lone);
		}
	}
	return found;
}

static bool are_same(const struct itp_rank_state *state, uint32_t a, uint32_t b)
{
	return itp_rank_function_id(state, a) == itp_rank_function_id(state, b) &&
	       itp_rank_process(state, a) == itp_rank_process(state, b);
}

static gint compare_pairs(gconstpointer a, gconstpointer b, gpointer state)
{
	const struct pair *left = a;
	const struct pair *right = b;
	int64_t left_ns = MIN(left->from.total_ns, left->to.total_ns);
	int64_t right_ns = MIN(right->from.total_ns, right->to.total_ns);
	gint order = ITP_ORDER(right_ns, left_ns);

	order = order ?: itp_rank_compare_paths(state, left->to.node, right->to.node);
	return order ?: itp_rank_compare_paths(state, left->from.node, right->from.node);
}

/* All pairs that may be the same function, costliest first: struct pair. */
static GArray *find_pairs(const struct itp_rank_state *state, const GArray *gone,
			  const GArray *come)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct pair));

	for (guint i = 0; i < gone->len; i++) {
		for (guint k = 0; k < come->len; k++) {
			const struct pair pair = { .from = g_array_index(gone, struct lone, i),
						   .to = g_array_index(come, struct lone, k) };

			if ((pair.from.is_topmost || pair.to.is_topmost) &&
			    are_same(state, pair.from.node, pair.to.node)) {
				g_array_append_val(pairs, pair);
			}
		}
	}
	g_array_sort_with_data(pairs, compare_pairs, (gpointer)state);
	return pairs;
}

static bool is_at_or_below(const struct itp_rank_state *state, uint32_t node, uint32_t above)
{
	while (node > above) {
		node = itp_rank_parent(state, node);
	}
	return node == above;
}

/* Moves the base's statistics, latencies and slowest calls of the subtree of `from` to the same
 * functions below `to`. */
static void transfer(const struct itp_rank_state *state, struct itp_profile *base, uint32_t from,
		     uint32_t to)
{
	g_autofree uint32_t *place = g_new0(uint32_t, state->node_count);

	place[from] = to;
	for (uint32_t node = from; node < state->node_count; node++) {
		uint32_t parent_place = place[itp_rank_parent(state, node)];
		struct itp_node_stats *stats;

		if (node != from && parent_place != ITP_CONTEXT_ROOT) {
			place[node] = itp_context_tree_find(state->tree, parent_place,
							    itp_rank_function_id(state, node));
		}
		if (place[node] != ITP_CONTEXT_ROOT) {
			struct itp_node_stats moved = *itp_profile_peek(base, node);

			stats = itp_profile_node(base, node);
			*stats = (struct itp_node_stats){ .count = 0 };
			itp_node_stats_merge(itp_profile_node(base, place[node]), &moved);
			itp_slowest_add_node(base->slowest, place[node], base->slowest, node);
			itp_latencies_move_node(base->latencies, place[node], node);
		}
	}
}

/* True if `pair` has no node in common with pairs moved already. */
static bool is_free(const struct itp_rank_state *state, const GArray *pairs, const bool *is_moved,
		    const struct pair *pair)
{
	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *other = &g_array_index(pairs, struct pair, i);

		if (is_moved[i] && (is_at_or_below(state, pair->from.node, other->from.node) ||
				    is_at_or_below(state, pair->to.node, other->to.node) ||
				    is_at_or_below(state, other->from.node, pair->from.node) ||
				    is_at_or_below(state, other->to.node, pair->to.node))) {
			return false;
		}
	}
	return true;
}

uint32_t *itp_moved_find(const struct itp_rank_state *state)
{
	const struct itp_profile *suspect = state->suspect.profile;
	struct itp_profile *base = state->base.profile;
	uint32_t *moved_from = g_new0(uint32_t, state->node_count);
	g_autoptr(GArray) gone = find_lone(state, base, suspect);
	g_autoptr(GArray) come = find_lone(state, suspect, base);
	g_autoptr(GArray) pairs = find_pairs(state, gone, come);
	g_autofree bool *is_moved = g_new0(bool, pairs->len + 1);

	for (guint i = 0; i < pairs->len; i++) {
		const struct pair *pair = &g_array_index(pairs, struct pair, i);

		if (is_free(state, pairs, is_moved, pair)) {
			transfer(state, base, pair->from.node, pair->to.node);
			moved_from[pair->to.node] = pair->from.node;
			is_moved[i] = true;
		}
	}
	return moved_from;
}
