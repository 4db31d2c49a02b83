/* SPDX-License-Identifier: MIT */
/*
 * What a user sees while recordings are read: how far that is, and which names are missing.
 */
#ifndef ITP_PERF_COMMAND_READING_H
#define ITP_PERF_COMMAND_READING_H

#include "plugins/perf/host/recordings.h"
#include "terminal/progress.h"

/* Says a warning in the words of options. `line` is a struct itp_progress_line that it ends, or
 * NULL.
 */
void itp_reading_warn(const char *message, void *line);

/* `line` is weak and must outlive the result; NULL shows nothing but errors. */
struct itp_recordings_watch itp_reading_watch(struct itp_progress_line *line);

#endif
