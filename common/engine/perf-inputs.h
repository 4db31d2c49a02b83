/* SPDX-License-Identifier: MIT */
/*
 * Recordings of perf that are read together: their files, passes over them, what they say of
 * themselves, and the clock that fits them all.
 *
 * A pass has a session of its own. The events are left to common/perf-data's reader.
 */
#ifndef ITP_ENGINE_PERF_INPUTS_H
#define ITP_ENGINE_PERF_INPUTS_H

#include "common/infer/profile-source.h"
#include "common/perf-data/reader.h"

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
	/* Weak: its strings are whose options they are. */
	struct itp_perf_options options;
	/* The session that checked the file, for the first pass to take. Owned by this. */
	struct itp_perf_session *opened;
};

/* Path of standard input. */
#define ITP_PERF_STANDARD_INPUT "-"

/* Opens the file and reads its facts about itself. NULL with an error on failure. */
struct itp_perf_input *itp_perf_input_new(const char *path, const struct itp_perf_options *options,
					  GError **error);
void itp_perf_input_free(struct itp_perf_input *input);

/* Clock of the recording's times, with the Unix epoch as its origin if `is_wall`. Before the first
 * pass. */
struct itp_clock itp_perf_input_clock(const struct itp_perf_input *input, bool is_wall);
/* Name of its trace and of its workload. Owned by the caller. */
char *itp_perf_input_name(const struct itp_perf_input *input);

/* Tells facts about the recording and its machine. False when `tell` has ended it. Before the first
 * pass, too. */
bool itp_perf_input_tell_facts(const struct itp_perf_input *input, itp_fact_func *tell, void *data);

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
