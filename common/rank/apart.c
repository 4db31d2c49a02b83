/* SPDX-License-Identifier: MIT */
/*
 * See apart.h.
 */
#include "common/rank/apart.h"

#include <string.h>

static bool is_named(const struct itp_rank_state *state, uint32_t node, const char *name)
{
	const struct itp_function *function = itp_rank_function(state, node);

	return function->layer == ITP_LAYER_KERNEL && strcmp(function->name, name) == 0;
}

bool itp_apart_is(const struct itp_rank_state *state, uint32_t node)
{
	return is_named(state, node, ITP_RECORDER_NAME) || is_named(state, node, ITP_LOST_NAME);
}

void itp_apart_leave_out(struct itp_rank_state *state)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		state->is_idle[node] |= itp_apart_is(state, node);
	}
}

struct itp_apart itp_apart_sum(const struct itp_rank_state *state,
			       const struct itp_profile *profile)
{
	struct itp_apart apart = { 0 };

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);

		apart.cpu_ns += stats->own_use.cpu_ns;
		if (is_named(state, node, ITP_RECORDER_NAME)) {
			apart.recorder_ns += stats->own_use.cpu_ns;
		} else if (is_named(state, node, ITP_LOST_NAME)) {
			apart.lost_ns += stats->own_ns;
		}
	}
	return apart;
}
