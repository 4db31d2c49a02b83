/* SPDX-License-Identifier: MIT */
/*
 * Speeds of the machine during the recording: times of a fixed computation, some forty a second,
 * as a feature section of perf.data. perf leaves out unknown features.
 *
 * The section is added to a finished file, whoever wrote the file. Conclusions about two runs are
 * left to common/rank.
 */
#ifndef ITP_PERF_DATA_SPEEDS_H
#define ITP_PERF_DATA_SPEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "common/perf-data/file.h"

/* Time of the computation without interruption (ns), at `time_ns` of CLOCK_MONOTONIC. */
struct itp_speed {
	int64_t time_ns;
	uint64_t computed_ns;
};

/* Most measurements kept and read: an hour of a CPU has 144 000. */
#define ITP_SPEEDS_MOST (UINT32_C(1) << 20)

/* Number of the measuring code `name`, as another build of it, or another kernel that has
 * translated it, may be faster. */
uint32_t itp_perf_speeds_meter(const char *name);

/* Adds `count` measurements to the recording `path`, but for those that something has interrupted:
 * of more than twice the middle time. `meter` names the measuring code. Returns 0;
 * ITP_ERROR_CORRUPT when `path` is no finished recording in a single file, left as before;
 * ITP_ERROR_IO with errno set. */
int itp_perf_speeds_append(const char *path, uint32_t meter, const struct itp_speed *speeds,
			   size_t count);

/* Measurements of a recording, in order, and their meter. */
struct itp_perf_speeds {
	/* Bytes not yet taken. Weak: of the file. */
	struct itp_bytes rest;
	uint32_t left;
	uint32_t meter;
};

struct itp_perf_speeds itp_perf_speeds_of(const struct itp_perf_file *file);
bool itp_perf_speeds_next(struct itp_perf_speeds *speeds, struct itp_speed *ret_speed);

#endif
