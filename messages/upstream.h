/* SPDX-License-Identifier: MIT */
/*
 * Messages of a component in front of ours, perhaps Babeltrace's own or anybody's.
 *
 * Readers have been seen to hand out messages, and to leave an error on the thread: Babeltrace
 * 2.0's reader does for some damaged traces in CTF. Nearly all of libbabeltrace2's functions abort
 * on a thread with an error, so making a message, or asking for the next, would end the process.
 * Here the error is taken from the thread, and told behind the messages that came with it.
 */
#ifndef ITP_MESSAGES_UPSTREAM_H
#define ITP_MESSAGES_UPSTREAM_H

#include <babeltrace2/babeltrace.h>

/* Zeroed at first. */
struct itp_upstream {
	/* Owned by this; NULL until made. */
	bt_message_iterator *iterator;
	/* Error left by the reader beside its last messages, to be told at the next call; NULL for
	 * none. Owned by this. */
	const bt_error *error;
};

/* Like bt_message_iterator_next(), with an error on the thread exactly when an error is
 * returned. */
bt_message_iterator_next_status itp_upstream_next(struct itp_upstream *upstream,
						  bt_message_array_const *ret_messages,
						  uint64_t *ret_count);

/* Forgets an error, for a new beginning. */
void itp_upstream_forget(struct itp_upstream *upstream);
void itp_upstream_release(struct itp_upstream *upstream);

#endif
