/* SPDX-License-Identifier: MIT */
/*
 * Waits for work (unwanted.c, idle.c), summed up by process, function and system call.
 */
#include "common/rank/idle.h"

#include "common/base/order.h"
#include "common/known/starts.h"

/* True below the first function of all threads of the kernel. */
static bool is_kernel_thread(const struct itp_rank_state *state, uint32_t node)
{
	for (; itp_rank_is_frame(state, node); node = itp_rank_parent(state, node)) {
		const struct itp_function *function = itp_rank_function(state, node);

		if (function->layer == ITP_LAYER_KERNEL && itp_start_is_of_kernel(function->name)) {
			return true;
		}
	}
	return false;
}

static void add_wait(const struct itp_rank_state *state, GArray *waits, uint32_t node,
		     int64_t suspect_ns, int64_t base_ns)
{
	uint32_t waiter = itp_idle_waiter(state, node);
	struct itp_idle_wait wait = { .suspect_ns = suspect_ns, .base_ns = base_ns };

	if (!is_kernel_thread(state, node)) {
		wait.process = itp_rank_program(state, node);
		wait.function = itp_rank_is_frame(state, waiter) ?
					itp_rank_function_id(state, waiter) :
					ITP_FUNCTION_UNKNOWN;
		wait.syscall = itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL ?
				       itp_rank_function_id(state, node) :
				       ITP_FUNCTION_UNKNOWN;
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
	gint order = ITP_ORDER(MAX(right->suspect_ns, right->base_ns),
			       MAX(left->suspect_ns, left->base_ns));

	order = order ?: itp_function_compare(functions, left->process, right->process);
	order = order ?: itp_function_compare(functions, left->function, right->function);
	return order ?: itp_function_compare(functions, left->syscall, right->syscall);
}

/* Adds time (ns) that was taken out of the profiles. */
static void add_unwanted(const struct itp_rank_state *state, GArray *waits, uint32_t node)
{
	const int64_t suspect_ns = state->unwanted_ns[0][node];
	const int64_t base_ns = state->unwanted_ns[1] ? state->unwanted_ns[1][node] : 0;

	if (suspect_ns > 0 || base_ns > 0) {
		add_wait(state, waits, node, suspect_ns,
			 (int64_t)((double)base_ns * state->base_factor + 0.5));
	}
}

GArray *itp_idle_waits(const struct itp_rank_state *state)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(struct itp_idle_wait));

	for (uint32_t node = 1; state->unwanted_ns[0] && node < state->node_count; node++) {
		add_unwanted(state, waits, node);
	}
	g_array_sort_with_data(waits, compare_waits, (gpointer)state->functions);
	return waits;
}
