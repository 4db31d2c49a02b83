/* SPDX-License-Identifier: MIT */
/*
 * Subtrees that another function calls now: one difference, not one that vanished and one that is
 * new.
 *
 * Of the contexts that only the base has been in, and those that only the suspect has, two with the
 * same function of the program's own are the same when below one of them begins all that is gone
 * or all that is new. Those that cost most are matched first.
 */
#ifndef ITP_RANK_MOVED_H
#define ITP_RANK_MOVED_H

#include "common/rank/side.h"

/* Moves what `base` has in such contexts to where `suspect` has them, function by function. Returns
 * by node where it was in the base, ITP_CONTEXT_ROOT for what has not moved. Free with g_free().
 * state->is_idle must be known; the sides need not be. */
uint32_t *itp_moved_find(const struct itp_rank_state *state, const struct itp_profile *suspect,
			 struct itp_profile *base);

#endif
