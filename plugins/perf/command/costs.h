/* SPDX-License-Identifier: MIT */
/*
 * What one event costs on this machine.
 */
#ifndef ITP_PERF_COMMAND_COSTS_H
#define ITP_PERF_COMMAND_COSTS_H

#include <glib.h>
#include <stdbool.h>

/* CPU time that one event takes (ns). */
struct itp_event_costs {
	/* With a stack by frame pointers. */
	double frame_pointers_ns;
	/* With a copy: its fixed part, and that of each byte. */
	double copy_ns;
	double copy_byte_ns;
	/* What a tick of the timer takes besides: its interrupt. */
	double tick_ns;
	/* A switch to another thread and back, which every recipe records without a stack. */
	double switch_ns;
};

/* Records this thread for about half a second, while it makes system calls and while it computes,
 * with stacks of each kind, and writes them to a temporary file, as perf does. The stack is deep
 * enough that copies are full. */
bool itp_event_costs_measure(struct itp_event_costs *ret_costs, GError **error);

#endif
