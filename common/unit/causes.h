/* SPDX-License-Identifier: MIT */
/*
 * Who set a wait's end going: the chain of wakeups from the thread that ended it back to a thread
 * that woke up by itself, or to the waiting thread, which then waits for the answer to something
 * that it has asked.
 */
#ifndef ITP_UNIT_CAUSES_H
#define ITP_UNIT_CAUSES_H

#include <stdbool.h>
#include <stdint.h>

struct itp_causes;

struct itp_causes *itp_causes_new(void);
void itp_causes_free(struct itp_causes *causes);

/* A wait of the thread was ended by another one, or by the kernel or by who is not known (0). */
void itp_causes_wake(struct itp_causes *causes, int32_t tid, int32_t waker, int64_t time_ns);

/* The thread has answered between the two: what was set going by that is the work of others. */
void itp_causes_answer(struct itp_causes *causes, int32_t tid, int64_t begin_ns, int64_t end_ns);

/* Whether the latest wait of the thread that was ended until `end_ns` was ended because of what the
 * thread itself has done since `since_ns`, which is before the wait. */
bool itp_causes_is_own(const struct itp_causes *causes, int32_t tid, int64_t since_ns,
		       int64_t end_ns);

/* The thread has ended: nobody but those that it has woken needs it. */
void itp_causes_forget(struct itp_causes *causes, int32_t tid);

#endif
