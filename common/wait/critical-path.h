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

#include "common/wait/link.h"

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

/* Links in the order of time, each wait before the links of its waker: a GArray of struct itp_link.
 * Free with g_array_unref(). */
GArray *itp_critical_path(const struct itp_history *history, const struct itp_symptom *symptom);

#endif
