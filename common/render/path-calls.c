/* SPDX-License-Identifier: MIT */
/*
 * Of one path from nearby: when the slowest calls were, and in which thread.
 */
#include "common/render/detail-page.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/render/table.h"
#include "common/render/times.h"
#include "common/render/units.h"

#define INDENT 2
/* Of seconds, as perf prints them. */
#define TIME_DIGITS 6
/* "2026-11-21" */
#define DAY_LENGTH 10

/* The calls of one workload. All weak. */
struct calls {
	const struct itp_page *page;
	const struct itp_call_detail *detail;
	bool of_base;
	/* All recordings tell the time of day. */
	bool has_epoch;
	/* There are several of them. */
	bool has_runs;
};

static struct itp_recording recording_of(const struct calls *calls, size_t i)
{
	struct itp_recording recording;

	itp_ranking_recording(calls->page->ranking, calls->of_base, calls->detail->slowest[i].run,
			      &recording);
	return recording;
}

/* NULL when not all recordings tell it. */
static char *time_of(const struct calls *calls, size_t i)
{
	const struct itp_recording recording = recording_of(calls, i);

	return calls->has_epoch ? itp_time_of_day(&recording.clock,
						  calls->detail->slowest[i].begin_ns, TIME_DIGITS) :
				  NULL;
}

/* The day that all of them began on; NULL when there is none, or no time of day. */
static char *day_of(const struct calls *calls)
{
	g_autofree char *day = NULL;

	for (size_t i = 0; i < calls->detail->slowest_count; i++) {
		g_autofree char *time = time_of(calls, i);

		if (!time || (day && strncmp(day, time, DAY_LENGTH) != 0)) {
			return NULL;
		}
		g_free(day);
		day = g_strndup(time, DAY_LENGTH);
	}
	return g_steal_pointer(&day);
}

/* What of it lies outside of the recording. */
static const char *unknown_text(uint32_t flags)
{
	bool begin = flags & ITP_INSTANCE_BEGIN_UNKNOWN;
	bool end = flags & ITP_INSTANCE_END_UNKNOWN;

	if (begin && end) {
		return ", begin and end not seen";
	}
	return begin ? ", begin not seen" : end ? ", end not seen" : "";
}

/* "2.5 µs … 372 µs, end not seen, slow2.data": what may not fit comes last. */
static char *bounds_text(const struct itp_slow_call *call, const char *recording)
{
	g_autofree char *lower = itp_units_time(call->lower_ns);
	g_autofree char *upper = itp_units_time(call->upper_ns);
	g_autofree char *name = itp_label_clean(recording ? recording : "");

	return g_strdup_printf("%s \u2026 %s%s%s%s", lower, upper, unknown_text(call->flags),
			       recording ? ", " : "", recording ? name : "");
}

static void add_call(const struct calls *calls, size_t i, const char *day, struct itp_table *table)
{
	const struct itp_slow_call *call = &calls->detail->slowest[i];
	const struct itp_recording recording = recording_of(calls, i);
	g_autofree char *time = time_of(calls, i);

	if (time) {
		itp_table_take(table, g_strdup(time + (day ? DAY_LENGTH + 1 : 0)));
	}
	itp_table_take(table, itp_time_seconds(&recording.clock, call->begin_ns, TIME_DIGITS));
	itp_table_take(table, itp_units_time(call->latency_ns));
	itp_table_take(table, g_strdup_printf("%d", call->tid));
	itp_table_take(table, bounds_text(call, calls->has_runs ? recording.name : NULL));
}

static void append_calls_table(const struct calls *calls, const char *day)
{
	struct itp_table *table = itp_table_new(calls->page->width);

	if (calls->has_epoch) {
		itp_table_column(table, "time (UTC)", true);
	}
	itp_table_column(table, "clock, s", true);
	itp_table_column(table, "latency", true);
	itp_table_column(table, "thread", true);
	itp_table_column(table, calls->has_runs ? "bounds, recording" : "bounds", false);
	for (size_t i = 0; i < calls->detail->slowest_count; i++) {
		add_call(calls, i, day, table);
	}
	itp_table_append_heads(table, calls->page->output);
	for (size_t i = 0; i < calls->detail->slowest_count; i++) {
		itp_table_append_row(table, i, calls->page->output);
	}
	itp_table_free(table);
}

/* The slowest calls of the suspect, of the base only when that has none. */
void itp_page_append_slowest(const struct itp_detail_page *it)
{
	const struct itp_page *page = it->page;
	const struct itp_ranking *ranking = page->ranking;
	bool of_base = ranking->base && it->detail.suspect.slowest_count == 0;
	const struct itp_profile *profile = of_base ? ranking->base : ranking->suspect;
	const struct calls calls = {
		.page = page,
		.detail = of_base ? &it->detail.base : &it->detail.suspect,
		.of_base = of_base,
		.has_epoch = profile->workload.clock.has_epoch,
		.has_runs = (of_base ? ranking->base_runs : ranking->suspect_runs) > 1,
	};
	g_autofree char *day = day_of(&calls);
	g_autofree char *name = itp_page_name(page, it->detail.face->function);
	g_autofree char *line = NULL;

	if (calls.detail->slowest_count == 0) {
		line = g_strdup_printf("Slowest calls of %s: none kept.", name);
	} else {
		line = g_strdup_printf("Slowest calls of %s in %s%s%s:", name,
				       of_base ? page->labels.base : page->labels.suspect,
				       day ? ", " : "", day ? day : "");
	}
	g_string_append_c(page->output, '\n');
	itp_label_wrap(page->output, line, 0, INDENT, page->width);
	if (calls.detail->slowest_count > 0) {
		append_calls_table(&calls, day);
	}
}
