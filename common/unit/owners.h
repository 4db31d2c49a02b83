/* SPDX-License-Identifier: MIT */
/*
 * For which of the requests that it has open a thread works: one that serves several clients in an
 * event loop turns from one to the other.
 *
 * A request has the descriptor of its client as its name. A thread works for the one of which it
 * has read, or to which it writes; and for the one for which it has asked others, when it reads
 * their answer. Behind a wait for any event it is not known for whom it works until it does one of
 * these. When requests begin and end is left to requests.c.
 */
#ifndef ITP_UNIT_OWNERS_H
#define ITP_UNIT_OWNERS_H

#include "common/unit/conversations.h"

/* It is not known for whom the thread works. */
#define ITP_OWNER_NONE (-1)

struct itp_owners;

struct itp_owners *itp_owners_new(void);
void itp_owners_free(struct itp_owners *owners);

/* The request of this client is open: the thread has read it, and not answered it. */
bool itp_owners_is_open(const struct itp_owners *owners, int32_t tid, int32_t client);
void itp_owners_open(struct itp_owners *owners, int32_t tid, int32_t client);
void itp_owners_close(struct itp_owners *owners, int32_t tid, int32_t client);

/* For whom the thread works; ITP_OWNER_NONE. */
int32_t itp_owners_of(const struct itp_owners *owners, int32_t tid);

/* The open request for which the system call is made, by its descriptor alone, of which `side` is
 * known; ITP_OWNER_NONE. */
int32_t itp_owners_of_call(const struct itp_owners *owners, const struct itp_instance *call,
			   enum itp_descriptor_use use, enum itp_conversation side);

/* The thread works for that request from now on, or waits for any event (ITP_OWNER_NONE). */
void itp_owners_turn(struct itp_owners *owners, int32_t tid, int32_t client);

/* Takes the next system call of a thread that does not serve: whom it asks for whom. */
void itp_owners_note(struct itp_owners *owners, const struct itp_instance *call,
		     enum itp_descriptor_use use, enum itp_conversation side);

/* The thread has ended. */
void itp_owners_forget(struct itp_owners *owners, int32_t tid);

#endif
