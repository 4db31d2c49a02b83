/* SPDX-License-Identifier: MIT */
/*
 * Which of its many paths stands for an entry.
 *
 * Not the one that costs most by itself: where most of an entry's Δ is spread over a hundred paths
 * below one function, a single path elsewhere may cost more than each of them. At every fork it is
 * the branch with most of the entry's Δ.
 */
#ifndef ITP_RANK_BRANCH_H
#define ITP_RANK_BRANCH_H

#include "common/rank/entries.h"

#define ITP_NO_LEAF UINT32_MAX

/* By node: the index in `leaves` of the path that one comes to from it, ITP_NO_LEAF where none goes
 * through it. Entries know what they cost, and `leaves` are as in itp_rank_entries_new(). The
 * caller frees the result with g_free(). */
uint32_t *itp_branches_follow(const struct itp_rank_state *state,
			      const struct itp_rank_entries *entries, const GArray *leaves);

#endif
