/* SPDX-License-Identifier: MIT */
/*
 * User's view while recordings are read: the progress, and missing names.
 */
#ifndef ITP_PERF_COMMAND_READING_H
#define ITP_PERF_COMMAND_READING_H

#include "common/engine/recordings.h"
#include "terminal/progress.h"

/* Prints a warning in the words of options. `line` is a struct itp_progress_line that it ends, or
 * NULL. */
void itp_reading_warn(const char *message, void *line);

/* `line` is weak and must outlive the result; NULL shows nothing but errors. */
struct itp_recordings_watch itp_reading_watch(struct itp_progress_line *line);

#endif
