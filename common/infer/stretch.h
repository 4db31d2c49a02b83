/* SPDX-License-Identifier: MIT */
/*
 * Stretch of a thread's life, of a single kind and in a single context. Stretches of a thread lie
 * one behind the other; at a gap, events are missing, or the thread had not been seen yet.
 *
 * Between two stacks a thread was in the innermost call that went on meanwhile, unless a timer
 * shows its place.
 */
#ifndef ITP_INFER_STRETCH_H
#define ITP_INFER_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

enum itp_stretch_kind {
	/* Thread had a CPU. */
	ITP_STRETCH_RUN,
	/* Thread could run, and waited for a CPU. */
	ITP_STRETCH_READY,
	/* Thread had left the CPU blocked. */
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
	/* End; of a wait that was cut, the latest possible. */
	int64_t end_ns;
	/* Of a run: a timer's ticks that found it there. */
	uint32_t ticks;
	/* Stretch between a system call's begin and end, known exactly. */
	bool is_in_call;
	/* Of a wait, as the members below. */
	enum itp_wait_end end;
	/* Of a wakeup: thread that ended the wait and its context then, node of its leaf; 0 and
	 * ITP_CONTEXT_ROOT for the kernel, or an unknown thread. */
	int32_t waker_tid;
	uint32_t waker_node;
	/* Members of struct itp_waker; ITP_FUNCTION_UNKNOWN for other ends. */
	uint32_t waker_process;
	uint32_t waker_function;
};

/* Called during itp_infer_push() and itp_infer_finish(), at a stretch's end. A thread that ended a
 * wait has been observed just now, and its open calls are its present ones. */
typedef void (*itp_stretch_func)(const struct itp_stretch *stretch, void *data);

#endif
