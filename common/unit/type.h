/* SPDX-License-Identifier: MIT */
/*
 * Type of units, as types.h makes it.
 */
#ifndef ITP_UNIT_TYPE_H
#define ITP_UNIT_TYPE_H

#include "common/unit/unit.h"

/* Limit of usual latencies: number of deviations above the mean, as in the paper, or of median
 * deviations above the median. */
#define ITP_UNIT_DEVIATIONS 4

/* A call path, and the number of a type's units that took it. */
struct itp_unit_path {
	uint32_t node;
	uint64_t units;
};

/* Kinds of contexts that tell a type: no other units of its loop were there; or few were; or others
 * were in some of them, but not in all. */
enum itp_telling {
	ITP_TELLING_ONLY = 0,
	ITP_TELLING_MOSTLY,
	ITP_TELLING_ALTOGETHER,
};

/* Least deviation, as a part of the mean, of types unlike in their latencies: about that of the
 * costliest types of the paper (section 7, Table 4). */
#define ITP_UNIT_LIKE_DEVIATION 0.3

/* Causes of the differences in latency among units of a type, as parts of the variance. */
struct itp_unit_causes {
	/* Covariances with CPU time, with time blocked, and with waits for a CPU; the unknown rest
	 * completes them to 1. One of several may be negative. */
	double cpu_part;
	double blocked_part;
	double runnable_part;
	/* Part of the longest hundredth. */
	double tail_part;
};

/* Call trees of units, as means. A call tree is the set of a unit's call paths (PerfGuard, section
 * 7: |P| and |F|). */
struct itp_unit_trees {
	double paths;
	double functions;
	/* Part of the units' contexts told from all others of the loop by the function and the
	 * depth of the stack alone, in frames. */
	double depth_part;
};

struct itp_unit_type {
	/* First of its groups. */
	guint group;
	/* Loop and wait as in struct itp_unit. */
	uint32_t loop;
	uint32_t wait;
	uint64_t count;
	/* Number of units found by a look (struct itp_unit). */
	uint64_t looked_for;
	/* True for a coroutine's loop. */
	bool is_of_coroutine;
	/* Number of sets of paths, each a call tree: |UC| of the paper. */
	guint sets;
	struct itp_unit_trees trees;
	int64_t total_ns;
	int64_t min_ns;
	int64_t max_ns;
	double mean_ns;
	double deviation_ns;
	/* Within 1.6 % (common/infer/latencies.h), as is the median of the distances to it. */
	int64_t median_ns;
	int64_t p99_ns;
	int64_t median_deviation_ns;
	/* Limits of usual latencies, by the mean and by the median. */
	int64_t mean_limit_ns;
	int64_t median_limit_ns;
	struct itp_time_use use;
	/* Sums over all units. */
	struct itp_talk talk;
	/* Latencies without waits for a CPU. */
	double work_mean_ns;
	double work_deviation_ns;
	struct itp_unit_causes causes;
	/* Loop that began most units, by a signal that ended their waits, and the number of them; 0
	 * without a signal. */
	uint32_t signaller;
	uint64_t signalled;
	/* uint32_t: contexts that tell the type from others of its loop, the outermost on each
	 * path, contexts of most units first; empty for the only type of a loop. Owned by the
	 * types. */
	GArray *telling;
	enum itp_telling telling_is;
	/* struct itp_unit_path, paths of most units first. Owned by the types. */
	GArray *paths;
};

#endif
