/* SPDX-License-Identifier: MIT */
/*
 * The recordings read together, by source.introperf.perf or by a host that feeds the core itself:
 * options of reading, their traces, and the clock that fits them all.
 *
 * Shared by the component (source.c), which owns the inputs, and its message iterators
 * (iterator.c), each of which reads through a session of its own.
 */
#ifndef ITP_SOURCES_PERF_INPUTS_H
#define ITP_SOURCES_PERF_INPUTS_H

#include "common/perf-data/reader.h"
#include "messages/schema.h"
#include "common/engine/symbol-params.h"

/* A pass over the file. */
struct itp_perf_session {
	/* Owned by this; the reader refers to the table. */
	struct itp_function_table *functions;
	struct itp_perf_reader *reader;
};

/* Takes a line, without its end, with the recording's path in front. */
typedef void (*itp_tell_func)(const char *text, void *data);

struct itp_perf_input {
	/* Owned by this. */
	char *path;
	/* The copy of standard input, else -1. Owned by this. */
	int spool;
	/* Weak: its strings are the component's. */
	struct itp_perf_options options;
	/* NULL until published. Owned by this. */
	struct itp_output *output;
	/* The session that checked the file, for the first iterator to take. Owned by this. */
	struct itp_perf_session *opened;
	/* Warns about missing names, in the words of a host; NULL: on standard error, as the
	 * component. Gets NULL as its data. */
	itp_tell_func tell;
	/* The warning was given. */
	bool has_warned;
	/* Functions with an id below this are announced, as needed after seeking. Ids are equal in
	 * all sessions. */
	uint32_t announced_functions;
};

/* Path of standard input. */
#define ITP_PERF_STANDARD_INPUT "-"

/* Opens the file and reads its facts about itself. NULL with an error on failure. */
struct itp_perf_input *itp_perf_input_new(const char *path, const struct itp_perf_options *options,
					  GError **error);
void itp_perf_input_free(struct itp_perf_input *input);

/* True when the recording tells times of day. Before the first iterator. */
bool itp_perf_input_has_epoch(const struct itp_perf_input *input);

/* Makes its trace; the clock has the Unix epoch as its origin if `is_wall`. Before the first
 * iterator. */
bool itp_perf_input_publish(struct itp_perf_input *input, bt_self_component *self, bool is_wall,
			    GError **error);

/* Clock for another trace of the recording. Before the first iterator. */
struct itp_output_clock itp_perf_input_clock(const struct itp_perf_input *input, bool is_wall);
/* Name of its trace and of its workload. Owned by the caller. */
char *itp_perf_input_name(const struct itp_perf_input *input);
/* Names `output`, and puts facts of the recording about its machine into its environment. Before
 * the first iterator, too. */
bool itp_perf_input_describe(const struct itp_perf_input *input, struct itp_output *output,
			     GError **error);

struct itp_perf_session *itp_perf_session_new(const struct itp_perf_input *input, GError **error);
void itp_perf_session_free(struct itp_perf_session *session);

/* Meaning of the reader's error `code`, which ended the reading: an ITP_FAILURE_PART
 * (common/base/failure.h). Owned by the caller. */
GError *itp_perf_session_failure(const struct itp_perf_session *session,
				 const struct itp_perf_input *input, int code);

/* Time without events in a growing recording, so that periods end. Zeroed at the beginning. Times
 * are ns of CLOCK_MONOTONIC. */
struct itp_perf_silence {
	/* Begin of the silence; its user sets it to 0 at an event. */
	int64_t since_ns;
	/* End of the silence already told. */
	int64_t told_ns;
};

/* To be called while `reader` has nothing. True when nothing was recorded for certain until
 * *ret_time_ns, a time of the recording. */
bool itp_perf_silence_pass(struct itp_perf_silence *silence, struct itp_perf_reader *reader,
			   int64_t *ret_time_ns);

enum itp_perf_clock {
	/* Times of day if all inputs tell them: Babeltrace refuses to mix both kinds. */
	ITP_PERF_CLOCK_AUTO,
	ITP_PERF_CLOCK_RECORDING,
	ITP_PERF_CLOCK_WALL,
};

extern const char *const itp_perf_clock_names[];

struct itp_perf_inputs {
	/* struct itp_perf_input *, in the order of their paths. Owned by this. */
	GPtrArray *list;
	/* Times of all inputs are to become times of day. */
	bool is_wall;
};

/* Opens the files of `paths` (char *), and reads their facts about themselves. `options` is weak
 * and must outlive the inputs. Also after an error, release them. */
bool itp_perf_inputs_init(struct itp_perf_inputs *inputs, const GPtrArray *paths,
			  const struct itp_perf_options *options, enum itp_perf_clock clock,
			  GError **error);
void itp_perf_inputs_release(struct itp_perf_inputs *inputs);

#endif
