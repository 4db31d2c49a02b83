/* SPDX-License-Identifier: MIT */
/*
 * Warnings about names missing in a recording, with a remedy: a line for the kernel, a line for
 * each module, and a line each for all stacks without their user part, for all skipped records and
 * for debuginfod servers that do not answer.
 */
#ifndef ITP_ENGINE_MISSING_NAMES_H
#define ITP_ENGINE_MISSING_NAMES_H

#include "common/engine/perf-inputs.h"

/* `reader` belongs to `input`. */
void itp_missing_names_tell(const struct itp_perf_reader *reader,
			    const struct itp_perf_input *input, itp_tell_func function, void *data);

#endif
