/* SPDX-License-Identifier: MIT */
/*
 * See wanted.h. Who waited is known by process and function, as for all wakers. A function that
 * waits for work in one place and for an answer in another one counts by the part of its blocked
 * time that is not idle.
 */
#include "common/rank/wanted.h"

#include "common/base/hash.h"
#include "common/infer/wake-stack.h"

/* Part of a wait's blocked time that must have been wanted: more than half, so that a server which
 * waits for its next request most of the time stays idle. */
#define WANTED_PART 0.5

/* Blocked time of one function of one program, in all its waits. */
struct waiter {
	int64_t blocked_ns;
	int64_t idle_ns;
};

struct side {
	const struct itp_profile *profile;
	/* struct waiter by program and function (itp_pair()). Owned by this. */
	GHashTable *waiters;
};

static struct waiter *waiter_at(GHashTable *waiters, gpointer key)
{
	struct waiter *waiter = g_hash_table_lookup(waiters, key);

	if (!waiter) {
		waiter = g_new0(struct waiter, 1);
		g_hash_table_insert(waiters, key, waiter);
	}
	return waiter;
}

/* The function that waits in the system call `node`, as wakers name it: the innermost of the
 * program or of a library of its own. ITP_FUNCTION_UNKNOWN for none. */
static uint32_t waiting_function(const struct itp_rank_state *state, uint32_t node)
{
	do {
		node = itp_rank_parent(state, node);
	} while (itp_rank_is_frame(state, node) &&
		 itp_wake_stack_is_go_between(itp_rank_function(state, node)));
	return itp_rank_is_frame(state, node) ? itp_rank_function_id(state, node) :
						ITP_FUNCTION_UNKNOWN;
}

static void sum_waiters(const struct itp_rank_state *state, struct side *side)
{
	g_hash_table_remove_all(side->waiters);
	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(side->profile, node);
		struct waiter *waiter;

		if (stats->use.blocked_ns == 0 ||
		    !itp_function_syscall(itp_rank_function(state, node))) {
			continue;
		}
		waiter = waiter_at(side->waiters, itp_pair(itp_rank_program(state, node),
							   waiting_function(state, node)));
		waiter->blocked_ns += stats->use.blocked_ns;
		waiter->idle_ns += state->is_idle[node] ? stats->use.blocked_ns : 0;
	}
}

/* The part of a waker's time in which its function lost something. A function of which no blocked
 * system call is known has waited in a page fault. */
static double lost_part(const struct side *side, const struct itp_waker *waker)
{
	const struct waiter *waiter =
		g_hash_table_lookup(side->waiters, itp_pair(waker->process, waker->function));

	return waiter ? 1 - (double)waiter->idle_ns / (double)waiter->blocked_ns : 1;
}

/* Sums over the subtree of each wait for work, whose leaves are functions of the kernel. */
static void sum_wanted(const struct itp_rank_state *state, const struct side *side,
		       double *wanted_ns)
{
	const struct itp_wakers *wakers = side->profile->wakers;

	for (uint32_t node = state->node_count; node-- > 1;) {
		guint count = 0;
		const struct itp_waker *list = node < itp_wakers_node_count(wakers) ?
						       itp_wakers_of_node(wakers, node, &count) :
						       NULL;

		for (guint i = 0; i < count; i++) {
			if (list[i].role == ITP_WAKER_WANTED) {
				wanted_ns[node] +=
					(double)list[i].blocked_ns * lost_part(side, &list[i]);
			}
		}
		if (itp_rank_function(state, node)->layer == ITP_LAYER_KERNEL) {
			wanted_ns[itp_rank_parent(state, node)] += wanted_ns[node];
		}
	}
}

/* Returns whether a wait is wanted that was not before. */
static bool find_more(struct itp_rank_state *state, struct side *side, const GArray *waits)
{
	g_autofree double *wanted_ns = g_new0(double, state->node_count);
	bool found = false;

	sum_waiters(state, side);
	sum_wanted(state, side, wanted_ns);
	for (guint i = 0; i < waits->len; i++) {
		const uint32_t node = g_array_index(waits, uint32_t, i);
		const int64_t blocked_ns = itp_profile_peek(side->profile, node)->use.blocked_ns;

		if (state->is_idle[node] && wanted_ns[node] > WANTED_PART * (double)blocked_ns) {
			state->is_idle[node] = false;
			found = true;
		}
	}
	return found;
}

void itp_wanted_find(struct itp_rank_state *state, const struct itp_profile *suspect,
		     const struct itp_profile *base, const GArray *waits)
{
	struct side sides[] = { { .profile = suspect }, { .profile = base } };

	bool found = true;

	for (size_t i = 0; i < G_N_ELEMENTS(sides); i++) {
		sides[i].waiters = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	}
	/* A wait that is wanted in one workload counts as such in the other one. Each turn but the
	 * last frees one wait at least, so there are no more turns than waits. */
	while (found) {
		found = false;
		for (size_t i = 0; i < G_N_ELEMENTS(sides) && sides[i].profile; i++) {
			found |= find_more(state, &sides[i], waits);
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(sides); i++) {
		g_hash_table_unref(sides[i].waiters);
	}
}
