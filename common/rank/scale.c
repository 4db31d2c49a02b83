/* SPDX-License-Identifier: MIT */
/*
 * Units of work, sums of runs.
 */
#include "common/rank/scale.h"

#include <math.h>
#include <string.h>

#define NS_PER_S 1e9
#define SYSCALL_PREFIX "syscall:"

static bool is_counted(const struct itp_function *function, enum itp_per per, const char *name)
{
	if (per == ITP_PER_CALL) {
		return strcmp(function->name, name) == 0 && function->layer != ITP_LAYER_PROCESS;
	}
	return function->layer == ITP_LAYER_SYSCALL &&
	       g_str_has_prefix(function->name, SYSCALL_PREFIX) &&
	       strcmp(function->name + strlen(SYSCALL_PREFIX), name) == 0;
}

/* Calls that are not below another call of the function. */
static double count_calls(const struct itp_profile *profile,
			  const struct itp_function_table *functions,
			  const struct itp_context_tree *tree, enum itp_per per, const char *name)
{
	uint32_t size = itp_context_tree_size(tree);
	g_autofree bool *is_inside = g_new0(bool, size);
	double calls = 0;

	for (uint32_t node = 1; node < size; node++) {
		const struct itp_context *context = itp_context_tree_get(tree, node);
		const struct itp_function *function =
			itp_function_table_get(functions, context->function);

		is_inside[node] = is_inside[context->parent];
		if (!is_inside[node] && is_counted(function, per, name)) {
			const struct itp_node_stats *stats = itp_profile_peek(profile, node);

			is_inside[node] = true;
			calls += (double)(stats->count + stats->lost_count);
		}
	}
	return calls;
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

/* That of several recordings, as far as they agree. */
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
	merged->workload.clock = common_clock(runs);
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

	/* What was there still is. */
	stats->count = MAX((uint64_t)scaled((int64_t)stats->count, factor), stats->count > 0);
	stats->max_count = (uint64_t)scaled((int64_t)stats->max_count, factor);
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
	for (guint i = 0; factor != 1 && i < profile->nodes->len; i++) {
		scale_node(&g_array_index(profile->nodes, struct itp_node_stats, i), factor);
	}
}
