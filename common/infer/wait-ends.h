/* SPDX-License-Identifier: MIT */
/*
 * End of a wait and its ender, for readers of stretches (stretches.h) and for whom it was
 * (demand.h).
 *
 * A wakeup tells the ender. The record of a thread ends before its last step, which wakes waiters
 * for its end. Without a wakeup, a thread that waits for a child was woken by the last ended
 * process of its making; and a thread that waits on a futex open to other processes, by the last
 * ended thread of its process: the kernel wakes joiners of a thread in this way, and locks inside
 * of a process are futexes of another kind.
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

#endif
