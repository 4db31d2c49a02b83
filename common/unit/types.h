/* SPDX-License-Identifier: MIT */
/*
 * Types of units: units with the same calls are of one type (PerfGuard, section 4.2).
 *
 * The types follow from the data (kinds.h): the call paths of units, their ticks, and their CPU
 * time. With a user's cut, they follow from the paths alone (like-sets.h).
 *
 * Units are added up as they come (groups.h); types are made of the groups on request.
 */
#ifndef ITP_UNIT_TYPES_H
#define ITP_UNIT_TYPES_H

#include <float.h>

#include "common/base/context-tree.h"
#include "common/infer/latencies.h"
#include "common/infer/slowest.h"
#include "common/unit/path-sets.h"
#include "common/unit/unit.h"

/* Cuts between types: from 0 to 1, the least distance of sets of call paths (like-sets.h); or one
 * of these two. ITP_UNIT_CUT: types by all facts about units (kinds.h). ITP_UNIT_CUT_CALLS: the
 * same, with types of the same usual calls merged, as a guard sees no more. */
#define ITP_UNIT_CUT (-DBL_MAX)
#define ITP_UNIT_CUT_CALLS (-DBL_MAX / 2)

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

struct itp_unit_types;

/* All arguments are weak. */
struct itp_unit_types *itp_unit_types_new(const struct itp_context_tree *tree,
					  const struct itp_function_table *functions,
					  const struct itp_path_sets *paths);
void itp_unit_types_free(struct itp_unit_types *types);

/* Returns the unit's group: units of a group are of one type, for any cut. */
guint itp_unit_types_add(struct itp_unit_types *types, const struct itp_unit *unit);

/* Contexts of units. Weak. */
const struct itp_context_tree *itp_unit_types_tree(const struct itp_unit_types *types);

/* Types of all units until now: a GArray of struct itp_unit_type, the type with most time first.
 * Weak, valid until the next call. */
const GArray *itp_unit_types_find(struct itp_unit_types *types, double cut);

/* Time taken by the last search for types, different from run to run. */
int64_t itp_unit_types_took_ns(const struct itp_unit_types *types);

/* Adds the latencies and the slowest units of the type at `place` to those of `node`. */
void itp_unit_types_add_units(const struct itp_unit_types *types, guint place,
			      struct itp_latencies *latencies, struct itp_slowest *slowest,
			      uint32_t node);

/* Number of groups; their numbers are below it. */
guint itp_unit_types_groups(const struct itp_unit_types *types);

/* Place of a group's type in the last result of itp_unit_types_find(). */
guint itp_unit_types_of_group(const struct itp_unit_types *types, guint group);

#endif
