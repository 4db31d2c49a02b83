/* SPDX-License-Identifier: MIT */
/*
 * See unwatched.h.
 */
#include "common/render/unwatched.h"

#include <math.h>

#include "common/base/labels.h"
#include "common/base/watched.h"
#include "common/render/units.h"

bool itp_unwatched_lacks(const char *name)
{
	static const char *const prefixes[] = { "base_", "suspect_", "culprit_",
						"own_",  "delta_",   NULL };
	static const char *const lacking[] = {
		"count",          "max_count",       "possible_count",   "calls",
		"possible_calls", "unnamed_calls",   "lost_count",       "min_ns",
		"max_ns",         "lower_ns",        "upper_ns",         "median_ns",
		"p99_ns",         "histogram",       "blocked_ns",       "runnable_ns",
		"more_calls_ns",  "waits",           "wakers",           "meanwhile",
		"kept_by",        "slower_calls_ns", "cpu_takers",       "slowest",
		"started",        "held_up_by",      "called_otherwise", NULL,
	};

	for (size_t i = 0; prefixes[i]; i++) {
		name += g_str_has_prefix(name, prefixes[i]) ? strlen(prefixes[i]) : 0;
	}
	return g_strv_contains(lacking, name);
}

static bool has_ticks(const struct itp_workload *workload)
{
	return (workload->counts.watched & ITP_WATCHED_TICKS) != 0;
}

const char *itp_unwatched_text(const struct itp_workload *workload)
{
	return has_ticks(workload) ? "only ticks" : "only stacks of single events";
}

static char *interval_text(const struct itp_workload *workload)
{
	return itp_label_unbroken(itp_units_time(llround(itp_tick_interval_ns(&workload->counts))));
}

char *itp_unwatched_too(const struct itp_workload *workload, const char *name)
{
	g_autofree char *interval = interval_text(workload);

	return g_strdup_printf("%s has %s, too, one each %s.", name, itp_unwatched_text(workload),
			       interval);
}

/* Sentence of what switches without stacks tell; "" without any. Owned by the caller. */
static char *blocked_text(const struct itp_workload *workload)
{
	g_autofree char *time = itp_label_unbroken(itp_units_time(workload->counts.blocked_ns));

	return workload->counts.blocked_ns > 0 ?
		       g_strdup_printf(" Its threads were blocked for %s in all; where, switches "
				       "without stacks do not tell.",
				       time) :
		       g_strdup("");
}

char *itp_unwatched_sentence(const struct itp_workload *workload, const char *name)
{
	g_autofree char *interval = interval_text(workload);
	g_autofree char *blocked = blocked_text(workload);

	if (itp_workload_is_watched(workload)) {
		return NULL;
	}
	if (!has_ticks(workload)) {
		return g_strdup_printf("%s has stacks of single events, which do not tell where "
				       "time went; perf introperf record records what does.",
				       name);
	}
	return g_strdup_printf("%s has only ticks, one each %s of CPU time. They tell whose CPU "
			       "time it was, and not how long calls took, how many there were or "
			       "what threads waited for; perf introperf record tells that, too.%s",
			       name, interval, blocked);
}

char *itp_unwatched_levelled(const struct itp_workload *workload, const char *name,
			     const char *other)
{
	return workload->is_levelled ?
		       g_strdup_printf(
			       "of %s, too, only CPU time is compared, as %s tells no more.", name,
			       other) :
		       NULL;
}

const char *itp_unwatched_windows_text(const struct itp_workload *workload)
{
	return workload->counts.rests_ns > 0 ? "system calls in windows" : NULL;
}

char *itp_unwatched_windows(const struct itp_workload *workload, const char *name)
{
	const double windows_ns = (double)workload->counts.windows_ns;
	const double rests_ns = (double)workload->counts.rests_ns;
	g_autofree char *share = NULL;

	if (rests_ns <= 0) {
		return NULL;
	}
	share = itp_label_unbroken(itp_units_share(windows_ns, windows_ns + rests_ns));
	return g_strdup_printf(
		"%s has system calls for %s of the time, in windows drawn by lot, and switches, "
		"wakeups and ticks for all of it: times are those of the whole, numbers of calls "
		"are estimated from the windows.",
		name, share);
}

/* Threads have run between their switches; where a timer would have found them, none has run. */
static bool lacks_returns(const struct itp_workload *workload, const struct itp_apart *apart)
{
	return (workload->counts.watched & ITP_WATCHED_SWITCHES) != 0 && !has_ticks(workload) &&
	       apart->cpu_ns == 0;
}

char *itp_unwatched_waits(const struct itp_workload *workload, const struct itp_apart *apart,
			  const char *name)
{
	const uint32_t watched = workload->counts.watched;

	if (lacks_returns(workload, apart)) {
		return g_strdup_printf(
			"%s does not tell when threads were back on a CPU: what they computed "
			"until the next switch counts as waiting; perf introperf record tells it.",
			name);
	}
	if (watched == 0 || (watched & ITP_WATCHED_SWITCHES) != 0 ||
	    !itp_workload_has_latencies(workload)) {
		return NULL;
	}
	return g_strdup_printf(
		"%s has no stacks of switches: whether a thread ran or waited during "
		"a call is not known.",
		name);
}
