/* SPDX-License-Identifier: MIT */
/*
 * See takers.h.
 */
#include "common/rank/takers.h"

/* Whoever came to take the CPU may wait for it as well: that is nobody's loss. */
static bool is_counted(const struct itp_rank_state *state, uint32_t node)
{
	return !state->is_idle[node] &&
	       (!state->counts_waiting || state->base.is_present[itp_rank_process(state, node)]);
}

GArray *itp_takers_of_all(const struct itp_rank_state *state)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (is_counted(state, node)) {
			g_array_append_val(nodes, node);
		}
	}
	return itp_wakers_of_nodes(state->suspect.profile->wakers, ITP_WAKER_HAD_CPU,
				   (const uint32_t *)nodes->data, nodes->len, state->functions);
}

int64_t itp_takers_waited_ns(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t waited_ns = 0;

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node) && is_counted(state, node)) {
			waited_ns += itp_profile_peek(profile, node)->own_use.runnable_ns;
		}
	}
	return waited_ns;
}
