/* SPDX-License-Identifier: MIT */
/*
 * Units of work, sums of runs.
 */
#include "common/rank/scale.h"

#include <math.h>
#include <string.h>

#include "common/rank/calls.h"

#define NS_PER_S 1e9

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

/* Calls that are not below another call of the function. */
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

/* The clock of several recordings, as far as they agree. */
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

/* A sum is of all runs, a call of one. */
static void tell_runs(struct itp_profile *merged, const struct itp_runs *runs)
{
	itp_slowest_free(merged->slowest);
	merged->slowest = itp_slowest_new();
	for (size_t i = 0; i < runs->count; i++) {
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

/* What was there still is. */
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

static void scale_node(struct itp_node_stats *stats, double factor)
{
	double squares =
		((double)stats->square_sum_high * 0x1p64 + (double)stats->square_sum_low) * factor;

	stats->count = scaled_count(stats->count, factor);
	stats->max_count = scaled_count(stats->max_count, factor);
	stats->counted_count = scaled_count(stats->counted_count, factor);
	stats->part_count = scaled_count(stats->part_count, factor);
	stats->shown_count = scaled_count(stats->shown_count, factor);
	stats->lost_count = (uint64_t)scaled((int64_t)stats->lost_count, factor);
	stats->total_ns = scaled(stats->total_ns, factor);
	stats->own_ns = scaled(stats->own_ns, factor);
	stats->lower_ns = scaled(stats->lower_ns, factor);
	stats->upper_ns = scaled(stats->upper_ns, factor);
	scale_use(&stats->use, factor);
	scale_use(&stats->own_use, factor);
	/* The samples stay what they are. */
	stats->own_variance_us2 = (uint64_t)((double)stats->own_variance_us2 * factor * factor);
	stats->square_sum_high = (uint64_t)(squares / 0x1p64);
	stats->square_sum_low = (uint64_t)fmod(squares, 0x1p64);
}

void itp_profile_scale(struct itp_profile *profile, double factor)
{
	const uint32_t limit = factor != 1 ? itp_node_table_limit(profile->nodes) : 0;

	for (uint32_t node = 0; node < limit; node++) {
		struct itp_node_stats *stats = itp_node_table_find(profile->nodes, node);

		if (stats) {
			scale_node(stats, factor);
		}
	}
}
