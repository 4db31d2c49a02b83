/* SPDX-License-Identifier: MIT */
/*
 * Clocks of output traces that go like those of the input.
 */
#ifndef ITP_MESSAGES_CLOCK_H
#define ITP_MESSAGES_CLOCK_H

#include <babeltrace2/babeltrace.h>

/* A clock class of `self` with the properties of `from`, which the caller puts. NULL when memory
 * runs out. */
bt_clock_class *itp_clock_copy(bt_self_component *self, const bt_clock_class *from);

#endif
