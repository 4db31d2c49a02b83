/* SPDX-License-Identifier: MIT */
/*
 * How fast the machine was while it recorded: what a fixed computation took, some twenty times a
 * second, as a feature section of perf.data. perf leaves out features that it does not know.
 *
 * The section is added to a finished file, whoever wrote that. What it says of two runs is
 * common/rank's.
 */
#ifndef ITP_PERF_DATA_SPEEDS_H
#define ITP_PERF_DATA_SPEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "common/perf-data/file.h"

/* How long it took without interruption (ns), at `time_ns` of CLOCK_MONOTONIC. */
struct itp_speed {
	int64_t time_ns;
	uint64_t computed_ns;
};

/* Behind it nobody reads: an hour has 72 000. */
#define ITP_SPEEDS_MOST (UINT32_C(1) << 20)

/* Adds `count` of them to the recording `path`. `meter` tells the code that measured, as two builds
 * of it may take other times for the same. Returns 0; ITP_ERROR_CORRUPT when `path` is no finished
 * recording in one file, which is then as before; ITP_ERROR_IO with errno set. */
int itp_perf_speeds_append(const char *path, uint32_t meter, const struct itp_speed *speeds,
			   size_t count);

/* Measurements of a recording, one after the other, and their meter. */
struct itp_perf_speeds {
	/* Bytes that are left. Weak: of the file. */
	struct itp_bytes rest;
	uint32_t left;
	uint32_t meter;
};

struct itp_perf_speeds itp_perf_speeds_of(const struct itp_perf_file *file);
bool itp_perf_speeds_next(struct itp_perf_speeds *speeds, struct itp_speed *ret_speed);

#endif
