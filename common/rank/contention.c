/* SPDX-License-Identifier: MIT */
/*
 * Time waiting for a CPU, and whether it made the suspect slow.
 *
 * Waiting for a CPU is the fault of others, so entries are ranked without it: on a busy machine it
 * would only tell that the machine is busy, and processes of a program that take CPUs from each
 * other are its own work. But if processes that the base did not run, and that its programs did not
 * start, took most of the time that these lost, they are the cause, and the reader wants their
 * names.
 *
 * A thread that computes is interrupted while it computes. But the kernel also takes the CPU at a
 * system call, such as the first call that asks for the CPU time used, whose caller says nothing
 * about the delayed work. Times lost by a process in system calls are thus spread over all its
 * computing, in proportion to the time on the CPU. Waits for a CPU after a block stay in their
 * place: work had come there.
 */
#include "common/rank/steps.h"

/* Least parts of the time lost by the base's programs, and of their time in the base. */
#define PART_LOST 0.5
#define PART_LEAST 0.2
/* Time (ns) that any run loses now and then to some other program. */
#define CHANCE_NS 100e6

/* ---- Waits for work ---- */

static bool is_for_work(const struct itp_rank_state *state, uint32_t node)
{
	return state->waits_for_work && state->waits_for_work[node];
}

/* Marks, by node, of a thread's waiting for work, the kernel's own threads excepted. */
static bool *find_waits(const struct itp_rank_state *state)
{
	bool *is_wait = g_new0(bool, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		is_wait[node] = is_for_work(state, node) &&
				(is_wait[itp_rank_parent(state, node)] ||
				 itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL);
	}
	return is_wait;
}

/* Takers of the CPU at node `from` become those of `to` in `into`. */
static void move_takers(struct itp_wakers *wakers, uint32_t from, struct itp_wakers *into,
			uint32_t to)
{
	g_autoptr(GArray) takers = itp_wakers_take(wakers, from, ITP_WAKER_HAD_CPU);

	for (guint i = 0; i < takers->len; i++) {
		struct itp_waker taker = g_array_index(takers, struct itp_waker, i);

		taker.node = to;
		itp_wakers_add(into, &taker);
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
		move_takers(profile->wakers, node, profile->wakers, parent);
	}
}

/* ---- Users of the CPU ---- */

/* Marks processes that those marked have started, whose programs are in `is_known`. True if any was
 * not marked before. */
static bool mark_started(const struct itp_rank_state *state, bool *is_known)
{
	const struct itp_wakers *wakers = state->suspect.profile->wakers;
	const uint32_t end = MIN(itp_wakers_node_count(wakers), state->node_count);
	bool is_new = false;

	for (uint32_t node = 1; node < end; node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; i < count && is_known[itp_rank_program(state, node)]; i++) {
			if (list[i].role == ITP_WAKER_STARTED && !is_known[list[i].process]) {
				is_known[list[i].process] = true;
				is_new |= list[i].process != ITP_FUNCTION_UNKNOWN;
			}
		}
	}
	return is_new;
}

/* Marks, by function, of the base's programs and of those that they have started in the suspect:
 * these take the CPU from their maker, which is its own doing. */
static bool *find_known(const struct itp_rank_state *state)
{
	bool *is_known = g_new0(bool, itp_function_table_size(state->functions));

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_context *context = itp_context_tree_get(state->tree, node);

		is_known[context->function] |= context->depth == 1 && state->base.is_present[node];
	}
	while (mark_started(state, is_known)) {
	}
	return is_known;
}

/* Time for which threads in `node` waited, as processes other than `is_known` had the CPU. */
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

/* Times (ns) of the base's programs in a workload. */
struct program_times {
	double own_ns;
	double cpu_ns;
	/* Waited, as processes that the base did not run had the CPU. */
	double taken_ns;
};

static struct program_times sum_programs(const struct itp_rank_state *state,
					 const struct itp_side *side, const bool *is_known)
{
	struct program_times times = { .own_ns = 0 };

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_ranked(state, node) &&
		    state->base.is_present[itp_rank_process(state, node)]) {
			const struct itp_node_stats *stats = itp_side_stats(side, node);

			times.own_ns += (double)stats->own_ns;
			times.cpu_ns += (double)stats->own_use.cpu_ns;
			times.taken_ns += (double)taken_ns(side->profile, node, is_known);
		}
	}
	return times;
}

/* Who needs a CPU for longer waits for it for longer, by the same others: what the base waited for
 * each second on the CPU is no more than that. */
bool itp_contention_is_cause(const struct itp_rank_state *state)
{
	g_autofree bool *is_known = state->base.profile ? find_known(state) : NULL;
	struct program_times suspect;
	struct program_times base;
	double more_ns;

	if (!is_known) {
		return false;
	}
	suspect = sum_programs(state, &state->suspect, is_known);
	base = sum_programs(state, &state->base, is_known);
	more_ns = suspect.taken_ns - base.taken_ns * state->base_factor *
					     (base.cpu_ns > 0 ? suspect.cpu_ns / base.cpu_ns : 1);
	return more_ns >= CHANCE_NS && more_ns >= PART_LOST * (suspect.own_ns - base.own_ns) &&
	       more_ns >= PART_LEAST * base.own_ns;
}

/* A process that came to take the CPU may wait for it as well: nobody loses by it. */
static bool is_loss(const struct itp_rank_state *state, uint32_t node)
{
	return !itp_rank_is_apart(state, node) &&
	       (!state->counts_waiting || state->base.is_present[itp_rank_process(state, node)]);
}

GArray *itp_contention_takers(const struct itp_rank_state *state)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (is_loss(state, node)) {
			g_array_append_val(nodes, node);
		}
	}
	return itp_wakers_of_nodes(state->suspect.profile->wakers, ITP_WAKER_HAD_CPU,
				   (const uint32_t *)nodes->data, nodes->len, state->functions);
}

int64_t itp_contention_waited_ns(const struct itp_rank_state *state,
				 const struct itp_profile *profile)
{
	int64_t waited_ns = 0;

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (itp_rank_is_frame(state, node) && is_loss(state, node)) {
			waited_ns += itp_profile_peek(profile, node)->own_use.runnable_ns;
		}
	}
	return waited_ns;
}

/* ---- Work that lacked the CPU ---- */

/* CPU time and waiting time of a process, in nanoseconds. */
struct loss {
	int64_t cpu_ns;
	int64_t waited_ns;
	/* Part of cpu_ns with a share of waited_ns already. */
	int64_t served_ns;
};

struct spreading {
	const struct itp_rank_state *state;
	struct itp_profile *profile;
	/* Losses by process root; and processes that had the CPU, by the same node. Owned by
	 * this. */
	struct loss *losses;
	struct itp_wakers *takers;
	/* Change of its time by node, in nanoseconds. Owned by this. */
	int64_t *delta_ns;
};

/* A thread that was blocked was not preempted: it gave the CPU away by itself. */
static bool is_preempted(const struct spreading *it, uint32_t node)
{
	const struct itp_time_use *use = &itp_profile_peek(it->profile, node)->own_use;

	return itp_rank_is_ranked(it->state, node) && use->runnable_ns > 0 &&
	       use->blocked_ns == 0 && itp_rank_function(it->state, node)->layer != ITP_LAYER_USER;
}

static void take_away(struct spreading *it, uint32_t node)
{
	struct itp_node_stats *stats = itp_profile_node(it->profile, node);
	uint32_t process = itp_rank_process(it->state, node);
	struct loss *loss = &it->losses[process];

	loss->waited_ns += stats->own_use.runnable_ns;
	it->delta_ns[node] -= stats->own_use.runnable_ns;
	stats->own_ns -= stats->own_use.runnable_ns;
	stats->own_use.runnable_ns = 0;
	move_takers(it->profile->wakers, node, it->takers, process);
}

/* Part of `all` for the CPU time from served_ns to `end_ns`. */
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

/* Gives a node its share. It is as well known as the CPU time, of which it is a multiple. */
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

/* Takes the waiting times out of their places, except in processes without CPU time: nothing there
 * could get a share of them. */
static void find_losses(struct spreading *it)
{
	for (uint32_t node = 1; node < it->state->node_count; node++) {
		if (itp_rank_is_ranked(it->state, node)) {
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

void itp_contention_spread(const struct itp_rank_state *state, struct itp_profile *profile)
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
		if (itp_rank_is_ranked(state, node)) {
			give(&it, node);
		}
	}
	add_to_totals(&it);
	itp_wakers_free(it.takers);
	g_free(it.losses);
	g_free(it.delta_ns);
}
