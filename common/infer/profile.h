/* SPDX-License-Identifier: MIT */
/*
 * PA-CCT: the performance-annotated calling context tree of a workload (paper, section 3.3).
 *
 * A profile holds statistics for the nodes of a context tree that it shares with others. All
 * statistics are sums, minima or maxima of integers, so merging is exact, associative and
 * commutative: the profile of two traces together is the merge of their profiles. Means are derived
 * from sums and never stored.
 */
#ifndef ITP_INFER_PROFILE_H
#define ITP_INFER_PROFILE_H

#include <string.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/demand.h"
#include "common/infer/infer.h"
#include "common/infer/instance.h"
#include "common/infer/latencies.h"
#include "common/infer/node-stats.h"
#include "common/infer/node-table.h"
#include "common/infer/slowest.h"
#include "common/infer/unit-sums.h"
#include "common/infer/wakers.h"

/* Origin of a workload's times. */
struct itp_clock {
	/* 1970; otherwise an instant known only to the recording's own clock. */
	bool has_epoch;
	/* Zero of the recording's own clock, in these times; 0 when unknown. */
	int64_t offset_ns;
};

struct itp_recall;

struct itp_workload {
	/* Owned by this. */
	char *name;
	struct itp_infer_counts counts;
	struct itp_clock clock;
	/* Parameters behind the numbers, as "name=value name=value". Owned by this. */
	char *options;
	/* Architecture of the recorded machine, as told by uname -m; NULL where the input does not
	 * tell. Owned by this. */
	char *architecture;
	/* The end of the input was reached and the input says that nothing is missing. */
	bool complete;
	/* Latencies were left out beside a workload without any (kept.h). */
	bool is_levelled;
	/* Doings of its threads by time (common/wait), where the host has kept them; else NULL.
	 * Weak. */
	const struct itp_recall *recall;
	/* Node of this profile (uint32_t) by node of its tree, ITP_CONTEXT_ROOT for none. NULL
	 * without a recall. Owned by this. */
	GArray *recall_nodes;
};

struct itp_profile {
	/* Owned by this. */
	struct itp_workload workload;
	/* By node of the shared tree. Owned by this. */
	struct itp_node_table *nodes;
	/* Wakers and slowest calls of the nodes. Owned by this. */
	struct itp_wakers *wakers;
	struct itp_slowest *slowest;
	/* Latencies; without calls where nobody wanted them. */
	struct itp_latencies *latencies;
	/* Units; empty without a search for units. Owned by this. */
	struct itp_unit_sums *units;
};

/* True when both are known to be of two kinds of machines. */
static inline bool itp_workload_is_of_other_machine(const struct itp_workload *workload,
						    const struct itp_workload *other)
{
	return workload->architecture && other->architecture &&
	       strcmp(workload->architecture, other->architecture) != 0;
}

/* True when a thread's doings between two events show: its latencies are known. Without stacks
 * nothing is. */
bool itp_workload_is_watched(const struct itp_workload *workload);

/* True when the workload has latencies, bounds and numbers of calls; otherwise all times are CPU
 * time. With the continuity of the paper it has them whatever was watched. */
bool itp_workload_has_latencies(const struct itp_workload *workload);

/* For how much CPU time a tick stands, on average; 0 without ticks. */
double itp_tick_interval_ns(const struct itp_infer_counts *counts);

/* Copies `description` into `workload`, but for clock and architecture, known from the
 * beginning. */
void itp_workload_describe(struct itp_workload *workload, const struct itp_workload *description);

struct itp_profile *itp_profile_new(const char *name);
void itp_profile_free(struct itp_profile *profile);

/* New profile of the same workload: a copy of everything in `profile`, or everything itself, taken
 * from `profile`. */
struct itp_profile *itp_profile_copy(const struct itp_profile *profile);
struct itp_profile *itp_profile_take(struct itp_profile *profile);

/* Swaps the contents of profiles; their workloads stay. */
void itp_profile_swap(struct itp_profile *profile, struct itp_profile *other);

/* True when no node has statistics. */
bool itp_profile_is_empty(const struct itp_profile *profile);

/* Statistics of `node` for writing, zeroed when they are new. They stay where they are until the
 * profile is freed or truncated. */
struct itp_node_stats *itp_profile_node(struct itp_profile *profile, uint32_t node);

/* Statistics of `node` for reading; all zero for a node that the profile does not know. */
const struct itp_node_stats *itp_profile_peek(const struct itp_profile *profile, uint32_t node);

/* Forgets statistics, latencies and slowest calls of `node`, or of all nodes from `size` on. */
void itp_profile_clear_node(struct itp_profile *profile, uint32_t node);
void itp_profile_truncate(struct itp_profile *profile, uint32_t size);

/* Calls in the histogram. */
uint64_t itp_node_stats_recorded(const struct itp_node_stats *stats);

/* Least latency (ns) in bucket `bucket`; its largest is below the next bucket's least. */
int64_t itp_bucket_begin_ns(size_t bucket);

/* Adds a latency, as `calls` calls' latency, to count, extremes, squares and histogram. */
void itp_node_stats_count(struct itp_node_stats *stats, int64_t latency_ns, uint32_t calls);
void itp_node_stats_merge(struct itp_node_stats *stats, const struct itp_node_stats *other);

/* Calls of a node of a workload with these `counts`, without calls ended by loss. A loss of unknown
 * size leaves no limit. */
struct itp_call_bounds itp_node_stats_calls(const struct itp_node_stats *stats,
					    const struct itp_infer_counts *counts);

/* Bounds of the calls of two nodes together. */
struct itp_call_bounds itp_call_bounds_sum(struct itp_call_bounds a, struct itp_call_bounds b);

/* True when the limits are so close that the difference does not matter. */
bool itp_call_bounds_are_close(struct itp_call_bounds bounds);

/* Adds `other`, which annotates the same tree over the same functions, to `profile`, with counts,
 * wakers, latencies, slowest calls and units. The name stays; complete only if both are. */
void itp_profile_merge(struct itp_profile *profile, const struct itp_profile *other);

/* True when the input told of nothing missing and of no wrong time. Its reader alone knows whether
 * it was read to the end. */
static inline bool itp_infer_counts_are_whole(const struct itp_infer_counts *counts)
{
	return counts->losses == 0 && counts->misplaced_records == 0 && !counts->cut;
}

/* Counts of a recording since it had counted `before`. Begin, end and threads stay. */
struct itp_infer_counts itp_infer_counts_since(const struct itp_infer_counts *counts,
					       const struct itp_infer_counts *before);

#endif
