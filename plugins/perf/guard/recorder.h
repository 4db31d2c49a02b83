/* SPDX-License-Identifier: MIT */
/*
 * Records what a process does for a while when one of its units was late: `perf introperf record`
 * in a process of its own. That takes time, so units are not judged meanwhile.
 */
#ifndef ITP_PERF_GUARD_RECORDER_H
#define ITP_PERF_GUARD_RECORDER_H

#include <glib.h>
#include <stdbool.h>

struct itp_guard_recorder;

/* NULL without a `path`, as all that follows accepts. `path` is weak. */
struct itp_guard_recorder *itp_guard_recorder_new(const char *path, double seconds);
/* Ends the recording, if it goes on. */
void itp_guard_recorder_free(struct itp_guard_recorder *recorder);

/* Begins, once. */
void itp_guard_recorder_start(struct itp_guard_recorder *recorder, int32_t pid);

/* Says, once, that the recording is there when it is. */
bool itp_guard_recorder_is_running(struct itp_guard_recorder *recorder);

#endif
