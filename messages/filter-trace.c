/* SPDX-License-Identifier: MIT */
/*
 * See filter-trace.h. The output trace has the name, the environment and the clock of the input.
 */
#include "messages/filter-trace.h"

#include "common/base/failure.h"
#include "messages/clock.h"

/* Name of a trace by its directory: source.ctf.fs names a stream like its file there, and a single
 * trace has no name. */
static char *directory_of(const bt_stream *stream)
{
	const char *file = bt_stream_get_name(stream);
	g_autofree char *directory = file ? g_path_get_dirname(file) : NULL;

	return file && g_path_is_absolute(file) ? g_path_get_basename(directory) :
						  g_strdup("unnamed");
}

/* A text of the environment; NULL without the entry. Weak. */
static const char *entry_of(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value) : NULL;
}

/* Name of a recording: its file, even after sink.ctf.fs and source.ctf.fs, with names of their own,
 * have passed it on; for LTTng's live traces the session. */
char *itp_filter_name_of(const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	const char *input = entry_of(trace, "introperf_input");
	const char *session = entry_of(trace, "trace_name");
	const char *file = bt_stream_get_name(stream);
	const char *name = bt_trace_get_name(trace);

	if (input) {
		return g_path_get_basename(input);
	}
	if (name && name[0] != '\0') {
		return g_strdup(name);
	}
	return session && !(file && g_path_is_absolute(file)) ? g_strdup(session) :
								directory_of(stream);
}

bool itp_filter_push(struct itp_filter_trace *trace, const bt_message *message, GError **error)
{
	if (!message) {
		itp_failure_set_memory(error);
		return false;
	}
	g_queue_push_tail(trace->queue, (void *)message);
	return true;
}

/* True when equal values mean equal times. */
static bool is_same_clock(const bt_clock_class *a, const bt_clock_class *b)
{
	int64_t seconds[2];
	uint64_t cycles[2];

	bt_clock_class_get_offset(a, &seconds[0], &cycles[0]);
	bt_clock_class_get_offset(b, &seconds[1], &cycles[1]);
	return bt_clock_class_get_frequency(a) == bt_clock_class_get_frequency(b) &&
	       seconds[0] == seconds[1] && cycles[0] == cycles[1];
}

bool itp_filter_trace_check_clock(const struct itp_filter_trace *trace, const bt_stream *stream,
				  GError **error)
{
	const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(stream));

	if (!clock) {
		itp_failure_set(error, "%s: its events carry no time", trace->name);
		return false;
	}
	if (trace->output && !is_same_clock(clock, itp_filter_clock(trace))) {
		itp_failure_set(error,
				"%s: its streams have clocks that differ, so their events cannot "
				"be put in order",
				trace->name);
		return false;
	}
	return true;
}

static bool open_trace_output(struct itp_filter_trace *trace, const bt_stream *stream,
			      GError **error)
{
	const struct itp_output_clock clock = {
		.like = bt_stream_class_borrow_default_clock_class_const(
			bt_stream_borrow_class_const(stream)),
	};

	if (!itp_filter_trace_check_clock(trace, stream, error)) {
		return false;
	}
	trace->output = itp_output_new(bt_self_message_iterator_borrow_component(trace->self),
				       trace->ops->outputs, &clock, error);
	return trace->output && itp_environment_copy(trace->output->trace, trace->input, error) &&
	       itp_output_set_name(trace->output, trace->name, error) &&
	       itp_output_open(trace->output, error) &&
	       itp_filter_push(
		       trace,
		       bt_message_stream_beginning_create(trace->self, trace->output->stream),
		       error);
}

struct itp_filter_trace *itp_filter_trace_new(const struct itp_filter_ops *ops, const void *params,
					      bt_self_message_iterator *self, GQueue *queue,
					      const bt_stream *stream, GError **error)
{
	struct itp_filter_trace *trace = g_new0(struct itp_filter_trace, 1);

	trace->ops = ops;
	trace->self = self;
	trace->queue = queue;
	trace->input = bt_stream_borrow_trace_const(stream);
	bt_trace_get_ref(trace->input);
	trace->name = itp_filter_name_of(stream);
	if (!open_trace_output(trace, stream, error)) {
		itp_filter_trace_free(trace);
		return NULL;
	}
	trace->state = ops->begin(params, trace);
	return trace;
}

void itp_filter_trace_free(struct itp_filter_trace *trace)
{
	if (trace->state) {
		trace->ops->free(trace->state);
	}
	itp_output_free(trace->output);
	bt_trace_put_ref(trace->input);
	g_free(trace->name);
	g_free(trace);
}

bool itp_filter_trace_set_time(struct itp_filter_trace *trace, const bt_clock_snapshot *snapshot,
			       GError **error)
{
	trace->cycles = bt_clock_snapshot_get_value(snapshot);
	if (!itp_clock_snapshot_ns(snapshot, &trace->time_ns)) {
		itp_failure_set(error, "%s: a time does not fit into 64 bits of nanoseconds",
				trace->name);
		return false;
	}
	return true;
}

bool itp_filter_trace_pass(struct itp_filter_trace *trace, int64_t time_ns, GError **error)
{
	if (!trace->ops->pass || time_ns < trace->time_ns) {
		return true;
	}
	trace->time_ns = time_ns;
	return trace->ops->pass(trace->state, error);
}

bool itp_filter_trace_end(struct itp_filter_trace *trace, enum itp_filter_ending ending,
			  bool *ret_more, GError **error)
{
	struct itp_packet *packet = &trace->output->packet;

	*ret_more = false;
	if (!trace->ops->end(trace->state, ending, ret_more, error)) {
		return false;
	}
	return *ret_more ||
	       ((!packet->packet ||
		 itp_filter_push(trace, itp_packet_end(packet, trace->self), error)) &&
		itp_filter_push(trace,
				bt_message_stream_end_create(trace->self, trace->output->stream),
				error));
}

bool itp_filter_emit(struct itp_filter_trace *trace, enum itp_record_type type, const void *record,
		     GError **error)
{
	struct itp_output *output = trace->output;
	bt_message *message;

	if (itp_packet_is_due(&output->packet) &&
	    !itp_filter_push(
		    trace,
		    itp_packet_begin(&output->packet, output->stream, trace->self, trace->cycles),
		    error)) {
		return false;
	}
	message = itp_encode(output, trace->self, trace->cycles, type, record, error);
	return message && itp_filter_push(trace, message, error);
}

bt_self_message_iterator *itp_filter_iterator(const struct itp_filter_trace *trace)
{
	return trace->self;
}

uint64_t itp_filter_cycles(const struct itp_filter_trace *trace)
{
	return trace->cycles;
}

bt_clock_class *itp_filter_clock(const struct itp_filter_trace *trace)
{
	return bt_stream_class_borrow_default_clock_class(
		bt_stream_borrow_class(trace->output->stream));
}

int64_t itp_filter_time_ns(const struct itp_filter_trace *trace)
{
	return trace->time_ns;
}

bool itp_filter_trace_is_trimmed(const struct itp_filter_trace *trace)
{
	return trace->is_trimmed;
}

const bt_trace *itp_filter_trace_input(const struct itp_filter_trace *trace)
{
	return trace->input;
}

const char *itp_filter_trace_name(const struct itp_filter_trace *trace)
{
	return trace->name;
}
