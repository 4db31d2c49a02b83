/* SPDX-License-Identifier: MIT */
/*
 * Types of units: units that call the same are of one type (PerfGuard, section 4.2).
 *
 * The data tell which types there are (kinds.h): the call paths of units, what ticks show of them,
 * and their CPU time. By a user's cut, the paths alone do (like-sets.h).
 *
 * Units are added up as they come (groups.h); types are made of that when somebody asks.
 */
#ifndef ITP_UNIT_TYPES_H
#define ITP_UNIT_TYPES_H

#include <float.h>

#include "common/base/context-tree.h"
#include "common/infer/latencies.h"
#include "common/infer/slowest.h"
#include "common/unit/path-sets.h"
#include "common/unit/unit.h"

/* Cuts between types: from 0 to 1, how unlike sets of call paths must be at least (like-sets.h); or
 * one of these. The data tell which types there are (kinds.h): by all that is known of units; or
 * likewise, where those are one whose units usually make the same calls, as a guard sees no more.
 */
#define ITP_UNIT_CUT (-DBL_MAX)
#define ITP_UNIT_CUT_CALLS (-DBL_MAX / 2)

/* A limit of what is usual: so many deviations above the mean, as the paper has it, or so many
 * median deviations above the median. */
#define ITP_UNIT_DEVIATIONS 4

/* A call path, and how many units of a type have taken it. */
struct itp_unit_path {
	uint32_t node;
	uint64_t units;
};

/* What contexts that tell a type are: in these no others of its loop were; or few were; or others
 * were in some of them, but not in the same ones. */
enum itp_telling {
	ITP_TELLING_ONLY = 0,
	ITP_TELLING_MOSTLY,
	ITP_TELLING_ALTOGETHER,
};

/* Types whose deviation is more of their mean are not alike in how long they take: for the
 * costliest ones of the paper (section 7, Table 4) it is about as much. */
#define ITP_UNIT_LIKE_DEVIATION 0.3

/* Why units of a type differ in how long they take: parts of the variance of that. */
struct itp_unit_causes {
	/* That goes with their CPU time, with what they were blocked, and with what they waited for
	 * a CPU: covariances, which with what is not known are 1 together; one of several may be
	 * negative. */
	double cpu_part;
	double blocked_part;
	double runnable_part;
	/* Of the longest hundredth. */
	double tail_part;
};

/* A call tree of a unit is the set of its call paths; what these are on average (PerfGuard, section
 * 7: |P| and |F|). */
struct itp_unit_trees {
	double paths;
	double functions;
	/* Of the contexts that units were in, for which part the function and the depth of the
	 * stack alone, in frames, tell which context of the loop it is. */
	double depth_part;
};

struct itp_unit_type {
	/* The first of its groups. */
	guint group;
	/* Of its loop, as in struct itp_unit. */
	uint32_t loop;
	uint32_t wait;
	uint64_t count;
	/* Of these, units that did not begin with a wait (struct itp_unit). */
	uint64_t looked_for;
	/* It is of a coroutine's loop. */
	bool is_of_coroutine;
	/* How many sets of paths they took, each a call tree: |UC| of the paper. */
	guint sets;
	struct itp_unit_trees trees;
	int64_t total_ns;
	int64_t min_ns;
	int64_t max_ns;
	double mean_ns;
	double deviation_ns;
	/* To within 1.6 % (common/infer/latencies.h), as is the median of the distances to it. */
	int64_t median_ns;
	int64_t p99_ns;
	int64_t median_deviation_ns;
	/* Units that take longer are unusual: by the mean, and by the median. */
	int64_t mean_limit_ns;
	int64_t median_limit_ns;
	struct itp_time_use use;
	/* Of all its units. */
	struct itp_talk talk;
	/* How long they took without what they waited for a CPU. */
	double work_mean_ns;
	double work_deviation_ns;
	struct itp_unit_causes causes;
	/* The loop whose units began most of them, by a signal that ended their waits, and how
	 * many; 0 where the waits were ended otherwise. */
	uint32_t signaller;
	uint64_t signalled;
	/* uint32_t: contexts that tell it from the other types of its loop, the outermost on each
	 * path, those in which most of its units were first; empty for the only type of a loop.
	 * Owned by the types. */
	GArray *telling;
	enum itp_telling telling_is;
	/* struct itp_unit_path, those that most of its units took first. Owned by the types. */
	GArray *paths;
};

struct itp_unit_types;

/* All is weak. */
struct itp_unit_types *itp_unit_types_new(const struct itp_context_tree *tree,
					  const struct itp_function_table *functions,
					  const struct itp_path_sets *paths);
void itp_unit_types_free(struct itp_unit_types *types);

/* Returns the unit's group: units of a group are of one type, whatever the cut. */
guint itp_unit_types_add(struct itp_unit_types *types, const struct itp_unit *unit);

/* The contexts of units. Weak. */
const struct itp_context_tree *itp_unit_types_tree(const struct itp_unit_types *types);

/* Those of all units until now: a GArray of struct itp_unit_type, the one that took most time
 * first. Weak, valid until the next call. */
const GArray *itp_unit_types_find(struct itp_unit_types *types, double cut);

/* How long it took to find them: this differs from run to run. */
int64_t itp_unit_types_took_ns(const struct itp_unit_types *types);

/* Adds how long the units of one of these took, and the slowest, to those of `node`. */
void itp_unit_types_add_units(const struct itp_unit_types *types, guint place,
			      struct itp_latencies *latencies, struct itp_slowest *slowest,
			      uint32_t node);

/* How many groups there are, whose numbers are below that. */
guint itp_unit_types_groups(const struct itp_unit_types *types);

/* The place of a group's type among those that were just found. */
guint itp_unit_types_of_group(const struct itp_unit_types *types, guint group);

#endif
