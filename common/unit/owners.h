/* SPDX-License-Identifier: MIT */
/*
 * Requests for which threads work: a thread with several clients in an event loop turns from one
 * open request to another.
 *
 * A request is named by the descriptor of its client. A thread works for the request just read or
 * answered; and for the request behind a question to others, when it reads their answer. After a
 * wait for any event the request is unknown until the next call of these kinds. Begins and ends of
 * requests are left to requests.c.
 */
#ifndef ITP_UNIT_OWNERS_H
#define ITP_UNIT_OWNERS_H

#include "common/unit/conversations.h"

/* Unknown request. */
#define ITP_OWNER_NONE (-1)

struct itp_owners;

struct itp_owners *itp_owners_new(void);
void itp_owners_free(struct itp_owners *owners);

/* Open requests, each of a client: read by the thread, and not answered by it. */
bool itp_owners_is_open(const struct itp_owners *owners, int32_t tid, int32_t client);
void itp_owners_open(struct itp_owners *owners, int32_t tid, int32_t client);
void itp_owners_close(struct itp_owners *owners, int32_t tid, int32_t client);

/* Request for which the thread works; ITP_OWNER_NONE. */
int32_t itp_owners_of(const struct itp_owners *owners, int32_t tid);

/* Open request for which the system call is made, by its descriptor alone, with the known side
 * `side`; ITP_OWNER_NONE. */
int32_t itp_owners_of_call(const struct itp_owners *owners, const struct itp_instance *call,
			   enum itp_descriptor_use use, enum itp_conversation side);

/* The thread works for the client's request from now on, or waits for any event
 * (ITP_OWNER_NONE). */
void itp_owners_turn(struct itp_owners *owners, int32_t tid, int32_t client);

/* Takes the next system call of a thread: a write or a connect to a server asks for the thread's
 * present client. */
void itp_owners_note(struct itp_owners *owners, const struct itp_instance *call,
		     enum itp_descriptor_use use, enum itp_conversation side);

/* The thread has ended. */
void itp_owners_forget(struct itp_owners *owners, int32_t tid);

#endif
