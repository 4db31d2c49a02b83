/* SPDX-License-Identifier: MIT */
/*
 * See takers.h.
 */
#include "common/rank/takers.h"

#include <string.h>

static bool has_cpu(const struct itp_function_table *functions, const struct itp_waker *waker)
{
	const struct itp_function *function = itp_function_table_get(functions, waker->function);

	return function->layer == ITP_LAYER_KERNEL && strcmp(function->name, ITP_CPU_NAME) == 0;
}

GArray *itp_takers_split(const struct itp_function_table *functions, GArray *wakers)
{
	GArray *takers = g_array_new(FALSE, FALSE, sizeof(struct itp_waker));
	guint kept = 0;

	for (guint i = 0; i < wakers->len; i++) {
		struct itp_waker waker = g_array_index(wakers, struct itp_waker, i);

		if (has_cpu(functions, &waker)) {
			g_array_append_val(takers, waker);
		} else {
			g_array_index(wakers, struct itp_waker, kept++) = waker;
		}
	}
	g_array_set_size(wakers, kept);
	return takers;
}

GArray *itp_takers_of_all(const struct itp_rank_state *state)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) wakers = g_array_new(FALSE, FALSE, sizeof(struct itp_waker));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (!state->is_idle[node]) {
			g_array_append_val(nodes, node);
		}
	}
	itp_wakers_of_nodes(state->suspect.profile->wakers, (const uint32_t *)nodes->data,
			    nodes->len, state->functions, wakers);
	return itp_takers_split(state->functions, wakers);
}

int64_t itp_takers_waited_ns(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t waited_ns = 0;

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node) && !state->is_idle[node]) {
			waited_ns += itp_profile_peek(profile, node)->own_use.runnable_ns;
		}
	}
	return waited_ns;
}
