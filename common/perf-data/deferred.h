/* SPDX-License-Identifier: MIT */
/*
 * User parts of stacks that the kernel recorded later than their samples (Linux 6.19,
 * `perf record --call-graph fp,defer`).
 *
 * A sample taken in the kernel then ends with a marker and a cookie. The user part comes in a
 * PERF_RECORD_CALLCHAIN_DEFERRED when the thread returns to user mode, which for a thread that
 * sleeps in a system call may be minutes later; it serves all samples since the thread entered
 * the kernel. To wait for it would hold back every other thread's events. Instead all of these
 * records are read before the first event is handed out, and each sample finds its own.
 */
#ifndef ITP_PERF_DATA_DEFERRED_H
#define ITP_PERF_DATA_DEFERRED_H

#include "common/perf-data/sample.h"

struct itp_deferred;

/* Collects from all records of `file`; what is beyond a limit or behind damage is left out. NULL
 * when the recording has none. */
struct itp_deferred *itp_deferred_new(struct itp_perf_file *file);
void itp_deferred_free(struct itp_deferred *deferred);

/* The user part of a sample of `stamp`, leaf first; false when it was not recorded. `deferred` may
 * be NULL. *ret_chain is weak. */
bool itp_deferred_find(const struct itp_deferred *deferred, const struct itp_perf_stamp *stamp,
		       uint64_t cookie, struct itp_bytes *ret_chain);

#endif
