/* SPDX-License-Identifier: MIT */
/*
 * End of a wait and its ender, for readers of stretches (stretches.h) and for whom it was
 * (demand.h).
 *
 * A wakeup tells who. What is recorded of a thread ends before its last step, which wakes whoever
 * waits for its end; recordings of perf lack that wakeup, too. So where no wakeup was seen, a
 * thread that waits for a child was woken by the process of its making that ended last; and one
 * that waits on a futex that other processes may wake, too, by the thread of its process that ended
 * last: the kernel wakes who joins a thread in that way, and locks inside of a process are futexes
 * of another kind.
 */
#ifndef ITP_INFER_WAIT_ENDS_H
#define ITP_INFER_WAIT_ENDS_H

#include "common/infer/ended.h"
#include "common/infer/thread.h"

/* If `thread` is blocked, its wait ends now, `end` being how: without a wakeup. */
void itp_wait_ends_without(const struct itp_thread_context *context,
			   const struct itp_ended_threads *ended, struct itp_thread *thread,
			   enum itp_wait_end end);

/* `woken`, which was blocked, is woken now by `waker`; `waking` is the thread that ran there, or
 * NULL. */
void itp_wait_ends_woken(const struct itp_thread_context *context, struct itp_thread *woken,
			 const struct itp_thread *waking, const struct itp_waker *waker);

/* End of the wait of `woken`, which was blocked, by the last step of `gone`, one of `ended`. */
void itp_wait_ends_woken_by_end(const struct itp_thread_context *context,
				const struct itp_ended_threads *ended, struct itp_thread *woken,
				const struct itp_ended_thread *gone);

#endif
