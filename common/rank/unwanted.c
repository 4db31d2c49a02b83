/* SPDX-License-Identifier: MIT */
/*
 * See unwanted.h.
 */
#include "common/rank/unwanted.h"

#include <math.h>
#include <string.h>

#include "common/base/watched.h"
#include "common/rank/idle.h"
#include "common/rank/scale.h"

/* Least part of the blocked time at and below a system call that is most of it: then the threads
 * wait for work there. */
#define MOST 0.5
/* Least part of the longer command's time by which another one is longer or shorter, whatever the
 * machine did meanwhile; and part of that which is most of it. */
#define LONGER_LEAST 0.2
#define MOST_OF_LONGER 0.5

static bool shows_wakeups(const struct itp_profile *profile)
{
	const struct itp_infer_counts *counts = &profile->workload.counts;

	return (counts->watched & ITP_WATCHED_WAKEUPS) != 0 || counts->threads == 1;
}

/* The recorder of the base may have seen no wakeups. */
bool itp_unwanted_is_known(const struct itp_rank_state *state)
{
	const struct itp_profile *suspect = state->suspect.profile;
	const struct itp_profile *base = state->base.profile;

	return suspect->workload.counts.units > 0 && (!base || base->workload.counts.units > 0) &&
	       (shows_wakeups(suspect) || (base && shows_wakeups(base)));
}

/* Event loops by node: true for a system call that waits in an event loop, and below such a
 * call. */
static bool *find_event_loops(const struct itp_rank_state *state)
{
	bool *is_loop = itp_idle_event_loops(state);

	for (uint32_t node = 1; node < state->node_count; node++) {
		is_loop[node] |= is_loop[itp_rank_parent(state, node)];
	}
	return is_loop;
}

/* Nanoseconds are double, as sums of saved profiles are not to overflow. */
static double wanted_of(const struct itp_node_stats *stats, bool is_loop)
{
	return MAX((double)stats->demand.wanted_ns, 0) +
	       (is_loop ? 0 : MAX((double)stats->demand.life_ns, 0));
}

/* Takes as much of *wanted_ns as there is unwanted time at the node. */
static void give(int64_t *unwanted_ns, double *wanted_ns)
{
	const double given_ns = MIN((double)*unwanted_ns, *wanted_ns);

	*unwanted_ns -= (int64_t)given_ns;
	*wanted_ns -= given_ns;
}

/* Blocked time that nobody wanted, by node; free with g_free(). `profile` and `is_loop` may be
 * NULL. If a stack was not believed, the time of a wait lies in functions that may have been there:
 * its wanted time is looked for at the callers of the thread's last place, and, if no system call
 * is known, in its process. */
static int64_t *find_unwanted(const struct itp_rank_state *state, const struct itp_profile *profile,
			      const bool *is_loop)
{
	g_autofree double *wanted_ns = g_new0(double, state->node_count);
	int64_t *unwanted_ns = profile ? g_new0(int64_t, state->node_count) : NULL;

	for (uint32_t node = state->node_count; profile && node-- > 1;) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);

		if (!itp_rank_is_apart(state, node)) {
			unwanted_ns[node] = MAX(stats->own_use.blocked_ns, 0);
			wanted_ns[node] += wanted_of(stats, is_loop && is_loop[node]);
			give(&unwanted_ns[node], &wanted_ns[node]);
		}
		if (itp_rank_is_frame(state, node)) {
			wanted_ns[itp_rank_parent(state, node)] += wanted_ns[node];
		}
	}
	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (unwanted_ns[node] > 0 &&
		    itp_rank_function(state, node)->layer == ITP_LAYER_USER) {
			give(&unwanted_ns[node], &wanted_ns[itp_rank_process(state, node)]);
		}
	}
	return unwanted_ns;
}

/* Time that is taken out of a node, and the part of it in which threads are known to be blocked:
 * where nobody watched them leave the CPU, time is of unknown use. */
struct taken {
	int64_t ns;
	int64_t blocked_ns;
};

/* Takes time out of a node. Some calls were wanted and others were not: their squares, the measure
 * of their variation, go as well. */
static void take_from(struct itp_node_stats *stats, struct taken own, struct taken below)
{
	const double part = stats->total_ns > 0 ? 1 - (double)below.ns / (double)stats->total_ns :
						  0;

	itp_node_stats_scale_squares(stats, CLAMP(part, 0, 1));
	stats->own_ns -= own.ns;
	stats->own_use.blocked_ns -= own.blocked_ns;
	stats->total_ns -= below.ns;
	stats->use.blocked_ns -= below.blocked_ns;
	stats->lower_ns = MAX(stats->lower_ns - below.ns, 0);
	stats->upper_ns -= below.ns;
}

static void take_out(const struct itp_rank_state *state, struct itp_profile *profile,
		     const int64_t *unwanted_ns)
{
	g_autofree struct taken *below = g_new0(struct taken, state->node_count);

	for (uint32_t node = state->node_count; node-- > 1;) {
		struct taken *above = &below[itp_rank_parent(state, node)];
		const int64_t blocked_ns =
			MAX(itp_profile_peek(profile, node)->own_use.blocked_ns, 0);
		const struct taken own = { unwanted_ns[node], MIN(unwanted_ns[node], blocked_ns) };

		below[node].ns += own.ns;
		below[node].blocked_ns += own.blocked_ns;
		above->ns += below[node].ns;
		above->blocked_ns += below[node].blocked_ns;
		if (below[node].ns > 0) {
			take_from(itp_profile_node(profile, node), own, below[node]);
		}
	}
}

/* Moves time at functions of the kernel to their system call. */
static void sum_places(const struct itp_rank_state *state, int64_t *ns)
{
	for (uint32_t node = state->node_count; node-- > 1;) {
		const uint32_t parent = itp_rank_parent(state, node);

		if (itp_rank_is_frame(state, parent) &&
		    itp_rank_function(state, node)->layer == ITP_LAYER_KERNEL) {
			ns[parent] += ns[node];
			ns[node] = 0;
		}
	}
}

/* Blocked time left in `profile`, by node. Free with g_free(). */
static int64_t *find_left(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t *left_ns = g_new0(int64_t, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		left_ns[node] = itp_profile_peek(profile, node)->own_use.blocked_ns;
	}
	sum_places(state, left_ns);
	return left_ns;
}

/* Marks system calls with most of their blocked time waiting for work. */
static void mark_waits(struct itp_rank_state *state, const struct itp_profile *profile,
		       const int64_t *unwanted_ns)
{
	g_autofree int64_t *left_ns = find_left(state, profile);

	for (uint32_t node = 1; node < state->node_count; node++) {
		const int64_t blocked_ns = unwanted_ns[node] + left_ns[node];

		if (itp_rank_function(state, node)->layer == ITP_LAYER_SYSCALL) {
			state->waits_for_work[node] |= (double)unwanted_ns[node] >
						       MOST * (double)blocked_ns;
		}
	}
}

/* Marks contexts below a system call in the kernel like the call. */
static void spread_marks(struct itp_rank_state *state)
{
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_function(state, node)->layer == ITP_LAYER_KERNEL) {
			state->waits_for_work[node] |=
				state->waits_for_work[itp_rank_parent(state, node)];
		}
	}
}

/* Takes state->unwanted_ns out of both workloads. */
static void take_out_all(struct itp_rank_state *state)
{
	struct itp_profile *const profiles[] = { state->suspect.profile, state->base.profile };

	for (size_t side = 0; side < G_N_ELEMENTS(profiles) && profiles[side]; side++) {
		take_out(state, profiles[side], state->unwanted_ns[side]);
		sum_places(state, state->unwanted_ns[side]);
	}
}

/* ---- Event loops ---- */

/* Time that is left in a run of a side (ns). */
static double left_in_run(const struct itp_rank_state *state, const struct itp_side *side,
			  const int64_t *unwanted_ns)
{
	double left_ns = 0;

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_ranked(state, node)) {
			left_ns += (double)itp_profile_peek(side->profile, node)->own_ns -
				   (double)unwanted_ns[node];
		}
	}
	return left_ns / (double)side->runs->count;
}

/* By how much longer the suspect's command took than the base's (ns); 0 without two commands,
 * where somebody said what both did (`per`), and for about the same length. */
static double find_longer(const struct itp_rank_state *state)
{
	double suspect_ns;
	double base_ns;

	if (!state->base.runs || state->options->per ||
	    !itp_runs_are_commands(state->suspect.runs) ||
	    !itp_runs_are_commands(state->base.runs)) {
		return 0;
	}
	suspect_ns = itp_runs_length_ns(state->suspect.runs);
	base_ns = itp_runs_length_ns(state->base.runs);
	return fabs(suspect_ns - base_ns) < LONGER_LEAST * MAX(suspect_ns, base_ns) ?
		       0 :
		       suspect_ns - base_ns;
}

/* Leaves waits in event loops in if commands differ in length, and these waits are most of that,
 * and nothing else is. */
static void leave_loops(struct itp_rank_state *state)
{
	const double longer_ns = find_longer(state);
	int64_t **unwanted_ns = state->unwanted_ns;
	g_autofree int64_t *suspect_ns = NULL;
	g_autofree int64_t *base_ns = NULL;
	double left_ns;
	double with_loops_ns;

	if (longer_ns == 0) {
		return;
	}
	suspect_ns = find_unwanted(state, state->suspect.profile, NULL);
	base_ns = find_unwanted(state, state->base.profile, NULL);
	left_ns = left_in_run(state, &state->suspect, unwanted_ns[0]) -
		  left_in_run(state, &state->base, unwanted_ns[1]);
	with_loops_ns = left_in_run(state, &state->suspect, suspect_ns) -
			left_in_run(state, &state->base, base_ns);
	if (left_ns / longer_ns < MOST_OF_LONGER &&
	    (with_loops_ns - left_ns) / longer_ns >= MOST_OF_LONGER) {
		memcpy(unwanted_ns[0], suspect_ns, state->node_count * sizeof(*suspect_ns));
		memcpy(unwanted_ns[1], base_ns, state->node_count * sizeof(*base_ns));
	}
}

void itp_unwanted_take_out(struct itp_rank_state *state)
{
	g_autofree bool *is_loop = find_event_loops(state);

	state->unwanted_ns[0] = find_unwanted(state, state->suspect.profile, is_loop);
	state->unwanted_ns[1] = find_unwanted(state, state->base.profile, is_loop);
	leave_loops(state);
	take_out_all(state);
	state->waits_for_work = g_new0(bool, state->node_count);
	mark_waits(state, state->suspect.profile, state->unwanted_ns[0]);
	if (state->base.profile) {
		mark_waits(state, state->base.profile, state->unwanted_ns[1]);
	}
	spread_marks(state);
}

/* ---- Guessed waits ---- */

/* Time of a guessed wait, of the node itself: but for what is known of the thread on a CPU, or
 * without one. */
static int64_t guessed_ns(const struct itp_node_stats *stats)
{
	return MAX(stats->own_ns - stats->own_use.cpu_ns - stats->own_use.runnable_ns, 0);
}

/* Guessed waits of `profile`, which may be NULL, by node. */
static int64_t *find_guessed(const struct itp_rank_state *state, const struct itp_profile *profile)
{
	int64_t *unwanted_ns = profile ? g_new0(int64_t, state->node_count) : NULL;

	for (uint32_t node = 1; profile && node < state->node_count; node++) {
		if (state->waits_for_work[node]) {
			unwanted_ns[node] = guessed_ns(itp_profile_peek(profile, node));
		}
	}
	return unwanted_ns;
}

void itp_unwanted_take_out_guessed(struct itp_rank_state *state)
{
	state->unwanted_ns[0] = find_guessed(state, state->suspect.profile);
	state->unwanted_ns[1] = find_guessed(state, state->base.profile);
	take_out_all(state);
}
