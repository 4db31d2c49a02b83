/* SPDX-License-Identifier: MIT */
/*
 * See shift.h. The probability of a part by chance, when another part is usual, is bounded by
 * Chernoff: e^-(units · D), with D the divergence of the two parts (Kullback and Leibler, 1951).
 */
#include "common/guard/shift.h"

#include <glib.h>
#include <math.h>

/* Usual part of slow units, at most, as one in ten takes longer than usual; and evidence, in nats,
 * for a slow type: a part that chance gives once in a hundred million times. 36 units with half of
 * them slow, or 120 with 30 in 100. */
#define USUAL_PART 0.1
#define SLOW_EVIDENCE 18.4
/* Part of slow units in a slow type, at least; and evidence, in nats, for its end: a smaller part
 * that chance gives once in a hundred times. 21 units, none of them slow. */
#define SLOW_PART 0.2
#define USUAL_EVIDENCE 4.6
/* Most units looked at together, as older ones are past; of a larger batch no more count. A type is
 * then slow if more than a fifth is. */
#define UNITS_MOST 300

static double divergence_of(double part, double usual)
{
	return (part > 0 ? part * log(part / usual) : 0) +
	       (part < 1 ? (1 - part) * log((1 - part) / (1 - usual)) : 0);
}

static bool is_turn(bool is_slow, double part, uint64_t all_units)
{
	const double units = (double)MIN(all_units, UNITS_MOST);

	return is_slow ?
		       part < SLOW_PART && units * divergence_of(part, SLOW_PART) > USUAL_EVIDENCE :
		       part > USUAL_PART && units * divergence_of(part, USUAL_PART) > SLOW_EVIDENCE;
}

enum itp_guard_turn itp_guard_shift_look(struct itp_guard_shift *shift, uint64_t units,
					 uint64_t slower)
{
	const uint64_t count = units - shift->units;
	const double part = (double)(slower - shift->slower) / (double)MAX(count, 1);
	const bool turns = count >= ITP_GUARD_SHIFT_UNITS && is_turn(shift->is_slow, part, count);

	if (!turns && count < UNITS_MOST) {
		return ITP_GUARD_TURN_NONE;
	}
	shift->last_units = count;
	shift->last_slower = slower - shift->slower;
	shift->units = units;
	shift->slower = slower;
	if (!turns) {
		return ITP_GUARD_TURN_NONE;
	}
	shift->is_slow = !shift->is_slow;
	return shift->is_slow ? ITP_GUARD_TURN_SLOW : ITP_GUARD_TURN_USUAL;
}
