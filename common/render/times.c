/* SPDX-License-Identifier: MIT */
/*
 * See times.h.
 */
#include "common/render/times.h"

#define NS_PER_S INT64_C(1000000000)
#define DIGITS_MOST 9

int64_t itp_time_since_ns(int64_t time_ns, int64_t begin_ns)
{
	int64_t since_ns;

	return __builtin_sub_overflow(time_ns, begin_ns, &since_ns) ? 0 : since_ns;
}

int64_t itp_time_recorded_ns(const struct itp_clock *clock, int64_t time_ns)
{
	int64_t recorded_ns;

	/* Only a clock that nobody has gives what does not fit. */
	return __builtin_sub_overflow(time_ns, clock->offset_ns, &recorded_ns) ? time_ns :
										 recorded_ns;
}

/* ".807841"; `fraction_ns` is not negative. */
static void append_fraction(GString *text, int64_t fraction_ns, unsigned int digits)
{
	g_string_append_printf(text, ".%09" G_GINT64_FORMAT, fraction_ns);
	g_string_truncate(text, text->len - (DIGITS_MOST - digits));
}

char *itp_time_of_day(const struct itp_clock *clock, int64_t time_ns, unsigned int digits)
{
	int64_t fraction_ns = ((time_ns % NS_PER_S) + NS_PER_S) % NS_PER_S;
	g_autoptr(GDateTime) second = NULL;
	g_autofree char *head = NULL;
	GString *text;

	if (!clock->has_epoch) {
		return NULL;
	}
	/* All of an int64_t lies between the years 1677 and 2262. */
	second = g_date_time_new_from_unix_utc(time_ns / NS_PER_S - (time_ns % NS_PER_S < 0));
	head = g_date_time_format(second, "%Y-%m-%d %H:%M:%S");
	text = g_string_new(head);
	append_fraction(text, fraction_ns, digits);
	return g_string_free(text, FALSE);
}

char *itp_time_seconds(const struct itp_clock *clock, int64_t time_ns, unsigned int digits)
{
	int64_t recorded_ns = itp_time_recorded_ns(clock, time_ns);
	uint64_t magnitude_ns = recorded_ns < 0 ? -(uint64_t)recorded_ns : (uint64_t)recorded_ns;
	GString *text = g_string_new(recorded_ns < 0 ? "-" : "");

	g_string_append_printf(text, "%" G_GUINT64_FORMAT, magnitude_ns / NS_PER_S);
	append_fraction(text, (int64_t)(magnitude_ns % NS_PER_S), digits);
	return g_string_free(text, FALSE);
}
