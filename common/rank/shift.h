/* SPDX-License-Identifier: MIT */
/*
 * What most functions of a comparison differ by, whatever they do: a machine that ran faster or
 * slower, memory that lay better, a build of another compiler. None of them is to blame for that.
 *
 * What the culprit of the largest difference calls differs since it does: a collector of garbage,
 * the kernel that clears its pages. So what lies below that culprit tells nothing here.
 */
#ifndef ITP_RANK_SHIFT_H
#define ITP_RANK_SHIFT_H

#include "common/rank/side.h"

/* By which part two runs seem to differ: the standard deviation of a run that explains what the
 * median function's CPU time differs by, beside what the number of its ticks does. 0 when that
 * explains it all, or when there are no ticks; what is usual when too few functions have enough.
 * `culprits` is itp_culprits_find()'s. */
double itp_shift_of(const struct itp_rank_state *state, const uint32_t *culprits);

#endif
