/* SPDX-License-Identifier: MIT */
/*
 * Modes of a histogram: stretches of classes with many units, and next to none between two of them.
 *
 * Classes are ordered by CPU time (groups.h) or bytes (sizes.h). A class lies between two modes
 * when it has fewer units than a class on either side by four deviations: at least seventeen units
 * on both sides and none between. The classes with most units on either side are at least as far
 * apart as the caller asks.
 */
#ifndef ITP_UNIT_MODES_H
#define ITP_UNIT_MODES_H

#include <glib.h>
#include <stdint.h>

/* First of the deepest classes between two modes at least `apart` classes apart; 0 for one mode. */
guint itp_modes_valley(const uint64_t *classes, guint count, guint apart);

/* Numbers the modes from 0 on: ret_modes has the mode of each class, the upper mode for a class
 * between two. Returns the number of modes. */
guint itp_modes_number(const uint64_t *classes, guint count, guint *ret_modes);

#endif
