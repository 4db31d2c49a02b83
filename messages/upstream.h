/* SPDX-License-Identifier: MIT */
/*
 * Messages of a component that is in front of one of ours, which may be Babeltrace's own or
 * anybody's.
 *
 * Readers have been seen to hand out messages, and to leave an error on the thread: that of
 * Babeltrace 2.0 does so for some damaged traces in CTF. Nearly all of libbabeltrace2's functions
 * abort on a thread with an error, so whoever makes a message, or asks for the next, would end the
 * process. Here such an error is taken from the thread, and told behind the messages that came with
 * it.
 */
#ifndef ITP_MESSAGES_UPSTREAM_H
#define ITP_MESSAGES_UPSTREAM_H

#include <babeltrace2/babeltrace.h>

/* Zeroed at first. */
struct itp_upstream {
	/* Owned by this; NULL until it is made. */
	bt_message_iterator *iterator;
	/* The error that the reader left beside its last messages, to be told at the next call;
	 * NULL for none. Owned by this. */
	const bt_error *error;
};

/* As bt_message_iterator_next(): there is an error on the thread exactly when an error is
 * returned. */
bt_message_iterator_next_status itp_upstream_next(struct itp_upstream *upstream,
						  bt_message_array_const *ret_messages,
						  uint64_t *ret_count);

/* Forgets an error, for those who begin anew. */
void itp_upstream_forget(struct itp_upstream *upstream);
void itp_upstream_release(struct itp_upstream *upstream);

#endif
