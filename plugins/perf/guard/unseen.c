/* SPDX-License-Identifier: MIT */
/*
 * See unseen.h.
 */
#include "plugins/perf/guard/unseen.h"

#include <math.h>

#include "common/guard/attention.h"
#include "common/render/json.h"
#include "common/render/units.h"

/* Rare kinds of units, as examples: by number of units, and by time. */
#define ONE_IN 1000
#define HOUR_S 3600

/* A time in seconds, as people say it. Owned by the caller. */
static char *seconds_text(double seconds)
{
	return itp_units_time((int64_t)MIN(seconds * 1e9, 9e18));
}

static double units_per_s(const struct itp_guard_attention *attention)
{
	return (double)attention->units / attention->watched_s;
}

static double one_in_s(const struct itp_guard_attention *attention)
{
	return itp_guard_unseen_s(ONE_IN / units_per_s(attention), attention->part);
}

static bool is_attention_known(const struct itp_guard_attention *attention)
{
	return attention->units > 0 && attention->watched_s > 0 && attention->part > 0;
}

void itp_guard_unseen_append(const struct itp_guard_attention *attention, GString *output)
{
	g_autofree char *units = NULL;
	g_autofree char *one_in = NULL;
	g_autofree char *one_in_most = NULL;
	g_autofree char *hourly = NULL;
	g_autofree char *hourly_most = NULL;

	if (!is_attention_known(attention)) {
		return;
	}
	units = itp_units_counted((uint64_t)llround(MAX(units_per_s(attention), 1)), "unit");
	one_in = seconds_text(one_in_s(attention));
	one_in_most = seconds_text(ITP_GUARD_UNSEEN_MOST * one_in_s(attention));
	hourly = seconds_text(itp_guard_unseen_s(HOUR_S, attention->part));
	hourly_most =
		seconds_text(ITP_GUARD_UNSEEN_MOST * itp_guard_unseen_s(HOUR_S, attention->part));
	g_string_append_printf(
		output,
		"  about %s a second: of slow ones that are one in %d the first is seen after %s on "
		"average, in 19 of 20 cases within %s; of one an hour after %s, within %s\n",
		units, ONE_IN, one_in, one_in_most, hourly, hourly_most);
}

void itp_guard_unseen_set(const struct itp_guard_attention *attention, json_t *object)
{
	if (!is_attention_known(attention)) {
		return;
	}
	itp_json_set_real(object, "units_per_s", units_per_s(attention));
	itp_json_set_unsigned(object, "unseen_one_in", ONE_IN);
	itp_json_set_real(object, "unseen_mean_s", one_in_s(attention));
	itp_json_set_real(object, "unseen_most_s", ITP_GUARD_UNSEEN_MOST * one_in_s(attention));
}
