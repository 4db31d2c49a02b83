/* SPDX-License-Identifier: MIT */
/*
 * Identities of clocks, traces and classes, by the means of each version of the message interchange
 * protocol (mip.h): UUIDs in version 0, and namespaces and identifiers (UIDs) from version 1 on.
 * Names, common to all versions, are left to the callers.
 */
#ifndef ITP_MESSAGES_IDENTITY_H
#define ITP_MESSAGES_IDENTITY_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* Gives a named clock the identity common to all clocks passed here: no graph orders messages whose
 * clocks have nothing in common, and from version 1 on not even messages of two unknown clocks.
 * False when memory runs out, as below. */
bool itp_clock_identity_share(bt_clock_class *clock);

/* How exact the clock is, is copied, too. */
bool itp_clock_identity_copy(bt_clock_class *to, const bt_clock_class *from);

bool itp_trace_identity_copy(bt_trace *to, const bt_trace *from);

bool itp_stream_class_identity_copy(bt_stream_class *to, const bt_stream_class *from);

bool itp_event_class_identity_copy(bt_event_class *to, const bt_event_class *from);

#endif
