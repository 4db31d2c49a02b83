/* SPDX-License-Identifier: MIT */
/*
 * Time that passes in a recording that grows while nothing is recorded, so that periods end.
 */
#ifndef ITP_SOURCES_PERF_SILENCE_H
#define ITP_SOURCES_PERF_SILENCE_H

#include "common/perf-data/reader.h"

/* Zeroed at the beginning. Times are ns of CLOCK_MONOTONIC. */
struct itp_perf_silence {
	/* Since when nothing has come; its user sets it to 0 when something has. */
	int64_t since_ns;
	/* Until when that was told. */
	int64_t told_ns;
};

/* To be called when `reader` has nothing yet. True when it is known that nothing was recorded until
 * *ret_time_ns, a time of the recording. */
bool itp_perf_silence_pass(struct itp_perf_silence *silence, struct itp_perf_reader *reader,
			   int64_t *ret_time_ns);

#endif
