/* SPDX-License-Identifier: MIT */
/*
 * What was idle by design, to be told beside a result: sums by process, function and system call.
 */
#include "common/rank/apart.h"
#include "common/rank/idle.h"

static uint32_t function_of(const struct itp_rank_state *state, uint32_t node)
{
	return itp_context_tree_get(state->tree, node)->function;
}

static void add_wait(const struct itp_rank_state *state, GArray *waits, uint32_t node)
{
	uint32_t waiter = itp_idle_waiter(state, node);
	struct itp_idle_wait wait = {
		.suspect_ns = itp_profile_peek(state->suspect.profile, node)->total_ns,
		.base_ns = state->base.profile ?
				   itp_profile_peek(state->base.profile, node)->total_ns :
				   0,
	};

	if (itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL) {
		wait.process = function_of(state, itp_rank_process(state, node));
		wait.function = itp_rank_is_frame(state, waiter) ? function_of(state, waiter) :
								   ITP_FUNCTION_UNKNOWN;
		wait.syscall = function_of(state, node);
	}
	for (guint i = 0; i < waits->len; i++) {
		struct itp_idle_wait *other = &g_array_index(waits, struct itp_idle_wait, i);

		if (other->process == wait.process && other->function == wait.function &&
		    other->syscall == wait.syscall) {
			other->suspect_ns += wait.suspect_ns;
			other->base_ns += wait.base_ns;
			return;
		}
	}
	g_array_append_val(waits, wait);
}

static gint compare_waits(gconstpointer a, gconstpointer b, gpointer functions)
{
	const struct itp_idle_wait *left = a;
	const struct itp_idle_wait *right = b;
	int64_t left_ns = MAX(left->suspect_ns, left->base_ns);
	int64_t right_ns = MAX(right->suspect_ns, right->base_ns);

	int order = (left_ns < right_ns) - (left_ns > right_ns);

	if (order == 0) {
		order = itp_function_compare(functions, left->process, right->process);
	}
	if (order == 0) {
		order = itp_function_compare(functions, left->function, right->function);
	}
	return order != 0 ? order : itp_function_compare(functions, left->syscall, right->syscall);
}

GArray *itp_idle_waits(const struct itp_rank_state *state)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(struct itp_idle_wait));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (state->is_idle[node] && !state->is_idle[itp_rank_parent(state, node)] &&
		    state->apart[node] == ITP_APART_NONE) {
			add_wait(state, waits, node);
		}
	}
	g_array_sort_with_data(waits, compare_waits, (gpointer)state->functions);
	return waits;
}
