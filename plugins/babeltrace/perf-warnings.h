/* SPDX-License-Identifier: MIT */
/*
 * Says on standard error which names a recording lacks and what to do about it: one line for the
 * kernel, one for each module, and one each for all stacks without their user part, for all records
 * that were skipped and for debuginfod servers that do not answer.
 *
 * Babeltrace's own log is not open to plugins, and messages have no place for this.
 */
#ifndef ITP_PLUGINS_BABELTRACE_PERF_WARNINGS_H
#define ITP_PLUGINS_BABELTRACE_PERF_WARNINGS_H

#include "common/perf-data/reader.h"

/* `path` is the recording's; `debuginfod` may be NULL. */
void itp_perf_warnings_print(const struct itp_perf_reader *reader, const char *path,
			     struct itp_debuginfod *debuginfod);

/* The sentence for one warning. Owned by the caller. */
char *itp_perf_warning_text(const struct itp_symbol_warning *warning);

#endif
