/* SPDX-License-Identifier: MIT */
/*
 * Numbers as a person would say them: 9.52 s, 6.9 ms, 812 µs, 61 204, ×4.4, 97 %.
 *
 * The result is UTF-8, never depends on the locale and belongs to the caller. Numbers for
 * programs (CSV, JSON lines) are not made here.
 */
#ifndef ITP_RENDER_UNITS_H
#define ITP_RENDER_UNITS_H

#include <stdint.h>

/* Three digits from one second on and two below, in the unit that keeps them readable. */
char *itp_units_time(int64_t time_ns);

/* A difference of times with its sign, which zero has not. */
char *itp_units_time_change(int64_t change_ns);

/* Digits in groups of three; from ten millions on three digits and M, G, T, P or E. */
char *itp_units_count(uint64_t count);
char *itp_units_count_change(int64_t change);

/* `value` over `base`, both above zero. */
char *itp_units_ratio(double value, double base);

/* `part` of `whole` in percent; "–" when the whole is not above zero. */
char *itp_units_share(double part, double whole);

#endif
