/* SPDX-License-Identifier: MIT */
/*
 * See period.h.
 */
#include "common/engine/period.h"

#include <math.h>
#include <string.h>

#include "common/base/duration.h"
#include "common/base/failure.h"

#define LONGEST_NS 1e18

static bool parse_events(const char *text, struct itp_period *period)
{
	g_auto(GStrv) words = g_strsplit(text, " ", 2);

	return g_strv_length(words) == 2 && strcmp(words[1], "events") == 0 &&
	       g_ascii_string_to_unsigned(words[0], 10, 1, G_MAXUINT64, &period->events, NULL);
}

static bool parse_time(const char *text, struct itp_period *period)
{
	double ns;

	if (!itp_duration_parse(text, &ns) || ns < 1 || ns > LONGEST_NS) {
		return false;
	}
	period->ns = llround(ns);
	return true;
}

bool itp_period_parse(const char *text, struct itp_period *ret_period, GError **error)
{
	struct itp_period period = { 0 };

	if (text && !parse_events(text, &period) && !parse_time(text, &period)) {
		itp_failure_set(error,
				"parameter \"period\": \"%s\" is no period; such are \"10s\", "
				"\"500ms\", \"2min\", \"100000 events\"",
				text);
		return false;
	}
	*ret_period = period;
	return true;
}

void itp_period_watch_init(struct itp_period_watch *watch, const struct itp_period *period)
{
	*watch = (struct itp_period_watch){ .period = *period };
}

/* The last multiple of the length until then. */
static int64_t multiple_before(int64_t time_ns, int64_t length_ns)
{
	int64_t rest = time_ns % length_ns;

	return time_ns - (rest < 0 ? rest + length_ns : rest);
}

static bool pass_time(struct itp_period_watch *watch, int64_t time_ns, int64_t *ret_end_ns)
{
	bool is_over = watch->has_begun && time_ns >= watch->end_ns;

	if (is_over || !watch->has_begun) {
		*ret_end_ns = multiple_before(time_ns, watch->period.ns);
		watch->end_ns = *ret_end_ns + watch->period.ns;
	}
	return is_over;
}

static bool pass_event(struct itp_period_watch *watch, int64_t *ret_end_ns)
{
	bool is_over = watch->events == watch->period.events;

	if (is_over) {
		*ret_end_ns = watch->last_ns;
		watch->events = 0;
	}
	watch->events++;
	return is_over;
}

bool itp_period_watch_pass(struct itp_period_watch *watch, int64_t time_ns, bool is_event,
			   int64_t *ret_end_ns)
{
	bool is_over = false;

	if (watch->period.ns == 0 && watch->period.events == 0) {
		return false;
	}
	if (!watch->has_begun) {
		watch->begin_ns = time_ns;
	}
	if (watch->period.ns > 0) {
		is_over = pass_time(watch, time_ns, ret_end_ns);
	} else if (is_event) {
		is_over = pass_event(watch, ret_end_ns);
	}
	if (is_over) {
		watch->begin_ns = *ret_end_ns;
		watch->number++;
	}
	watch->has_begun = true;
	watch->last_ns = time_ns;
	return is_over;
}
