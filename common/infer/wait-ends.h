/* SPDX-License-Identifier: MIT */
/*
 * End of a wait and its ender, told to readers of stretches (stretches.h) and to demand.h, which
 * finds for whom the wait was.
 *
 * A wakeup names its waker. But the record of a thread ends before its last step, by which it wakes
 * all that wait for its end, and recordings of perf lack the wakeup, too. Without a wakeup, a
 * thread waiting for a child was woken by the child process that ended last. A thread waiting on a
 * futex shared with other processes was woken by the thread of its own process that ended last: the
 * kernel wakes threads at a join through shared futexes, while locks inside a process are private.
 */
#ifndef ITP_INFER_WAIT_ENDS_H
#define ITP_INFER_WAIT_ENDS_H

#include "common/infer/ended-threads.h"
#include "common/infer/thread-state.h"

/* Ends the wait of `thread` now, if blocked, without a wakeup; `end` tells how. */
void itp_wait_ends_without(const struct itp_thread_context *context,
			   const struct itp_ended_threads *ended, struct itp_thread *thread,
			   enum itp_wait_end end);

/* Ends the wait of the blocked thread `woken` now, by `waker`; `waking` is the thread that ran at
 * the wakeup, or NULL. */
void itp_wait_ends_woken(const struct itp_thread_context *context, struct itp_thread *woken,
			 const struct itp_thread *waking, const struct itp_waker *waker);

/* Ends the wait of the blocked thread `woken` by the last step of `gone`, a thread of `ended`. */
void itp_wait_ends_woken_by_end(const struct itp_thread_context *context,
				const struct itp_ended_threads *ended, struct itp_thread *woken,
				const struct itp_ended_thread *gone);

#endif
