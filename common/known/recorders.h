/* SPDX-License-Identifier: MIT */
/*
 * Processes that record, by the names that the kernel has for them. Their times are left to
 * common/rank/apart.h.
 */
#ifndef ITP_KNOWN_RECORDERS_H
#define ITP_KNOWN_RECORDERS_H

#include <stdbool.h>

/* Name of perf's child until it runs the program to be recorded, and of a command that waits for
 * our own recorder. */
#define ITP_PERF_CHILD_NAME "perf-exec"

/* True for a process that records. Names are followed by a slash and a number if processes of the
 * same name are told apart. */
bool itp_process_is_recorder(const char *process);

#endif
