/* SPDX-License-Identifier: MIT */
/*
 * Doings while a thread was blocked, and the function they were for: the functions of its waker, or
 * of the thread the waker waited for in turn.
 *
 * Between two stacks a thread was in the functions common to both. While it waited for the kernel,
 * for a disk or for time to pass, or for an unknown thread, it was in the waiting function. The
 * function behind the work is told when it ends the waiting: the waker's innermost function both
 * before and then, such as the holder of a lock, or the worker on a request, be it that others did
 * the work for it. Only where both threads waited in the same function, as for a lock, it is
 * whoever kept the waker waiting.
 *
 * A wait ended by time, or by an unknown thread, and taken up again at once in the same place, is
 * one wait with the next: polls for a lock end so.
 */
#ifndef ITP_INFER_MEANWHILE_H
#define ITP_INFER_MEANWHILE_H

#include "common/infer/thread-state.h"
#include "common/infer/wake-stack.h"

/* Number of the outer frames of `event` that `thread` had at its last sight; to be asked before the
 * thread observes it. */
size_t itp_meanwhile_shared(const struct itp_thread *thread, const struct itp_stack_event *event);

/* Notes the doings of `thread`, which has observed `event` just now, since its last sight. */
void itp_meanwhile_note(struct itp_wake_stack *wake_stack, const struct itp_thread_context *context,
			struct itp_thread *thread, const struct itp_stack_event *event,
			size_t shared);

/* True when the last wait of the thread may go on with the next one. */
bool itp_meanwhile_may_wait_on(const struct itp_thread *thread);

/* `thread` gets the CPU again at `time_ns`; to be told before itp_thread_switch_in(). */
void itp_meanwhile_go_on(struct itp_thread *thread, int64_t time_ns);

/* Counts doings while `woken` was blocked, in the roles ITP_WAKER_RAN and ITP_WAKER_KEPT, and waits
 * for a CPU instead, in the role ITP_WAKER_QUEUED: of the thread `waking` (NULL when it is none of
 * the recording's), which has observed the wakeup, or of the kernel; `waker` tells which. */
void itp_meanwhile_count(struct itp_wake_stack *wake_stack,
			 const struct itp_thread_context *context, struct itp_thread *woken,
			 const struct itp_thread *waking, const struct itp_waker *waker);

#endif
