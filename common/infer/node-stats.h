/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a node of the tree: latencies of its instances in a recording.
 */
#ifndef ITP_INFER_NODE_STATS_H
#define ITP_INFER_NODE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/infer/demand.h"
#include "common/infer/instance.h"

/* Buckets: bucket b counts latencies of [2^(b-1), 2^b) ns, bucket 0 latencies of 0, the last one
 * the rest. */
#define ITP_HISTOGRAM_BUCKETS 48

/* Of the chosen estimate, over all instances of a node. */
struct itp_node_stats {
	uint64_t count;
	/* How many calls they may be in truth (itp_instance.max_calls). */
	uint64_t max_count;
	/* Part of `count`: calls counted by events, calls that are no calls of their own beside
	 * counted ones, and calls of functions whose calls all show (enum itp_instance_flag). */
	uint64_t counted_count;
	uint64_t part_count;
	uint64_t shown_count;
	int64_t total_ns;
	/* total_ns without the direct children's. */
	int64_t own_ns;
	/* Bounds of total_ns: the sums of the spans in which they were seen, and of upper bounds.
	 */
	int64_t lower_ns;
	int64_t upper_ns;
	/* Only meaningful when count > 0. */
	int64_t min_ns;
	int64_t max_ns;
	/* Σ latency², as high and low half of 128 bits. */
	uint64_t square_sum_high;
	uint64_t square_sum_low;
	struct itp_time_use use;
	/* `use` without the direct children's. */
	struct itp_time_use own_use;
	/* Certainty of own_use.cpu_ns: number of a timer's ticks that found the node innermost, and
	 * the variance from their number, in µs². */
	uint64_t samples;
	uint64_t own_variance_us2;
	/* Variance of `count`, in calls²: an estimate where system calls are watched in windows
	 * alone. */
	uint64_t count_variance;
	/* Of own_use.blocked_ns. */
	struct itp_node_demand demand;
	/* Instances that loss ended: their time is in the sums, they are not among the calls. */
	uint64_t lost_count;
	uint32_t histogram[ITP_HISTOGRAM_BUCKETS];
};

/* True when anything is known of the node: a call that ended, or one that goes on after the
 * period. */
static inline bool itp_node_stats_is_present(const struct itp_node_stats *stats)
{
	return stats->count > 0 || stats->lost_count > 0 || stats->total_ns != 0;
}

/* Any number of calls that no stack has shown. */
#define ITP_CALLS_UNKNOWN UINT64_MAX

/* How often something was called: between two limits. */
struct itp_call_bounds {
	/* Calls told apart. */
	uint64_t seen;
	/* At least `seen`; ITP_CALLS_UNKNOWN without a limit. */
	uint64_t possible;
};

#endif
