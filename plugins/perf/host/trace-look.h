/* SPDX-License-Identifier: MIT */
/*
 * A look at the files of a trace that Babeltrace's reader did not begin with: of many of these it
 * tells nothing but that.
 */
#ifndef ITP_PERF_HOST_TRACE_LOOK_H
#define ITP_PERF_HOST_TRACE_LOOK_H

/* What is wrong with the trace in `directory`, and what helps; NULL when that does not show. Owned
 * by the caller. */
char *itp_trace_look(const char *directory);

#endif
