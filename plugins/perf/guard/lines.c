/* SPDX-License-Identifier: MIT */
/*
 * See lines.h.
 */
#include "plugins/perf/guard/lines.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/render/json.h"
#include "common/render/units.h"
#include "plugins/perf/guard/reasons.h"
#include "plugins/perf/guard/unseen.h"
#include "plugins/perf/guard/windows.h"

#define SCHEMA 1
/* Functions shown of a stack: the first, from its loop on, and the last. */
#define SHOWN_FIRST 2
#define SHOWN_LAST 6
#define CALLED " \u203a "
/* Waits for a CPU, as a part of the time taken, from which they are told. */
#define WORTH_TELLING 0.1

static const char *state_text(const struct itp_guard_sight *sight)
{
	return itp_guard_sight_is_running(sight) ? "running" :
	       sight->state & 2                  ? "blocked in the kernel" :
						   "blocked";
}

static const struct itp_function *function_of_id(const struct itp_guard_lines *lines, uint32_t id)
{
	return itp_function_table_get(itp_guard_processes_functions(lines->processes), id);
}

static const struct itp_function *function_on_stack(const struct itp_guard_lines *lines,
						    const struct itp_guard_sight *sight, guint i)
{
	return function_of_id(lines, g_array_index(sight->stack, uint32_t, i));
}

static const struct itp_guard_sight *last_sight(const struct itp_guard_alarm *alarm)
{
	return alarm->sights->len > 0 ? &g_array_index(alarm->sights, struct itp_guard_sight,
						       alarm->sights->len - 1) :
					NULL;
}

/* UTC, of the wall clock. Owned by the caller. */
static char *time_text(void)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();

	return g_date_time_format(now, "%Y-%m-%dT%H:%M:%S.%fZ");
}

/* ---- Text ---- */

/* Functions of the kernel are for the record: the system call says enough in a line. */
static guint user_length(const struct itp_guard_lines *lines, const struct itp_guard_sight *sight)
{
	guint length = sight->stack->len;

	while (length > 0 &&
	       function_on_stack(lines, sight, length - 1)->layer == ITP_LAYER_KERNEL) {
		length--;
	}
	return length;
}

static void append_stack(const struct itp_guard_lines *lines, const struct itp_guard_alarm *alarm,
			 const struct itp_guard_sight *sight, GString *output)
{
	const guint loop = itp_guard_loop_in(itp_guard_loop_at(lines->file, alarm->loop),
					     itp_guard_processes_functions(lines->processes),
					     sight->stack);
	const guint begin = loop < sight->stack->len ? loop : 0;
	const guint end = user_length(lines, sight);
	bool is_first = true;

	for (guint i = begin; i < end; i++) {
		g_autofree char *name = NULL;

		if (i == begin + SHOWN_FIRST && end > i + SHOWN_LAST) {
			g_string_append(output, CALLED "\u2026");
			i = end - SHOWN_LAST;
		}
		name = itp_label_clean(function_on_stack(lines, sight, i)->name);
		g_string_append_printf(output, "%s%s", is_first ? "" : CALLED, name);
		is_first = false;
	}
}

static void append_waker(const struct itp_guard_lines *lines, const struct itp_guard_waker *waker,
			 GString *output)
{
	g_autofree char *comm = itp_label_clean(waker->comm);

	if (waker->time_ns == 0) {
		return;
	}
	if (waker->reason != ITP_FUNCTION_UNKNOWN) {
		g_string_append_printf(output, ", woken by %s",
				       function_of_id(lines, waker->reason)->name);
		return;
	}
	g_string_append_printf(output, ", woken by %s %d/%d", comm, waker->pid, waker->tid);
	if (waker->function != ITP_FUNCTION_UNKNOWN) {
		g_autofree char *name =
			itp_label_clean(function_of_id(lines, waker->function)->name);

		g_string_append_printf(output, " in %s", name);
	}
}

/* Waits for a CPU, added by other work of the machine to the time taken. */
static void append_cpu_wait(int64_t taken_ns, int64_t cpu_wait_ns, GString *output)
{
	if (cpu_wait_ns > 0 && (double)cpu_wait_ns >= WORTH_TELLING * (double)taken_ns) {
		g_autofree char *waited = itp_units_time(cpu_wait_ns);

		g_string_append_printf(output, ", besides %s waiting for a CPU", waited);
	}
}

static void append_alarm_text(const struct itp_guard_lines *lines,
			      const struct itp_guard_alarm *alarm, GString *output)
{
	const struct itp_guard_loop *loop = itp_guard_loop_at(lines->file, alarm->loop);
	const struct itp_guard_sight *sight = last_sight(alarm);
	g_autofree char *time = time_text();
	g_autofree char *name = itp_label_clean(itp_guard_type_at(loop, alarm->type)->name);
	g_autofree char *comm = itp_label_clean(alarm->comm);
	g_autofree char *taken = itp_units_time(alarm->taken_ns);
	g_autofree char *limit = itp_units_time(alarm->limit_ns);

	g_string_append_printf(output, "%s %s %d/%d: %s %s %s%s, limit %s", time, comm, alarm->pid,
			       alarm->tid, name, alarm->has_ended ? "took" : "takes",
			       alarm->is_partial ? "at least " : "", taken, limit);
	append_cpu_wait(alarm->taken_ns, alarm->cpu_wait_ns, output);
	if (!alarm->is_known && sight) {
		g_string_append_printf(output, ", %s: ", state_text(sight));
		append_stack(lines, alarm, sight, output);
	}
	if (alarm->has_ended) {
		append_waker(lines, &alarm->waker, output);
	}
	g_string_append_c(output, '\n');
}

static void append_turn_text(const struct itp_guard_lines *lines, guint loop, guint number,
			     const struct itp_guard_shift *shift, GString *output)
{
	const struct itp_guard_loop *of = itp_guard_loop_at(lines->file, loop);
	const struct itp_guard_type *type = itp_guard_type_at(of, number);
	g_autofree char *time = time_text();
	g_autofree char *process = itp_label_clean(of->process);
	g_autofree char *name = itp_label_clean(type->name);
	g_autofree char *slow = itp_units_time(itp_guard_slow_ns(type));
	g_autofree char *slower = itp_units_count(shift->last_slower);
	g_autofree char *units = itp_units_counted(shift->last_units, "unit");

	g_string_append_printf(
		output,
		"%s %s: %s %s: %s of the last %s took longer than %s, twice what is usual\n", time,
		process, name, shift->is_slow ? "has become slow" : "is as usual again", slower,
		units, slow);
}

/* "limit 5 ms". Owned by the caller. */
static char *limit_text(int64_t limit_ns)
{
	g_autofree char *time = itp_units_time(limit_ns);

	return limit_ns == ITP_GUARD_NO_LIMIT ? g_strdup("no limit") :
						g_strdup_printf("limit %s", time);
}

static void append_type_text(const struct itp_guard_lines *lines, guint loop, guint type,
			     GString *output)
{
	struct itp_guard_counted counts;
	g_autofree char *name = itp_label_clean(
		itp_guard_type_at(itp_guard_loop_at(lines->file, loop), type)->name);
	g_autofree char *limit =
		limit_text(itp_guard_type_at(itp_guard_loop_at(lines->file, loop), type)->limit_ns);
	g_autofree char *units = NULL;
	g_autofree char *median = NULL;
	g_autofree char *longest = NULL;

	itp_guard_kernel_counts(lines->kernel, loop, type, &counts);
	if (counts.units == 0) {
		return;
	}
	units = itp_units_counted(counts.units, "unit");
	median = itp_units_time(itp_guard_counted_quantile(&counts, 50));
	longest = itp_units_time((int64_t)counts.max_ns);
	g_string_append_printf(
		output, "  %s, %" G_GUINT64_FORMAT " late: %s (median about %s, longest %s, %s)",
		units, counts.late, name, median, longest, limit);
	append_cpu_wait((int64_t)counts.total_ns, (int64_t)counts.cpu_wait_ns, output);
	g_string_append_c(output, '\n');
}

static int64_t typical_of(const struct itp_guard_lines *lines,
			  const struct itp_guard_excess_of_type *told)
{
	return itp_guard_typical_ns(
		itp_guard_type_at(itp_guard_loop_at(lines->file, told->loop), told->type));
}

static void append_excess_text(const struct itp_guard_lines *lines, GString *output)
{
	g_autoptr(GArray) all = itp_guard_excess_explain(lines->excess);

	for (guint i = 0; i < all->len; i++) {
		const struct itp_guard_excess_of_type *told =
			&g_array_index(all, struct itp_guard_excess_of_type, i);
		const struct itp_guard_loop *loop = itp_guard_loop_at(lines->file, told->loop);

		g_string_append(output, "  ");
		itp_guard_reasons_append(itp_guard_processes_functions(lines->processes), told,
					 itp_guard_type_at(loop, told->type)->name,
					 typical_of(lines, told), output);
		g_string_append_c(output, '\n');
	}
}

static bool watches_always(const struct itp_guard_lines *lines)
{
	return itp_guard_windows_part(lines->windows) > ITP_GUARD_ALWAYS;
}

static void append_watched(const struct itp_guard_lines *lines, GString *output)
{
	if (!watches_always(lines)) {
		g_string_append_printf(output,
				       " (watched %.3g %% of the time: more would cost over %.3g "
				       "%%)",
				       100 * itp_guard_windows_part(lines->windows),
				       100 * itp_guard_windows_budget(lines->windows));
	}
}

/* Units of all types. */
static uint64_t units_of_all(const struct itp_guard_lines *lines)
{
	uint64_t units = 0;

	for (guint i = 0; i < lines->file->loops->len; i++) {
		for (guint k = 0; k < itp_guard_loop_at(lines->file, i)->types->len; k++) {
			struct itp_guard_counted counts;

			itp_guard_kernel_counts(lines->kernel, i, k, &counts);
			units += counts.units;
		}
	}
	return units;
}

static struct itp_guard_attention attention_of(const struct itp_guard_lines *lines)
{
	return (struct itp_guard_attention){ units_of_all(lines),
					     itp_guard_windows_watched_s(lines->windows),
					     itp_guard_windows_part(lines->windows) };
}

static void append_summary_text(const struct itp_guard_lines *lines,
				const struct itp_guard_totals *totals, GString *output)
{
	const uint64_t unread = itp_guard_printer_unread(lines->printer);
	g_autofree char *time = time_text();

	g_string_append_printf(output, "%s until now", time);
	append_watched(lines, output);
	if (totals->learning > 0) {
		g_string_append_printf(
			output,
			" (%" G_GUINT64_FORMAT
			" units were judged by no type: it was not known yet where they were, or "
			"no type is in all of these places)",
			totals->learning);
	}
	if (totals->lost > 0) {
		g_string_append_printf(output, " (%" G_GUINT64_FORMAT " stacks found no room)",
				       totals->lost);
	}
	if (unread > 0) {
		g_string_append_printf(output,
				       " (%" G_GUINT64_FORMAT
				       " lines were left out, as nobody read what was before them)",
				       unread);
	}
	g_string_append(output, ":\n");
	for (guint i = 0; i < lines->file->loops->len; i++) {
		for (guint k = 0; k < itp_guard_loop_at(lines->file, i)->types->len; k++) {
			append_type_text(lines, i, k, output);
		}
	}
	if (!watches_always(lines)) {
		const struct itp_guard_attention attention = attention_of(lines);

		itp_guard_unseen_append(&attention, output);
	}
	append_excess_text(lines, output);
}

/* ---- JSON lines ---- */

static json_t *stack_array(const struct itp_guard_lines *lines, const struct itp_guard_sight *sight)
{
	json_t *array = json_array();

	for (guint i = 0; i < sight->stack->len; i++) {
		g_autofree char *key = itp_guard_function_key(function_on_stack(lines, sight, i));

		json_array_append_new(array, itp_json_text(key));
	}
	return array;
}

static json_t *sight_object(const struct itp_guard_lines *lines,
			    const struct itp_guard_sight *sight)
{
	json_t *object = json_object();

	itp_json_set_signed(object, "after_ns", sight->after_ns);
	itp_json_set_text(object, "state", state_text(sight));
	json_object_set_new_nocheck(object, "stack", stack_array(lines, sight));
	return object;
}

static void set_type(const struct itp_guard_lines *lines, json_t *object, guint loop, guint type)
{
	const struct itp_guard_loop *of = itp_guard_loop_at(lines->file, loop);

	itp_json_set_text(object, "process", of->process);
	itp_json_set_text(object, "loop", of->function);
	itp_json_set_text(object, "unit_type", itp_guard_type_at(of, type)->name);
	itp_json_set_unsigned(object, "unit_type_number", type);
}

static json_t *waker_object(const struct itp_guard_lines *lines,
			    const struct itp_guard_alarm *alarm)
{
	const struct itp_guard_waker *waker = &alarm->waker;
	json_t *object = json_object();

	itp_json_set_signed(object, "after_ns", (int64_t)(waker->time_ns - alarm->begin_ns));
	if (waker->reason != ITP_FUNCTION_UNKNOWN) {
		itp_json_set_text(object, "reason", function_of_id(lines, waker->reason)->name);
	} else {
		itp_json_set_signed(object, "pid", waker->pid);
		itp_json_set_signed(object, "tid", waker->tid);
		itp_json_set_text(object, "comm", waker->comm);
	}
	if (waker->function != ITP_FUNCTION_UNKNOWN) {
		g_autofree char *key =
			itp_guard_function_key(function_of_id(lines, waker->function));

		itp_json_set_text(object, "function", key);
	}
	return object;
}

static json_t *alarm_object(const struct itp_guard_lines *lines,
			    const struct itp_guard_alarm *alarm)
{
	json_t *object = json_object();
	json_t *sights = json_array();
	g_autofree char *time = time_text();

	itp_json_set_text(object, "type", alarm->has_ended ? "late_unit" : "late_so_far");
	itp_json_set_text(object, "time", time);
	itp_json_set_signed(object, "pid", alarm->pid);
	itp_json_set_signed(object, "tid", alarm->tid);
	itp_json_set_text(object, "comm", alarm->comm);
	set_type(lines, object, alarm->loop, alarm->type);
	itp_json_set_signed(object, "begin_ns", (int64_t)alarm->begin_ns);
	itp_json_set_signed(object, "taken_ns", alarm->taken_ns);
	itp_json_set_signed(object, "cpu_wait_ns", alarm->cpu_wait_ns);
	itp_json_set_bool(object, "at_least", alarm->is_partial);
	itp_json_set_signed(object, "limit_ns", alarm->limit_ns);
	itp_json_set_signed(object, "typical_ns",
			    itp_guard_typical_ns(itp_guard_type_at(
				    itp_guard_loop_at(lines->file, alarm->loop), alarm->type)));
	itp_json_set_bool(object, "was_told", alarm->is_known);
	for (guint i = 0; i < alarm->sights->len; i++) {
		json_array_append_new(
			sights, sight_object(lines, &g_array_index(alarm->sights,
								   struct itp_guard_sight, i)));
	}
	json_object_set_new_nocheck(object, "stacks", sights);
	if (alarm->waker.time_ns > 0) {
		json_object_set_new_nocheck(object, "woken_by", waker_object(lines, alarm));
	}
	return object;
}

static void append_type_object(const struct itp_guard_lines *lines, guint loop, guint type,
			       json_t *array)
{
	const int64_t limit_ns =
		itp_guard_type_at(itp_guard_loop_at(lines->file, loop), type)->limit_ns;
	struct itp_guard_counted counts;
	json_t *object;

	itp_guard_kernel_counts(lines->kernel, loop, type, &counts);
	if (counts.units == 0) {
		return;
	}
	object = json_object();
	set_type(lines, object, loop, type);
	itp_json_set_unsigned(object, "units", counts.units);
	itp_json_set_unsigned(object, "late", counts.late);
	itp_json_set_unsigned(object, "total_ns", counts.total_ns);
	itp_json_set_unsigned(object, "cpu_wait_ns", counts.cpu_wait_ns);
	itp_json_set_unsigned(object, "max_ns", counts.max_ns);
	itp_json_set_signed(object, "median_ns", itp_guard_counted_quantile(&counts, 50));
	itp_json_set_signed(object, "p99_ns", itp_guard_counted_quantile(&counts, 99));
	if (limit_ns != ITP_GUARD_NO_LIMIT) {
		itp_json_set_signed(object, "limit_ns", limit_ns);
	}
	json_array_append_new(array, object);
}

static json_t *excess_array(const struct itp_guard_lines *lines)
{
	g_autoptr(GArray) all = itp_guard_excess_explain(lines->excess);
	json_t *array = json_array();

	for (guint i = 0; i < all->len; i++) {
		const struct itp_guard_excess_of_type *told =
			&g_array_index(all, struct itp_guard_excess_of_type, i);
		json_t *object = json_object();

		set_type(lines, object, told->loop, told->type);
		itp_guard_reasons_set(itp_guard_processes_functions(lines->processes), told,
				      typical_of(lines, told), object);
		json_array_append_new(array, object);
	}
	return array;
}

/* Looks at system calls of guarded threads, and the time of a timed look; system calls of anybody
 * meanwhile, and the extra time of each. */
static void set_costs(const struct itp_guard_lines *lines, const struct itp_guard_totals *totals,
		      json_t *object)
{
	itp_json_set_unsigned(object, "looks", totals->hits);
	if (totals->timed_hits > 0) {
		itp_json_set_real(object, "look_ns",
				  (double)totals->timed_ns / (double)totals->timed_hits);
	}
	itp_json_set_unsigned(object, "calls", totals->calls);
	itp_json_set_real(object, "call_ns", itp_guard_kernel_price_ns(lines->kernel));
}

static json_t *summary_object(const struct itp_guard_lines *lines,
			      const struct itp_guard_totals *totals)
{
	json_t *object = json_object();
	json_t *types = json_array();
	const struct itp_guard_attention attention = attention_of(lines);
	g_autofree char *time = time_text();

	itp_json_set_text(object, "type", "summary");
	itp_json_set_text(object, "time", time);
	itp_json_set_unsigned(object, "not_judged", totals->learning);
	itp_json_set_unsigned(object, "questions", totals->questions);
	set_costs(lines, totals, object);
	itp_json_set_unsigned(object, "lost", totals->lost);
	itp_json_set_unsigned(object, "unread", itp_guard_printer_unread(lines->printer));
	itp_json_set_real(object, "watched", attention.part);
	itp_guard_unseen_set(&attention, object);
	for (guint i = 0; i < lines->file->loops->len; i++) {
		for (guint k = 0; k < itp_guard_loop_at(lines->file, i)->types->len; k++) {
			append_type_object(lines, i, k, types);
		}
	}
	json_object_set_new_nocheck(object, "types", types);
	json_object_set_new_nocheck(object, "excess", excess_array(lines));
	return object;
}

static json_t *names_array(const GPtrArray *names)
{
	json_t *array = json_array();

	for (guint i = 0; i < names->len; i++) {
		json_array_append_new(array, itp_json_text(g_ptr_array_index(names, i)));
	}
	return array;
}

/* ---- Either ---- */

void itp_guard_lines_begin(const struct itp_guard_lines *lines,
			   const struct itp_guard_probes *probes, GString *output)
{
	json_t *object;

	if (!lines->is_json) {
		return;
	}
	object = json_object();
	itp_json_set_text(object, "type", "header");
	itp_json_set_unsigned(object, "schema", SCHEMA);
	json_object_set_new_nocheck(object, "ending", names_array(probes->ending));
	json_object_set_new_nocheck(object, "telling", names_array(probes->telling));
	itp_json_append_line(output, object, 0);
}

void itp_guard_lines_alarm(const struct itp_guard_lines *lines, const struct itp_guard_alarm *alarm,
			   GString *output)
{
	if (lines->is_json) {
		itp_json_append_line(output, alarm_object(lines, alarm), 0);
	} else {
		append_alarm_text(lines, alarm, output);
	}
}

static json_t *turn_object(const struct itp_guard_lines *lines, guint loop, guint type,
			   const struct itp_guard_shift *shift)
{
	json_t *object = json_object();
	g_autofree char *time = time_text();

	itp_json_set_text(object, "type", shift->is_slow ? "slow_type" : "usual_type");
	itp_json_set_text(object, "time", time);
	set_type(lines, object, loop, type);
	itp_json_set_unsigned(object, "units", shift->last_units);
	itp_json_set_unsigned(object, "slower", shift->last_slower);
	itp_json_set_signed(
		object, "usual_ns",
		itp_guard_type_at(itp_guard_loop_at(lines->file, loop), type)->usual_ns);
	return object;
}

void itp_guard_lines_turn(const struct itp_guard_lines *lines, guint loop, guint type,
			  const struct itp_guard_shift *shift, GString *output)
{
	if (lines->is_json) {
		itp_json_append_line(output, turn_object(lines, loop, type, shift), 0);
	} else {
		append_turn_text(lines, loop, type, shift, output);
	}
}

void itp_guard_lines_summary(const struct itp_guard_lines *lines, GString *output)
{
	struct itp_guard_totals totals;

	itp_guard_kernel_totals(lines->kernel, &totals);
	if (lines->is_json) {
		itp_json_append_line(output, summary_object(lines, &totals), 0);
	} else {
		append_summary_text(lines, &totals, output);
	}
}
