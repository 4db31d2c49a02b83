/* SPDX-License-Identifier: MIT */
/*
 * A recording after a late unit, until some more units were late: `perf introperf record` in a
 * process of its own. Recording takes time, so units in it count as late only beyond the limit for
 * recorded units, too.
 */
#ifndef ITP_PERF_GUARD_RECORDER_H
#define ITP_PERF_GUARD_RECORDER_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/guard/alarms.h"

struct itp_guard_recorder_options {
	/* Path of the recording; NULL for none. Weak. */
	const char *path;
	/* perf-introperf, the recording program. Weak. */
	const char *program;
	/* Late units to be recorded, and the longest time in seconds. */
	guint units;
	double most_s;
};

struct itp_guard_recorder;

/* NULL without a path; the other functions accept NULL. */
struct itp_guard_recorder *itp_guard_recorder_new(const struct itp_guard_recorder_options *options);
/* Ends the recording if it is running. */
void itp_guard_recorder_free(struct itp_guard_recorder *recorder);

/* Begins to record process `pid`, once. */
void itp_guard_recorder_start(struct itp_guard_recorder *recorder, int32_t pid);

/* True when the recording is running; says, once, when it has ended. To be called often meanwhile:
 * only units begun after its begin was noticed count. */
bool itp_guard_recorder_is_running(struct itp_guard_recorder *recorder);

/* Takes a late unit of a running recording; `recorded_limit_ns` is the limit of its type for
 * recorded units, 0 for none. */
void itp_guard_recorder_note(struct itp_guard_recorder *recorder,
			     const struct itp_guard_alarm *alarm, int64_t recorded_limit_ns);

#endif
