/* SPDX-License-Identifier: MIT */
/*
 * A path from nearby: times and threads of the slowest calls, and the chain behind them, from
 * thread to thread to the end.
 */
#include "common/render/text/page.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/render/table.h"
#include "common/render/units.h"
#include "common/wait/chain.h"

/* Least share of a step's time that is told, as 1 / n. */
#define TOLD_PART 20
#define INDENT 2
/* Of seconds, as perf prints them. */
#define TIME_DIGITS 6
/* "2026-11-21" */
#define DAY_LENGTH 10

/* Calls of a workload. All weak. */
struct calls {
	const struct itp_page *page;
	const struct itp_call_detail *detail;
	bool of_base;
	/* All recordings tell the time of day. */
	bool has_epoch;
	/* Several recordings. */
	bool has_runs;
};

/* ---- When they were ---- */

static struct itp_recording recording_of(const struct calls *calls, size_t i)
{
	struct itp_recording recording;

	itp_ranking_recording(calls->page->ranking, calls->of_base, calls->detail->slowest[i].run,
			      &recording);
	return recording;
}

/* Time of day; NULL when not all recordings tell it. */
static char *time_of_call(const struct calls *calls, size_t i)
{
	const struct itp_recording recording = recording_of(calls, i);

	return calls->has_epoch ? itp_time_of_day(&recording.clock,
						  calls->detail->slowest[i].begin_ns, TIME_DIGITS) :
				  NULL;
}

/* Day on which all of them began; NULL without a common one, or without the time of day. */
static char *day_of(const struct calls *calls)
{
	g_autofree char *day = NULL;

	for (size_t i = 0; i < calls->detail->slowest_count; i++) {
		g_autofree char *time = time_of_call(calls, i);

		if (!time || (day && strncmp(day, time, DAY_LENGTH) != 0)) {
			return NULL;
		}
		g_free(day);
		day = g_strndup(time, DAY_LENGTH);
	}
	return g_steal_pointer(&day);
}

/* Part of the call outside of the recording. */
static const char *unknown_text(uint32_t flags)
{
	bool begin = flags & ITP_INSTANCE_BEGIN_UNKNOWN;
	bool end = flags & ITP_INSTANCE_END_UNKNOWN;

	if (begin && end) {
		return ", begin and end not seen";
	}
	return begin ? ", begin not seen" : end ? ", end not seen" : "";
}

/* "2.5 µs … 372 µs, end not seen, slow2.data": parts that may not fit come last. */
static char *bounds_text(const struct itp_slow_call *call, const char *recording)
{
	g_autofree char *lower = itp_units_time(call->lower_ns);
	g_autofree char *upper = itp_units_time(call->upper_ns);
	g_autofree char *name = itp_label_clean(recording ? recording : "");

	return g_strdup_printf("%s \u2026 %s%s%s%s", lower, upper, unknown_text(call->flags),
			       recording ? ", " : "", recording ? name : "");
}

static void add_call_row(const struct calls *calls, size_t i, const char *day,
			 struct itp_table *table)
{
	const struct itp_slow_call *call = &calls->detail->slowest[i];
	const struct itp_recording recording = recording_of(calls, i);
	g_autofree char *time = time_of_call(calls, i);

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
		add_call_row(calls, i, day, table);
	}
	itp_table_append_heads(table, calls->page->output);
	for (size_t i = 0; i < calls->detail->slowest_count; i++) {
		itp_table_append_row(table, i, calls->page->output);
	}
	itp_table_free(table);
}

/* Slowest calls of the suspect, of the base only when the suspect has none. */
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

/* ---- Chain behind them ---- */

/* Name of a system call or a function here. To be freed. */
static char *label_of_function(const struct itp_function *function)
{
	const char *call = itp_function_syscall(function);

	return call ? itp_label_clean(call) : itp_label_function(function);
}

/* "rebuild_index below maintain in server (thread 5250)"; the process is told only when it changes,
 * and the thread when there is one, except for the first. */
static void append_who(const struct itp_chain_step *step, const struct itp_chain_step *before,
		       GString *line)
{
	g_autofree char *process = label_of_function(step->process);
	g_autofree char *function = step->function ? label_of_function(step->function) : NULL;

	g_string_append(line, function ? function : process);
	if (before && step->caller) {
		g_autofree char *caller = label_of_function(step->caller);

		g_string_append_printf(line, " below %s", caller);
	}
	if (function && before && strcmp(before->process->name, step->process->name) != 0) {
		g_string_append_printf(line, " in %s", process);
	}
	if (before && step->tid > 0) {
		g_string_append_printf(line, " (thread %d)", step->tid);
	}
}

static void append_step_part(const struct itp_chain_step *step, int64_t ns, const char *words,
			     GString *line)
{
	if (ns * TOLD_PART >= step->inside_ns && ns > 0) {
		g_autofree char *time = itp_units_time(ns);

		g_string_append_printf(line, ", %s %s", time, words);
	}
}

/* ", 8.2 ms on a CPU, 30 ms blocked in fsync" */
static void append_use(const struct itp_chain_step *step, GString *line)
{
	const struct itp_time_use *use = &step->use;
	g_autofree char *place = step->blocked_in ? label_of_function(step->blocked_in) : NULL;
	g_autofree char *blocked =
		g_strdup_printf("blocked%s%s", place ? ", mostly in " : "", place ? place : "");

	append_step_part(step, use->cpu_ns, "on a CPU", line);
	append_step_part(step, use->blocked_ns, blocked, line);
	append_step_part(step, use->runnable_ns, "waiting for a CPU", line);
	append_step_part(step, step->inside_ns - use->cpu_ns - use->blocked_ns - use->runnable_ns,
			 "not known", line);
}

/* End of the last step: "until the kernel (disk) ended that, 29 ms". NULL without a wait. */
static char *end_text(const struct itp_chain_step *step)
{
	g_autofree char *time = itp_units_time(step->end_ns);

	switch (step->end) {
	case ITP_CHAIN_END_KERNEL:
		return g_strdup_printf("until the kernel (%s) ended that: %s",
				       step->reason->name + strlen(ITP_REASON_PREFIX), time);
	case ITP_CHAIN_END_TIME:
		return g_strdup_printf("until its time was over: %s", time);
	case ITP_CHAIN_END_UNSEEN:
		return g_strdup_printf("who ended that was not recorded: %s", time);
	case ITP_CHAIN_END_FOLLOWED:
		return g_strdup_printf("what was done meanwhile was not recorded: %s", time);
	case ITP_CHAIN_END_RAN:
		break;
	}
	return NULL;
}

/* "meanwhile sync_log below rebuild_index 40 ms of 58 ms, 32 ms on a CPU" */
static char *step_text(const struct itp_chain_step *step, const struct itp_chain_step *before)
{
	g_autofree char *time = itp_units_time(step->inside_ns);
	GString *line = g_string_new(before ? "meanwhile " : "");

	append_who(step, before, line);
	g_string_append_printf(line, " %s", time);
	if (before) {
		g_autofree char *span = itp_units_time(step->span_ns);

		g_string_append_printf(line, " of %s", span);
	}
	append_use(step, line);
	return g_string_free(line, FALSE);
}

static char *title_text(guint count, int64_t span_ns)
{
	g_autofree char *time = itp_units_time(span_ns);

	return count == 1 ? g_strdup_printf("What held up its slowest call, %s:", time) :
			    g_strdup_printf(
				    "What held up its %u slowest calls, %s together:", count, time);
}

GPtrArray *itp_page_chain_lines(const struct itp_ranking *ranking,
				const struct itp_path_detail *detail)
{
	bool of_base = ranking->base && detail->suspect.slowest_count == 0;
	guint count;
	int64_t span_ns;
	g_autoptr(GArray) steps = itp_call_detail_chain(of_base ? &detail->base : &detail->suspect,
							ranking, of_base, &count, &span_ns);
	const struct itp_chain_step *step = steps ? (const void *)steps->data : NULL;
	GPtrArray *lines;
	char *end;

	if (!steps || steps->len == 0 || step->end == ITP_CHAIN_END_RAN) {
		return NULL;
	}
	lines = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(lines, title_text(count, span_ns));
	for (guint i = 0; i < steps->len; i++) {
		g_ptr_array_add(lines, step_text(&step[i], i == 0 ? NULL : &step[i - 1]));
	}
	end = end_text(&step[steps->len - 1]);
	if (end) {
		g_ptr_array_add(lines, end);
	}
	return lines;
}

void itp_page_append_chain(const struct itp_detail_page *it)
{
	const struct itp_page *page = it->page;
	g_autoptr(GPtrArray) lines = itp_page_chain_lines(page->ranking, &it->detail);

	if (lines) {
		g_string_append_c(page->output, '\n');
	}
	for (guint i = 0; lines && i < lines->len; i++) {
		itp_label_pad(page->output, i * INDENT);
		itp_label_wrap(page->output, g_ptr_array_index(lines, i), i * INDENT,
			       (i + 1) * INDENT, page->width);
	}
}
