/* SPDX-License-Identifier: MIT */
/*
 * See duration.h.
 */
#include "common/base/duration.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static const struct {
	const char *name;
	double ns;
} units[] = {
	{ "ns", 1 },  { "us", 1e3 },   { "µs", 1e3 },   { "ms", 1e6 },
	{ "s", 1e9 }, { "min", 60e9 }, { "h", 3600e9 },
};

bool itp_duration_parse(const char *text, double *ret_ns)
{
	char *unit = NULL;
	double number = g_ascii_strtod(text, &unit);

	for (size_t i = 0; unit != text && i < G_N_ELEMENTS(units); i++) {
		if (strcmp(unit, units[i].name) == 0 && isfinite(number * units[i].ns)) {
			*ret_ns = number * units[i].ns;
			return true;
		}
	}
	return false;
}
