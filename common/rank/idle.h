/* SPDX-License-Identifier: MIT */
/*
 * Waiting that is nobody's fault, guessed by the names of system calls: where a recording has no
 * wakeups, or no unit of work was seen, nothing tells whose loss a wait is (unwanted.h).
 *
 * A system call is idle by design when it is one of those that wait for events (the first table in
 * idle.c), made by code of the program's own or of an event loop's library, and the base has waited
 * in the same context, if there is one: waiting that is new is not idle, but for the end of
 * a process or thread that was started, and where Go's runtime has nothing to run. Calls that serve
 * other purposes too have to show more (the second column): that the thread's other work is done
 * from the same loop, or that the thread hardly does anything else.
 *
 * So are threads of the kernel wherever they wait, but for a disk.
 */
#ifndef ITP_RANK_IDLE_H
#define ITP_RANK_IDLE_H

#include "common/rank/side.h"

/* With which functions of the kernel its own threads begin, as their names do. */
#define ITP_KERNEL_ROOT "ret_from_fork"

/* Fills state->is_idle: such a system call and what is below it. The profiles hold all runs of
 * their workloads; `base` may be NULL. */
void itp_idle_find(struct itp_rank_state *state, const struct itp_profile *suspect,
		   const struct itp_profile *base);

/* By node: a system call that waits for any event, near a loop below which the thread does most of
 * its work. Free with g_free(). `base` may be NULL. */
bool *itp_idle_event_loops(const struct itp_rank_state *state, const struct itp_profile *suspect,
			   const struct itp_profile *base);

/* The function that wants to wait in system call `node`: the first above it that is in no runtime.
 */
uint32_t itp_idle_waiter(const struct itp_rank_state *state, uint32_t node);

/* Whether `node`, which is such a wait or below one, is one for the end of another process or
 * thread, or Go's runtime with nothing to run. */
bool itp_idle_is_for_an_end(const struct itp_rank_state *state, uint32_t node);

#endif
