/* SPDX-License-Identifier: MIT */
/*
 * Stack events as lines of text, for comparing in tests.
 *
 * "KIND PID/TID COMM TIME ARGUMENT FRAME>FRAME", root first; a "?" in front of the frames of an
 * incomplete stack. The last line tells how reading ended.
 */
#ifndef ITP_TESTS_PERF_EVENTS_TEXT_H
#define ITP_TESTS_PERF_EVENTS_TEXT_H

#include "common/perf-data/reader.h"

/* Owned by the caller. */
char *events_text(const char *path, const struct itp_perf_options *options);

/* Appends one event as a line. */
void events_text_append(GString *text, const struct itp_stack_event *event,
			const struct itp_function_table *functions);

#endif
