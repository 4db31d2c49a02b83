/* SPDX-License-Identifier: MIT */
/*
 * Differential context ranking (paper, section 3.4.2, Algorithm 3, second half).
 *
 * Ranks the calling contexts of one profile, or of a suspect profile against a base. Both
 * annotate one context tree, in which equal functions have equal ids: whoever loads profiles
 * interns their functions by layer, module and name into one table. The result is plain data
 * for common/render; nothing here knows about output formats.
 */
#ifndef ITP_RANK_RANKING_H
#define ITP_RANK_RANKING_H

#include "common/infer/context-tree.h"
#include "common/infer/function-table.h"
#include "common/infer/profile.h"

/* The value of a node that a path's cost is made of. */
enum itp_metric {
	ITP_METRIC_OWN = 0,
	ITP_METRIC_TOTAL = 1,
	/* Number of calls, not a time. */
	ITP_METRIC_COUNT = 2,
	/* Own latency of one call. */
	ITP_METRIC_EACH = 3,
};

enum itp_method {
	/* Sums over all calls; base is subtracted node by node, so a path that base never took
	 * still has the share of its callers that base has too taken out. */
	ITP_METHOD_TOTALS = 0,
	/* Algorithm 3 to the letter: means per call, own mean = mean − Σ children's means, base
	 * subtracted only where it took the very same path. */
	ITP_METHOD_PAPER = 1,
};

/* As parameters and results spell them, by number; ends with NULL. */
extern const char *const itp_metric_names[];
extern const char *const itp_method_names[];

struct itp_ranking_options {
	enum itp_metric metric;
	enum itp_method method;
	/* How many paths are kept; 0 = all. */
	size_t top;
};

/* One frame of a ranked path. Times are ns; base_… is 0 without a base. */
struct itp_ranked_frame {
	uint32_t node;
	uint32_t function;
	/* The metric's values, of which `value - base_value` enters the path's cost. */
	int64_t value;
	int64_t base_value;
	/* Weak: the statistics of the two profiles for this node. base is NULL without one. */
	const struct itp_node_stats *suspect;
	const struct itp_node_stats *base;
	/* 1 = the largest share of the path's cost. */
	uint32_t rank;
};

/* Why a path costs more: parts of its Δ of own latency, which add up to it (ns). */
struct itp_delta {
	/* Δcount × base mean, and count × Δmean. A new node counts as called more often. */
	int64_t more_calls_ns;
	int64_t slower_calls_ns;
	/* The same Δ by use of time; what is left is not known. */
	struct itp_time_use use;
};

struct itp_ranked_path {
	/* 1 = the most expensive. */
	uint32_t rank;
	/* Σ (value − base_value) over the frames; ns, or calls with ITP_METRIC_COUNT. */
	int64_t cost;
	int64_t suspect_value;
	int64_t base_value;
	struct itp_delta delta;
	/* Function of the process root. */
	uint32_t process;
	/* Root first, without the process root. Owned by this. */
	struct itp_ranked_frame *frames;
	uint32_t frame_count;
	/* Index of the frame that a person should open first, -1 when there is none. */
	int32_t culprit;
	/* Base never took this path. */
	bool is_new;
};

/* How much of a profile is without names. */
struct itp_call_counts {
	/* Below the process roots; those that loss ended count too. */
	uint64_t calls;
	/* Of them, those of functions without a name. */
	uint64_t unnamed;
};

struct itp_ranking {
	struct itp_ranking_options options;
	/* struct itp_ranked_path, most expensive first. Owned by this. */
	GArray *paths;
	/* Number of paths there were, and of those the kept ones are the first. */
	uint64_t path_count;
	/* Σ own latency over all nodes below the process roots (ns). */
	int64_t suspect_own_ns;
	int64_t base_own_ns;
	struct itp_call_counts suspect_calls;
	struct itp_call_counts base_calls;
	/* Weak. base is NULL when one workload was ranked alone. */
	const struct itp_profile *suspect;
	const struct itp_profile *base;
	const struct itp_function_table *functions;
};

/* All arguments are weak and must outlive the result; `base` may be NULL. */
struct itp_ranking *itp_ranking_new(const struct itp_ranking_options *options,
				    const struct itp_function_table *functions,
				    const struct itp_context_tree *tree,
				    const struct itp_profile *suspect,
				    const struct itp_profile *base);
void itp_ranking_free(struct itp_ranking *ranking);

#endif
