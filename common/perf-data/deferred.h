/* SPDX-License-Identifier: MIT */
/*
 * User parts of stacks that the kernel recorded later than their samples (Linux 6.19, `perf record
 * --call-graph fp,defer`).
 *
 * A sample taken in the kernel then ends with a marker and a cookie. The user part comes in a
 * PERF_RECORD_CALLCHAIN_DEFERRED when the thread returns to user mode, perhaps minutes later for a
 * thread asleep in a system call; it serves all samples since the thread entered the kernel.
 * Waiting for it would hold back every other thread's events. Instead all records of user parts are
 * read before the first event is handed out, and each sample finds its own.
 */
#ifndef ITP_PERF_DATA_DEFERRED_H
#define ITP_PERF_DATA_DEFERRED_H

#include "common/perf-data/sample.h"

struct itp_deferred;

/* Collects user parts from all records of `file`, except beyond a limit or behind damage. NULL for
 * a recording without. */
struct itp_deferred *itp_deferred_new(struct itp_perf_file *file);
void itp_deferred_free(struct itp_deferred *deferred);

/* The user part of a sample of `stamp`, leaf first; false when not recorded. `deferred` may be
 * NULL. *ret_chain is weak. */
bool itp_deferred_find(const struct itp_deferred *deferred, const struct itp_perf_stamp *stamp,
		       uint64_t cookie, struct itp_bytes *ret_chain);

#endif
