/* SPDX-License-Identifier: MIT */
/*
 * A stretch of a thread's life, of one kind and in one context. Those of a thread lie one behind
 * the other; where there is a gap, events are missing, or the thread had not been seen yet.
 *
 * Between two stacks a thread was in the innermost call that went on meanwhile, unless a timer
 * shows where it was.
 */
#ifndef ITP_INFER_STRETCH_H
#define ITP_INFER_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

enum itp_stretch_kind {
	/* It had a CPU. */
	ITP_STRETCH_RUN,
	/* It could run, and waited for a CPU. */
	ITP_STRETCH_READY,
	/* It had left the CPU blocked. */
	ITP_STRETCH_WAIT,
	/* Nothing tells which of the three. */
	ITP_STRETCH_UNKNOWN,
};

#define ITP_STRETCH_KIND_COUNT 4

/* How a wait ended. */
enum itp_wait_end {
	/* A wakeup was seen. */
	ITP_WAIT_WOKEN,
	/* The thread runs again, and no wakeup was seen. */
	ITP_WAIT_UNSEEN,
	/* The end is not known: events were lost, or nothing more was recorded of the thread. */
	ITP_WAIT_CUT,
};

#define ITP_WAIT_END_COUNT 3

struct itp_stretch {
	enum itp_stretch_kind kind;
	int32_t pid;
	int32_t tid;
	/* Node of its innermost function; ITP_CONTEXT_ROOT when the stack was not believed. */
	uint32_t node;
	int64_t begin_ns;
	/* Of a wait that was cut, at the latest. */
	int64_t end_ns;
	/* Of one that ran: a timer's ticks that found it there. */
	uint32_t ticks;
	/* It lies between a system call's begin and its end, which are known exactly. */
	bool is_in_call;
	/* Of a wait, as are those below. */
	enum itp_wait_end end;
	/* Of a wakeup. The thread that ended the wait and the context in which it did, node of its
	 * leaf; 0 and ITP_CONTEXT_ROOT where the kernel did, or who is not known. */
	int32_t waker_tid;
	uint32_t waker_node;
	/* As in struct itp_waker; ITP_FUNCTION_UNKNOWN otherwise. */
	uint32_t waker_process;
	uint32_t waker_function;
};

/* Called during itp_infer_push() and itp_infer_finish(), when the stretch has ended. A thread that
 * ended a wait has been observed just now: its open calls are those in which it stands. */
typedef void (*itp_stretch_func)(const struct itp_stretch *stretch, void *data);

#endif
