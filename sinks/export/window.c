/* SPDX-License-Identifier: MIT */
/* See window.h. */
#include "sinks/export/window.h"

#include <string.h>

#include "messages/failure.h"

#define NS_PER_S INT64_C(1000000000)
#define NS_DIGITS 9

/* Nanoseconds of the digits behind the point. */
static bool parse_fraction(const char *digits, int64_t *ret_ns)
{
	char padded[] = "000000000";
	guint64 ns;

	if (digits[0] == '\0' || strlen(digits) > NS_DIGITS) {
		return false;
	}
	memcpy(padded, digits, strlen(digits));
	if (!g_ascii_string_to_unsigned(padded, 10, 0, NS_PER_S - 1, &ns, NULL)) {
		return false;
	}
	*ret_ns = (int64_t)ns;
	return true;
}

static bool parse_time(const char *name, const char *text, int64_t *ret_ns, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ".", 2);
	int64_t fraction_ns = 0;
	guint64 seconds;

	if (!parts[0] ||
	    !g_ascii_string_to_unsigned(parts[0], 10, 0, INT64_MAX / NS_PER_S - 1, &seconds,
					NULL) ||
	    (parts[1] && !parse_fraction(parts[1], &fraction_ns))) {
		itp_failure_set(
			error,
			"parameter \"%s\": \"%s\" is no time; such are \"1234\" and "
			"\"1234.567\", in seconds as babeltrace2 --clock-seconds prints them",
			name, text);
		return false;
	}
	*ret_ns = (int64_t)seconds * NS_PER_S + fraction_ns;
	return true;
}

bool itp_export_window_parse(const char *begin, const char *end, int64_t *ret_begin_ns,
			     int64_t *ret_end_ns, GError **error)
{
	int64_t begin_ns = INT64_MIN;
	int64_t end_ns = INT64_MAX;

	if ((begin && !parse_time("begin", begin, &begin_ns, error)) ||
	    (end && !parse_time("end", end, &end_ns, error))) {
		return false;
	}
	if (begin_ns >= end_ns) {
		itp_failure_set(error, "parameter \"end\": \"%s\" is not after \"begin\", \"%s\"",
				end, begin);
		return false;
	}
	*ret_begin_ns = begin_ns;
	*ret_end_ns = end_ns;
	return true;
}
