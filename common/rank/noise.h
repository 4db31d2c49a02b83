/* SPDX-License-Identifier: MIT */
/*
 * Verdicts: which differences are more than chance, and what there is to doubt about each.
 *
 *   measurement   how well the two values are known (evidence.h)
 *   runs          what runs of one workload differ by, as a standard deviation and a part of the
 *                 value: a part is assumed (spread.c), which counts as much as SPREAD_RUNS runs
 *                 beside those that there are. With several, half of the entries say what to assume
 *                 of each of them (as by G. K. Smyth, Statistical Applications in Genetics and
 *                 Molecular Biology 3, 2004)
 *   work          the two workloads did not do the same; stated, and in no variance
 *
 * A difference is beyond noise when it exceeds the first two together (chance.h) and 1 % of the
 * whole. Many are looked at, so the false discovery rate is held at FALSE_DISCOVERIES among those
 * that are large enough in one of the workloads.
 */
#ifndef ITP_RANK_NOISE_H
#define ITP_RANK_NOISE_H

#include "common/rank/entries.h"
#include "common/rank/evidence.h"

/* Judges all entries of paths that are folded. `suspect` and `base` are the runs whose sums the
 * sides of `state` are. */
void itp_noise_judge(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		     const struct itp_runs *suspect, const struct itp_runs *base);

/* Judges the own latency of all threads together. */
struct itp_significance itp_noise_judge_whole(const struct itp_rank_state *state,
					      const struct itp_runs *suspect,
					      const struct itp_runs *base);

/* Judges the total latencies of `rows` (struct itp_ranked_row), of which the groups of `members`
 * are the indices: all that lies at or below a call of the function or module. */
void itp_noise_judge_rows(const struct itp_rank_state *state, GArray *rows, const GArray *members,
			  const struct itp_runs *suspect, const struct itp_runs *base);

#endif
