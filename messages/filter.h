/* SPDX-License-Identifier: MIT */
/*
 * What the filters have in common: one input port, one output port, a state for each input trace.
 *
 * A filter component says with struct itp_filter_ops what it does with the records of one trace;
 * everything else - ports, message iterators, the output traces, order, the end of streams,
 * errors of those upstream, interrupts - is done here, once. Traces stay apart: each trace that
 * declares the event class the filter works on gets an output trace of its own. Traces of a later
 * stage, such as a saved profile beside a recording, are passed on; all others end here.
 */
#ifndef ITP_MESSAGES_FILTER_H
#define ITP_MESSAGES_FILTER_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "messages/params.h"
#include "messages/schema.h"

struct itp_filter_trace;

/* How the input of a trace ended. */
enum itp_filter_ending {
	ITP_FILTER_AT_END,
	/* Before its time: upstream failed, or forgot to end the stream. */
	ITP_FILTER_CUT,
	/* The user has interrupted the graph, and is to see what there is by now. */
	ITP_FILTER_INTERRUPTED,
};

struct itp_filter_ops {
	/* Parameters, and the structure with their defaults that they are read into a copy of. */
	const struct itp_param_table *params;
	const void *params_default;
	size_t params_bytes;
	/* Whether the parameters make sense together with the world; may be NULL. */
	bool (*check_params)(const void *params, GError **error);
	/* Traces that declare this event are handled. */
	enum itp_record_type input;
	/* Traces of others that are handled, too, and what to do with an event that is in none of
	 * our layouts; *ret_is_input is set for those that the trace is handled for. Both NULL when
	 * there are none. */
	bool (*accepts)(const bt_stream *stream);
	bool (*handle_foreign)(void *state, const bt_event *event, bool *ret_is_input,
			       GError **error);
	/* Whether the messages of the input go on downstream too, before what comes of them; NULL:
	 * they do not. */
	bool (*passes_input)(const void *params);
	/* What to say when the whole input had no such event. */
	const char *missing_text;
	/* Other traces are passed on as they are when they declare one of these: the work of a
	 * later stage, such as a saved profile. Set of 1 << enum itp_record_type. */
	unsigned int passed;
	/* What the output traces declare. Set of 1 << enum itp_record_type. */
	unsigned int outputs;
	/* The state for one trace. `params` and `trace` are weak and outlive it. */
	void *(*begin)(const void *params, struct itp_filter_trace *trace);
	void (*free)(void *state);
	bool (*handle)(void *state, const struct itp_record *record, GError **error);
	/* Messages of the trace are missing, `count` of them or ITP_LOSS_UNKNOWN. */
	bool (*lose)(void *state, int64_t count, GError **error);
	/* Time has come to itp_filter_time_ns(), and no event. May be NULL. */
	bool (*pass)(void *state, GError **error);
	/* The trace is over. Called again as long as it sets *ret_more, so that not everything has
	 * to be in memory at once. */
	bool (*end)(void *state, enum itp_filter_ending ending, bool *ret_more, GError **error);
};

/* Adds a message with `record` to the output, at the time of the message being handled. */
bool itp_filter_emit(struct itp_filter_trace *trace, enum itp_record_type type, const void *record,
		     GError **error);

/* For messages of traces that a filter makes itself: adds `message` to the output, which takes it
 * (NULL: memory ran out); what makes it; and the time of the message being handled on the clock of
 * the output, which is weak. */
bool itp_filter_push(struct itp_filter_trace *trace, const bt_message *message, GError **error);
bt_self_message_iterator *itp_filter_iterator(const struct itp_filter_trace *trace);
uint64_t itp_filter_cycles(const struct itp_filter_trace *trace);
bt_clock_class *itp_filter_clock(const struct itp_filter_trace *trace);

/* Time of the message being handled, in nanoseconds from the origin of its clock. */
int64_t itp_filter_time_ns(const struct itp_filter_trace *trace);

/* Whether only a part of the input is looked at (`babeltrace2 --begin`, `--end`); known for
 * certain at the end. */
bool itp_filter_trace_is_trimmed(const struct itp_filter_trace *trace);

/* The input trace. Weak. */
const bt_trace *itp_filter_trace_input(const struct itp_filter_trace *trace);

/* Whether the messages go right into a component of the class `class_name`. */
bool itp_filter_feeds(const struct itp_filter_trace *trace, const char *class_name);

/* Weak, never NULL. */
const char *itp_filter_trace_name(const struct itp_filter_trace *trace);

/* What the trace of `stream` is called in messages. Owned by the caller. */
char *itp_filter_name_of(const bt_stream *stream);

/* For the component's initialize method, with `ops` that outlive it, as does what a host says
 * instead of ops->missing_text; NULL: that. */
bt_component_class_initialize_method_status itp_filter_init(bt_self_component_filter *self,
							    const struct itp_filter_ops *ops,
							    const bt_value *params,
							    const char *missing_text);

/* The other methods, equal for all filters. */
void itp_filter_finalize(bt_self_component_filter *self);
bt_message_iterator_class_initialize_method_status itp_filter_iterator_init(
	bt_self_message_iterator *self, bt_self_message_iterator_configuration *configuration,
	bt_self_component_port_output *port);
void itp_filter_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status itp_filter_iterator_next(
	bt_self_message_iterator *self, bt_message_array_const messages, uint64_t capacity,
	uint64_t *count);
bt_message_iterator_class_seek_beginning_method_status itp_filter_iterator_seek_beginning(
	bt_self_message_iterator *self);
bt_message_iterator_class_can_seek_beginning_method_status itp_filter_iterator_can_seek_beginning(
	bt_self_message_iterator *self, bt_bool *can_seek);

#endif
