/* SPDX-License-Identifier: MIT */
/*
 * Numbers as a person would say them: 9.52 s, 6.9 ms, 812 µs, 61 204, ×4.4, 97 %.
 *
 * The result is UTF-8, never depends on the locale and belongs to the caller. Numbers for
 * programs (CSV, JSON lines) are not made here.
 */
#ifndef ITP_RENDER_UNITS_H
#define ITP_RENDER_UNITS_H

#include "common/infer/profile.h"

/* Three digits from a second on and two below, in a readable unit. */
char *itp_units_time(int64_t time_ns);

/* Difference of times with its sign, but for zero. */
char *itp_units_time_change(int64_t change_ns);

/* Digits in groups of three; from ten millions on three digits and M, G, T, P or E. */
char *itp_units_count(uint64_t count);
char *itp_units_count_change(int64_t change);

/* "1 trace", "312 traces". */
char *itp_units_counted(uint64_t count, const char *noun);

/* "once", "312 times". */
char *itp_units_times(uint64_t count);

/* `value` over `base`, both above zero. */
char *itp_units_ratio(double value, double base);

/* `part` of `whole` in percent; "–" when the whole is not above zero. */
char *itp_units_share(double part, double whole);

/* ---- When something happened ----
 *
 * Forms for other tools: the time of day, in UTC, and the seconds of the recording's own clock.
 * Fractions are cut, as perf does, not rounded. */

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
