/* SPDX-License-Identifier: MIT */
/*
 * Functions, or modules, in all their contexts, instead of paths.
 */
#ifndef ITP_RANK_FLAT_H
#define ITP_RANK_FLAT_H

#include "common/rank/side.h"

/* GArray of struct itp_ranked_row, ranked by what the metric says, and judged where there is a base
 * (may be NULL). `suspect` and `base` are the runs whose sums the sides of `state` are. Free with
 * g_array_unref(). */
GArray *itp_flat_rows(const struct itp_rank_state *state, const struct itp_runs *suspect,
		      const struct itp_runs *base);

#endif
