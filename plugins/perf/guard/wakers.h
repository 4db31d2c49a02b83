/* SPDX-License-Identifier: MIT */
/*
 * Who ended the waiting of a late unit, and what it did it with.
 */
#ifndef ITP_PERF_GUARD_WAKERS_H
#define ITP_PERF_GUARD_WAKERS_H

#include "plugins/perf/guard/processes.h"

struct itp_guard_waker {
	/* When it was. */
	uint64_t time_ns;
	int32_t pid;
	int32_t tid;
	char comm[16];
	/* Why the kernel did it, the function `kernel:CAUSE`; ITP_FUNCTION_UNKNOWN where the thread
	 * did. */
	uint32_t reason;
	/* What it did it with; ITP_FUNCTION_UNKNOWN where that is not known, as nobody guards its
	 * process. */
	uint32_t function;
};

struct itp_guard_wakers;

/* `processes` is weak. */
struct itp_guard_wakers *itp_guard_wakers_new(struct itp_guard_processes *processes);
void itp_guard_wakers_free(struct itp_guard_wakers *wakers);

/* Whom the snapshot, of kind ITP_GUARD_WOKEN, shows. */
struct itp_guard_waker itp_guard_wakers_tell(struct itp_guard_wakers *wakers,
					     const struct itp_guard_snapshot *snapshot);

#endif
