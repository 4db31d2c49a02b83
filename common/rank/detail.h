/* SPDX-License-Identifier: MIT */
/*
 * One ranked path from nearby: how long the calls of the function that stands for it take, and
 * when the slowest of them were, in all contexts that the path stands for.
 *
 * Whoever shows a path asks for its detail; nothing of it is needed to rank.
 */
#ifndef ITP_RANK_DETAIL_H
#define ITP_RANK_DETAIL_H

#include "common/rank/ranking.h"

/* Calls of one workload. */
struct itp_call_detail {
	/* As in the ranking: the sums of a base are those of as much work as the suspect did. */
	struct itp_node_stats stats;
	/* How many calls its histogram, extremes and the two below are of. */
	uint64_t calls;
	/* Where each latency was kept (common/infer/latencies.h), off by a 64th at most; else
	 * estimates from the histogram: off by a factor of two at most, below the 70 s from which
	 * on its last bucket counts. 0 without calls. */
	bool is_fine;
	int64_t median_ns;
	int64_t p99_ns;
	/* The slowest first. Nodes are those of the ranking's tree. */
	struct itp_slow_call slowest[ITP_SLOWEST_COUNT];
	size_t slowest_count;
};

struct itp_path_detail {
	/* Whose calls these are: the face of the path. Weak; NULL when the path has no frames. */
	const struct itp_ranked_frame *face;
	/* Contexts of it that are told. */
	uint32_t context_count;
	struct itp_call_detail suspect;
	/* Without calls when there is no base. */
	struct itp_call_detail base;
};

/* The frame that stands for the path: its culprit, or what it was folded by, or its hottest frame.
 * NULL when the path has no frames. */
const struct itp_ranked_frame *itp_path_face(const struct itp_ranked_path *path);

/* `path` is one of the ranking's; both must outlive the result, which owns nothing. */
void itp_path_detail_init(struct itp_path_detail *detail, const struct itp_ranking *ranking,
			  const struct itp_ranked_path *path);

/* The slowest calls, as a GArray of struct itp_symptom (common/wait/critical-path.h): of several
 * recordings those of the one with the slowest, and none that overlaps a slower one of its thread.
 * Free with g_array_unref(). */
GArray *itp_call_detail_symptoms(const struct itp_call_detail *calls);

/* What held them up, of `calls` that are the base's or not: a GArray of struct
 * itp_chain_step (common/wait/chain.h). *ret_count is how many, and *ret_span_ns how long they took
 * together. NULL where
 * the host has not kept what threads did. Free with g_array_unref(). */
GArray *itp_call_detail_chain(const struct itp_call_detail *calls,
			      const struct itp_ranking *ranking, bool of_base, guint *ret_count,
			      int64_t *ret_span_ns);

/* The latency that `part` (0 to 1) of the calls do not exceed, by the histogram: calls of one
 * bucket lie evenly between its limits, which minimum and maximum narrow. 0 without calls. */
int64_t itp_node_stats_quantile(const struct itp_node_stats *stats, double part);

/* Calls in the histogram. */
uint64_t itp_node_stats_recorded(const struct itp_node_stats *stats);

/* From where the latencies of bucket `bucket` lie, up to where the next one's do (ns). */
int64_t itp_bucket_begin_ns(size_t bucket);

#endif
