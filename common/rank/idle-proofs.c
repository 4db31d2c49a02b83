/* SPDX-License-Identifier: MIT */
/*
 * Proofs that a wait is idle: the thread does its other work in the same loop, or hardly does
 * anything else (enum itp_idle_proof).
 */
#include "common/rank/idle-proofs.h"

#include <string.h>

#include "common/known/starts.h"

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

/* True if the wait takes most of a thread's life, in each of the workloads. */
static bool takes_most_of_a_life(const struct itp_idle_search *search,
				 const struct itp_idle_call *wait)
{
	uint32_t process = itp_rank_process(search->state, wait->node);
	int64_t own_work_ns = search->cpu_ns[wait->life];

	if (wait->life != wait->root) {
		/* First functions of all threads made by a program. */
		if (!itp_start_is_of_thread(itp_rank_function(search->state, wait->life)->name)) {
			return false;
		}
		own_work_ns /= (int64_t)MAX(itp_idle_stats(search, 0, wait->life)->count, 1);
	}
	if (search->waits_for_disk[wait->node] ||
	    search->cpu_ns[process] - own_work_ns <= own_work_ns) {
		return false;
	}
	for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
		const struct itp_node_stats *life = itp_idle_stats(search, side, wait->life);
		double life_ns = (double)life->total_ns / (double)MAX(life->count, 1);

		if ((double)itp_idle_stats(search, side, wait->node)->max_ns < MOST * life_ns) {
			return false;
		}
	}
	return true;
}

bool itp_idle_is_pooled(const struct itp_idle_search *search, const struct itp_idle_call *wait)
{
	return wait->proof == ITP_IDLE_MOST_OF_A_LIFE || wait->proof == ITP_IDLE_MOST_OF_A_THREAD ?
		       takes_most_of_a_life(search, wait) :
		       own_depth(search->state, wait->waiter) <= POOL_FRAMES;
}

bool itp_idle_is_in_work_loop(const struct itp_idle_search *search,
			      const struct itp_idle_call *wait)
{
	const struct itp_rank_state *state = search->state;
	uint32_t callee = wait->node;
	uint32_t node = itp_rank_parent(state, callee);

	if (!is_asked_directly(state, wait->node, wait->waiter)) {
		return false;
	}
	for (int frames = 0; frames < LOOP_FRAMES && itp_rank_is_frame(state, node);
	     callee = node, node = itp_rank_parent(state, node)) {
		const struct itp_node_stats *loop = itp_idle_stats(search, 0, node);
		int64_t work_ns = search->cpu_ns[node] - search->cpu_ns[callee];

		if ((double)work_ns >= MOST * (double)search->cpu_ns[wait->root] &&
		    itp_idle_stats(search, 0, wait->node)->count >= WAITS_PER_LOOP * loop->count) {
			return true;
		}
		frames += !itp_idle_is_runtime(state, node);
	}
	return false;
}

/* True if the wait, or with it all waits as shallow, takes most of the time, in each of the
 * workloads. */
static bool takes_most_time(const struct itp_idle_search *search, const struct itp_idle_call *wait)
{
	bool is_shallow = own_depth(search->state, wait->waiter) <= POOL_FRAMES;

	for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
		int64_t all_ns = itp_idle_stats(search, side, wait->root)->total_ns;
		int64_t waiting_ns =
			is_shallow ? search->waiting_ns[side][wait->root] :
				     itp_idle_stats(search, side, wait->node)->use.blocked_ns;

		if ((double)waiting_ns < MOST * (double)all_ns) {
			return false;
		}
	}
	return true;
}

/* True for a wait for a pipe, most of the time in each of the workloads, while other processes
 * work. */
static bool waits_for_pipe(const struct itp_idle_search *search, const struct itp_idle_call *wait)
{
	int64_t own_work_ns = search->cpu_ns[itp_rank_process(search->state, wait->node)];
	bool is_most = search->reads_pipe[wait->node] &&
		       search->cpu_ns[ITP_CONTEXT_ROOT] - own_work_ns > own_work_ns;

	for (size_t side = 0; is_most && side < 2 && search->profiles[side]; side++) {
		int64_t blocked_ns = itp_idle_stats(search, side, wait->node)->use.blocked_ns;
		int64_t all_ns = itp_idle_stats(search, side, wait->root)->total_ns;

		is_most = (double)blocked_ns >= MOST * (double)all_ns;
	}
	return is_most;
}

/* True for a wait between two jobs, in a thread that was made to work. */
static bool is_between_jobs(const struct itp_idle_search *search, const struct itp_idle_call *wait)
{
	const struct itp_rank_state *state = search->state;
	uint32_t callee = wait->node;
	int64_t work_ns;

	while (itp_rank_parent(state, callee) != wait->waiter) {
		callee = itp_rank_parent(state, callee);
	}
	work_ns = search->cpu_ns[wait->waiter] - search->cpu_ns[callee];
	for (size_t side = 0; side < 2 && search->profiles[side]; side++) {
		work_ns -= itp_idle_stats(search, side, wait->waiter)->own_use.cpu_ns;
	}
	return own_depth(state, wait->waiter) <= WORKER_FRAMES &&
	       strcmp(itp_rank_function(state, wait->root)->name, "main") != 0 &&
	       (double)work_ns >= MOST * (double)search->cpu_ns[wait->root] &&
	       itp_idle_stats(search, 0, wait->node)->count >=
		       itp_idle_stats(search, 0, wait->waiter)->count;
}

/* Time for which threads of the suspect were blocked until `waiter` woke them. */
static int64_t waited_for_ns(const struct itp_idle_search *search, uint32_t waiter)
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
static bool is_wanted(const struct itp_idle_search *search, uint32_t process)
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

static bool is_beside_work(const struct itp_idle_search *search, const struct itp_idle_call *wait)
{
	uint32_t process = itp_rank_process(search->state, wait->node);
	const struct itp_node_stats *stats = itp_idle_stats(search, 0, wait->node);

	return (double)search->cpu_ns[wait->root] <= LITTLE * (double)search->cpu_ns[process] &&
	       own_depth(search->state, wait->waiter) <= POOL_FRAMES &&
	       stats->count >= WAITS_PER_LOOP * itp_idle_stats(search, 0, wait->root)->count &&
	       takes_most_time(search, wait) &&
	       (double)waited_for_ns(search, wait->waiter) < MOST * (double)stats->total_ns;
}

static bool is_beside_processes(const struct itp_idle_search *search,
				const struct itp_idle_call *wait)
{
	uint32_t process = itp_rank_process(search->state, wait->node);
	int64_t work_ns = search->cpu_ns[process];

	return (double)work_ns <= LITTLE * (double)(search->cpu_ns[ITP_CONTEXT_ROOT] - work_ns) &&
	       takes_most_time(search, wait) && !is_wanted(search, process);
}

static bool is_ended_by_time(const struct itp_idle_search *search, const struct itp_idle_call *wait)
{
	int64_t blocked_ns = itp_idle_stats(search, 0, wait->node)->use.blocked_ns;

	return (double)search->timed_ns[wait->node] >= MOST * (double)blocked_ns;
}

bool itp_idle_is_proved(const struct itp_idle_search *search, const struct itp_idle_call *wait)
{
	switch (wait->proof) {
	case ITP_IDLE_NEVER:
		return false;
	case ITP_IDLE_ALWAYS:
	case ITP_IDLE_TO_AN_END:
		return true;
	case ITP_IDLE_IN_WORK_LOOP:
		return itp_idle_is_in_work_loop(search, wait) || takes_most_time(search, wait);
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
