/* SPDX-License-Identifier: MIT */
/*
 * Left-out numbers and notes of renderers where nobody watched threads between two events
 * (common/infer/kept.h): all times are CPU time then.
 */
#ifndef ITP_RENDER_UNWATCHED_H
#define ITP_RENDER_UNWATCHED_H

#include "common/rank/ranking.h"

/* True when the number `name` of the formats ("base_count", "upper_ns") exists only with
 * latencies. */
bool itp_unwatched_lacks(const char *name);

/* "only ticks": in place of "complete". */
const char *itp_unwatched_text(const struct itp_workload *workload);

/* "NAME has only ticks, …", the numbers missing for it, and what to record. NULL where nothing is
 * missing. */
char *itp_unwatched_sentence(const struct itp_workload *workload, const char *name);

/* Short form, behind the sentence of another workload. */
char *itp_unwatched_too(const struct itp_workload *workload, const char *name);

/* Note that the times of `workload`, called `name`, were reduced to the kind that `other` has as
 * well. NULL where they were not. */
char *itp_unwatched_levelled(const struct itp_workload *workload, const char *name,
			     const char *other);

/* "system calls in windows": in place of "complete", where they were watched only then; NULL
 * elsewhere. */
const char *itp_unwatched_windows_text(const struct itp_workload *workload);

/* "NAME has system calls for 12 % of the time", and the consequences. NULL where they were watched
 * all the time, or never. */
char *itp_unwatched_windows(const struct itp_workload *workload, const char *name);

/* Note that without switches nobody knows whether a thread ran or waited; or with them, how long it
 * waited, if nothing tells when it was back on a CPU, as in perf record -e sched:sched_switch of a
 * program. NULL where that is known. */
char *itp_unwatched_waits(const struct itp_workload *workload, const struct itp_apart *apart,
			  const char *name);

#endif
