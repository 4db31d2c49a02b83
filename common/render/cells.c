/* SPDX-License-Identifier: MIT */
/*
 * Division by the amount of work, and the words of a difference.
 */
#include "common/render/cells.h"

#include <math.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/rank/side.h"
#include "common/render/units.h"
#include "common/render/workload.h"

/* Counts below are not rounded to whole calls when they are of a unit of work. */
#define COUNT_ROUNDED 10
#define NS_PER_US 1e3
/* Shown error: 95 % of a normal distribution; and the least share of the value from which on it is
 * shown. */
#define DEVIATIONS 2
#define ERROR_LEAST 0.01

/* Amount of work by which sums are divided. The paper's method knows nothing of it. */
static double work_of(const struct itp_ranking *ranking)
{
	return ranking->options.method == ITP_METHOD_PAPER ? 1 : ranking->suspect_units;
}

char *itp_cell_unit(const struct itp_ranking *ranking)
{
	const char *per = ranking->options.per ? ranking->options.per : "run";
	g_autofree char *name = itp_label_clean(strchr(per, ':') ? strchr(per, ':') + 1 : per);

	if (ranking->options.method == ITP_METHOD_PAPER) {
		return NULL;
	}
	if (ranking->unit) {
		g_autofree char *unit = itp_label_clean(ranking->unit);

		return g_strdup_printf("unit of %s", unit);
	}
	if (g_str_has_prefix(per, "call:")) {
		return g_strdup_printf("call of %s", name);
	}
	if (g_str_has_prefix(per, "event:")) {
		return g_strdup_printf("system call %s", name);
	}
	if (strcmp(per, "run") == 0 && ranking->suspect_runs < 2 && ranking->base_runs < 2) {
		return NULL;
	}
	return g_strdup(per);
}

static int64_t divided(const struct itp_ranking *ranking, int64_t value)
{
	double work = work_of(ranking);

	return work == 1 ? value : llround((double)value / work);
}

/* Means of single calls and extremes are not divided. */
static int64_t divided_value(const struct itp_ranking *ranking, int64_t value)
{
	return ranking->options.metric == ITP_METRIC_EACH ? value : divided(ranking, value);
}

char *itp_cell_time(const struct itp_ranking *ranking, int64_t time_ns)
{
	return itp_units_time(divided(ranking, time_ns));
}

char *itp_cell_time_change(const struct itp_ranking *ranking, int64_t change_ns)
{
	return itp_units_time_change(divided(ranking, change_ns));
}

char *itp_cell_number(const struct itp_ranking *ranking, int64_t count)
{
	double per_unit = (double)count / work_of(ranking);
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	if (count != 0 && work_of(ranking) != 1 && fabs(per_unit) < COUNT_ROUNDED) {
		g_ascii_formatd(digits, sizeof(digits), "%.1f", fabs(per_unit));
		return g_strconcat(count < 0 ? "\u2212" : "", digits, NULL);
	}
	count = llround(per_unit);
	return count < 0 ? itp_units_count_change(count) : itp_units_count((uint64_t)count);
}

char *itp_cell_times(const struct itp_ranking *ranking, int64_t count)
{
	g_autofree char *number = itp_cell_number(ranking, count);

	return strcmp(number, "1") == 0 ? g_strdup("once") : g_strconcat(number, " times", NULL);
}

char *itp_cell_value(const struct itp_ranking *ranking, int64_t value)
{
	if (ranking->options.metric == ITP_METRIC_COUNT) {
		return itp_cell_number(ranking, value);
	}
	return itp_units_time(divided_value(ranking, value));
}

char *itp_cell_change(const struct itp_ranking *ranking, int64_t change)
{
	if (ranking->options.metric == ITP_METRIC_COUNT) {
		g_autofree char *text = itp_cell_number(ranking, change);

		return g_strconcat(change > 0 ? "+" : "", text, NULL);
	}
	return itp_units_time_change(divided_value(ranking, change));
}

double itp_ranking_share(const struct itp_ranking *ranking, int64_t part_ns)
{
	int64_t whole_ns = ranking->suspect_own_ns - ranking->base_own_ns;

	return whole_ns != 0 ? (double)part_ns / (double)whole_ns : NAN;
}

char *itp_cell_share(const struct itp_ranking *ranking, int64_t part_ns)
{
	double share = itp_ranking_share(ranking, part_ns);

	return isnan(share) ? g_strdup("\u2013") : itp_units_share(share, 1);
}

double itp_ticks_deviation_ns(const struct itp_ticks *ticks)
{
	return sqrt((double)ticks->variance_us2) * NS_PER_US;
}

char *itp_cell_ticks(const struct itp_ranking *ranking, const struct itp_ticks *ticks,
		     int64_t cpu_ns, int64_t value_ns)
{
	double error_ns = DEVIATIONS * itp_ticks_deviation_ns(ticks);
	g_autofree char *time = itp_cell_time(ranking, cpu_ns);
	g_autofree char *error = itp_cell_time(ranking, llround(error_ns));
	g_autofree char *samples = itp_units_count(ticks->samples);
	g_autofree char *count = NULL;
	g_autofree char *range = NULL;

	if (!itp_workload_has_ticks(&ranking->suspect->workload) || ticks->samples == 0 ||
	    error_ns < ERROR_LEAST * fabs((double)value_ns)) {
		return NULL;
	}
	range = itp_label_unbroken(g_strdup_printf("%s \u00b1 %s", time, error));
	count = itp_label_unbroken(
		g_strconcat(samples, ticks->samples == 1 ? " tick" : " ticks", NULL));
	return g_strdup_printf("CPU time %s (%s)", range, count);
}

struct itp_cell_calls itp_cell_calls_of(const struct itp_ranking *ranking,
					const struct itp_node_stats *suspect,
					const struct itp_node_stats *base)
{
	struct itp_call_bounds bounds =
		itp_node_stats_calls(suspect, &ranking->suspect->workload.counts);
	struct itp_cell_calls calls = {
		.suspect = bounds.seen,
		.suspect_ns = suspect->total_ns,
		.suspect_unseen = itp_calls_unseen(bounds),
	};

	if (base && ranking->base) {
		bounds = itp_node_stats_calls(base, &ranking->base->workload.counts);
		calls.base = bounds.seen;
		calls.base_ns = base->total_ns;
		calls.base_unseen = itp_calls_unseen(bounds);
	}
	return calls;
}

/* Bounds of the number of calls. The paper's method takes every number as it is. */
static void bounds_of(const struct itp_ranking *ranking, const struct itp_cell_calls *calls,
		      struct itp_call_bounds *ret_suspect, struct itp_call_bounds *ret_base)
{
	bool is_exact = ranking->options.method == ITP_METHOD_PAPER;

	*ret_suspect = itp_calls_bounds(calls->suspect, is_exact ? 0 : calls->suspect_unseen);
	*ret_base = itp_calls_bounds(calls->base, is_exact ? 0 : calls->base_unseen);
}

bool itp_cell_is_unknown(const char *cell)
{
	return g_str_equal(cell, ITP_CELL_UNKNOWN) || g_str_has_prefix(cell, "\u2265") ||
	       g_str_has_prefix(cell, "\u2264");
}

/* Calls against the base's, where both have calls. */
static char *count_ratio(struct itp_call_bounds suspect, struct itp_call_bounds base)
{
	uint64_t suspect_calls;
	uint64_t base_calls;
	g_autofree char *ratio = NULL;

	if (!itp_calls_compare(suspect, base, &suspect_calls, &base_calls)) {
		return g_strdup(ITP_CELL_UNKNOWN);
	}
	ratio = itp_units_ratio((double)suspect_calls, (double)base_calls);
	if (itp_call_bounds_are_close(suspect) && itp_call_bounds_are_close(base)) {
		return g_steal_pointer(&ratio);
	}
	return g_strconcat(suspect_calls > base_calls ? "\u2265" : "\u2264", ratio, NULL);
}

char *itp_cell_count(const struct itp_ranking *ranking, const struct itp_cell_calls *calls)
{
	struct itp_call_bounds suspect;
	struct itp_call_bounds base;

	bounds_of(ranking, calls, &suspect, &base);
	if (ranking->base == NULL) {
		g_autofree char *count = itp_cell_number(ranking, (int64_t)calls->suspect);

		return g_strconcat(itp_call_bounds_are_close(suspect) ? "" : "\u2265", count, NULL);
	}
	if (calls->base == 0) {
		return g_strdup(calls->suspect == 0 ? "\u2013" : "new");
	}
	if (calls->suspect == 0) {
		/* A call that goes on has not been counted yet. */
		return g_strdup(calls->suspect_ns > 0 ? "\u2013" : "gone");
	}
	return count_ratio(suspect, base);
}

/* Of the calls of the suspect alone. */
static char *mean_text(const struct itp_cell_calls *calls, struct itp_call_bounds suspect)
{
	g_autofree char *mean = itp_units_time(calls->suspect_ns / (int64_t)calls->suspect);

	return g_strconcat(itp_call_bounds_are_close(suspect) ? "" : "\u2264", mean, NULL);
}

char *itp_cell_each(const struct itp_ranking *ranking, const struct itp_cell_calls *calls)
{
	struct itp_call_bounds suspect;
	struct itp_call_bounds base;

	if (calls->suspect == 0) {
		return g_strdup("\u2013");
	}
	bounds_of(ranking, calls, &suspect, &base);
	if (ranking->base == NULL || calls->base == 0 || calls->base_ns <= 0) {
		return mean_text(calls, suspect);
	}
	if (!itp_call_bounds_are_close(suspect) || !itp_call_bounds_are_close(base)) {
		return g_strdup(ITP_CELL_UNKNOWN);
	}
	return itp_units_ratio((double)calls->suspect_ns / (double)calls->suspect,
			       (double)calls->base_ns / (double)calls->base);
}

const char *itp_cell_why(const struct itp_ranking *ranking, const struct itp_delta *delta,
			 bool is_new)
{
	int64_t all_ns = delta->more_calls_ns + delta->slower_calls_ns + delta->unsplit_ns;
	int64_t direction = all_ns < 0 ? -1 : 1;
	int64_t known_ns = delta->use.cpu_ns + delta->use.blocked_ns + delta->use.runnable_ns;
	int64_t largest_ns = direction * (all_ns - known_ns);
	const char *why = "unknown";
	const struct {
		const char *word;
		int64_t part_ns;
	} uses[] = {
		{ "CPU", direction * delta->use.cpu_ns },
		{ "blocked", direction * delta->use.blocked_ns },
		{ "CPU wait", direction * delta->use.runnable_ns },
	};

	if (ranking->base != NULL && !is_new &&
	    direction * delta->more_calls_ns >
		    direction * (delta->slower_calls_ns + delta->unsplit_ns)) {
		return direction > 0 ? "more calls" : "fewer calls";
	}
	for (size_t i = 0; i < G_N_ELEMENTS(uses); i++) {
		if (uses[i].part_ns > 0 && uses[i].part_ns >= largest_ns) {
			largest_ns = uses[i].part_ns;
			why = uses[i].word;
		}
	}
	return all_ns == 0 ? "\u2013" : why;
}
