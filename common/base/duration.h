/* SPDX-License-Identifier: MIT */
/*
 * Times as users write them: "100ms", "1.5s", "2min".
 */
#ifndef ITP_BASE_DURATION_H
#define ITP_BASE_DURATION_H

#include <stdbool.h>

/* A number with one of the units ns, us, µs, ms, s, min, h. False when it is none, or not finite.
 */
bool itp_duration_parse(const char *text, double *ret_ns);

#endif
