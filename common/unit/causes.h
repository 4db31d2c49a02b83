/* SPDX-License-Identifier: MIT */
/*
 * Origins of a wait's end: the chain of wakeups back to a thread that woke up by itself, or to the
 * waiting thread, whose wait is then for the answer to a question of its own.
 */
#ifndef ITP_UNIT_CAUSES_H
#define ITP_UNIT_CAUSES_H

#include <stdbool.h>
#include <stdint.h>

struct itp_causes;

struct itp_causes *itp_causes_new(void);
void itp_causes_free(struct itp_causes *causes);

/* `waker` ended a wait of the thread at `time_ns`; 0: the kernel, or unknown. */
void itp_causes_wake(struct itp_causes *causes, int32_t tid, int32_t waker, int64_t time_ns);

/* The thread has answered between the two times: wakeups by an answer begin the work of others. */
void itp_causes_answer(struct itp_causes *causes, int32_t tid, int64_t begin_ns, int64_t end_ns);

/* True when the last wait of the thread that ended until `end_ns` was ended as a consequence of its
 * own acts since `since_ns`, a time before the wait. */
bool itp_causes_is_own(const struct itp_causes *causes, int32_t tid, int64_t since_ns,
		       int64_t end_ns);

/* The thread has ended: only threads woken by it still need its wakeups. */
void itp_causes_forget(struct itp_causes *causes, int32_t tid);

#endif
