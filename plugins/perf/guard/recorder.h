/* SPDX-License-Identifier: MIT */
/*
 * Records what a process does when one of its units was late, until some more were: `perf introperf
 * record` in a process of its own. That takes time, so units are not judged meanwhile; they are
 * late for the recording if they take longer than recorded units should, too.
 */
#ifndef ITP_PERF_GUARD_RECORDER_H
#define ITP_PERF_GUARD_RECORDER_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/guard/alarms.h"

struct itp_guard_recorder_options {
	/* Where it goes; NULL for nowhere. Weak. */
	const char *path;
	/* perf-introperf, which records. Weak. */
	const char *program;
	/* So many late units are recorded, for no longer than that. */
	guint units;
	double most_s;
};

struct itp_guard_recorder;

/* NULL without a path, as all that follows accepts. */
struct itp_guard_recorder *itp_guard_recorder_new(const struct itp_guard_recorder_options *options);
/* Ends the recording, if it goes on. */
void itp_guard_recorder_free(struct itp_guard_recorder *recorder);

/* Begins, once. */
void itp_guard_recorder_start(struct itp_guard_recorder *recorder, int32_t pid);

/* Looks how far it is, and says, once, that the recording is there when it is. To be called often
 * meanwhile: units count that begin after it was seen to have begun. */
bool itp_guard_recorder_is_running(struct itp_guard_recorder *recorder);

/* A unit was late while it is running, whose type has this limit for recorded ones, 0 for none. */
void itp_guard_recorder_note(struct itp_guard_recorder *recorder,
			     const struct itp_guard_alarm *alarm, int64_t recorded_limit_ns);

#endif
