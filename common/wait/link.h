/* SPDX-License-Identifier: MIT */
/*
 * Link of a critical path (critical-path.h).
 */
#ifndef ITP_WAIT_LINK_H
#define ITP_WAIT_LINK_H

#include "common/wait/history.h"

/* A stretch, and its part of the span. */
struct itp_link {
	/* Begins and ends within the span. ITP_STRETCH_UNKNOWN, in ITP_CONTEXT_ROOT, if nothing was
	 * recorded of the thread then. */
	struct itp_stretch stretch;
	/* 0 for the symptom's thread, 1 for the threads that it waited for, and on. */
	uint32_t depth;
	/* True for a wait with its waker's links behind it: the deeper ones up to the next link of
	 * this depth, which fill the wait. All other links hold up the symptom themselves: their
	 * times sum to its own. */
	bool is_followed;
	/* The thread could run, and ran just before: another thread has its CPU. */
	bool is_kept;
	/* Time of the link. The times that a thread ran outside of system calls, in a wait or in
	 * the symptom, are divided among its links by a timer's ticks; times for which it was kept
	 * from a CPU, among all its running links (division.h). Sums stay the same. */
	int64_t cost_ns;
	/* Part of a running link's cost_ns for which the thread was kept from a CPU. */
	int64_t kept_ns;
};

#endif
