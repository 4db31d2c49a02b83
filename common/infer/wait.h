/* SPDX-License-Identifier: MIT */
/*
 * A wait: a thread left the CPU blocked, and could run again later. What it then waited for a CPU
 * is not part of it.
 */
#ifndef ITP_INFER_WAIT_H
#define ITP_INFER_WAIT_H

#include <stdint.h>

enum itp_wait_end {
	/* A wakeup was seen. */
	ITP_WAIT_WOKEN,
	/* The thread runs again, and no wakeup was seen. */
	ITP_WAIT_UNSEEN,
	/* The end is not known: events were lost, or nothing more was recorded of the thread. */
	ITP_WAIT_CUT,
};

struct itp_wait {
	int32_t pid;
	int32_t tid;
	/* The context that waited, node of its leaf; ITP_CONTEXT_ROOT when its stack was not
	 * believed. */
	uint32_t node;
	int64_t begin_ns;
	/* At the latest of a wait that was cut. */
	int64_t end_ns;
	enum itp_wait_end end;
	/* Of a wakeup. The thread that ended the wait and the context in which it did, node of its
	 * leaf; 0 and ITP_CONTEXT_ROOT where the kernel did, or who is not known. */
	int32_t waker_tid;
	uint32_t waker_node;
	/* As in struct itp_waker; ITP_FUNCTION_UNKNOWN otherwise. */
	uint32_t waker_process;
	uint32_t waker_function;
};

/* Called during itp_infer_push() and itp_infer_finish(), when the wait has ended. A waker that is a
 * thread has been observed just now: its open calls are those in which it stands. */
typedef void (*itp_wait_func)(const struct itp_wait *wait, void *data);

#endif
