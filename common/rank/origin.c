/* SPDX-License-Identifier: MIT */
/*
 * See origin.h.
 */
#include "common/rank/origin.h"

#include <math.h>

#include "common/rank/calls.h"

/* Calls are as many where they differ by no more than this part. */
#define SAME_MOST 0.05

enum growth {
	GROWTH_UNKNOWN,
	/* As many in both. */
	GROWTH_NONE,
	GROWTH_MORE,
	GROWTH_NEW,
};

static enum growth growth_of(const struct itp_rank_state *state, uint32_t node)
{
	struct itp_call_bounds suspect = itp_side_calls(state, &state->suspect, node);
	struct itp_call_bounds base = itp_side_calls(state, &state->base, node);
	uint64_t suspect_calls;
	uint64_t base_calls;

	if (!state->base.is_present[node]) {
		return GROWTH_NEW;
	}
	if (!itp_calls_compare(suspect, base, &suspect_calls, &base_calls)) {
		return GROWTH_UNKNOWN;
	}
	if (fabs((double)suspect_calls - (double)base_calls) <= SAME_MOST * (double)base_calls) {
		return GROWTH_NONE;
	}
	return suspect_calls > base_calls ? GROWTH_MORE : GROWTH_UNKNOWN;
}

/* Which way the kernel goes is nobody's reason. */
static enum growth growth_at(const struct itp_rank_state *state,
			     const struct itp_ranked_frame *frame)
{
	return itp_rank_function(state, frame->node)->layer == ITP_LAYER_KERNEL ?
		       GROWTH_UNKNOWN :
		       growth_of(state, frame->node);
}

int32_t itp_origin_find(const struct itp_rank_state *state, const struct itp_ranked_frame *frames,
			uint32_t count)
{
	int64_t whole = 0;
	int64_t above = 0;
	int32_t caller = -1;
	int32_t last_known = -1;

	for (uint32_t i = 0; i < count; i++) {
		whole += frames[i].value - frames[i].base_value;
	}
	for (uint32_t i = 0; i < count; i++) {
		enum growth growth = growth_at(state, &frames[i]);

		if (growth == GROWTH_NEW || growth == GROWTH_MORE) {
			/* Most of the cost lies here and below. */
			return 2 * above < whole ? (growth == GROWTH_NEW ? caller : last_known) :
						   -1;
		}
		above += frames[i].value - frames[i].base_value;
		caller = (int32_t)i;
		if (growth == GROWTH_NONE) {
			last_known = (int32_t)i;
		}
	}
	return -1;
}
