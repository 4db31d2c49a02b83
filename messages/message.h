/* SPDX-License-Identifier: MIT */
/*
 * What messages of any type have in common.
 */
#ifndef ITP_MESSAGES_MESSAGE_H
#define ITP_MESSAGES_MESSAGE_H

#include <babeltrace2/babeltrace.h>

/* The stream that `message` is about, NULL where it is about none. Weak. */
const bt_stream *itp_message_stream(const bt_message *message);

#endif
