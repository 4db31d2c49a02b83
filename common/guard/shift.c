/* SPDX-License-Identifier: MIT */
/*
 * See shift.h.
 */
#include "common/guard/shift.h"

/* A type is slow when more than that part of its units is, and as usual again when less than this
 * is. */
#define SLOW_PART 0.5
#define USUAL_PART 0.3

enum itp_guard_turn itp_guard_shift_look(struct itp_guard_shift *shift, uint64_t units,
					 uint64_t slower)
{
	double part;

	if (units - shift->units < ITP_GUARD_SHIFT_UNITS) {
		return ITP_GUARD_TURN_NONE;
	}
	shift->last_units = units - shift->units;
	shift->last_slower = slower - shift->slower;
	shift->units = units;
	shift->slower = slower;
	part = (double)shift->last_slower / (double)shift->last_units;
	if (shift->is_slow ? part < USUAL_PART : part > SLOW_PART) {
		shift->is_slow = !shift->is_slow;
		return shift->is_slow ? ITP_GUARD_TURN_SLOW : ITP_GUARD_TURN_USUAL;
	}
	return ITP_GUARD_TURN_NONE;
}
