/* SPDX-License-Identifier: MIT */
/*
 * Two workloads made comparable.
 *
 * Recordings differ in length and load. A workload's runs are added up, and the base is scaled to
 * as much work as the suspect did.
 *
 * A subtree that another function calls now is one difference, not one that vanished and one that
 * is new. Of the contexts that only the base has been in, and those that only the suspect has, two
 * with the same function of the program's own are the same when below one of them begins all that
 * is gone or all that is new. Those that cost most are matched first.
 */
#ifndef ITP_RANK_SCALE_H
#define ITP_RANK_SCALE_H

#include "common/rank/ranking.h"

/* What a unit of work is. */
enum itp_per {
	ITP_PER_RUN = 0,
	ITP_PER_SECOND = 1,
	/* A system call of a certain name. */
	ITP_PER_EVENT = 2,
	/* A call of a certain function. */
	ITP_PER_CALL = 3,
	/* A unit of a loop, or of a certain type (common/unit): that is not counted here. */
	ITP_PER_UNIT = 4,
};

/* It is not known how often the function was called. */
#define ITP_WORK_UNKNOWN (-1.0)

/* How much work `profile` holds, per the unit; `name` is that of the system call or function.
 * 0 when there is none, or ITP_WORK_UNKNOWN: then the workload cannot be compared. Calls that loss
 * ended count. */
double itp_work_units(const struct itp_profile *profile, const struct itp_function_table *functions,
		      const struct itp_context_tree *tree, enum itp_per per, const char *name);

/* Σ units of the runs. */
double itp_runs_units(const struct itp_runs *runs);

/* All runs as one profile, named after the first of them and how many more there are. Its slow
 * calls tell by `run` which of them they are of. */
struct itp_profile *itp_runs_merge(const struct itp_runs *runs);

/* Multiplies the sum of the squares of latencies by `factor`, as if so many calls were left. */
void itp_node_stats_scale_squares(struct itp_node_stats *stats, double factor);

/* Multiplies counts and sums by `factor`; extremes and histograms stay. */
void itp_node_stats_scale(struct itp_node_stats *stats, double factor);

/* Likewise those of all nodes. */
void itp_profile_scale(struct itp_profile *profile, double factor);

struct itp_rank_state;

/* Moves what `base` has in such contexts to where `suspect` has them, function by function. Returns
 * by node where it was in the base, ITP_CONTEXT_ROOT for what has not moved. Free with g_free().
 * state->is_idle must be known; the sides need not be. */
uint32_t *itp_moved_find(const struct itp_rank_state *state, const struct itp_profile *suspect,
			 struct itp_profile *base);

#endif
