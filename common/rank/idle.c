/* SPDX-License-Identifier: MIT */
/*
 * The rules, and what they need to know about a thread: how its time is spent, and below which of
 * its functions it works.
 */
#include "common/rank/idle.h"

#include <string.h>

#include "common/rank/modules.h"

/* What a waiting system call must show besides its name. */
enum proof {
	/* Nothing: it has no other use. */
	ALWAYS,
	/* Not far above the wait is a function below which the thread does most of its work. */
	IN_WORK_LOOP,
	/* It takes most of the time of the threads that begin like this one. */
	MOST_OF_THE_TIME,
};

static const struct {
	const char *syscall;
	/* A function between the program's own code and the system call; NULL = any. */
	const char *through;
	enum proof proof;
} rules[] = {
	{ "epoll_wait", NULL, ALWAYS },
	{ "epoll_pwait", NULL, ALWAYS },
	{ "epoll_pwait2", NULL, ALWAYS },
	{ "accept", NULL, ALWAYS },
	{ "accept4", NULL, ALWAYS },
	{ "io_getevents", NULL, ALWAYS },
	{ "io_pgetevents", NULL, ALWAYS },
	{ "rt_sigtimedwait", NULL, ALWAYS },
	{ "rt_sigsuspend", NULL, ALWAYS },
	{ "pause", NULL, ALWAYS },
	{ "wait4", NULL, ALWAYS },
	{ "waitid", NULL, ALWAYS },
	{ "poll", NULL, IN_WORK_LOOP },
	{ "ppoll", NULL, IN_WORK_LOOP },
	{ "select", NULL, IN_WORK_LOOP },
	{ "pselect6", NULL, IN_WORK_LOOP },
	{ "io_uring_enter", NULL, IN_WORK_LOOP },
	{ "futex", "pthread_join", ALWAYS },
	{ "futex", "__pthread_clockjoin_ex", ALWAYS },
	{ "futex", "pthread_cond_wait*", MOST_OF_THE_TIME },
	{ "futex", "pthread_cond_timedwait*", MOST_OF_THE_TIME },
	{ "futex", "pthread_cond_clockwait*", MOST_OF_THE_TIME },
	{ "futex", "sem_wait*", MOST_OF_THE_TIME },
	{ "futex", "sem_timedwait*", MOST_OF_THE_TIME },
	{ "futex", "sem_clockwait*", MOST_OF_THE_TIME },
	{ "recvfrom", NULL, MOST_OF_THE_TIME },
	{ "recvmsg", NULL, MOST_OF_THE_TIME },
	{ "msgrcv", NULL, MOST_OF_THE_TIME },
	{ "mq_timedreceive", NULL, MOST_OF_THE_TIME },
	{ "semtimedop", NULL, MOST_OF_THE_TIME },
};

#define SYSCALL_PREFIX "syscall:"
/* How many functions above the one that waits may be the work loop. */
#define LOOP_FRAMES 3
/* Parts of a whole that are most of it. */
#define MOST 0.5

static int64_t own_cpu_ns(const struct itp_profile *profile, uint32_t node)
{
	return profile ? itp_profile_peek(profile, node)->own_use.cpu_ns : 0;
}

static int64_t total_ns(const struct itp_profile *profile, uint32_t node)
{
	return profile ? itp_profile_peek(profile, node)->total_ns : 0;
}

static int64_t blocked_ns(const struct itp_profile *profile, uint32_t node)
{
	return profile ? itp_profile_peek(profile, node)->use.blocked_ns : 0;
}

static int64_t *sum_cpu(const struct itp_rank_state *state, const struct itp_profile *suspect,
			const struct itp_profile *base)
{
	int64_t *cpu_ns = g_new0(int64_t, state->node_count);

	for (uint32_t node = state->node_count; node-- > 1;) {
		cpu_ns[node] += own_cpu_ns(suspect, node) + own_cpu_ns(base, node);
		cpu_ns[itp_rank_parent(state, node)] += cpu_ns[node];
	}
	return cpu_ns;
}

/* First function of the thread. */
static uint32_t thread_root(const struct itp_rank_state *state, uint32_t node)
{
	while (itp_context_tree_get(state->tree, node)->depth > 2) {
		node = itp_rank_parent(state, node);
	}
	return node;
}

/* The function that wants to wait: the first above the system call that is in no runtime. Frames
 * that pass are checked for `through`. The process root when there is none. */
static uint32_t find_waiter(const struct itp_rank_state *state, uint32_t node, const char *through,
			    bool *ret_passes)
{
	*ret_passes = through == NULL;
	do {
		node = itp_rank_parent(state, node);
		if (through &&
		    g_pattern_match_simple(through, itp_rank_function(state, node)->name)) {
			*ret_passes = true;
		}
	} while (itp_rank_is_frame(state, node) &&
		 itp_rank_kind(state, node) == ITP_MODULE_RUNTIME);
	return node;
}

static bool may_wait(const struct itp_rank_state *state, uint32_t waiter)
{
	return itp_rank_is_frame(state, waiter) &&
	       (itp_module_kind_is_own(itp_rank_kind(state, waiter)) ||
		itp_module_is_event_loop(itp_rank_function(state, waiter)));
}

static bool is_in_work_loop(const struct itp_rank_state *state, uint32_t waiter,
			    const int64_t *cpu_ns)
{
	int64_t all_ns = cpu_ns[thread_root(state, waiter)];

	for (int i = 0; i < LOOP_FRAMES && itp_rank_is_frame(state, waiter); i++) {
		if ((double)cpu_ns[waiter] >= MOST * (double)all_ns) {
			/* A first function has all the work below it, whatever it does. */
			return waiter != thread_root(state, waiter);
		}
		waiter = itp_rank_parent(state, waiter);
	}
	return false;
}

/* In each of the workloads. */
static bool takes_most_time(const struct itp_rank_state *state, uint32_t node,
			    const struct itp_profile *suspect, const struct itp_profile *base)
{
	uint32_t root = thread_root(state, node);

	return (double)blocked_ns(suspect, node) >= MOST * (double)total_ns(suspect, root) &&
	       (!base || (double)blocked_ns(base, node) >= MOST * (double)total_ns(base, root));
}

static bool has_proof(const struct itp_rank_state *state, uint32_t node, uint32_t waiter,
		      enum proof proof, const int64_t *cpu_ns, const struct itp_profile *suspect,
		      const struct itp_profile *base)
{
	switch (proof) {
	case ALWAYS:
		return true;
	case IN_WORK_LOOP:
		return is_in_work_loop(state, waiter, cpu_ns) ||
		       takes_most_time(state, node, suspect, base);
	case MOST_OF_THE_TIME:
		return takes_most_time(state, node, suspect, base);
	}
	return false;
}

static bool is_wait_for_work(const struct itp_rank_state *state, uint32_t node,
			     const int64_t *cpu_ns, const struct itp_profile *suspect,
			     const struct itp_profile *base)
{
	const struct itp_function *function = itp_rank_function(state, node);
	const char *name;

	if (function->layer != ITP_LAYER_SYSCALL ||
	    !g_str_has_prefix(function->name, SYSCALL_PREFIX) ||
	    (base && itp_profile_peek(base, node)->count == 0)) {
		return false;
	}
	name = function->name + strlen(SYSCALL_PREFIX);
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		bool passes;
		uint32_t waiter;

		if (strcmp(rules[i].syscall, name) != 0) {
			continue;
		}
		waiter = find_waiter(state, node, rules[i].through, &passes);
		if (passes && may_wait(state, waiter) &&
		    has_proof(state, node, waiter, rules[i].proof, cpu_ns, suspect, base)) {
			return true;
		}
	}
	return false;
}

void itp_idle_find(struct itp_rank_state *state, const struct itp_profile *suspect,
		   const struct itp_profile *base)
{
	g_autofree int64_t *cpu_ns = sum_cpu(state, suspect, base);

	for (uint32_t node = 1; node < state->node_count; node++) {
		state->is_idle[node] = state->is_idle[itp_rank_parent(state, node)] ||
				       is_wait_for_work(state, node, cpu_ns, suspect, base);
	}
}

static void add_wait(const struct itp_rank_state *state, GArray *waits, uint32_t node)
{
	bool passes;
	uint32_t waiter = find_waiter(state, node, NULL, &passes);
	const struct itp_idle_wait wait = {
		.process =
			itp_context_tree_get(state->tree, itp_rank_process(state, node))->function,
		.function = itp_context_tree_get(state->tree, waiter)->function,
		.syscall = itp_context_tree_get(state->tree, node)->function,
		.suspect_ns = total_ns(state->suspect.profile, node),
		.base_ns = total_ns(state->base.profile, node),
	};

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

static gint compare_waits(gconstpointer a, gconstpointer b)
{
	const struct itp_idle_wait *left = a;
	const struct itp_idle_wait *right = b;
	int64_t left_ns = MAX(left->suspect_ns, left->base_ns);
	int64_t right_ns = MAX(right->suspect_ns, right->base_ns);

	return (left_ns < right_ns) - (left_ns > right_ns);
}

GArray *itp_idle_waits(const struct itp_rank_state *state)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(struct itp_idle_wait));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (state->is_idle[node] && !state->is_idle[itp_rank_parent(state, node)]) {
			add_wait(state, waits, node);
		}
	}
	g_array_sort(waits, compare_waits);
	return waits;
}
