/* SPDX-License-Identifier: MIT */
/*
 * Thread: its open stack, its system call, and the use of its time.
 *
 * Decides whether a stack can be believed (rule 5) and hands it to continuity.h in the shape given
 * by boundary.h. Finding the thread of an event is infer.c's business.
 */
#ifndef ITP_INFER_THREAD_H
#define ITP_INFER_THREAD_H

#include "common/infer/thread-state.h"

void itp_thread_init(struct itp_thread *thread, int32_t pid, int32_t tid);
void itp_thread_release(struct itp_thread *thread);

/* Begins the life of the thread under `image`. */
void itp_thread_begin(struct itp_thread *thread, const struct itp_thread_context *context,
		      struct itp_image *image, int64_t time_ns, bool begin_unknown);

/* The thread, whose process this was, runs another program from now on. */
void itp_thread_exec(struct itp_thread *thread, const struct itp_thread_context *context,
		     struct itp_image *image, int64_t time_ns);

/* Context in which the thread makes a process now, ITP_CONTEXT_ROOT where unknown. */
uint32_t itp_thread_making(const struct itp_thread *thread);

/* Lets the thread's clock run until `time_ns`, a sign of life. */
void itp_thread_advance(struct itp_thread *thread, int64_t time_ns);

/* Takes an event of the thread that shows its stack (system calls, switch-out, sample). */
void itp_thread_observe(struct itp_thread *thread, struct itp_thread_context *context,
			const struct itp_stack_event *event);

void itp_thread_switch_in(struct itp_thread *thread, const struct itp_thread_context *context);

/* The thread may run again. Returns whether it was blocked: its waker is then to be told with
 * itp_thread_count_waker(), before the thread's next event. */
bool itp_thread_wake(struct itp_thread *thread);
/* Counts `waker`; role, node, count and time are set here. */
void itp_thread_count_waker(struct itp_thread *thread, const struct itp_thread_context *context,
			    struct itp_waker *waker);

/* Begin of the thread's wait for a CPU; −1 without one. */
int64_t itp_thread_waits_since(const struct itp_thread *thread);
/* Adds a process that had the CPU meanwhile, to be told before itp_thread_switch_in(). The node is
 * set here: the place of the wait, now or once known. */
void itp_thread_add_waker(struct itp_thread *thread, const struct itp_thread_context *context,
			  struct itp_waker *waker);

/* Exact function traces: `frame` is entered or left. A function that is left but not open is
 * ignored. */
void itp_thread_enter(struct itp_thread *thread, struct itp_thread_context *context,
		      const struct itp_frame *frame);
void itp_thread_leave(struct itp_thread *thread, const struct itp_thread_context *context,
		      const struct itp_frame *frame);

/* The thread's next stack is in the system call `function`, of which nobody saw the begin. */
void itp_thread_be_in_call(struct itp_thread *thread, uint32_t function);

/* The end of the system call that the thread may be in will not be told. */
void itp_thread_leave_unseen(struct itp_thread *thread);

/* Rule 6: events are missing before now. */
void itp_thread_lose(struct itp_thread *thread, const struct itp_thread_context *context);

/* Lets the thread's clock run until `time_ns`, without a sign of life. A thread off the CPU still
 * stands at its place. */
void itp_thread_pass(struct itp_thread *thread, const struct itp_continuity_rules *rules,
		     int64_t time_ns);

/* Closes everything, the process root included: the thread is gone. */
void itp_thread_end(struct itp_thread *thread, const struct itp_thread_context *context,
		    uint32_t flags);

#endif
