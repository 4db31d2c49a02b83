/* SPDX-License-Identifier: MIT */
/*
 * See apart.h: doings and losses of the recorder.
 */
#include "common/rank/apart.h"

#include <string.h>

#include "common/known/recorders.h"
#include "common/known/starts.h"

static bool is_named(const struct itp_function *function, const char *name)
{
	return function->layer == ITP_LAYER_KERNEL && strcmp(function->name, name) == 0;
}

bool itp_apart_is_machine(const struct itp_rank_state *state)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_function *function = itp_rank_function(state, node);

		if (function->layer == ITP_LAYER_KERNEL && itp_start_is_kthread(function->name)) {
			return true;
		}
	}
	return false;
}

static enum itp_apart_kind kind_of(const struct itp_function *function, bool is_machine)
{
	if (is_named(function, ITP_RECORDER_NAME) ||
	    (is_machine && function->layer == ITP_LAYER_PROCESS &&
	     itp_process_is_recorder(function->name))) {
		return ITP_APART_RECORDER;
	}
	return is_named(function, ITP_LOST_NAME) ? ITP_APART_LOST : ITP_APART_NONE;
}

uint8_t *itp_apart_find(const struct itp_rank_state *state)
{
	uint8_t *kinds = g_new0(uint8_t, state->node_count);
	bool is_machine = itp_apart_is_machine(state);

	for (uint32_t node = 1; node < state->node_count; node++) {
		kinds[node] = kinds[itp_rank_parent(state, node)];
		if (kinds[node] == ITP_APART_NONE) {
			kinds[node] = (uint8_t)kind_of(itp_rank_function(state, node), is_machine);
		}
	}
	return kinds;
}

void itp_apart_excuse_recorders(const struct itp_rank_state *state, struct itp_profile *profile)
{
	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		g_autoptr(GArray) takers =
			itp_wakers_take(profile->wakers, node, ITP_WAKER_HAD_CPU);

		for (guint i = 0; i < takers->len; i++) {
			const struct itp_waker *taker = &g_array_index(takers, struct itp_waker, i);

			if (!itp_process_is_recorder(
				    itp_function_table_get(state->functions, taker->process)
					    ->name)) {
				itp_wakers_add(profile->wakers, taker);
			}
		}
	}
}

struct itp_apart itp_apart_sum(const struct itp_rank_state *state,
			       const struct itp_profile *profile)
{
	struct itp_apart apart = { 0 };

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);

		apart.cpu_ns += stats->own_use.cpu_ns;
		if (state->apart[node] == ITP_APART_RECORDER) {
			apart.recorder_ns += stats->own_use.cpu_ns;
		} else if (state->apart[node] == ITP_APART_LOST) {
			apart.lost_ns += stats->own_ns;
		}
	}
	return apart;
}
