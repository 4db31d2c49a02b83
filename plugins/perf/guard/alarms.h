/* SPDX-License-Identifier: MIT */
/*
 * Units that are late, or may be. Their stacks are kept until lateness is certain, and an alarm is
 * told at once.
 */
#ifndef ITP_PERF_GUARD_ALARMS_H
#define ITP_PERF_GUARD_ALARMS_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/guard/kernel.h"
#include "plugins/perf/guard/wakers.h"

/* Stacks kept of a unit, at most: the first, and the last. */
#define ITP_GUARD_STACKS_KEPT 8

/* A thread at a moment. */
struct itp_guard_sight {
	/* Time that the unit had taken by then, without waits for a CPU. */
	int64_t after_ns;
	enum itp_guard_kind kind;
	/* State as in task_struct. */
	uint32_t state;
	/* uint32_t: functions, root first. Owned by this. */
	GArray *stack;
};

struct itp_guard_alarm {
	int32_t pid;
	int32_t tid;
	char comm[16];
	uint64_t begin_ns;
	/* Time taken when the alarm was known, or in all after the end; and waits for a CPU
	 * meanwhile, not part of the time taken. */
	int64_t taken_ns;
	int64_t cpu_wait_ns;
	guint loop;
	/* Type of the unit; before its end, the likeliest type so far. */
	guint type;
	/* Limit exceeded: of the type, or before the end the largest of all types that the unit may
	 * have. */
	int64_t limit_ns;
	bool has_ended;
	/* The unit had begun before begin_ns, unwatched. */
	bool is_partial;
	/* An earlier alarm has told of the unit, while it ran. */
	bool is_known;
	/* struct itp_guard_sight. Owned by this. */
	GArray *sights;
	/* The last waker seen; its time is 0 for none. */
	struct itp_guard_waker waker;
};

/* Weak during the call. */
typedef void (*itp_guard_alarm_func)(const struct itp_guard_alarm *alarm, void *data);

/* True when the thread ran, or was runnable. */
bool itp_guard_sight_is_running(const struct itp_guard_sight *sight);

struct itp_guard_alarms;

/* All is weak. */
struct itp_guard_alarms *itp_guard_alarms_new(struct itp_guard_kernel *kernel,
					      itp_guard_alarm_func on_alarm, void *data);
void itp_guard_alarms_free(struct itp_guard_alarms *alarms);

/* Takes a sighting of a late thread; takes `stack`, which may be NULL. */
void itp_guard_alarms_see(struct itp_guard_alarms *alarms, const struct itp_guard_record *record,
			  GArray *stack);
/* Takes the waker of thread `tid`, seen blocked before. */
void itp_guard_alarms_wake(struct itp_guard_alarms *alarms, int32_t tid,
			   const struct itp_guard_waker *waker);
/* Takes a late unit at its end. */
void itp_guard_alarms_end(struct itp_guard_alarms *alarms, const struct itp_guard_record *record);

/* Forgets units not seen for a while: they have ended in time. */
void itp_guard_alarms_forget(struct itp_guard_alarms *alarms);

#endif
