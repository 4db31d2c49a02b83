/* SPDX-License-Identifier: MIT */
/*
 * Numbers as a person would say them. Times and counts are rounded in integer arithmetic, half
 * up; a value that rounds up to the next unit is written in that unit ("1.00 s", never
 * "1000 ms").
 */
#include "common/render/units.h"

#include <glib.h>
#include <math.h>

#define NS_PER_S INT64_C(1000000000)
#define DIGITS_MOST 9
#define MINUS "\u2212"

struct unit {
	const char *name;
	/* Size of the unit in the base unit, divisible by 10^(digits - 1) unless it is 1. */
	uint64_t size;
	/* Significant digits shown, at least of the integer part. */
	unsigned int digits;
	/* Limit in this unit, from which on the next one is used. */
	uint64_t limit;
};

static const struct unit time_units[] = {
	{ "ns", UINT64_C(1), 1, 1000 },           { "\u00b5s", UINT64_C(1000), 2, 1000 },
	{ "ms", UINT64_C(1000000), 2, 1000 },     { "s", UINT64_C(1000000000), 3, 1000 },
	{ "min", UINT64_C(60000000000), 3, 100 }, { "h", UINT64_C(3600000000000), 3, UINT64_MAX },
};

static const struct unit count_units[] = {
	{ "M", UINT64_C(1000000), 3, 1000 },
	{ "G", UINT64_C(1000000000), 3, 1000 },
	{ "T", UINT64_C(1000000000000), 3, 1000 },
	{ "P", UINT64_C(1000000000000000), 3, 1000 },
	{ "E", UINT64_C(1000000000000000000), 3, UINT64_MAX },
};

/* Counts below are written out. */
#define COUNT_WRITTEN_OUT UINT64_C(10000000)

static uint64_t power_of_ten(unsigned int exponent)
{
	uint64_t power = 1;

	while (exponent-- > 0) {
		power *= 10;
	}
	return power;
}

/* `value` in the first of `units` with a limit above it. The last one has none. */
static char *with_unit(uint64_t value, const struct unit *units)
{
	for (const struct unit *unit = units;; unit++) {
		for (unsigned int decimals = unit->digits; decimals-- > 0;) {
			uint64_t step = unit->size / power_of_ten(decimals);
			uint64_t scaled = value / step + (value % step >= step - step / 2);
			uint64_t power = power_of_ten(decimals);

			if (decimals > 0 && scaled >= power_of_ten(unit->digits)) {
				continue;
			}
			if (scaled / power >= unit->limit) {
				break;
			}
			if (decimals == 0) {
				return g_strdup_printf("%" G_GUINT64_FORMAT " %s", scaled,
						       unit->name);
			}
			return g_strdup_printf("%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT " %s",
					       scaled / power, (int)decimals, scaled % power,
					       unit->name);
		}
	}
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static const char *sign(int64_t value)
{
	if (value == 0) {
		return "";
	}
	return value < 0 ? MINUS : "+";
}

static char *time_text(uint64_t time_ns)
{
	return time_ns == 0 ? g_strdup("0 s") : with_unit(time_ns, time_units);
}

char *itp_units_time(int64_t time_ns)
{
	g_autofree char *text = time_text(magnitude(time_ns));

	return g_strconcat(time_ns < 0 ? MINUS : "", text, NULL);
}

char *itp_units_time_change(int64_t change_ns)
{
	g_autofree char *text = time_text(magnitude(change_ns));

	return g_strconcat(sign(change_ns), text, NULL);
}

char *itp_units_count(uint64_t count)
{
	unsigned int thousands = (unsigned int)(count / 1000);

	if (count >= COUNT_WRITTEN_OUT) {
		return with_unit(count, count_units);
	}
	if (count < 1000) {
		return g_strdup_printf("%u", (unsigned int)count);
	}
	if (thousands < 1000) {
		return g_strdup_printf("%u %03u", thousands, (unsigned int)(count % 1000));
	}
	return g_strdup_printf("%u %03u %03u", thousands / 1000, thousands % 1000,
			       (unsigned int)(count % 1000));
}

char *itp_units_counted(uint64_t count, const char *noun)
{
	g_autofree char *number = itp_units_count(count);

	return g_strdup_printf("%s %s%s", number, noun, count == 1 ? "" : "s");
}

char *itp_units_times(uint64_t count)
{
	return count == 1 ? g_strdup("once") : itp_units_counted(count, "time");
}

char *itp_units_count_change(int64_t change)
{
	g_autofree char *text = itp_units_count(magnitude(change));

	return g_strconcat(sign(change), text, NULL);
}

static char *number(const char *prefix, const char *format, double value, const char *suffix)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(digits, sizeof(digits), format, value);
	return g_strconcat(prefix, digits, suffix, NULL);
}

char *itp_units_ratio(double value, double base)
{
	double ratio = value / base;

	if (ratio < 0.005) {
		return g_strdup("\u00d7<0.01");
	}
	if (ratio < 0.095) {
		return number("\u00d7", "%.2f", ratio, "");
	}
	if (ratio < 9.95) {
		return number("\u00d7", "%.1f", ratio, "");
	}
	if (ratio < 9999.5) {
		return number("\u00d7", "%.0f", ratio, "");
	}
	if (ratio < 9999.5e3) {
		return number("\u00d7", "%.0f", ratio / 1e3, "k");
	}
	return g_strdup("\u00d7>9999k");
}

char *itp_units_share(double part, double whole)
{
	double percent = 100.0 * part / whole;

	if (!(whole > 0)) {
		return g_strdup("\u2013");
	}
	if (percent > 0 && percent < 0.05) {
		return g_strdup("<0.1 %");
	}
	if (percent > 99.5 && percent < 100) {
		return g_strdup(">99 %");
	}
	return number(percent < 0 ? MINUS : "",
		      percent == 0 || fabs(percent) >= 9.95 ? "%.0f" : "%.1f", fabs(percent), " %");
}

/* ---- When something happened ---- */

int64_t itp_time_since_ns(int64_t time_ns, int64_t begin_ns)
{
	int64_t since_ns;

	return __builtin_sub_overflow(time_ns, begin_ns, &since_ns) ? 0 : since_ns;
}

int64_t itp_time_recorded_ns(const struct itp_clock *clock, int64_t time_ns)
{
	int64_t recorded_ns;

	/* Only a clock that nobody has gives times that do not fit. */
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
