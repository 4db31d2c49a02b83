/* SPDX-License-Identifier: MIT */
/*
 * Modes of a histogram: stretches of classes with many units, and next to none between two of them.
 *
 * Classes are in the order of what they stand for: CPU time (groups.h) or bytes (sizes.h). A class
 * lies between two modes when it has fewer units than a class on either side by four deviations:
 * seventeen units on both sides and none between are the fewest that do. The two classes of most
 * units, one on either side, are as far apart as the caller says at least.
 */
#ifndef ITP_UNIT_MODES_H
#define ITP_UNIT_MODES_H

#include <glib.h>
#include <stdint.h>

/* The first of the deepest classes between two modes that are `apart` classes apart or more; 0
 * where there is one mode. */
guint itp_modes_valley(const uint64_t *classes, guint count, guint apart);

/* Numbers the modes from 0 on: ret_modes has the mode of each class, and a class between two modes
 * is the upper one's. Returns how many modes there are. */
guint itp_modes_number(const uint64_t *classes, guint count, guint *ret_modes);

#endif
