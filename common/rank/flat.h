/* SPDX-License-Identifier: MIT */
/*
 * Functions, or modules, in all their contexts, instead of paths.
 */
#ifndef ITP_RANK_FLAT_H
#define ITP_RANK_FLAT_H

#include "common/rank/side.h"

/* GArray of struct itp_ranked_row, ranked by what the metric says. Free with g_array_unref(). */
GArray *itp_flat_rows(const struct itp_rank_state *state);

#endif
