/* SPDX-License-Identifier: MIT */
/*
 * Whose units begin those of which loop: a listener takes a request and signals, and a worker that
 * has waited for it serves it (PerfGuard, section 3). What a request costs is then in both.
 */
#ifndef ITP_UNIT_SIGNALS_H
#define ITP_UNIT_SIGNALS_H

#include <glib.h>
#include <stdint.h>

struct itp_unit_signals;

struct itp_unit_signals *itp_unit_signals_new(void);
void itp_unit_signals_free(struct itp_unit_signals *signals);

/* A unit of this group was begun by one of this loop. */
void itp_unit_signals_add(struct itp_unit_signals *signals, guint group, uint32_t loop);

/* By which loop how many of a group's units were begun, added to what `counts` has: gsize by loop.
 */
void itp_unit_signals_collect(const struct itp_unit_signals *signals, guint group,
			      GHashTable *counts);

#endif
