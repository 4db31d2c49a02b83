/* SPDX-License-Identifier: MIT */
/*
 * Blindness of a guard that watches part of the time: the time until a unit of a rare slow kind is
 * seen, for people and for programs. The windows are left to windows.h.
 */
#ifndef ITP_PERF_GUARD_UNSEEN_H
#define ITP_PERF_GUARD_UNSEEN_H

#include <glib.h>
#include <jansson.h>
#include <stdint.h>

/* Attention until now: units seen, seconds watched, and their part of all. */
struct itp_guard_attention {
	uint64_t units;
	double watched_s;
	double part;
};

/* Appends a line with units a second, and the time until kinds of one in a thousand, and one an
 * hour, are seen. Nothing if no unit was seen. */
void itp_guard_unseen_append(const struct itp_guard_attention *attention, GString *output);

/* Sets members of an object: units a second, and the times for one in a thousand. */
void itp_guard_unseen_set(const struct itp_guard_attention *attention, json_t *object);

#endif
