/* SPDX-License-Identifier: MIT */
/*
 * Trace of a recording: its clock, its name and the facts of its machine in its environment.
 *
 * Owned by the component (source.c), and used by its message iterators (iterator.c), each of which
 * reads through a session of its own.
 */
#ifndef ITP_SOURCES_PERF_TRACE_H
#define ITP_SOURCES_PERF_TRACE_H

#include "common/engine/missing-names.h"
#include "messages/coding.h"

struct itp_perf_trace {
	/* Weak. */
	struct itp_perf_input *input;
	/* Owned by this. */
	struct itp_output *output;
	/* Warns about missing names, in the words of a host; NULL: on standard error, as the
	 * component. Gets NULL as its data. */
	itp_tell_func tell;
	/* The warning was given. */
	bool has_warned;
	/* Functions with an id below this are announced, as needed after seeking. Ids are equal in
	 * all sessions. */
	uint32_t announced_functions;
};

/* Makes the trace, before the first iterator; its clock has the Unix epoch as its origin if
 * `is_wall`. NULL with an error on failure. */
struct itp_perf_trace *itp_perf_trace_new(struct itp_perf_input *input, bt_self_component *self,
					  bool is_wall, GError **error);
void itp_perf_trace_free(struct itp_perf_trace *trace);

#endif
