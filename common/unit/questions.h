/* SPDX-License-Identifier: MIT */
/*
 * Datagrams that a thread has read since its latest wait for any event, and has not answered yet.
 *
 * One call may read several, as recvmmsg() does, and each is a request of its own. They are
 * answered in the order in which they were read, as far as system calls tell: one without an answer
 * is forgotten at the next wait. Bytes of connections are left to conversations.c, as more of them
 * may be more of the same request.
 */
#ifndef ITP_UNIT_QUESTIONS_H
#define ITP_UNIT_QUESTIONS_H

#include <stdint.h>

struct itp_questions;

struct itp_questions *itp_questions_new(void);
void itp_questions_free(struct itp_questions *questions);

/* `count` datagrams were read of the descriptor; the thread has known of them since `asked_ns`. */
void itp_questions_add(struct itp_questions *questions, int32_t descriptor, int64_t asked_ns,
		       int64_t count);

/* Time since which the thread has known of the descriptor's oldest datagram, when the thread has
 * answered another datagram since its latest wait; 0: it has not, or there is none. */
int64_t itp_questions_later_ns(const struct itp_questions *questions, int32_t descriptor);

/* The descriptor's oldest datagram, if any, has an answer. */
void itp_questions_answer(struct itp_questions *questions, int32_t descriptor);

/* The thread has waited for any event. */
void itp_questions_forget(struct itp_questions *questions);

#endif
