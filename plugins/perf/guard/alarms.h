/* SPDX-License-Identifier: MIT */
/*
 * Units that are late, or may be: their stacks are kept until it is known, and what is known is
 * told at once.
 */
#ifndef ITP_PERF_GUARD_ALARMS_H
#define ITP_PERF_GUARD_ALARMS_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/guard/kernel.h"
#include "plugins/perf/guard/wakers.h"

/* So many stacks of a unit are kept, the first ones and the last one. */
#define ITP_GUARD_STACKS_KEPT 8

/* Where a thread was at a moment. */
struct itp_guard_sight {
	/* How long the unit had taken then, without waiting for a CPU. */
	int64_t after_ns;
	enum itp_guard_kind kind;
	/* As in task_struct. */
	uint32_t state;
	/* uint32_t: functions, root first. Owned by this. */
	GArray *stack;
};

struct itp_guard_alarm {
	int32_t pid;
	int32_t tid;
	char comm[16];
	uint64_t begin_ns;
	/* How long it had taken when this was known, or in all where it has ended; and what it has
	 * waited for a CPU meanwhile, which is no part of that. */
	int64_t taken_ns;
	int64_t cpu_wait_ns;
	guint loop;
	/* The type that it is of, or is most likely to be of as far as it goes. */
	guint type;
	/* What it has exceeded: that of its type, or the largest of those that it may be of. */
	int64_t limit_ns;
	bool has_ended;
	/* It had begun before begin_ns, when nobody watched. */
	bool is_partial;
	/* It was told before that it is late, while it ran. */
	bool is_known;
	/* struct itp_guard_sight. Owned by this. */
	GArray *sights;
	/* Who ended its last wait that was seen; its time is 0 where nobody did. */
	struct itp_guard_waker waker;
};

/* Weak during the call. */
typedef void (*itp_guard_alarm_func)(const struct itp_guard_alarm *alarm, void *data);

/* Whether the thread ran, or was about to. */
bool itp_guard_sight_is_running(const struct itp_guard_sight *sight);

struct itp_guard_alarms;

/* All is weak. */
struct itp_guard_alarms *itp_guard_alarms_new(struct itp_guard_kernel *kernel,
					      itp_guard_alarm_func on_alarm, void *data);
void itp_guard_alarms_free(struct itp_guard_alarms *alarms);

/* A late thread was seen; `stack`, which may be NULL, is taken. */
void itp_guard_alarms_see(struct itp_guard_alarms *alarms, const struct itp_guard_record *record,
			  GArray *stack);
/* A thread that was seen blocked, `tid`, was made to run again. */
void itp_guard_alarms_wake(struct itp_guard_alarms *alarms, int32_t tid,
			   const struct itp_guard_waker *waker);
/* A unit has ended, late. */
void itp_guard_alarms_end(struct itp_guard_alarms *alarms, const struct itp_guard_record *record);

/* Forgets units that have not been seen for a while: they have ended in time. */
void itp_guard_alarms_forget(struct itp_guard_alarms *alarms);

#endif
