/* SPDX-License-Identifier: MIT */
/*
 * Clocks of output traces, equal to the clocks of the input, and times of clocks in nanoseconds.
 */
#ifndef ITP_MESSAGES_CLOCK_H
#define ITP_MESSAGES_CLOCK_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* A clock class of `self` with the properties of `from`; the caller puts it. NULL when memory runs
 * out. */
bt_clock_class *itp_clock_copy(bt_self_component *self, const bt_clock_class *from);

/* Time of a snapshot, and of the clock's zero, in nanoseconds from the origin of the clock. False,
 * with the time unset, if 64 bits have no room for it; unlike libbabeltrace2's own functions,
 * without an error left on the thread, with which the next message could not be made. */
bool itp_clock_snapshot_ns(const bt_clock_snapshot *snapshot, int64_t *ret_time_ns);
bool itp_clock_zero_ns(const bt_clock_class *clock, int64_t *ret_zero_ns);

#endif
