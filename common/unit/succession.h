/* SPDX-License-Identifier: MIT */
/*
 * When units came, so that those which were replaced by others are told from those that keep coming
 * back beside them. Scripts are compiled at first, and caches are filled: what a unit does then, no
 * unit does later. Kinds of requests come in turns.
 */
#ifndef ITP_UNIT_SUCCESSION_H
#define ITP_UNIT_SUCCESSION_H

#include <stdbool.h>

/* How many units there are; and sums over these of a unit's number among all units, and of its
 * square. Zeroed at first. */
struct itp_moments {
	double units;
	double numbers;
	double squares;
};

/* Adds unit number `number`. */
void itp_moments_add_unit(struct itp_moments *moments, double number);

void itp_moments_add(struct itp_moments *moments, const struct itp_moments *more);

/* Whether the units of the one had nearly all come when those of the other began to. */
bool itp_moments_succeed(const struct itp_moments *one, const struct itp_moments *other);

#endif
