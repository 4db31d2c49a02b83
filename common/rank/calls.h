/* SPDX-License-Identifier: MIT */
/*
 * What can be said of how often something was called, and of a difference in that.
 *
 * A count is known between two limits (struct itp_call_bounds). That one workload called more often
 * than the other is claimed only where their limits leave no doubt, and then by as little as they
 * allow. Otherwise a difference in time is not split at all.
 */
#ifndef ITP_RANK_CALLS_H
#define ITP_RANK_CALLS_H

#include "common/rank/side.h"

/* What a recording lets know of the calls of a function, wherever they came from. */
enum itp_telling {
	/* Any may go unseen. */
	ITP_TELLING_NOTHING = 0,
	/* Each shows, if the stacks are not broken. */
	ITP_TELLING_SHOWN = 1,
	/* Each is counted. */
	ITP_TELLING_COUNTED = 2,
};

/* By function: enum itp_telling. Free with g_free(). */
uint8_t *itp_calls_telling(const struct itp_profile *profile,
			   const struct itp_function_table *functions,
			   const struct itp_context_tree *tree);

/* Calls that `stats` of `profile` stands for; `telling` of its function. Where time was found, but
 * no call that others told of, there was none. */
struct itp_call_bounds itp_calls_of(const struct itp_profile *profile,
				    const struct itp_node_stats *stats, uint8_t telling);

/* Calls of `node` in one workload, none if there is no such workload. */
struct itp_call_bounds itp_side_calls(const struct itp_rank_state *state,
				      const struct itp_side *side, uint32_t node);

/* Splits Δ = n₁m₁ − n₀m₀ into (n₁ − n₀)·m₀ and n₁·(m₁ − m₀), as far as n₁ and n₀ are known, and
 * adds the parts to `delta`. */
void itp_calls_split(struct itp_delta *delta, int64_t suspect_ns, int64_t base_ns,
		     struct itp_call_bounds suspect, struct itp_call_bounds base);

/* By how much both differ for certain: `ret_suspect` and `ret_base` calls, the ends of the bounds
 * that are closest. False when it is not known which of the two is more. */
bool itp_calls_compare(struct itp_call_bounds suspect, struct itp_call_bounds base,
		       uint64_t *ret_suspect, uint64_t *ret_base);

/* How many more than those that were seen are possible, as results hold it. */
static inline uint64_t itp_calls_unseen(struct itp_call_bounds bounds)
{
	return bounds.possible == ITP_CALLS_UNKNOWN ? ITP_CALLS_UNKNOWN :
						      bounds.possible - bounds.seen;
}

static inline struct itp_call_bounds itp_calls_bounds(uint64_t seen, uint64_t unseen)
{
	return (struct itp_call_bounds){ .seen = seen,
					 .possible = unseen == ITP_CALLS_UNKNOWN ?
							     ITP_CALLS_UNKNOWN :
							     seen + unseen };
}

#endif
