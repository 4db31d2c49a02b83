/* SPDX-License-Identifier: MIT */
/*
 * Steps of a ranking that need no more than what all of them share (side.h), and are taken by
 * ranking.c alone. What each is for is told where it is made.
 */
#ifndef ITP_RANK_STEPS_H
#define ITP_RANK_STEPS_H

#include "common/rank/entries.h"

/* ---- doubts.c ---- */

/* Bits of enum itp_doubt. `suspect` and `base` are the runs as they came, `base` may be NULL. */
uint32_t itp_doubts_find(const struct itp_rank_state *state, const struct itp_runs *suspect,
			 const struct itp_runs *base);

/* How many times as much as the base the suspect seems to have done; 1 when that is about the same,
 * or the functions do not agree about it. There must be a base. */
double itp_amount_ratio(const struct itp_rank_state *state);

/* ---- contention.c ---- */

/* Takes waiting for a CPU out of the waits for work in `profile`, which may be NULL: work has come.
 * It becomes that of the function that goes on with it. state->is_idle must be known. */
void itp_contention_return(const struct itp_rank_state *state, struct itp_profile *profile);

/* Whether entries are to be ranked with it. The sides of `state` must be known. */
bool itp_contention_is_cause(const struct itp_rank_state *state);

/* Where it is the cause: what a process lost in system calls in `profile`, which may be NULL,
 * becomes that of all that it computes, with those who had the CPU. state->is_idle and state->apart
 * must be known. */
void itp_contention_spread(const struct itp_rank_state *state, struct itp_profile *profile);

/* Who had the CPU, in all contexts of the suspect that are not idle, longest first. Free with
 * g_array_unref(). */
GArray *itp_contention_takers(const struct itp_rank_state *state);

/* How long all threads waited for a CPU in such contexts (ns). `profile` may be NULL. */
int64_t itp_contention_waited_ns(const struct itp_rank_state *state,
				 const struct itp_profile *profile);

/* ---- culprit.c ---- */

/* By node: the culprit at or above it, ITP_CONTEXT_ROOT when there is none. Free with g_free(). */
uint32_t *itp_culprits_find(const struct itp_rank_state *state);

/* Sets ranking->trunk: the deepest function with a name, of a program or a library, that has nine
 * tenths of the difference below it, but not of the base's time. Cleared when there is none, as in
 * a run that costs no more than its base. Σ own latencies of the ranking are known. */
void itp_trunk_find(const struct itp_rank_state *state, struct itp_ranking *ranking);

/* ---- spread.c ---- */

/* What options.spread is, or such a part where that is ITP_SPREAD_AUTO. Asks all contexts of both
 * workloads, put down to `culprits` (as above): found once, for state.spread, which the verdicts
 * of verdict.h go by. */
double itp_spread_assumed(const struct itp_rank_state *state, const uint32_t *culprits);

/* ---- started.c ---- */

/* The entries are not sorted and not judged yet; what is taken leaves an empty one. Times of the
 * base count `base_factor` times, as the state's do already. */
void itp_started_fold(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		      double base_factor);

/* ---- effects.c ---- */

/* `entries` are in their order, `leaves` those of their paths. Sets `cause` of those that are
 * effects and `is_waited_for` of their causes, which are likely where an effect is, and moves each
 * right behind its cause.
 */
void itp_effects_find(const struct itp_rank_state *state, const GArray *leaves, GArray *entries);

/* ---- flat.c ---- */

/* GArray of struct itp_ranked_row, ranked by what the metric says, and judged where there is a base
 * (may be NULL). `suspect` and `base` are the runs whose sums the sides of `state` are. Free with
 * g_array_unref(). */
GArray *itp_flat_rows(const struct itp_rank_state *state, const struct itp_runs *suspect,
		      const struct itp_runs *base);

#endif
