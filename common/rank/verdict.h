/* SPDX-License-Identifier: MIT */
/*
 * Verdicts: each difference is sure, likely or chance, with the largest doubt about it.
 *
 *   sure     a part ITP_CHANCE_OF_SURE of sure differences is chance, if the model is right
 *   likely   a part ITP_CHANCE_OF_LIKELY of likely differences is
 *   chance   two runs of the same work may well differ by it, or it is less than 1 % of the whole
 *
 * Errors of differences are left to error-model.h, evidence for them to evidence.h. Many
 * differences are looked at, so the false discovery rate is held among all that are large enough in
 * one of the workloads. A difference with half or more on paths that only one workload has ever
 * taken is sure, however few its waits are (never-taken.h).
 *
 * Different amounts of work of the two workloads are stated, and are in no variance.
 */
#ifndef ITP_RANK_VERDICT_H
#define ITP_RANK_VERDICT_H

#include "common/rank/entry.h"
#include "common/rank/evidence-parts.h"

/* Judges all entries of folded paths. */
void itp_verdict_judge(const struct itp_rank_state *state, struct itp_rank_entries *entries);

/* Judges the own latency of all threads together, and finds the smallest difference that these runs
 * could have shown: `whole`, `visible` and `visible_with_more` of *ret_ranking. */
void itp_verdict_judge_whole(const struct itp_rank_state *state, struct itp_ranking *ret_ranking);

/* Judges the total latencies of `rows` (struct itp_ranked_row). Groups in `members` are indices of
 * rows: all that lies at or below a call of the function or module. */
void itp_verdict_judge_rows(const struct itp_rank_state *state, GArray *rows,
			    const GArray *members);

#endif
