/* SPDX-License-Identifier: MIT */
/*
 * See alarms.h.
 */
#include "plugins/perf/guard/alarms.h"

#include <string.h>

#include "common/base/hash.h"

/* Silence, beyond the time taken so far, after which a unit has ended: a late unit is seen again
 * once it has taken a quarter longer. */
#define PATIENCE_US G_USEC_PER_SEC

struct late_unit {
	struct itp_guard_alarm alarm;
	/* Time of the last sighting, by g_get_monotonic_time(). */
	gint64 seen_us;
};

struct itp_guard_alarms {
	/* Weak. */
	struct itp_guard_kernel *kernel;
	itp_guard_alarm_func on_alarm;
	void *data;
	/* struct late_unit by tid. Owned by this. */
	GHashTable *units;
};

static void clear_sight(gpointer data)
{
	g_array_unref(((struct itp_guard_sight *)data)->stack);
}

static void free_unit(gpointer data)
{
	struct late_unit *unit = data;

	g_array_unref(unit->alarm.sights);
	g_free(unit);
}

bool itp_guard_sight_is_running(const struct itp_guard_sight *sight)
{
	return sight->kind == ITP_GUARD_RUNNING ||
	       (sight->kind == ITP_GUARD_STANDING && sight->state == 0);
}

struct itp_guard_alarms *itp_guard_alarms_new(struct itp_guard_kernel *kernel,
					      itp_guard_alarm_func on_alarm, void *data)
{
	struct itp_guard_alarms *alarms = g_new0(struct itp_guard_alarms, 1);

	alarms->kernel = kernel;
	alarms->on_alarm = on_alarm;
	alarms->data = data;
	alarms->units = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_unit);
	return alarms;
}

void itp_guard_alarms_free(struct itp_guard_alarms *alarms)
{
	if (alarms) {
		g_hash_table_unref(alarms->units);
		g_free(alarms);
	}
}

static struct late_unit *unit_of(struct itp_guard_alarms *alarms,
				 const struct itp_guard_record *record)
{
	const gpointer key = GINT_TO_POINTER(record->tid);
	struct late_unit *unit = g_hash_table_lookup(alarms->units, key);

	if (!unit || unit->alarm.begin_ns != record->moment.begin_ns) {
		unit = g_new0(struct late_unit, 1);
		unit->alarm.pid = record->pid;
		unit->alarm.tid = record->tid;
		unit->alarm.begin_ns = record->moment.begin_ns;
		unit->alarm.loop = record->moment.loop;
		unit->alarm.is_partial = record->moment.is_partial;
		unit->alarm.sights = g_array_new(FALSE, FALSE, sizeof(struct itp_guard_sight));
		g_array_set_clear_func(unit->alarm.sights, clear_sight);
		g_hash_table_insert(alarms->units, key, unit);
	}
	unit->seen_us = g_get_monotonic_time();
	memcpy(unit->alarm.comm, record->comm, sizeof(unit->alarm.comm));
	return unit;
}

static void take_times(struct itp_guard_alarm *alarm, const struct itp_guard_moment *moment)
{
	alarm->taken_ns = (int64_t)moment->taken_ns;
	alarm->cpu_wait_ns = (int64_t)moment->cpu_wait_ns;
}

static void add_sight(struct itp_guard_alarm *alarm, const struct itp_guard_record *record,
		      GArray *stack)
{
	const struct itp_guard_sight sight = { (int64_t)record->moment.taken_ns, record->kind,
					       record->state, stack };

	if (alarm->sights->len == ITP_GUARD_STACKS_KEPT) {
		g_array_remove_index(alarm->sights, ITP_GUARD_STACKS_KEPT - 1);
	}
	g_array_append_val(alarm->sights, sight);
}

static struct itp_guard_choice choose_type(const struct itp_guard_alarms *alarms,
					   const struct itp_guard_moment *moment)
{
	const struct itp_guard_loop_shapes *shapes =
		itp_guard_kernel_shapes(alarms->kernel, moment->loop);
	struct itp_guard_choice choice;

	itp_guard_choice_init(&choice, moment->seen);
	for (uint32_t i = 0; i < shapes->type_count; i++) {
		itp_guard_consider(&choice, &shapes->types[i], i);
	}
	return choice;
}

void itp_guard_alarms_see(struct itp_guard_alarms *alarms, const struct itp_guard_record *record,
			  GArray *stack)
{
	const struct itp_guard_choice choice = choose_type(alarms, &record->moment);
	const int64_t limit_ns = itp_guard_largest_limit_ns(&choice);
	struct late_unit *unit = unit_of(alarms, record);

	if (stack) {
		add_sight(&unit->alarm, record, stack);
	}
	if (record->kind == ITP_GUARD_STANDING) {
		itp_guard_kernel_await(alarms->kernel, record->tid);
	}
	if (unit->alarm.is_known || unit->alarm.sights->len == 0 ||
	    (int64_t)record->moment.taken_ns <= limit_ns) {
		return;
	}
	take_times(&unit->alarm, &record->moment);
	unit->alarm.type = choice.type;
	unit->alarm.limit_ns = limit_ns;
	alarms->on_alarm(&unit->alarm, alarms->data);
	unit->alarm.is_known = true;
}

void itp_guard_alarms_wake(struct itp_guard_alarms *alarms, int32_t tid,
			   const struct itp_guard_waker *waker)
{
	struct late_unit *unit = g_hash_table_lookup(alarms->units, GINT_TO_POINTER(tid));

	if (unit) {
		unit->alarm.waker = *waker;
	}
}

void itp_guard_alarms_end(struct itp_guard_alarms *alarms, const struct itp_guard_record *record)
{
	struct late_unit *unit = unit_of(alarms, record);
	struct itp_guard_alarm *alarm = &unit->alarm;

	take_times(alarm, &record->moment);
	alarm->type = record->moment.type;
	alarm->limit_ns = itp_guard_kernel_shapes(alarms->kernel, record->moment.loop)
				  ->types[record->moment.type]
				  .limit_ns;
	alarm->has_ended = true;
	alarms->on_alarm(alarm, alarms->data);
	g_hash_table_remove(alarms->units, GINT_TO_POINTER(record->tid));
}

static gboolean is_past(gpointer tid, gpointer data, gpointer now_us)
{
	const struct late_unit *unit = data;
	const gint64 taken_us = (unit->alarm.taken_ns + unit->alarm.cpu_wait_ns) / 1000;

	(void)tid;
	return *(const gint64 *)now_us - unit->seen_us > PATIENCE_US + taken_us;
}

void itp_guard_alarms_forget(struct itp_guard_alarms *alarms)
{
	gint64 now_us = g_get_monotonic_time();

	g_hash_table_foreach_remove(alarms->units, is_past, &now_us);
	if (g_hash_table_size(alarms->units) == 0) {
		itp_guard_kernel_await_none(alarms->kernel);
	}
}
