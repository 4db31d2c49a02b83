/* SPDX-License-Identifier: MIT */
/*
 * See kept.h.
 */
#include "common/infer/kept.h"

#define NS_PER_US 1e3

/* Own CPU time by the ticks that found the node innermost. Their number varies as the number of
 * successes among all ticks as trials. */
static void count_ticks(struct itp_node_stats *stats, const struct itp_infer_counts *counts)
{
	const double interval_us = itp_tick_interval_ns(counts) / NS_PER_US;
	const double ticks = (double)stats->samples;
	const double others = MAX((double)counts->timer_samples - ticks, 0);

	stats->own_use.cpu_ns = (int64_t)(ticks * itp_tick_interval_ns(counts) + 0.5);
	stats->own_variance_us2 = (uint64_t)(interval_us * interval_us * ticks * others /
					     ((double)counts->timer_samples + 1));
}

/* Sets a node's time, and its use, to those of ticks. */
static void sum_ticks(struct itp_profile *profile,
		      uint32_t (*parent_of)(const void *data, uint32_t node), const void *data)
{
	const uint32_t limit = itp_node_table_limit(profile->nodes);
	g_autofree int64_t *below_ns = g_new0(int64_t, limit + 1);

	for (uint32_t node = limit; node-- > ITP_CONTEXT_ROOT + 1;) {
		struct itp_node_stats *stats = itp_node_table_find(profile->nodes, node);

		if (stats) {
			count_ticks(stats, &profile->workload.counts);
			below_ns[node] += stats->own_use.cpu_ns;
		}
		if (stats || below_ns[node] > 0) {
			itp_profile_node(profile, node)->use.cpu_ns = below_ns[node];
		}
		below_ns[parent_of(data, node)] += below_ns[node];
	}
}

/* Only CPU time of the node's time. */
static struct itp_node_stats cpu_of(const struct itp_node_stats *stats)
{
	return (struct itp_node_stats){
		.total_ns = stats->use.cpu_ns,
		.own_ns = stats->own_use.cpu_ns,
		.lower_ns = stats->use.cpu_ns,
		.upper_ns = stats->use.cpu_ns,
		.use.cpu_ns = stats->use.cpu_ns,
		.own_use.cpu_ns = stats->own_use.cpu_ns,
		.samples = stats->samples,
		.own_variance_us2 = stats->own_variance_us2,
	};
}

static void keep_cpu(struct itp_profile *profile)
{
	for (uint32_t node = 0; node < itp_node_table_limit(profile->nodes); node++) {
		struct itp_node_stats *stats = itp_node_table_find(profile->nodes, node);

		if (stats) {
			*stats = cpu_of(stats);
		}
	}
	itp_wakers_free(profile->wakers);
	itp_slowest_free(profile->slowest);
	itp_latencies_free(profile->latencies);
	profile->workload.recall = NULL;
	g_clear_pointer(&profile->workload.recall_nodes, g_array_unref);
	profile->wakers = itp_wakers_new();
	profile->slowest = itp_slowest_new();
	profile->latencies = itp_latencies_new();
}

void itp_profile_keep_watched(struct itp_profile *profile,
			      uint32_t (*parent_of)(const void *data, uint32_t node),
			      const void *data)
{
	if (itp_workload_has_latencies(&profile->workload)) {
		return;
	}
	sum_ticks(profile, parent_of, data);
	keep_cpu(profile);
}

void itp_profiles_level(struct itp_profile *const *profiles, size_t count)
{
	bool has_latencies = true;

	for (size_t i = 0; i < count; i++) {
		has_latencies &= itp_workload_has_latencies(&profiles[i]->workload);
	}
	for (size_t i = 0; i < count && !has_latencies; i++) {
		struct itp_workload *workload = &profiles[i]->workload;

		if (itp_workload_has_latencies(workload)) {
			keep_cpu(profiles[i]);
			workload->is_levelled = true;
		}
	}
}
