/* SPDX-License-Identifier: MIT */
/*
 * Where a program lost the CPU, and what it wanted it for.
 *
 * A thread that computes is interrupted where it computes. But the kernel also takes the CPU at a
 * system call, as at the first one that asks how much time was used, and which function made that
 * says nothing about what is delayed. So where waiting for a CPU is the cause (contention.h), what
 * a process lost in system calls belongs to all that it computes, in proportion to the time on the
 * CPU. Waiting for a CPU after having been blocked is left where it is: there, work had come.
 */
#ifndef ITP_RANK_PREEMPTED_H
#define ITP_RANK_PREEMPTED_H

#include "common/rank/side.h"

/* Does so in `profile`, which may be NULL, with those who had the CPU. state->is_idle and
 * state->apart must be known. */
void itp_preempted_spread(const struct itp_rank_state *state, struct itp_profile *profile);

#endif
