/* SPDX-License-Identifier: MIT */
/*
 * Of one path from nearby: when the slowest calls were, and in which thread.
 */
#include "common/render/detail-page.h"

#include <string.h>

#include "common/render/labels.h"
#include "common/render/table.h"
#include "common/render/times.h"
#include "common/render/units.h"

#define INDENT 2
/* Of seconds, as perf prints them. */
#define TIME_DIGITS 6
/* "2026-11-21" */
#define DAY_LENGTH 10

/* The day that all of them began on; NULL when there is none, or no time of day. */
static char *day_of(const struct itp_clock *clock, const struct itp_call_detail *calls)
{
	g_autofree char *day = NULL;

	for (size_t i = 0; i < calls->slowest_count; i++) {
		g_autofree char *time =
			itp_time_of_day(clock, calls->slowest[i].begin_ns, TIME_DIGITS);

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

static void add_call(const struct itp_clock *clock, const char *day, struct itp_table *table,
		     const struct itp_slow_call *call)
{
	g_autofree char *lower = itp_units_time(call->lower_ns);
	g_autofree char *upper = itp_units_time(call->upper_ns);
	g_autofree char *time = itp_time_of_day(clock, call->begin_ns, TIME_DIGITS);

	if (time) {
		itp_table_take(table, g_strdup(time + (day ? DAY_LENGTH + 1 : 0)));
	}
	itp_table_take(table, itp_time_seconds(clock, call->begin_ns, TIME_DIGITS));
	itp_table_take(table, itp_units_time(call->latency_ns));
	itp_table_take(table, g_strdup_printf("%d", call->tid));
	itp_table_take(table,
		       g_strdup_printf("%s \u2026 %s%s", lower, upper, unknown_text(call->flags)));
}

static void append_calls_table(const struct itp_page *page, const struct itp_clock *clock,
			       const char *day, const struct itp_call_detail *calls)
{
	struct itp_table *table = itp_table_new(page->width);

	if (clock->has_epoch) {
		itp_table_column(table, "time (UTC)", true);
	}
	itp_table_column(table, "clock, s", true);
	itp_table_column(table, "latency", true);
	itp_table_column(table, "thread", true);
	itp_table_column(table, "bounds", false);
	for (size_t i = 0; i < calls->slowest_count; i++) {
		add_call(clock, day, table, &calls->slowest[i]);
	}
	itp_table_append_heads(table, page->output);
	for (size_t i = 0; i < calls->slowest_count; i++) {
		itp_table_append_row(table, i, page->output);
	}
	itp_table_free(table);
}

/* Those of the base only when the suspect has none. */
void itp_page_append_slowest(const struct itp_detail_page *it)
{
	const struct itp_page *page = it->page;
	bool of_base = page->ranking->base && it->detail.suspect.slowest_count == 0;
	const struct itp_call_detail *calls = of_base ? &it->detail.base : &it->detail.suspect;
	const struct itp_profile *profile = of_base ? page->ranking->base : page->ranking->suspect;
	const struct itp_clock *clock = &profile->workload.clock;
	g_autofree char *day = day_of(clock, calls);
	g_autofree char *name = itp_page_name(page, it->detail.face->function);
	g_autofree char *line = NULL;

	if (calls->slowest_count == 0) {
		line = g_strdup_printf("Slowest calls of %s: none kept.", name);
	} else {
		line = g_strdup_printf("Slowest calls of %s in %s%s%s:", name,
				       of_base ? page->labels.base : page->labels.suspect,
				       day ? ", " : "", day ? day : "");
	}
	g_string_append_c(page->output, '\n');
	itp_label_wrap(page->output, line, 0, INDENT, page->width);
	if (calls->slowest_count > 0) {
		append_calls_table(page, clock, day, calls);
	}
}
