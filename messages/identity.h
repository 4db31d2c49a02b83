/* SPDX-License-Identifier: MIT */
/*
 * What tells clocks, traces and classes from others, which each version of the message interchange
 * protocol (mip.h) does by other means: UUIDs in version 0, and namespaces and identifiers (UIDs)
 * from version 1 on. Names, which all versions have, are left to the callers.
 */
#ifndef ITP_MESSAGES_IDENTITY_H
#define ITP_MESSAGES_IDENTITY_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* Makes a clock, which has a name, the same as all others that this was called for: no graph puts
 * messages in order whose clocks have nothing in common, from version 1 on not even those of two
 * clocks that nothing is known of. False when memory runs out, as below. */
bool itp_clock_identity_share(bt_clock_class *clock);

/* How exact the clock is, is copied, too. */
bool itp_clock_identity_copy(bt_clock_class *to, const bt_clock_class *from);

bool itp_trace_identity_copy(bt_trace *to, const bt_trace *from);

bool itp_stream_class_identity_copy(bt_stream_class *to, const bt_stream_class *from);

bool itp_event_class_identity_copy(bt_event_class *to, const bt_event_class *from);

#endif
