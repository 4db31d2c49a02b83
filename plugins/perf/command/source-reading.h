/* SPDX-License-Identifier: MIT */
/*
 * Second reading of a recording, for addresses in some functions (common/source).
 */
#ifndef ITP_PERF_COMMAND_SOURCE_READING_H
#define ITP_PERF_COMMAND_SOURCE_READING_H

#include "common/engine/interrupt.h"
#include "common/perf-data/reader.h"
#include "common/source/costs.h"
#include "common/view/names.h"
#include "terminal/progress.h"

/* True when a user or a ranking means this function by `name`: its own, or its canonical one. A
 * module of NULL is any. */
bool itp_source_is_meant(struct itp_names *names, const struct itp_function *function,
			 const char *name, const char *module);

/* Gives all events to `costs`. `line` and `interrupt`, which ends it, may be NULL. Returns 0 at the
 * end, 1 when interrupted before, or a negative itp_error. */
int itp_source_read_events(struct itp_perf_reader *reader, struct itp_source_costs *costs,
			   struct itp_progress_line *line,
			   struct itp_interrupt *interrupt) G_GNUC_WARN_UNUSED_RESULT;

#endif
