/* SPDX-License-Identifier: MIT */
/*
 * Waker of a late unit: the thread that ended its wait, and the function that did.
 */
#ifndef ITP_PERF_GUARD_WAKERS_H
#define ITP_PERF_GUARD_WAKERS_H

#include "plugins/perf/guard/processes.h"

struct itp_guard_waker {
	/* Time of the wakeup. */
	uint64_t time_ns;
	int32_t pid;
	int32_t tid;
	char comm[16];
	/* Reason of the kernel, the function `kernel:CAUSE`; ITP_FUNCTION_UNKNOWN when the thread
	 * itself woke. */
	uint32_t reason;
	/* Function that woke; ITP_FUNCTION_UNKNOWN when unknown, as the process is not guarded. */
	uint32_t function;
};

struct itp_guard_wakers;

/* `processes` is weak. */
struct itp_guard_wakers *itp_guard_wakers_new(struct itp_guard_processes *processes);
void itp_guard_wakers_free(struct itp_guard_wakers *wakers);

/* The waker in a snapshot of kind ITP_GUARD_WOKEN. */
struct itp_guard_waker itp_guard_wakers_tell(struct itp_guard_wakers *wakers,
					     const struct itp_guard_snapshot *snapshot);

#endif
