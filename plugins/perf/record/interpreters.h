/* SPDX-License-Identifier: MIT */
/*
 * Interpreters by their files: versions whose structures are known, and where these lie in a
 * process.
 */
#ifndef ITP_PERF_RECORD_INTERPRETERS_H
#define ITP_PERF_RECORD_INTERPRETERS_H

#include <stdbool.h>

#include "plugins/perf/record/record-bpf.h"

struct itp_mapping;

/* False for a mapping of a file without an interpreter, or of an unknown version. */
bool itp_recorder_interpreter_find(const struct itp_mapping *mapping,
				   struct itp_record_interpreter *ret_interpreter);

#endif
