/* SPDX-License-Identifier: MIT */
/*
 * Types whose units have become slow as a whole, or for a good part. One slow unit is late; when
 * all of them take three times as long, most are still in time, as limits are for what is rare. But
 * of units like those from which guards have learned nine in ten take what is usual, and it is
 * seldom that one takes twice as much: a machine that is busy with something else makes them slower
 * by half. What a third of them does is no chance, such as of a type that holds several kinds of
 * work, of which one has become slow.
 */
#ifndef ITP_GUARD_SHIFT_H
#define ITP_GUARD_SHIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/guard/guard.h"

/* So many units are looked at together, at least. */
#define ITP_GUARD_SHIFT_UNITS 30

/* Units are slow that take longer than so many times what is usual. */
#define ITP_GUARD_SLOW_TIMES 2

/* That is as long as this. */
static inline int64_t itp_guard_slow_ns(const struct itp_guard_type *type)
{
	return ITP_GUARD_SLOW_TIMES * MIN(type->usual_ns, INT64_MAX / ITP_GUARD_SLOW_TIMES);
}

enum itp_guard_turn {
	ITP_GUARD_TURN_NONE,
	ITP_GUARD_TURN_SLOW,
	ITP_GUARD_TURN_USUAL,
};

/* Zeroed at first. */
struct itp_guard_shift {
	bool is_slow;
	/* What there was at the last look. */
	uint64_t units;
	uint64_t slower;
	/* Of the look before: how many there were in between, and how many were slower. */
	uint64_t last_units;
	uint64_t last_slower;
};

/* `units` there were until now, of which `slower` were slow. */
enum itp_guard_turn itp_guard_shift_look(struct itp_guard_shift *shift, uint64_t units,
					 uint64_t slower);

#endif
