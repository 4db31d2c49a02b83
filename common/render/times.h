/* SPDX-License-Identifier: MIT */
/*
 * When something happened, as one looks it up in another tool: the time of day, in UTC, and the
 * seconds of the recording's own clock. Fractions are cut, as perf does, not rounded.
 */
#ifndef ITP_RENDER_TIMES_H
#define ITP_RENDER_TIMES_H

#include "common/infer/profile.h"

/* "2026-11-21 14:44:54.807841", with `digits` (1 to 9) of the fraction; NULL when the clock does
 * not know. */
char *itp_time_of_day(const struct itp_clock *clock, int64_t time_ns, unsigned int digits);

/* "22960.807841" */
char *itp_time_seconds(const struct itp_clock *clock, int64_t time_ns, unsigned int digits);

/* How much later than `begin_ns`; 0 when that does not fit, as of no two times of a recording. */
int64_t itp_time_since_ns(int64_t time_ns, int64_t begin_ns);

/* Nanoseconds of the recording's own clock. */
int64_t itp_time_recorded_ns(const struct itp_clock *clock, int64_t time_ns);

#endif
