/* SPDX-License-Identifier: MIT */
/*
 * Counts of units begun by units of another loop: a listener takes a request and signals, and a
 * waiting worker serves it (PerfGuard, section 3). The cost of a request is then in both loops.
 */
#ifndef ITP_UNIT_SIGNALS_H
#define ITP_UNIT_SIGNALS_H

#include <glib.h>
#include <stdint.h>

struct itp_unit_signals;

struct itp_unit_signals *itp_unit_signals_new(void);
void itp_unit_signals_free(struct itp_unit_signals *signals);

/* Counts a unit of the group, begun by a unit of the loop. */
void itp_unit_signals_add(struct itp_unit_signals *signals, guint group, uint32_t loop);

/* Adds the group's number of units begun by each loop to `counts`: gsize by loop. */
void itp_unit_signals_collect(const struct itp_unit_signals *signals, guint group,
			      GHashTable *counts);

#endif
