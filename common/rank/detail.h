/* SPDX-License-Identifier: MIT */
/*
 * Detail of a ranked path: durations of the calls of its face, the function that stands for it, and
 * times of the slowest of them, in all contexts of the path.
 *
 * Programs that show a path ask for its detail; ranking needs nothing of it.
 */
#ifndef ITP_RANK_DETAIL_H
#define ITP_RANK_DETAIL_H

#include "common/rank/ranking.h"

/* Calls of a workload. */
struct itp_call_detail {
	/* Sums as in the ranking: those of a base are scaled to as much work as the suspect did. */
	struct itp_node_stats stats;
	/* Number of calls in its histogram, its extremes and the quantiles below. */
	uint64_t calls;
	/* True if each latency was kept (common/infer/latencies.h): quantiles are off by a 64th at
	 * most. Otherwise they are estimates from the histogram: off by a factor of two at most,
	 * below 70 s, the begin of its last bucket. 0 without calls. */
	bool is_fine;
	int64_t median_ns;
	int64_t p99_ns;
	/* The slowest first. Nodes belong to the ranking's tree. */
	struct itp_slow_call slowest[ITP_SLOWEST_COUNT];
	size_t slowest_count;
};

struct itp_path_detail {
	/* Function of the calls: the face of the path. Weak; NULL when the path has no frames. */
	const struct itp_ranked_frame *face;
	/* Number of contexts in the detail. */
	uint32_t context_count;
	struct itp_call_detail suspect;
	/* Has no calls without a base. */
	struct itp_call_detail base;
};

/* Face of the path, the frame that stands for it: its culprit, or the frame by which it was folded,
 * or its hottest frame. NULL when the path has no frames. */
const struct itp_ranked_frame *itp_path_face(const struct itp_ranked_path *path);

/* Fills `detail`, which owns nothing. `path` is of the ranking; both must outlive it. */
void itp_path_detail_init(struct itp_path_detail *detail, const struct itp_ranking *ranking,
			  const struct itp_ranked_path *path);

/* Slowest calls, as a GArray of struct itp_symptom (common/wait/critical-path.h): of several
 * recordings only those in the slowest call's, and none that overlaps a slower call of its thread.
 * Free with g_array_unref(). */
GArray *itp_call_detail_symptoms(const struct itp_call_detail *calls);

/* Chain of stretches that held up the slowest calls, a GArray of struct itp_chain_step
 * (common/wait/chain.h). `of_base`: `calls` are the base's. *ret_count is the number of these
 * calls, and *ret_span_ns their time together. NULL if the host has not kept the threads' doings.
 * Free with g_array_unref(). */
GArray *itp_call_detail_chain(const struct itp_call_detail *calls,
			      const struct itp_ranking *ranking, bool of_base, guint *ret_count,
			      int64_t *ret_span_ns);

/* Latency that `part` (0 to 1) of the calls do not exceed, by the histogram: calls of a bucket lie
 * evenly between its limits, which minimum and maximum narrow. 0 without calls. */
int64_t itp_node_stats_quantile(const struct itp_node_stats *stats, double part);

#endif
