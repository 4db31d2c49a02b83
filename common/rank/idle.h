/* SPDX-License-Identifier: MIT */
/*
 * Waiting that is nobody's fault, guessed by the names of system calls: in a recording without
 * wakeups, or without any unit of work, nothing tells whose loss a wait is (unwanted.h).
 *
 * A system call is idle by design if it waits for events (rules in common/known/waiting-calls.h),
 * is made by code of the program's own or of an event loop's
 * library, and the base has waited in the same context, if there is a base: new waiting is not
 * idle, but for the end of a process or thread that was started, and if Go's runtime has nothing to
 * run. Calls with other purposes need a proof (enum itp_idle_proof): the thread does its
 * other work in the same loop, or hardly does anything else.
 *
 * Threads of the kernel are idle in all their waits, but for a disk.
 */
#ifndef ITP_RANK_IDLE_H
#define ITP_RANK_IDLE_H

#include "common/rank/side.h"

/* Fills state->waits_for_work: idle system calls and all below them, but for nodes apart. */
void itp_idle_find(struct itp_rank_state *state);

/* Event loops by node: true for a system call that waits for any event, near a loop below which the
 * thread does most of its work, unless the base never made it. Free with g_free(). */
bool *itp_idle_event_loops(const struct itp_rank_state *state);

/* Function that wants to wait in system call `node`: the nearest above it outside of runtimes. */
uint32_t itp_idle_waiter(const struct itp_rank_state *state, uint32_t node);

/* True if `node`, an idle wait or below one, waits for the end of another process or thread, or has
 * Go's runtime with nothing to run. */
bool itp_idle_is_for_an_end(const struct itp_rank_state *state, uint32_t node);

/* ---- idle-waits.c ---- */

/* Idle waits, a GArray of struct itp_idle_wait, longest first. The base was multiplied by
 * state->base_factor after its waits were found. Free with g_array_unref(). */
GArray *itp_idle_waits(const struct itp_rank_state *state);

#endif
