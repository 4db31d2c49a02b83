/* SPDX-License-Identifier: MIT */
/*
 * PA-CCT: the performance-annotated calling context tree of one workload (paper, section 3.3).
 *
 * A profile holds statistics for the nodes of a context tree that it shares with others. All
 * statistics are sums, minima or maxima of integers, so merging is exact, associative and
 * commutative: the profile of two traces together is the merge of their profiles. Means are
 * derived from sums and never stored.
 */
#ifndef ITP_INFER_PROFILE_H
#define ITP_INFER_PROFILE_H

#include <string.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/demand.h"
#include "common/infer/infer.h"
#include "common/infer/instance.h"
#include "common/infer/node-table.h"
#include "common/infer/slowest.h"
#include "common/infer/latencies.h"
#include "common/infer/unit-sums.h"
#include "common/infer/wakers.h"

/* Bucket b counts latencies of [2^(b-1), 2^b) ns, bucket 0 those of 0, the last one the rest. */
#define ITP_HISTOGRAM_BUCKETS 48

/* Of the chosen estimate, over all instances of a node. */
struct itp_node_stats {
	uint64_t count;
	/* How many calls they may be in truth (itp_instance.max_calls). */
	uint64_t max_count;
	/* Of `count`: those that were counted by events, those that are no calls of their own
	 * beside counted ones, and those of functions whose calls all show (enum
	 * itp_instance_flag). */
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
	/* How well own_use.cpu_ns is known: how many ticks of a timer found this innermost, and the
	 * variance that comes of their number, in µs². */
	uint64_t samples;
	uint64_t own_variance_us2;
	/* Of `samples`: the variance that blocks of the run show beyond it (tick-blocks.h). */
	uint64_t uneven_ticks2;
	/* Of `count`, which is an estimate where system calls are watched in windows alone: how far
	 * it may be off, as a variance in calls². */
	uint64_t count_variance;
	/* Of own_use.blocked_ns. */
	struct itp_node_demand demand;
	/* Instances that loss ended: their time is in the sums, they are not among the calls. */
	uint64_t lost_count;
	uint32_t histogram[ITP_HISTOGRAM_BUCKETS];
};

/* Whether anything is known of the node: a call that ended, or one that goes on after the period
 * that this is of. */
static inline bool itp_node_stats_is_present(const struct itp_node_stats *stats)
{
	return stats->count > 0 || stats->lost_count > 0 || stats->total_ns != 0;
}

/* There may be any number of calls that no stack has shown. */
#define ITP_CALLS_UNKNOWN UINT64_MAX

/* How often something was called: between two limits. */
struct itp_call_bounds {
	/* Calls that were told apart. */
	uint64_t seen;
	/* Not less than `seen`; ITP_CALLS_UNKNOWN when there is no limit. */
	uint64_t possible;
};

/* What the times of a workload count from. */
struct itp_clock {
	/* 1970; otherwise something that only the recording's own clock knows. */
	bool has_epoch;
	/* Where zero of the recording's own clock is, in these times; 0 when that is not known. */
	int64_t offset_ns;
};

struct itp_recall;

struct itp_workload {
	/* Owned by this. */
	char *name;
	struct itp_infer_counts counts;
	struct itp_clock clock;
	/* Parameters that shaped the numbers, as "name=value name=value". Owned by this. */
	char *options;
	/* Of the machine that it was recorded on, as uname -m tells it; NULL where the input does
	 * not. Owned by this. */
	char *architecture;
	/* The end of the input was reached and the input says that nothing is missing. */
	bool complete;
	/* It has latencies, which were left out beside a workload that has none (kept.h). */
	bool is_levelled;
	/* What its threads did when (common/wait), where the host has kept it; else NULL. Weak. */
	const struct itp_recall *recall;
	/* By node of its tree: that of this profile (uint32_t), ITP_CONTEXT_ROOT where there is
	 * none. NULL without it. Owned by this. */
	GArray *recall_nodes;
};

struct itp_profile {
	/* Owned by this. */
	struct itp_workload workload;
	/* By node of the shared tree. Owned by this. */
	struct itp_node_table *nodes;
	/* Of the same nodes. Owned by this. */
	struct itp_wakers *wakers;
	struct itp_slowest *slowest;
	/* Without calls where nobody wanted them. */
	struct itp_latencies *latencies;
	/* Empty where nobody looked for units. Owned by this. */
	struct itp_unit_sums *units;
};

/* Whether both are known to be of two kinds of machines. */
static inline bool itp_workload_is_of_other_machine(const struct itp_workload *workload,
						    const struct itp_workload *other)
{
	return workload->architecture && other->architecture &&
	       strcmp(workload->architecture, other->architecture) != 0;
}

/* Whether what a thread does between two events shows: its latencies are known. Without stacks
 * there is nothing to know. */
bool itp_workload_is_watched(const struct itp_workload *workload);

/* Whether the workload has latencies, bounds and numbers of calls; where it has none, all times are
 * CPU time. With the continuity of the paper it has them whatever was watched. */
bool itp_workload_has_latencies(const struct itp_workload *workload);

/* For how much CPU time a tick stands, on average; 0 without ticks. */
double itp_tick_interval_ns(const struct itp_infer_counts *counts);

/* Copies what `description` says into `workload`, but for clock and architecture, which are known
 * from the beginning. */
void itp_workload_describe(struct itp_workload *workload, const struct itp_workload *description);

struct itp_profile *itp_profile_new(const char *name);
void itp_profile_free(struct itp_profile *profile);

/* What is known of the same workload, in a profile of its own: a copy of all that `profile` holds,
 * or just that, without which `profile` is left. */
struct itp_profile *itp_profile_copy(const struct itp_profile *profile);
struct itp_profile *itp_profile_take(struct itp_profile *profile);

/* What the profiles hold changes places; what they are of stays. */
void itp_profile_swap(struct itp_profile *profile, struct itp_profile *other);

/* Whether no node has statistics. */
bool itp_profile_is_empty(const struct itp_profile *profile);

/* Statistics of `node` for writing, zeroed when they are new. They stay where they are until the
 * profile is freed or truncated. */
struct itp_node_stats *itp_profile_node(struct itp_profile *profile, uint32_t node);

/* Statistics of `node` for reading; all zero for a node that the profile does not know. */
const struct itp_node_stats *itp_profile_peek(const struct itp_profile *profile, uint32_t node);

/* Forgets statistics, latencies and slowest calls of `node`, or of all nodes from `size` on. */
void itp_profile_clear_node(struct itp_profile *profile, uint32_t node);
void itp_profile_truncate(struct itp_profile *profile, uint32_t size);

/* Adds one latency, as that of `calls` calls, to count, extremes, squares and histogram. */
void itp_node_stats_count(struct itp_node_stats *stats, int64_t latency_ns, uint32_t calls);
/* Adds one latency and its bounds to all these, and to the totals. */
void itp_node_stats_add(struct itp_node_stats *stats, int64_t latency_ns, int64_t lower_ns,
			int64_t upper_ns);
void itp_node_stats_merge(struct itp_node_stats *stats, const struct itp_node_stats *other);

/* Calls of a node of a workload with these `counts`, without those that loss ended. A loss of
 * nobody knows how many events leaves no limit. */
struct itp_call_bounds itp_node_stats_calls(const struct itp_node_stats *stats,
					    const struct itp_infer_counts *counts);

/* Bounds of the calls of two nodes together. */
struct itp_call_bounds itp_call_bounds_sum(struct itp_call_bounds a, struct itp_call_bounds b);

/* The limits are so close that it does not matter which of them it is. */
bool itp_call_bounds_are_close(struct itp_call_bounds bounds);

/* Adds `other`, which annotates the same tree over the same functions, to `profile`, with counts,
 * wakers, latencies, slowest calls and units. The name stays; complete only if both are. */
void itp_profile_merge(struct itp_profile *profile, const struct itp_profile *other);

/* Whether the input told of nothing that is missing from it or has a wrong time. Whether its end
 * was read, only who reads it knows. */
static inline bool itp_infer_counts_are_whole(const struct itp_infer_counts *counts)
{
	return counts->losses == 0 && counts->misplaced_records == 0 && !counts->cut;
}

/* What a recording has counted since it had counted `before`. Begin, end and threads stay. */
struct itp_infer_counts itp_infer_counts_since(const struct itp_infer_counts *counts,
					       const struct itp_infer_counts *before);

#endif
