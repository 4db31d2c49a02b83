/* SPDX-License-Identifier: MIT */
/*
 * Critical path of a symptom: at each instant of its span, the single stretch that held it up.
 *
 * While a thread runs, or waits for a CPU, this is its own stretch. While it waits for a thread, it
 * is the stretch that held up that thread at the same instant. Without such a thread it is the wait
 * itself, and the wait's end tells whether the kernel ended it, or nobody knows who.
 */
#ifndef ITP_WAIT_CRITICAL_PATH_H
#define ITP_WAIT_CRITICAL_PATH_H

#include "common/wait/history.h"

/* Most threads that wait in a row at an instant; waits of deeper threads are not followed. */
#define ITP_MAX_WAIT_DEPTH 64

/* A thread, and a bad span of its life. */
struct itp_symptom {
	int32_t tid;
	int64_t begin_ns;
	int64_t end_ns;
	/* The begin was not seen: the call or process was there before the recording. */
	bool has_begun_before;
};

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

/* Links in the order of time, each wait before the links of its waker: a GArray of struct itp_link.
 * Free with g_array_unref(). */
GArray *itp_critical_path(const struct itp_history *history, const struct itp_symptom *symptom);

#endif
