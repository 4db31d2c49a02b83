/* SPDX-License-Identifier: MIT */
/*
 * Moments of the times at which units came, to tell units replaced by others from units that keep
 * coming back beside them. Scripts are compiled at first, and caches are filled: later units do
 * nothing of the kind. Kinds of requests come in turns.
 */
#ifndef ITP_UNIT_SUCCESSION_H
#define ITP_UNIT_SUCCESSION_H

#include <stdbool.h>

/* Number of units, sum of their numbers among all units, and sum of the squares of these. Zeroed at
 * first. */
struct itp_moments {
	double units;
	double numbers;
	double squares;
};

/* Adds unit number `number`. */
void itp_moments_add_unit(struct itp_moments *moments, double number);

void itp_moments_add(struct itp_moments *moments, const struct itp_moments *more);

/* True when nearly all units of the one had come at the begin of the other's. */
bool itp_moments_succeed(const struct itp_moments *one, const struct itp_moments *other);

#endif
