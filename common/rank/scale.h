/* SPDX-License-Identifier: MIT */
/*
 * Two workloads made comparable.
 *
 * Recordings differ in length and load. A workload's runs are added up, and the base is scaled to
 * as much work as the suspect did.
 *
 * A subtree called by another function now is a single difference, and not two, a vanished and a
 * new subtree. Two contexts, one that only the base has been in and one of the suspect alone, are
 * the same if they have the same function of the program's own, and if a caller of either is in
 * both workloads. The costliest are matched first.
 */
#ifndef ITP_RANK_SCALE_H
#define ITP_RANK_SCALE_H

#include "common/rank/ranking.h"

/* Unit of work. */
enum itp_per {
	ITP_PER_RUN = 0,
	ITP_PER_SECOND = 1,
	/* A system call of a certain name. */
	ITP_PER_EVENT = 2,
	/* A call of a certain function. */
	ITP_PER_CALL = 3,
	/* A unit of a loop, or of a certain type (common/unit), counted by common/compare. */
	ITP_PER_UNIT = 4,
};

/* Unknown number of the function's calls. */
#define ITP_WORK_UNKNOWN (-1.0)

/* Work in `profile`, in the unit `per`; `name` is that of the system call or function. 0 without
 * any, or ITP_WORK_UNKNOWN: the workload cannot be compared then. Calls ended by a loss of events
 * count. */
double itp_work_units(const struct itp_profile *profile, const struct itp_function_table *functions,
		      const struct itp_context_tree *tree, enum itp_per per, const char *name);

/* Σ units of the runs. */
double itp_runs_units(const struct itp_runs *runs);

/* Mean length of the runs, from the first to the last event (ns). */
double itp_runs_length_ns(const struct itp_runs *runs);
/* True if each run is that of a command, whose length is the time that somebody waited for it. */
bool itp_runs_are_commands(const struct itp_runs *runs);

/* All runs as a profile, named after the first run and the number of others. Its slow calls have
 * the index of their run in `run`. */
struct itp_profile *itp_runs_merge(const struct itp_runs *runs);

/* Multiplies the sum of squares of latencies by `factor`, as if this part of the calls were
 * left. */
void itp_node_stats_scale_squares(struct itp_node_stats *stats, double factor);

/* Multiplies counts and sums by `factor`; extremes and histograms stay. */
void itp_node_stats_scale(struct itp_node_stats *stats, double factor);

/* Scales all nodes. */
void itp_profile_scale(struct itp_profile *profile, double factor);

struct itp_rank_state;

/* Moves such contexts of the base to their place in the suspect, function by function. Returns by
 * node its old place in the base, ITP_CONTEXT_ROOT for nodes that stayed. Free with g_free().
 * state->apart must be known; the values of the sides need not be. */
uint32_t *itp_moved_find(const struct itp_rank_state *state);

#endif
