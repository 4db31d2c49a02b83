/* SPDX-License-Identifier: MIT */
/*
 * Limits from undisturbed units. A recorder takes time in each system call, so recorded units tell
 * types, but not times. A guard counts units in place: its counts while all was well are the usual
 * times.
 */
#ifndef ITP_GUARD_LEARNING_H
#define ITP_GUARD_LEARNING_H

#include "common/guard/guard.h"

/* Units per alarm while all is well. Among learned units, no more than one in
 * ITP_GUARD_ALLOWED_ONE_IN exceeds the limit; the limit is the latency of one in five times as
 * many, by their tail (learning.c), as machines are busier at times than while guards learned, and
 * often few units were learned. */
#define ITP_GUARD_ALLOWED_ONE_IN 2000
#define ITP_GUARD_ONE_IN (5 * ITP_GUARD_ALLOWED_ONE_IN)
/* Factor of the longest unit beyond which units of types that have not learned are late. */
#define ITP_GUARD_LATE 1.5

/* Counts of a type by a guard. */
struct itp_guard_counted {
	uint64_t units;
	/* Units beyond the limit. */
	uint64_t late;
	uint64_t total_ns;
	/* Waits for a CPU, not part of the other times. */
	uint64_t cpu_wait_ns;
	uint64_t max_ns;
	uint64_t buckets[ITP_GUARD_BUCKETS];
};

/* Latency (ns) that `percent` of the units do not exceed, to within a quarter: the middle of a
 * bucket. There must be a unit. */
int64_t itp_guard_counted_quantile(const struct itp_guard_counted *counted, unsigned int percent);

/* Sets times and limits of the type by counts; a type of fewer than ITP_GUARD_UNITS_LEAST units
 * stays unchanged. The limit is at least the latency not exceeded by all but one in
 * ITP_GUARD_ALLOWED_ONE_IN units (the longest of fewer units), and at most twice that latency.
 * Returns whether the type was set. */
bool itp_guard_type_learn(struct itp_guard_type *type, const struct itp_guard_counted *counted);

/* Sets types without counts in a loop with learned types: the limit is the largest learned limit,
 * as recording takes time, or ITP_GUARD_LATE times the longest recorded unit if larger, as only
 * recorded times are known then. Example: a timer due only while nobody asks. The usual time is the
 * largest learned one, or the median of recorded units if larger. `learned` has an element for each
 * type. */
void itp_guard_loop_learn(struct itp_guard_loop *loop, const bool *learned);

#endif
