/* SPDX-License-Identifier: MIT */
/*
 * Handling of a trace's records by a filter (filter.h), and questions of the filter about the
 * trace.
 */
#ifndef ITP_MESSAGES_FILTER_OPS_H
#define ITP_MESSAGES_FILTER_OPS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/engine/params.h"
#include "messages/coding.h"

struct itp_filter_trace;

/* How the input of a trace ended. */
enum itp_filter_ending {
	ITP_FILTER_AT_END,
	/* Before its time: upstream failed, or forgot to end the stream. */
	ITP_FILTER_CUT,
	/* The user has interrupted the graph, and is to see results so far. */
	ITP_FILTER_INTERRUPTED,
};

struct itp_filter_ops {
	/* Parameters, and a structure with their defaults, copied before reading. */
	const struct itp_param_table *params;
	const void *params_default;
	size_t params_bytes;
	/* Checks the parameters against the world, such as named files; may be NULL. */
	bool (*check_params)(const void *params, GError **error);
	/* Type of event by which a trace is handled, if declared. */
	enum itp_record_type input;
	/* Traces of other tracers to be handled, too, and the handler of an event in none of our
	 * layouts; *ret_is_input is set for events on whose account the trace is handled. NULL for
	 * filters without. */
	bool (*accepts)(const bt_stream *stream);
	bool (*handle_foreign)(void *state, const bt_event *event, bool *ret_is_input,
			       GError **error);
	/* True when messages of the input go on downstream, too, before results from them; NULL:
	 * never. */
	bool (*passes_input)(const void *params);
	/* Message when no input had an event of type `input`. */
	const char *missing_text;
	/* Types that mark a trace as the work of a later stage, such as a saved profile, passed on
	 * unchanged. Set of 1 << enum itp_record_type. */
	unsigned int passed;
	/* Types declared by output traces. Set of 1 << enum itp_record_type. */
	unsigned int outputs;
	/* The state for a trace. `params` and `trace` are weak and outlive it. */
	void *(*begin)(const void *params, struct itp_filter_trace *trace);
	void (*free)(void *state);
	bool (*handle)(void *state, const struct itp_record *record, GError **error);
	/* Messages of the trace are missing, `count` of them or ITP_LOSS_UNKNOWN. */
	bool (*lose)(void *state, int64_t count, GError **error);
	/* Time has come to itp_filter_time_ns(), and no event. May be NULL. */
	bool (*pass)(void *state, GError **error);
	/* Ends the trace. Called again while it sets *ret_more, so that memory need not hold
	 * everything at once. */
	bool (*end)(void *state, enum itp_filter_ending ending, bool *ret_more, GError **error);
};

/* Adds a message with `record` to the output, at the time of the message being handled. */
bool itp_filter_emit(struct itp_filter_trace *trace, enum itp_record_type type, const void *record,
		     GError **error);

/* For messages of traces made by a filter itself: adds `message` to the output, which takes it
 * (NULL: memory ran out); the iterator that makes messages; the time of the message being handled,
 * on the output's clock; and the clock, weak. */
bool itp_filter_push(struct itp_filter_trace *trace, const bt_message *message, GError **error);
bt_self_message_iterator *itp_filter_iterator(const struct itp_filter_trace *trace);
uint64_t itp_filter_cycles(const struct itp_filter_trace *trace);
bt_clock_class *itp_filter_clock(const struct itp_filter_trace *trace);

/* Time of the message being handled, in nanoseconds from the origin of its clock. */
int64_t itp_filter_time_ns(const struct itp_filter_trace *trace);

/* True when a part of the input was chosen (`babeltrace2 --begin`, `--end`); known for certain at
 * the end. */
bool itp_filter_trace_is_trimmed(const struct itp_filter_trace *trace);

/* The input trace. Weak. */
const bt_trace *itp_filter_trace_input(const struct itp_filter_trace *trace);

/* True when the messages go right into a component of class `class_name`. */
bool itp_filter_feeds(const struct itp_filter_trace *trace, const char *class_name);

/* Weak, never NULL. */
const char *itp_filter_trace_name(const struct itp_filter_trace *trace);

/* Name of the trace of `stream` in messages. Owned by the caller. */
char *itp_filter_name_of(const bt_stream *stream);

#endif
