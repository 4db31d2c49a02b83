/* SPDX-License-Identifier: MIT */
/*
 * What renderers leave out, and what they say, where nobody watched what threads did between two
 * events (common/infer/kept.h): all times are CPU time then.
 */
#ifndef ITP_RENDER_UNWATCHED_H
#define ITP_RENDER_UNWATCHED_H

#include "common/rank/ranking.h"

/* Whether what the formats call `name` ("base_count", "upper_ns") exists only with latencies. */
bool itp_unwatched_lacks(const char *name);

/* "only ticks": in place of "complete". */
const char *itp_unwatched_text(const struct itp_workload *workload);

/* "NAME has only ticks, …", what is not known for that reason, and what to record. NULL where it is
 * known. */
char *itp_unwatched_sentence(const struct itp_workload *workload, const char *name);

/* The same, shortly, behind that of another workload. */
char *itp_unwatched_too(const struct itp_workload *workload, const char *name);

/* That the times of `workload`, called `name`, were reduced to those that `other` has as well. NULL
 * where they were not. */
char *itp_unwatched_levelled(const struct itp_workload *workload, const char *name,
			     const char *other);

/* "system calls in windows": in place of "complete", where they were watched only then; NULL where
 * that is not so. */
const char *itp_unwatched_windows_text(const struct itp_workload *workload);

/* "NAME has system calls for 12 % of the time", and what follows. NULL where they were watched all
 * the time, or never. */
char *itp_unwatched_windows(const struct itp_workload *workload, const char *name);

/* That without switches nobody knows whether a thread ran or waited. NULL where that is known. */
char *itp_unwatched_waits(const struct itp_workload *workload, const char *name);

#endif
