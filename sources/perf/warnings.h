/* SPDX-License-Identifier: MIT */
/*
 * Says which names a recording lacks and what to do about it: one line for the kernel, one for each
 * module, and one each for all stacks without their user part, for all records that were skipped
 * and for debuginfod servers that do not answer.
 */
#ifndef ITP_SOURCES_PERF_WARNINGS_H
#define ITP_SOURCES_PERF_WARNINGS_H

#include "sources/perf/inputs.h"

/* `reader` is one of `input`. */
void itp_perf_warnings_tell(const struct itp_perf_reader *reader,
			    const struct itp_perf_input *input, itp_tell_func function, void *data);

#endif
