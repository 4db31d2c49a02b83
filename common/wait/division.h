/* SPDX-License-Identifier: MIT */
/*
 * Division of a thread's running time, and of its time kept from a CPU, in a wait or in a symptom.
 *
 * Durations of system calls are known exactly. Between them stacks show the places of the thread,
 * but seldom its time in each: a timer's ticks say that. A short wait has one or two ticks, which
 * may have hit anything. All ticks of the recording in the same contexts therefore count as much as
 * some ticks more; and if these are few, too, the lengths between stacks count.
 *
 * When another thread takes the CPU, the stack is mostly at the kernel's check for it, at the end
 * of a system call. The time until the thread is on again has nothing to do with that place: it is
 * divided as the running time just before and just behind.
 */
#ifndef ITP_WAIT_DIVISION_H
#define ITP_WAIT_DIVISION_H

#include "common/wait/link.h"

/* Sets `cost_ns` and `kept_ns` of the links from `first` on at `depth`, links of one thread. Their
 * sum stays the same. */
void itp_divide_runs(GArray *links, guint first, uint32_t depth, const struct itp_history *history);

#endif
