/* SPDX-License-Identifier: MIT */
/*
 * Common properties of messages of any type.
 */
#ifndef ITP_MESSAGES_MESSAGE_H
#define ITP_MESSAGES_MESSAGE_H

#include <babeltrace2/babeltrace.h>

/* The stream of `message`; NULL for messages without a stream. Weak. */
const bt_stream *itp_message_stream(const bt_message *message);

#endif
