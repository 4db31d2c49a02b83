/* SPDX-License-Identifier: MIT */
/*
 * Times as users write them: "100ms", "1.5s", "2min".
 */
#ifndef ITP_BASE_DURATION_H
#define ITP_BASE_DURATION_H

#include <stdbool.h>

/* Parses a number with a unit, ns, us, µs, ms, s, min or h: "10ms". False for anything else, or
 * when not finite. */
bool itp_duration_parse(const char *text, double *ret_ns);

#endif
