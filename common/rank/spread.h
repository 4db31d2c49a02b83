/* SPDX-License-Identifier: MIT */
/*
 * By how much runs of a workload are assumed to differ, as the machine makes likely.
 *
 * A workload that waits for CPUs shares them and their caches with others, and lasts longer by that
 * or not. One in which most functions take longer, whatever they do, ran on a slower machine, or on
 * one at a slower moment; memory lay otherwise, or another compiler built it: none of them is to
 * blame. What the culprit of the largest difference calls differs since it does: a collector of
 * garbage, the kernel that clears its pages. So what lies below that culprit tells nothing of the
 * others.
 */
#ifndef ITP_RANK_SPREAD_H
#define ITP_RANK_SPREAD_H

#include "common/rank/side.h"

/* What options.spread is, or such a part where that is ITP_SPREAD_AUTO. Asks all contexts of both
 * workloads, put down to `culprits` (culprit.h): found once, for state.spread, which the verdicts
 * of noise.h go by. */
double itp_spread_assumed(const struct itp_rank_state *state, const uint32_t *culprits);

#endif
