/* SPDX-License-Identifier: MIT */
/*
 * Verdicts: each difference is sure, likely or chance, and what there is to doubt about it is told.
 *
 *   sure     ITP_CHANCE_OF_SURE of what is called so is chance, if the model is right
 *   likely   ITP_CHANCE_OF_LIKELY of it is
 *   chance   two runs of the same may well differ by it, or it is less than 1 % of the whole
 *
 * How far off a difference may be is error-model.h's, by what evidence.h knows of it. Many are
 * looked at, so the false discovery rate is held among those that are large enough in one of the
 * workloads. A difference of which half or more is on paths that only one workload has ever taken
 * is sure, however few its waits are (never-taken.h).
 *
 * That the two workloads did not do the same amount of work is stated, and is in no variance.
 */
#ifndef ITP_RANK_VERDICT_H
#define ITP_RANK_VERDICT_H

#include "common/rank/entries.h"
#include "common/rank/evidence.h"

/* Judges all entries of paths that are folded. `suspect` and `base` are the runs whose sums the
 * sides of `state` are. */
void itp_verdict_judge(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		       const struct itp_runs *suspect, const struct itp_runs *base);

/* Judges the own latency of all threads together, and tells how small a difference in it these runs
 * could have shown: `whole`, `visible` and `visible_with_more` of *ret_ranking. */
void itp_verdict_judge_whole(const struct itp_rank_state *state, struct itp_ranking *ret_ranking,
			     const struct itp_runs *suspect, const struct itp_runs *base);

/* Judges the total latencies of `rows` (struct itp_ranked_row), of which the groups of `members`
 * are the indices: all that lies at or below a call of the function or module. */
void itp_verdict_judge_rows(const struct itp_rank_state *state, GArray *rows, const GArray *members,
			    const struct itp_runs *suspect, const struct itp_runs *base);

#endif
