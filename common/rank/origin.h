/* SPDX-License-Identifier: MIT */
/*
 * Where more calls begin: what costs more because it is called more often is often far below the
 * function that has the reason.
 */
#ifndef ITP_RANK_ORIGIN_H
#define ITP_RANK_ORIGIN_H

#include "common/rank/side.h"

/* Of a path of `count` frames, root first: the index of the deepest one that is not known to be
 * called more often than in the base, and below which calls grow for certain, and most of the
 * path's cost with them. That is the caller of the first function that is new, or the last one
 * with as many calls in both workloads above the first that has more. −1 where calls do not grow,
 * or nobody knows where. */
int32_t itp_origin_find(const struct itp_rank_state *state, const struct itp_ranked_frame *frames,
			uint32_t count);

#endif
