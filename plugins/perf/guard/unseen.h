/* SPDX-License-Identifier: MIT */
/*
 * What goes unseen where a guard watches for a part of the time only: how long it takes until a
 * unit of a rare slow kind is seen, for people and for programs. How often the guard watches is
 * left to windows.h.
 */
#ifndef ITP_PERF_GUARD_UNSEEN_H
#define ITP_PERF_GUARD_UNSEEN_H

#include <glib.h>
#include <jansson.h>
#include <stdint.h>

/* What was seen until now: how many units, while how many seconds were watched, which were that
 * part of all. */
struct itp_guard_attention {
	uint64_t units;
	double watched_s;
	double part;
};

/* A line that says how many units there are a second, and how long one of a thousand, and one an
 * hour, go unseen. Nothing where no unit was seen. */
void itp_guard_unseen_append(const struct itp_guard_attention *attention, GString *output);

/* The same as members of an object. */
void itp_guard_unseen_set(const struct itp_guard_attention *attention, json_t *object);

#endif
