/* SPDX-License-Identifier: MIT */
/*
 * Cost of single events on this machine.
 */
#ifndef ITP_PERF_RECORD_COSTS_H
#define ITP_PERF_RECORD_COSTS_H

#include <glib.h>
#include <stdbool.h>

/* CPU time of a single event, in nanoseconds. */
struct itp_event_costs {
	/* With a stack by frame pointers. */
	double frame_pointers_ns;
	/* With a copy: its fixed part, and each byte's. */
	double copy_ns;
	double copy_byte_ns;
	/* Tick of the timer: its interrupt, on top of the event. */
	double tick_ns;
	/* Switch to another thread and back, which every recipe records without a stack. */
	double switch_ns;
};

/* Records this thread for about half a second, while it makes system calls and while it computes,
 * with stacks of each kind, and writes them to a temporary file, as perf does. The stack is deep
 * enough for full copies. */
bool itp_event_costs_measure(struct itp_event_costs *ret_costs, GError **error);

#endif
