/* SPDX-License-Identifier: MIT */
/*
 * Rules of idle waits, and the facts that they need about a thread: use of its time, and the
 * functions below which it works.
 */
#include "common/rank/idle.h"

#include <string.h>

#include "common/base/patterns.h"
#include "common/known/kernel-waits.h"
#include "common/known/modules.h"
#include "common/known/starts.h"
#include "common/known/waiting-calls.h"

/* Most functions of the program from the waiting function up to the work loop. */
#define LOOP_FRAMES 6
/* Least number of waits for each call of the work loop. */
#define WAITS_PER_LOOP 8
/* Most functions of the program on the stack of a pool's thread when it waits. */
#define POOL_FRAMES 4
/* Most functions of the program on the stack of a worker that calls its jobs where it waits. */
#define WORKER_FRAMES 2
/* Most functions of runtimes between a wait and the program: one that makes the system call, and
 * one that makes it interruptible. */
#define WRAPPERS_MOST 2
/* Least part of a whole that is most of it. */
#define MOST 0.5
/* Largest part of the work of a process that is hardly any. */
#define LITTLE 0.1

/* A system call that may wait for work. */
struct wait {
	uint32_t node;
	/* Function that wants to wait: the nearest above the system call outside of runtimes; and
	 * the outermost of the program's own on the stack. */
	uint32_t waiter;
	uint32_t root;
	/* Node that lasts as long as the thread: root, or the thread's first function if all are in
	 * runtimes. */
	uint32_t life;
	enum itp_idle_proof proof;
};

struct search {
	const struct itp_rank_state *state;
	/* suspect, base. The base may be NULL. */
	const struct itp_profile *profiles[2];
	/* struct wait. Owned by this. */
	GArray *waits;
	/* Times by node, itself and all below: on the CPU in both workloads; and in waits of the
	 * suspect that time ended. Owned by this. */
	int64_t *cpu_ns;
	int64_t *timed_ns;
	/* Time of pooled waits, by root, in the suspect and in the base. Owned by this. */
	int64_t *waiting_ns[2];
	/* Nodes that wait for a disk, or call such a function inside their system call, by node.
	 * Owned by this. */
	bool *waits_for_disk;
	/* Nodes that read from a pipe, or call a function that does inside their system call, by
	 * node. Owned by this. */
	bool *reads_pipe;
};

static const struct itp_node_stats *stats_of(const struct search *search, size_t side,
					     uint32_t node)
{
	return itp_profile_peek(search->profiles[side], node);
}

static void sum_cpu(struct search *search)
{
	for (uint32_t node = search->state->node_count; node-- > 1;) {
		for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
			search->cpu_ns[node] += stats_of(search, side, node)->own_use.cpu_ns;
		}
		search->cpu_ns[itp_rank_parent(search->state, node)] += search->cpu_ns[node];
	}
}

static void sum_timed(struct search *search)
{
	const struct itp_rank_state *state = search->state;
	const struct itp_wakers *wakers = search->profiles[0]->wakers;

	for (uint32_t node = state->node_count; node-- > 1;) {
		guint count = 0;
		const struct itp_waker *list = node < itp_wakers_node_count(wakers) ?
						       itp_wakers_of_node(wakers, node, &count) :
						       NULL;

		for (guint i = 0; i < count; i++) {
			if (itp_waker_is_timer(state->functions, &list[i])) {
				search->timed_ns[node] += list[i].blocked_ns;
			}
		}
		search->timed_ns[itp_rank_parent(state, node)] += search->timed_ns[node];
	}
}

static bool is_disk_wait(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_KERNEL && itp_kernel_wait_is_for_disk(function->name);
}

static bool is_pipe_read(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_KERNEL && itp_kernel_wait_is_for_pipe(function->name);
}

/* Marks functions for which `is_so` holds, and their callers inside the same system call. */
static void mark_calls(const struct itp_rank_state *state,
		       bool (*is_so)(const struct itp_function *function), bool *marks)
{
	for (uint32_t node = state->node_count; node-- > 1;) {
		const struct itp_function *function = itp_rank_function(state, node);

		marks[node] |= is_so(function);
		if (marks[node] && function->layer != ITP_LAYER_SYSCALL) {
			marks[itp_rank_parent(state, node)] = true;
		}
	}
}

static bool is_runtime(const struct itp_rank_state *state, uint32_t node)
{
	enum itp_module_kind kind = itp_rank_kind(state, node);

	return kind == ITP_MODULE_RUNTIME || kind == ITP_MODULE_INTERPRETER;
}

uint32_t itp_idle_waiter(const struct itp_rank_state *state, uint32_t node)
{
	do {
		node = itp_rank_parent(state, node);
	} while (itp_rank_is_frame(state, node) && is_runtime(state, node));
	return node;
}

static void find_roots(const struct itp_rank_state *state, struct wait *wait)
{
	uint32_t first = wait->node;
	uint32_t node;

	wait->root = wait->node;
	for (node = wait->node; itp_rank_is_frame(state, node);
	     node = itp_rank_parent(state, node)) {
		first = node;
		wait->root = itp_module_kind_is_own(itp_rank_kind(state, node)) ? node : wait->root;
	}
	wait->life = wait->root == wait->node ? first : wait->root;
}

/* Caller of the code of `waiter`. */
static uint32_t caller_of(const struct itp_rank_state *state, uint32_t waiter)
{
	uint32_t caller = itp_rank_parent(state, waiter);

	while (itp_rank_function(state, waiter)->is_inlined && itp_rank_is_frame(state, caller)) {
		waiter = caller;
		caller = itp_rank_parent(state, caller);
	}
	return caller;
}

/* True if a function with a name like `through` (NULL: any) is the waiter, its caller, or a callee
 * on the way to the wait. */
static bool passes(const struct itp_rank_state *state, uint32_t node, uint32_t waiter,
		   const char *through)
{
	uint32_t last = caller_of(state, waiter);
	bool found = through == NULL;

	while (!found && node != last) {
		node = itp_rank_parent(state, node);
		found = itp_pattern_matches(through, itp_rank_function(state, node)->name);
	}
	return found;
}

/* True if the program wants to wait, and not a library that it has asked for something else: a
 * look-up of a name polls for the answer of a server. */
static bool is_asked_directly(const struct itp_rank_state *state, uint32_t node, uint32_t waiter)
{
	unsigned int wrappers = 0;

	for (node = itp_rank_parent(state, node); node != waiter && itp_rank_is_frame(state, node);
	     node = itp_rank_parent(state, node)) {
		wrappers += !itp_rank_function(state, node)->is_inlined;
	}
	return wrappers <= WRAPPERS_MOST;
}

/* True for a thread of a virtual machine's own, without any code of the program. */
static bool is_of_machine(const struct itp_rank_state *state, uint32_t node)
{
	bool is_of_machine = false;

	for (; itp_rank_is_frame(state, node); node = itp_rank_parent(state, node)) {
		const struct itp_function *function = itp_rank_function(state, node);

		if (itp_machine_runs(function)) {
			return false;
		}
		is_of_machine |= itp_machine_is_file(function->module);
	}
	return is_of_machine;
}

/* True if it is known who waits, or if nothing is to be proved. Stacks that do not reach the
 * program do not tell, unless there is no program to reach. */
static bool may_wait(const struct itp_rank_state *state, uint32_t node, uint32_t waiter,
		     enum itp_idle_proof proof)
{
	if (!itp_rank_is_frame(state, waiter)) {
		return proof == ITP_IDLE_ALWAYS || proof == ITP_IDLE_TO_AN_END ||
		       proof == ITP_IDLE_MOST_OF_A_THREAD ||
		       (proof != ITP_IDLE_BESIDE_WORK && is_of_machine(state, node));
	}
	return itp_module_kind_is_own(itp_rank_kind(state, waiter)) ||
	       itp_module_is_event_loop(itp_rank_function(state, waiter));
}

/* Number of the program's own functions from the thread's first to `node`, without inlined
 * functions. */
static unsigned int own_depth(const struct itp_rank_state *state, uint32_t node)
{
	unsigned int depth = 0;

	for (; itp_rank_is_frame(state, node); node = itp_rank_parent(state, node)) {
		depth += itp_module_kind_is_own(itp_rank_kind(state, node)) &&
			 !itp_rank_function(state, node)->is_inlined;
	}
	return depth;
}

/* True for a call that the base never made there: nobody designed the base to wait so. */
static bool is_new(const struct search *search, uint32_t node)
{
	return search->profiles[1] && stats_of(search, 1, node)->count == 0;
}

static void consider(struct search *search, uint32_t node)
{
	const struct itp_rank_state *state = search->state;
	const struct itp_function *function = itp_rank_function(state, node);
	const char *call = itp_function_syscall(function);
	const struct itp_idle_rule *rule;
	struct wait wait = { .node = node };
	size_t at = 0;

	if (!call) {
		return;
	}
	wait.waiter = itp_idle_waiter(state, node);
	find_roots(state, &wait);
	while ((rule = itp_idle_rule_next(call, &at)) != NULL) {
		wait.proof = rule->proof;
		if ((is_new(search, node) && wait.proof != ITP_IDLE_TO_AN_END) ||
		    !passes(state, node, wait.waiter, rule->through)) {
			continue;
		}
		if (wait.proof == ITP_IDLE_NEVER) {
			return;
		}
		if (may_wait(state, node, wait.waiter, wait.proof)) {
			g_array_append_val(search->waits, wait);
			return;
		}
	}
}

/* Work for the kernel's threads comes from others, which wait for it themselves if they have to. */
static void find_kernel_threads(struct itp_rank_state *state)
{
	g_autofree bool *is_in_thread = g_new0(bool, state->node_count);

	for (uint32_t node = 1; node < state->node_count; node++) {
		const struct itp_function *function = itp_rank_function(state, node);
		uint32_t parent = itp_rank_parent(state, node);

		if (function->layer != ITP_LAYER_KERNEL || is_disk_wait(function)) {
			continue;
		}
		is_in_thread[node] = itp_rank_is_frame(state, parent) ?
					     is_in_thread[parent] :
					     itp_start_is_of_kernel(function->name);
		state->waits_for_work[node] |= is_in_thread[node] &&
					       itp_kernel_wait_is_schedulers(function->name);
	}
}

/* True if the wait takes most of a thread's life, in each of the workloads. */
static bool takes_most_of_a_life(const struct search *search, const struct wait *wait)
{
	uint32_t process = itp_rank_process(search->state, wait->node);
	int64_t own_work_ns = search->cpu_ns[wait->life];

	if (wait->life != wait->root) {
		/* First functions of all threads made by a program. */
		if (!itp_start_is_of_thread(itp_rank_function(search->state, wait->life)->name)) {
			return false;
		}
		own_work_ns /= (int64_t)MAX(stats_of(search, 0, wait->life)->count, 1);
	}
	if (search->waits_for_disk[wait->node] ||
	    search->cpu_ns[process] - own_work_ns <= own_work_ns) {
		return false;
	}
	for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
		const struct itp_node_stats *life = stats_of(search, side, wait->life);
		double life_ns = (double)life->total_ns / (double)MAX(life->count, 1);

		if ((double)stats_of(search, side, wait->node)->max_ns < MOST * life_ns) {
			return false;
		}
	}
	return true;
}

/* True for a wait that counts with others: as shallow as a pool's, or most of a life. */
static bool is_pooled(const struct search *search, const struct wait *wait)
{
	return wait->proof == ITP_IDLE_MOST_OF_A_LIFE || wait->proof == ITP_IDLE_MOST_OF_A_THREAD ?
		       takes_most_of_a_life(search, wait) :
		       own_depth(search->state, wait->waiter) <= POOL_FRAMES;
}

static void sum_waits(struct search *search)
{
	for (guint i = 0; i < search->waits->len; i++) {
		const struct wait *wait = &g_array_index(search->waits, struct wait, i);

		if (!is_pooled(search, wait)) {
			continue;
		}
		for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
			search->waiting_ns[side][wait->root] +=
				stats_of(search, side, wait->node)->use.blocked_ns;
		}
	}
}

/* True if a function not far above the wait goes on and on, and calls other functions with most of
 * the thread's work. A function that serves a request does not wait often, and a caller of several
 * such functions has its work on the way to the wait. */
static bool is_in_work_loop(const struct search *search, const struct wait *wait)
{
	const struct itp_rank_state *state = search->state;
	uint32_t callee = wait->node;
	uint32_t node = itp_rank_parent(state, callee);

	if (!is_asked_directly(state, wait->node, wait->waiter)) {
		return false;
	}
	for (int frames = 0; frames < LOOP_FRAMES && itp_rank_is_frame(state, node);
	     callee = node, node = itp_rank_parent(state, node)) {
		const struct itp_node_stats *loop = stats_of(search, 0, node);
		int64_t work_ns = search->cpu_ns[node] - search->cpu_ns[callee];

		if ((double)work_ns >= MOST * (double)search->cpu_ns[wait->root] &&
		    stats_of(search, 0, wait->node)->count >= WAITS_PER_LOOP * loop->count) {
			return true;
		}
		frames += !is_runtime(state, node);
	}
	return false;
}

/* True if the wait, or with it all waits as shallow, takes most of the time, in each of the
 * workloads. */
static bool takes_most_time(const struct search *search, const struct wait *wait)
{
	bool is_shallow = own_depth(search->state, wait->waiter) <= POOL_FRAMES;

	for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
		int64_t all_ns = stats_of(search, side, wait->root)->total_ns;
		int64_t waiting_ns = is_shallow ?
					     search->waiting_ns[side][wait->root] :
					     stats_of(search, side, wait->node)->use.blocked_ns;

		if ((double)waiting_ns < MOST * (double)all_ns) {
			return false;
		}
	}
	return true;
}

/* True for a wait for a pipe, most of the time in each of the workloads, while other processes
 * work. */
static bool waits_for_pipe(const struct search *search, const struct wait *wait)
{
	int64_t own_work_ns = search->cpu_ns[itp_rank_process(search->state, wait->node)];
	bool is_most = search->reads_pipe[wait->node] &&
		       search->cpu_ns[ITP_CONTEXT_ROOT] - own_work_ns > own_work_ns;

	for (size_t side = 0; is_most && side < 2 && search->profiles[side]; side++) {
		int64_t blocked_ns = stats_of(search, side, wait->node)->use.blocked_ns;
		int64_t all_ns = stats_of(search, side, wait->root)->total_ns;

		is_most = (double)blocked_ns >= MOST * (double)all_ns;
	}
	return is_most;
}

/* True for a wait between two jobs, in a thread that was made to work. */
static bool is_between_jobs(const struct search *search, const struct wait *wait)
{
	const struct itp_rank_state *state = search->state;
	uint32_t callee = wait->node;
	int64_t work_ns;

	while (itp_rank_parent(state, callee) != wait->waiter) {
		callee = itp_rank_parent(state, callee);
	}
	work_ns = search->cpu_ns[wait->waiter] - search->cpu_ns[callee];
	for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
		work_ns -= stats_of(search, side, wait->waiter)->own_use.cpu_ns;
	}
	return own_depth(state, wait->waiter) <= WORKER_FRAMES &&
	       strcmp(itp_rank_function(state, wait->root)->name, "main") != 0 &&
	       (double)work_ns >= MOST * (double)search->cpu_ns[wait->root] &&
	       stats_of(search, 0, wait->node)->count >= stats_of(search, 0, wait->waiter)->count;
}

/* Time for which threads of the suspect were blocked until `waiter` woke them. */
static int64_t waited_for_ns(const struct search *search, uint32_t waiter)
{
	const struct itp_rank_state *state = search->state;
	const struct itp_wakers *wakers = search->profiles[0]->wakers;
	uint32_t process = itp_rank_program(state, waiter);
	uint32_t function = itp_rank_function_id(state, waiter);
	int64_t waited_ns = 0;

	for (uint32_t node = 1; node < itp_wakers_node_count(wakers); node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; i < count; i++) {
			if (list[i].role == ITP_WAKER_WOKE && list[i].function == function &&
			    list[i].process == process) {
				waited_ns += list[i].blocked_ns;
			}
		}
	}
	return waited_ns;
}

/* True if `process` woke a thread of the suspect, or was started by it: an end of a process is
 * often not recorded. Processes started by the recorder do not count: they last as long as the
 * recording. */
static bool is_wanted(const struct search *search, uint32_t process)
{
	const struct itp_wakers *wakers = search->profiles[0]->wakers;
	uint32_t function = itp_rank_function_id(search->state, process);

	for (uint32_t node = 1; node < itp_wakers_node_count(wakers); node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; i < count && !itp_rank_is_apart(search->state, node); i++) {
			if (list[i].process == function &&
			    (list[i].role == ITP_WAKER_WOKE || list[i].role == ITP_WAKER_STARTED)) {
				return true;
			}
		}
	}
	return false;
}

static bool is_beside_work(const struct search *search, const struct wait *wait)
{
	uint32_t process = itp_rank_process(search->state, wait->node);
	const struct itp_node_stats *stats = stats_of(search, 0, wait->node);

	return (double)search->cpu_ns[wait->root] <= LITTLE * (double)search->cpu_ns[process] &&
	       own_depth(search->state, wait->waiter) <= POOL_FRAMES &&
	       stats->count >= WAITS_PER_LOOP * stats_of(search, 0, wait->root)->count &&
	       takes_most_time(search, wait) &&
	       (double)waited_for_ns(search, wait->waiter) < MOST * (double)stats->total_ns;
}

static bool is_beside_processes(const struct search *search, const struct wait *wait)
{
	uint32_t process = itp_rank_process(search->state, wait->node);
	int64_t work_ns = search->cpu_ns[process];

	return (double)work_ns <= LITTLE * (double)(search->cpu_ns[ITP_CONTEXT_ROOT] - work_ns) &&
	       takes_most_time(search, wait) && !is_wanted(search, process);
}

static bool is_ended_by_time(const struct search *search, const struct wait *wait)
{
	int64_t blocked_ns = stats_of(search, 0, wait->node)->use.blocked_ns;

	return (double)search->timed_ns[wait->node] >= MOST * (double)blocked_ns;
}

static bool is_proved(const struct search *search, const struct wait *wait)
{
	switch (wait->proof) {
	case ITP_IDLE_NEVER:
		return false;
	case ITP_IDLE_ALWAYS:
	case ITP_IDLE_TO_AN_END:
		return true;
	case ITP_IDLE_IN_WORK_LOOP:
		return is_in_work_loop(search, wait) || takes_most_time(search, wait);
	case ITP_IDLE_MOST_OF_THE_TIME:
		return takes_most_time(search, wait) || is_between_jobs(search, wait);
	case ITP_IDLE_MOST_OF_A_LIFE:
		return takes_most_of_a_life(search, wait) || waits_for_pipe(search, wait);
	case ITP_IDLE_MOST_OF_A_THREAD:
		return takes_most_of_a_life(search, wait) ||
		       (is_ended_by_time(search, wait) && is_beside_processes(search, wait));
	case ITP_IDLE_BESIDE_WORK:
		return is_beside_work(search, wait) || is_beside_processes(search, wait);
	}
	return false;
}

bool itp_idle_is_for_an_end(const struct itp_rank_state *state, uint32_t node)
{
	const struct itp_idle_rule *rule;
	const char *call = NULL;
	size_t at = 0;

	while (itp_rank_is_frame(state, node) &&
	       !(call = itp_function_syscall(itp_rank_function(state, node)))) {
		node = itp_rank_parent(state, node);
	}
	while (call && (rule = itp_idle_rule_next(call, &at)) != NULL) {
		if (rule->proof == ITP_IDLE_TO_AN_END &&
		    passes(state, node, itp_idle_waiter(state, node), rule->through)) {
			return true;
		}
	}
	return false;
}

static void search_init(struct search *search, const struct itp_rank_state *state,
			const struct itp_profile *suspect, const struct itp_profile *base)
{
	*search = (struct search){
		.state = state,
		.profiles = { suspect, base },
		.waits = g_array_new(FALSE, FALSE, sizeof(struct wait)),
		.cpu_ns = g_new0(int64_t, state->node_count),
		.timed_ns = g_new0(int64_t, state->node_count),
		.waiting_ns = { g_new0(int64_t, state->node_count),
				g_new0(int64_t, state->node_count) },
		.reads_pipe = g_new0(bool, state->node_count),
		.waits_for_disk = g_new0(bool, state->node_count),
	};
	sum_cpu(search);
}

static void search_release(struct search *search)
{
	g_array_unref(search->waits);
	g_free(search->cpu_ns);
	g_free(search->timed_ns);
	g_free(search->waiting_ns[0]);
	g_free(search->waiting_ns[1]);
	g_free(search->waits_for_disk);
	g_free(search->reads_pipe);
}

void itp_idle_find(struct itp_rank_state *state, const struct itp_profile *suspect,
		   const struct itp_profile *base)
{
	struct search search;

	state->waits_for_work = g_new0(bool, state->node_count);
	search_init(&search, state, suspect, base);
	sum_timed(&search);
	mark_calls(state, is_disk_wait, search.waits_for_disk);
	mark_calls(state, is_pipe_read, search.reads_pipe);
	for (uint32_t node = 1; node < state->node_count; node++) {
		consider(&search, node);
	}
	sum_waits(&search);
	for (guint i = 0; i < search.waits->len; i++) {
		const struct wait *wait = &g_array_index(search.waits, struct wait, i);

		state->waits_for_work[wait->node] = is_proved(&search, wait);
	}
	find_kernel_threads(state);
	for (uint32_t node = 1; node < state->node_count; node++) {
		state->waits_for_work[node] |= state->waits_for_work[itp_rank_parent(state, node)];
		state->waits_for_work[node] &= !itp_rank_is_apart(state, node);
	}
	search_release(&search);
}

/* True if the system call has no other use than to wait for any event, or may have none. */
static bool is_for_events(const struct itp_function *function)
{
	const char *call = itp_function_syscall(function);
	const struct itp_idle_rule *rule;
	size_t at = 0;

	while (call && (rule = itp_idle_rule_next(call, &at)) != NULL) {
		if (rule->proof == ITP_IDLE_IN_WORK_LOOP) {
			return true;
		}
	}
	return itp_function_awaits_any_event(function);
}

bool *itp_idle_event_loops(const struct itp_rank_state *state, const struct itp_profile *suspect,
			   const struct itp_profile *base)
{
	bool *is_loop = g_new0(bool, state->node_count);
	struct search search;

	search_init(&search, state, suspect, base);
	for (uint32_t node = 1; node < state->node_count; node++) {
		struct wait wait = { .node = node };

		if (is_for_events(itp_rank_function(state, node)) && !is_new(&search, node)) {
			wait.waiter = itp_idle_waiter(state, node);
			find_roots(state, &wait);
			is_loop[node] = is_in_work_loop(&search, &wait);
		}
	}
	search_release(&search);
	return is_loop;
}
