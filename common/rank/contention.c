/* SPDX-License-Identifier: MIT */
/*
 * See contention.h.
 */
#include "common/rank/contention.h"

#include "common/rank/apart.h"

/* Of what the base's programs lost, and of what they had taken in the base. */
#define PART_LOST 0.5
#define PART_LEAST 0.2
/* What any run loses now and then to something that comes along. */
#define CHANCE_NS 100e6

/* By node: it belongs to a thread's waiting for work, not to the kernel's own threads. */
static bool *find_waits(const struct itp_rank_state *state)
{
	bool *is_wait = g_new0(bool, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		is_wait[node] = state->is_idle[node] && state->apart[node] == ITP_APART_NONE &&
				(is_wait[itp_rank_parent(state, node)] ||
				 itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL);
	}
	return is_wait;
}

static void return_takers(struct itp_wakers *wakers, uint32_t from, uint32_t to)
{
	g_autoptr(GArray) takers = itp_wakers_take(wakers, from, ITP_WAKER_HAD_CPU);

	for (guint i = 0; i < takers->len; i++) {
		struct itp_waker taker = g_array_index(takers, struct itp_waker, i);

		taker.node = to;
		itp_wakers_add(wakers, &taker);
	}
}

void itp_contention_return(const struct itp_rank_state *state, struct itp_profile *profile)
{
	g_autofree bool *is_wait = profile ? find_waits(state) : NULL;

	for (uint32_t node = state->node_count; profile && node-- > 1;) {
		struct itp_node_stats *stats;
		uint32_t parent = itp_rank_parent(state, node);
		int64_t waited_ns = itp_profile_peek(profile, node)->own_use.runnable_ns;

		if (!is_wait[node] || waited_ns <= 0) {
			continue;
		}
		stats = itp_profile_node(profile, parent);
		stats->own_ns += waited_ns;
		stats->own_use.runnable_ns += waited_ns;
		stats = itp_profile_node(profile, node);
		stats->own_ns -= waited_ns;
		stats->own_use.runnable_ns = 0;
		return_takers(profile->wakers, node, parent);
	}
}

/* By function: it is the root of a process that the base ran. */
static bool *find_known(const struct itp_rank_state *state)
{
	bool *is_known = g_new0(bool, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_context *context = itp_context_tree_get(state->tree, node);

		is_known[context->function] |= context->depth == 1 && state->base.is_present[node];
	}
	return is_known;
}

/* How long who waited in `node` had to, since others had the CPU. */
static int64_t taken_ns(const struct itp_profile *profile, uint32_t node, const bool *is_known)
{
	int64_t sum_ns = 0;
	guint count;
	const struct itp_waker *takers = itp_wakers_of_node(profile->wakers, node, &count);

	for (guint i = 0; i < count; i++) {
		if (takers[i].role == ITP_WAKER_HAD_CPU &&
		    takers[i].process != ITP_FUNCTION_UNKNOWN && !is_known[takers[i].process]) {
			sum_ns += takers[i].blocked_ns;
		}
	}
	return sum_ns;
}

bool itp_contention_is_cause(const struct itp_rank_state *state)
{
	g_autofree bool *is_known = state->base.profile ? find_known(state) : NULL;
	int64_t base_ns = 0;
	int64_t lost_ns = 0;
	int64_t waited_ns = 0;

	for (uint32_t node = 1; is_known && node < state->node_count; node++) {
		if (!itp_rank_is_frame(state, node) || state->is_idle[node] ||
		    !state->base.is_present[itp_rank_process(state, node)]) {
			continue;
		}
		base_ns += itp_profile_peek(state->base.profile, node)->own_ns;
		lost_ns += itp_profile_peek(state->suspect.profile, node)->own_ns -
			   itp_profile_peek(state->base.profile, node)->own_ns;
		waited_ns += taken_ns(state->suspect.profile, node, is_known) -
			     taken_ns(state->base.profile, node, is_known);
	}
	return (double)waited_ns >= CHANCE_NS && (double)waited_ns >= PART_LOST * (double)lost_ns &&
	       (double)waited_ns >= PART_LEAST * (double)base_ns;
}
