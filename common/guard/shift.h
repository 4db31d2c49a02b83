/* SPDX-License-Identifier: MIT */
/*
 * Types with units slow as a whole, or for a good part.
 *
 * A single slow unit is late. If all units take three times as long, most are still in time, as
 * limits are for rare latencies. But nine in ten units like the learned ones take the usual time at
 * most, and few take twice as long: a machine busy with other work makes them slower by half. A
 * third of the units is no chance; for example, a type may hold several kinds of work, of which one
 * has become slow.
 */
#ifndef ITP_GUARD_SHIFT_H
#define ITP_GUARD_SHIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/guard/guard.h"

/* Fewest units looked at together. */
#define ITP_GUARD_SHIFT_UNITS 30

/* Factor of the usual time above which a unit is slow. */
#define ITP_GUARD_SLOW_TIMES 2

/* Latency above which units of the type are slow, in nanoseconds. */
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
	/* Counts at the last look. */
	uint64_t units;
	uint64_t slower;
	/* Counts between the last two looks: all units, and slow ones. */
	uint64_t last_units;
	uint64_t last_slower;
};

/* Takes the counts until now: `units`, of which `slower` were slow. */
enum itp_guard_turn itp_guard_shift_look(struct itp_guard_shift *shift, uint64_t units,
					 uint64_t slower);

#endif
