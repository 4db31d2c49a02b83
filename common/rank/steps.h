/* SPDX-License-Identifier: MIT */
/*
 * Steps of a ranking that need only the state shared by all (side.h), and are taken by rank.c
 * alone. Each is explained in its own file.
 */
#ifndef ITP_RANK_STEPS_H
#define ITP_RANK_STEPS_H

#include "common/rank/entry.h"

/* ---- doubts.c ---- */

/* Bits of enum itp_doubt. */
uint32_t itp_doubts_find(const struct itp_rank_state *state);

/* Place in ranking->idle of the wait by which commands took longer, or less long, where this is in
 * no row: 43 ms before, 4.4 s now, of which 4.3 s count as waiting for work. ITP_NO_WAIT for none,
 * and where somebody said what both did (`per`). There must be a base. */
guint itp_doubts_find_wait(const struct itp_rank_state *state, const struct itp_ranking *ranking);

/* ---- amount.c ---- */

/* Ratio of the suspect's work to the base's by all appearance; 1 if it is about the same, or if the
 * functions do not agree about it. There must be a base. */
double itp_amount_ratio(const struct itp_rank_state *state);

/* True if the program's own code shows that both did the same work: each place with at least 20
 * system calls, one of them its own, makes about as many in both. There must be a base. */
bool itp_amount_is_equal(const struct itp_rank_state *state);

/* Function to count the work by: of the program's own, with known calls in both workloads, in the
 * ratio `ratio`, or in any that is not about 1 if that is 1, and with most of the suspect's time
 * below it: handle_request() called 3000 and 1000 times. If there is none, a system call in the
 * ratio, unless that is 1. ITP_FUNCTION_UNKNOWN: there is none either. */
uint32_t itp_amount_function(const struct itp_rank_state *state, double ratio);

/* ---- contention.c ---- */

/* Takes waiting for a CPU out of the waits for work in `profile`, which may be NULL: work has come.
 * The time goes to the function that goes on with the work. state->apart must be known. */
void itp_contention_return(const struct itp_rank_state *state, struct itp_profile *profile);

/* True if waiting for a CPU is the cause, so that entries are ranked with it. The sides of `state`
 * must be known. */
bool itp_contention_is_cause(const struct itp_rank_state *state);

/* Spreads the time that a process lost in system calls of `profile`, which may be NULL, over all
 * its computing, with the takers of the CPU. state->apart must be known. */
void itp_contention_spread(const struct itp_rank_state *state, struct itp_profile *profile);

/* Takers of the CPU, in all contexts of the suspect that are not idle, longest first. Free with
 * g_array_unref(). */
GArray *itp_contention_takers(const struct itp_rank_state *state);

/* Time for which all threads waited for a CPU in such contexts (ns). `profile` may be NULL. */
int64_t itp_contention_waited_ns(const struct itp_rank_state *state,
				 const struct itp_profile *profile);

/* ---- culprit.c ---- */

/* Culprit at or above a node, by node; ITP_CONTEXT_ROOT without any. Free with g_free(). */
uint32_t *itp_culprits_find(const struct itp_rank_state *state);

/* Sets ranking->trunk: the deepest function with a name, of a program or a library, with nine
 * tenths of the difference below it, but not of the base's time. Cleared without any, as in a run
 * that costs no more than its base. Σ own latencies of the ranking are known. */
void itp_trunk_find(const struct itp_rank_state *state, struct itp_ranking *ranking);

/* ---- spread.c ---- */

/* Spread by options.spread, or found in all contexts of both workloads for ITP_SPREAD_AUTO, with
 * their time put down to `culprits` (as above). To be asked once, for state.spread, which the
 * verdicts of verdict.c go by. */
double itp_spread_assumed(const struct itp_rank_state *state, const uint32_t *culprits);

/* ---- started.c ---- */

/* Adds entries to those that started their programs, and leaves them empty. The entries are not
 * sorted and not judged yet. */
void itp_started_fold(const struct itp_rank_state *state, struct itp_rank_entries *entries);

/* ---- effects.c ---- */

/* Sets `cause` of effects and `is_waited_for` of their causes, which are likely at least. `entries`
 * are in their order, `leaves` are the ends of their paths. A cause comes in the place of its first
 * effect, and effects behind all entries told by themselves. */
void itp_effects_find(const struct itp_rank_state *state, const GArray *leaves, GArray *entries);

/* ---- flat.c ---- */

/* Rows (GArray of struct itp_ranked_row), ranked by the metric, and judged if there is a base. Free
 * with g_array_unref(). */
GArray *itp_flat_rows(const struct itp_rank_state *state);

/* ---- order.c ---- */

/* Fills ranking->paths, and the numbers of entries and paths, with entries of `culprits` (as
 * above). `moved_from` as of itp_moved_find(), or NULL. */
void itp_paths_rank(struct itp_ranking *ranking, struct itp_rank_state *state,
		    const uint32_t *culprits, const uint32_t *moved_from);

/* Cuts the sorted ranking->rows to the options.top first, and drops small rows. */
void itp_rows_cut(struct itp_ranking *ranking);

#endif
