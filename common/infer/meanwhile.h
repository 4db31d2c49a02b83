/* SPDX-License-Identifier: MIT */
/*
 * What was done while a thread was blocked, and for which function: what the thread that woke it
 * has been seen in, or whom that one waited for in turn.
 *
 * Between two stacks a thread was in what both have in common. While it waited for the kernel, for
 * a disk or for time to pass, or for nobody knows whom, it was in the function that waits. What it
 * was done for is told when it ends the waiting: the innermost function that it was in then as
 * before, such as the one that held a lock, or worked on a request.
 *
 * A wait that time ended, or nobody knows who, and that the thread takes up again at once, in the
 * same place, is one wait with the next: so do those who look from time to time whether a lock is
 * theirs.
 */
#ifndef ITP_INFER_MEANWHILE_H
#define ITP_INFER_MEANWHILE_H

#include "common/infer/thread.h"
#include "common/infer/wake-stack.h"

/* How many of the outer frames of `event` are those that `thread` had when it was last seen; to be
 * asked before the thread observes it. */
size_t itp_meanwhile_shared(const struct itp_thread *thread, const struct itp_stack_event *event);

/* Notes what `thread`, which has observed `event` just now, has done since it was last seen. */
void itp_meanwhile_note(struct itp_wake_stack *wake_stack, const struct itp_thread_context *context,
			struct itp_thread *thread, const struct itp_stack_event *event,
			size_t shared);

/* Whether the last wait of the thread may go on with the next one. */
bool itp_meanwhile_may_wait_on(const struct itp_thread *thread);

/* `thread` gets the CPU again at `time_ns`; to be told before itp_thread_switch_in(). */
void itp_meanwhile_go_on(struct itp_thread *thread, int64_t time_ns);

/* Counts what was done while `woken` was blocked, in the roles ITP_WAKER_RAN and ITP_WAKER_KEPT,
 * and who waited for a CPU instead, in the role ITP_WAKER_QUEUED: by the thread `waking` (NULL when
 * it is none of the recording's), which has observed the wakeup, or by the kernel; `waker` says
 * which.
 */
void itp_meanwhile_count(struct itp_wake_stack *wake_stack,
			 const struct itp_thread_context *context, struct itp_thread *woken,
			 const struct itp_thread *waking, const struct itp_waker *waker);

#endif
