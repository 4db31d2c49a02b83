/* SPDX-License-Identifier: MIT */
/*
 * One input file of source.introperf.perf: its trace, and reading sessions over it.
 *
 * Shared by the component (perf-source.c), which owns the inputs, and its message iterators
 * (perf-iterator.c), each of which reads through a session of its own.
 */
#ifndef ITP_PLUGINS_BABELTRACE_PERF_INPUT_H
#define ITP_PLUGINS_BABELTRACE_PERF_INPUT_H

#include "common/perf-data/reader.h"
#include "plugins/babeltrace/schema.h"

/* One pass over the file. */
struct itp_perf_session {
	/* Owned by this; the reader refers to the table. */
	struct itp_function_table *functions;
	struct itp_perf_reader *reader;
};

struct itp_perf_input {
	/* Owned by this. */
	char *path;
	/* The copy of what came through standard input, else -1. Owned by this. */
	int spool;
	/* Weak: its strings are the component's. */
	struct itp_perf_options options;
	/* Owned by this. */
	struct itp_output *output;
	/* The session that checked the file; the first iterator takes it. Owned by this. */
	struct itp_perf_session *opened;
	/* What names are missing was said once. */
	bool has_warned;
};

/* This path is standard input. */
#define ITP_PERF_STANDARD_INPUT "-"

/* Opens the file and makes its trace, whose clock claims the Unix epoch if `is_wall_clock`. */
struct itp_perf_input *itp_perf_input_new(bt_self_component *self, const char *path,
					  const struct itp_perf_options *options,
					  bool is_wall_clock, GError **error);
void itp_perf_input_free(struct itp_perf_input *input);

struct itp_perf_session *itp_perf_session_new(const struct itp_perf_input *input, GError **error);
void itp_perf_session_free(struct itp_perf_session *session);

#endif
