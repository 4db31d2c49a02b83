/* SPDX-License-Identifier: MIT */
/*
 * Paths that a person takes for one: those that are the same down to their culprit, and all
 * those that have the same culprit in one context or another.
 */
#ifndef ITP_RENDER_VARIANTS_H
#define ITP_RENDER_VARIANTS_H

#include "common/rank/ranking.h"

/* GArray of uint32_t, indices of paths, in a GPtrArray: the paths that go through the context of
 * one culprit, most expensive first, in the order of the first of each. A path without a culprit
 * is alone. Free with g_ptr_array_unref(). */
GPtrArray *itp_variants_new(const struct itp_ranking *ranking);

/* What the culprit of the first path costs in all contexts of the ranked paths, in latency that
 * includes its callees: against the base, or altogether without one. 0 without a culprit. */
int64_t itp_first_culprit_ns(const struct itp_ranking *ranking);

#endif
