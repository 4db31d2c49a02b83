/* SPDX-License-Identifier: MIT */
/*
 * Own latencies of contexts, summed over all below, and the callees of each in the order of their
 * sums, or of their differences. Waits for work are left out, and so are contexts without any time.
 */
#ifndef ITP_RENDER_CONTEXT_SUMS_H
#define ITP_RENDER_CONTEXT_SUMS_H

#include "common/rank/ranking.h"

/* Own latency of a context with all below it, in nanoseconds. */
struct itp_context_sum {
	int64_t suspect_ns;
	int64_t base_ns;
};

struct itp_context_sums {
	/* Weak. */
	const struct itp_ranking *ranking;
	/* All owned by this. By node: */
	struct itp_context_sum *sums;
	/* Rank of the path whose culprit it is, 0 for none. */
	uint32_t *ranks;
	/* Begins of the callees in the list below; a node's end at the next node's begin. */
	uint32_t *begins;
	uint32_t *callees;
};

/* `ranking` must outlive it. */
void itp_context_sums_init(struct itp_context_sums *sums, const struct itp_ranking *ranking);
void itp_context_sums_release(struct itp_context_sums *sums);

/* Sums of a context by itself. */
struct itp_context_sum itp_context_sums_own(const struct itp_context_sums *sums, uint32_t node);

/* Order of contexts: growth over the base. */
static inline int64_t itp_context_sum_change(const struct itp_context_sum *sum)
{
	return sum->suspect_ns - sum->base_ns;
}

/* The callees of a context, the largest first, and how many. */
const uint32_t *itp_context_sums_callees(const struct itp_context_sums *sums, uint32_t node,
					 uint32_t *ret_count);

#endif
