/* SPDX-License-Identifier: MIT */
/*
 * See preempted.h. What is given to a function is rounded so that what all are given is what was
 * taken.
 */
#include "common/rank/preempted.h"

#include "common/rank/apart.h"

/* Of one process. */
struct loss {
	int64_t cpu_ns;
	int64_t waited_ns;
	/* Of cpu_ns, what has got its share. */
	int64_t served_ns;
};

struct spreading {
	const struct itp_rank_state *state;
	struct itp_profile *profile;
	/* By process root, as the nodes of `takers`: who had the CPU. Owned by this. */
	struct loss *losses;
	struct itp_wakers *takers;
	/* By node: what it has more. Owned by this. */
	int64_t *delta_ns;
};

static bool is_counted(const struct itp_rank_state *state, uint32_t node)
{
	return itp_rank_is_frame(state, node) && !state->is_idle[node] &&
	       state->apart[node] == ITP_APART_NONE;
}

/* A thread that was blocked was not preempted: it gave the CPU away by itself. */
static bool is_preempted(const struct spreading *it, uint32_t node)
{
	const struct itp_time_use *use = &itp_profile_peek(it->profile, node)->own_use;

	return is_counted(it->state, node) && use->runnable_ns > 0 && use->blocked_ns == 0 &&
	       itp_rank_function(it->state, node)->layer != ITP_LAYER_USER;
}

static void take_away(struct spreading *it, uint32_t node)
{
	struct itp_node_stats *stats = itp_profile_node(it->profile, node);
	uint32_t process = itp_rank_process(it->state, node);
	struct loss *loss = &it->losses[process];
	g_autoptr(GArray) takers = itp_wakers_take(it->profile->wakers, node, ITP_WAKER_HAD_CPU);

	loss->waited_ns += stats->own_use.runnable_ns;
	it->delta_ns[node] -= stats->own_use.runnable_ns;
	stats->own_ns -= stats->own_use.runnable_ns;
	stats->own_use.runnable_ns = 0;
	for (guint i = 0; i < takers->len; i++) {
		struct itp_waker taker = g_array_index(takers, struct itp_waker, i);

		taker.node = process;
		itp_wakers_add(it->takers, &taker);
	}
}

/* Of `all`, what falls to the time on the CPU from the one already served to `end_ns`. */
static int64_t share_of(int64_t all, const struct loss *loss, int64_t end_ns)
{
	return (int64_t)((__int128)all * end_ns / loss->cpu_ns -
			 (__int128)all * loss->served_ns / loss->cpu_ns);
}

static void give_takers(struct spreading *it, const struct loss *loss, uint32_t node,
			int64_t end_ns)
{
	uint32_t process = itp_rank_process(it->state, node);
	guint count;
	const struct itp_waker *takers = itp_wakers_of_node(it->takers, process, &count);

	for (guint i = 0; i < count; i++) {
		struct itp_waker taker = takers[i];

		taker.node = node;
		taker.count = (uint64_t)share_of((int64_t)taker.count, loss, end_ns);
		taker.blocked_ns = share_of(taker.blocked_ns, loss, end_ns);
		if (taker.blocked_ns > 0) {
			itp_wakers_add(it->profile->wakers, &taker);
		}
	}
}

/* The time is as well known as the time on the CPU, of which it is a multiple. */
static void give(struct spreading *it, uint32_t node)
{
	struct loss *loss = &it->losses[itp_rank_process(it->state, node)];
	int64_t cpu_ns = itp_profile_peek(it->profile, node)->own_use.cpu_ns;
	struct itp_node_stats *stats;
	double factor;
	int64_t ns;

	if (cpu_ns <= 0 || loss->waited_ns == 0) {
		return;
	}
	stats = itp_profile_node(it->profile, node);
	factor = 1 + (double)loss->waited_ns / (double)loss->cpu_ns;
	ns = share_of(loss->waited_ns, loss, loss->served_ns + cpu_ns);
	stats->own_ns += ns;
	stats->own_use.runnable_ns += ns;
	stats->own_variance_us2 =
		(uint64_t)MIN((double)stats->own_variance_us2 * factor * factor, 0x1p63);
	it->delta_ns[node] += ns;
	give_takers(it, loss, node, loss->served_ns + cpu_ns);
	loss->served_ns += cpu_ns;
}

/* Children have larger ids than their parents. */
static void add_to_totals(struct spreading *it)
{
	for (uint32_t node = it->state->node_count; node-- > 1;) {
		struct itp_node_stats *stats;

		if (it->delta_ns[node] == 0) {
			continue;
		}
		stats = itp_profile_node(it->profile, node);
		stats->total_ns += it->delta_ns[node];
		stats->use.runnable_ns += it->delta_ns[node];
		stats->lower_ns = MAX(stats->lower_ns + it->delta_ns[node], 0);
		stats->upper_ns += it->delta_ns[node];
		it->delta_ns[itp_rank_parent(it->state, node)] += it->delta_ns[node];
	}
}

/* Without what cannot be given, as nothing of the process was seen on a CPU. */
static void find_losses(struct spreading *it)
{
	for (uint32_t node = 1; node < it->state->node_count; node++) {
		if (is_counted(it->state, node)) {
			it->losses[itp_rank_process(it->state, node)].cpu_ns +=
				MAX(itp_profile_peek(it->profile, node)->own_use.cpu_ns, 0);
		}
	}
	for (uint32_t node = 1; node < it->state->node_count; node++) {
		if (is_preempted(it, node) &&
		    it->losses[itp_rank_process(it->state, node)].cpu_ns > 0) {
			take_away(it, node);
		}
	}
}

void itp_preempted_spread(const struct itp_rank_state *state, struct itp_profile *profile)
{
	struct spreading it = { .state = state, .profile = profile };

	if (!profile) {
		return;
	}
	it.losses = g_new0(struct loss, state->node_count);
	it.takers = itp_wakers_new();
	it.delta_ns = g_new0(int64_t, state->node_count);
	find_losses(&it);
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (is_counted(state, node)) {
			give(&it, node);
		}
	}
	add_to_totals(&it);
	itp_wakers_free(it.takers);
	g_free(it.losses);
	g_free(it.delta_ns);
}
