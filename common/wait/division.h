/* SPDX-License-Identifier: MIT */
/*
 * Where a thread's time went while it ran, or was kept from a CPU, in one wait or in a symptom.
 *
 * How long a system call took is known exactly. What lies between them is not: stacks show where
 * the thread was, but seldom where its time went. A timer's ticks say that. A short wait has one or
 * two of them, which may have hit anything. So what all ticks of the recording say of the contexts
 * at hand counts as much as some ticks more, and where these are few, too, how long the stacks let
 * the contexts seem to last.
 *
 * Where a thread is when another one takes its CPU is mostly where the kernel looks whether it
 * should, at the end of a system call. The time until it is on again is no matter of that place:
 * it is divided as the time is that the thread ran just before and just behind.
 */
#ifndef ITP_WAIT_DIVISION_H
#define ITP_WAIT_DIVISION_H

#include "common/wait/critical-path.h"

/* Sets `cost_ns` and `kept_ns` of the links from `first` on that have this depth, which are those
 * of one thread. Their sum stays as it is. */
void itp_divide_runs(GArray *links, guint first, uint32_t depth, const struct itp_history *history);

#endif
