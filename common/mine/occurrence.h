/* SPDX-License-Identifier: MIT */
/*
 * Where patterns occur in stacks that they were not found in: in good traces, or, as signatures, in
 * new ones.
 */
#ifndef ITP_MINE_OCCURRENCE_H
#define ITP_MINE_OCCURRENCE_H

#include "common/mine/patterns.h"

/* Nodes of the forest at and below which stacks have one of `patterns` (const struct itp_pattern
 * *), none below another one, ascending: a GArray of uint32_t. Free with g_array_unref(). */
GArray *itp_occurrence_nodes(const struct itp_forest *forest, const GPtrArray *patterns);

/* What these stacks cost together. */
int64_t itp_occurrence_cost(const struct itp_forest *forest, const GPtrArray *patterns);

#endif
