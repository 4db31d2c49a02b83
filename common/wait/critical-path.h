/* SPDX-License-Identifier: MIT */
/*
 * The critical path of a symptom: at each instant of its span, the one stretch that held it up.
 *
 * While a thread runs, or waits for a CPU, that is its own stretch. While it waits and a thread
 * ended that wait, it is what held up that thread at the same instant; else the wait itself, whose
 * end tells whether it was the kernel, or nobody knows who.
 */
#ifndef ITP_WAIT_CRITICAL_PATH_H
#define ITP_WAIT_CRITICAL_PATH_H

#include "common/wait/history.h"

/* How many threads may wait one for the other at an instant; what lies deeper counts as a wait that
 * is not followed. */
#define ITP_MAX_WAIT_DEPTH 64

/* A thread, and a span of its life that was bad. */
struct itp_symptom {
	int32_t tid;
	int64_t begin_ns;
	int64_t end_ns;
	/* It was not seen to begin: what it is of was there before. */
	bool has_begun_before;
};

/* A stretch in its part of the span. */
struct itp_link {
	/* Begins and ends within the span. Where nothing was recorded of the thread, of the kind
	 * ITP_STRETCH_UNKNOWN, in ITP_CONTEXT_ROOT. */
	struct itp_stretch stretch;
	/* 0 for the symptom's thread, 1 for those that it waited for, and so on. */
	uint32_t depth;
	/* A wait, of which the links behind this one, as far as they are deeper, tell what its
	 * waker did meanwhile; they fill it. The others hold up the symptom themselves: their times
	 * sum to its own. */
	bool is_followed;
	/* The thread could run, as it had done just before: another one has its CPU. */
	bool is_kept;
	/* Its time. What a thread ran outside of system calls in one wait, or in the symptom, is
	 * divided among such links as a timer's ticks say, and among all that ran the time for
	 * which it was kept from a CPU meanwhile (division.h). The sum is the same. */
	int64_t cost_ns;
	/* Of that, of one that ran: how long it was kept from a CPU. */
	int64_t kept_ns;
};

/* The links in the order of time, each wait before those that it is followed by: a GArray of struct
 * itp_link. Free with g_array_unref(). */
GArray *itp_critical_path(const struct itp_history *history, const struct itp_symptom *symptom);

#endif
