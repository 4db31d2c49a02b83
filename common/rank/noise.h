/* SPDX-License-Identifier: MIT */
/*
 * Whether a difference may be chance.
 *
 * The score of an entry is its Δ divided by what that would deviate by chance, for which three
 * things are added up as variances:
 *   - within a run: the calls of the culprit last as they do (as many times the variance of one),
 *     one more or less may have been made, and how often they are blocked, and how long, is up to
 *     others (a compound Poisson process, whose variance is the sum of the squares);
 *   - between runs: the variance of the runs of each workload, where there are several;
 *   - of the two workloads as such (another moment, another load): what the entries that differ
 *     least differ by, the lower quartile of their relative differences, taken for that of a normal
 *     distribution, within limits (LEAST and MOST in noise.c).
 * An entry whose score is below 3, or whose Δ is below 1 % of the whole, is noise.
 */
#ifndef ITP_RANK_NOISE_H
#define ITP_RANK_NOISE_H

#include "common/rank/entries.h"

/* Judges all entries; does nothing without a base and where paths are not folded. `suspect` and
 * `base` are the runs whose sums the sides of `state` are. */
void itp_noise_judge(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		     const struct itp_runs *suspect, const struct itp_runs *base);

#endif
