/* SPDX-License-Identifier: MIT */
/*
 * See filter-router.h.
 */
#include "messages/filter-router.h"

#include "messages/clock.h"
#include "messages/message.h"

void itp_filter_router_init(struct itp_filter_router *router, const struct itp_filter_ops *ops,
			    const void *params, bt_self_message_iterator *self)
{
	router->ops = ops;
	router->params = params;
	router->self = self;
	router->decoder = itp_decoder_new();
	router->traces = g_ptr_array_new_with_free_func((GDestroyNotify)itp_filter_trace_free);
	router->passed = g_hash_table_new(NULL, NULL);
	g_queue_init(&router->queue);
}

void itp_filter_router_clear(struct itp_filter_router *router)
{
	const bt_message *message;

	while ((message = g_queue_pop_head(&router->queue))) {
		bt_message_put_ref(message);
	}
	g_ptr_array_set_size(router->traces, 0);
	g_hash_table_remove_all(router->passed);
	router->ending = NULL;
	router->input_events = 0;
	router->passed_streams = 0;
}

void itp_filter_router_release(struct itp_filter_router *router)
{
	itp_filter_router_clear(router);
	g_ptr_array_unref(router->traces);
	g_hash_table_unref(router->passed);
	itp_decoder_free(router->decoder);
}

static struct itp_filter_trace *find_trace(const struct itp_filter_router *router,
					   const bt_stream *stream)
{
	const bt_trace *input = bt_stream_borrow_trace_const(stream);
	guint i;

	for (i = 0; i < router->traces->len; i++) {
		struct itp_filter_trace *trace = g_ptr_array_index(router->traces, i);

		if (trace->input == input) {
			return trace;
		}
	}
	return NULL;
}

/* Types that `stream` may hold: a set of 1 << enum itp_record_type. */
static unsigned int declared_types(const bt_stream *stream)
{
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	unsigned int types = 0;
	uint64_t i;

	for (i = 0; i < bt_stream_class_get_event_class_count(stream_class); i++) {
		const char *name = bt_event_class_get_name(
			bt_stream_class_borrow_event_class_by_index_const(stream_class, i));

		types |= 1U << itp_record_type_from_name(name);
	}
	return types;
}

/* True when the filter works on `stream`, by its declared types. */
static bool is_input(const struct itp_filter_router *router, const bt_stream *stream)
{
	return declared_types(stream) & 1U << router->ops->input ||
	       (router->ops->accepts && router->ops->accepts(stream));
}

/* Hands on functions introduced by messages that were dropped upstream. */
static bool handle_announced(struct itp_filter_trace *trace, const bt_stream *stream,
			     GError **error)
{
	const bt_stream_class *stream_class = bt_stream_borrow_class_const(stream);
	struct itp_record record;
	bool done = true;

	for (uint64_t i = 0; done && i < bt_stream_class_get_event_class_count(stream_class); i++) {
		const bt_event_class *event_class =
			bt_stream_class_borrow_event_class_by_index_const(stream_class, i);

		done = !itp_decode_attributes(event_class, ITP_RECORD_FUNCTION, &record) ||
		       trace->ops->handle(trace->state, &record, error);
	}
	return done;
}

/* Begin and end of a stream have a time only if the stream was cut: readers of files know of begins
 * and ends only by events. */
static bool is_cut_beginning(const bt_message *message)
{
	const bt_clock_snapshot *snapshot;

	return bt_message_stream_beginning_borrow_default_clock_snapshot_const(
		       message, &snapshot) == BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN;
}

static bool is_cut_end(const bt_message *message)
{
	const bt_clock_snapshot *snapshot;

	return bt_message_stream_end_borrow_default_clock_snapshot_const(message, &snapshot) ==
	       BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN;
}

static bool begin_stream(struct itp_filter_router *router, const bt_message *message,
			 GError **error)
{
	const bt_stream *stream = bt_message_stream_beginning_borrow_stream_const(message);
	struct itp_filter_trace *trace = find_trace(router, stream);

	if (!is_input(router, stream)) {
		return true;
	}
	if (!trace) {
		trace = itp_filter_trace_new(router->ops, router->params, router->self,
					     &router->queue, stream, error);
		if (!trace) {
			return false;
		}
		g_ptr_array_add(router->traces, trace);
	}
	if (!itp_filter_trace_check_clock(trace, stream, error)) {
		return false;
	}
	trace->open_streams++;
	trace->is_trimmed |= is_cut_beginning(message);
	return handle_announced(trace, stream, error);
}

static void end_stream(struct itp_filter_router *router, const bt_message *message)
{
	const bt_stream *stream = bt_message_stream_end_borrow_stream_const(message);
	struct itp_filter_trace *trace = find_trace(router, stream);

	if (!trace || !is_input(router, stream)) {
		return;
	}
	trace->is_trimmed |= is_cut_end(message);
	if (--trace->open_streams == 0) {
		router->ending = trace;
		router->how = ITP_FILTER_AT_END;
	}
}

/* Hands an event in none of our layouts to operations that know others. */
static bool handle_foreign(struct itp_filter_router *router, struct itp_filter_trace *trace,
			   const bt_event *event, GError **error)
{
	bool is_input = false;

	if (!trace->ops->handle_foreign) {
		return true;
	}
	if (!trace->ops->handle_foreign(trace->state, event, &is_input, error)) {
		return false;
	}
	router->input_events += is_input;
	return true;
}

static bool handle_event(struct itp_filter_router *router, const bt_message *message,
			 GError **error)
{
	const bt_event *event = bt_message_event_borrow_event_const(message);
	struct itp_filter_trace *trace = find_trace(router, bt_event_borrow_stream_const(event));
	struct itp_record record;

	router->events++;
	if (!trace) {
		return true;
	}
	if (!itp_decode(router->decoder, event, &record, error)) {
		g_prefix_error(error, "%s: ", trace->name);
		return false;
	}
	if (!itp_filter_trace_set_time(
		    trace, bt_message_event_borrow_default_clock_snapshot_const(message), error)) {
		return false;
	}
	if (record.type == ITP_RECORD_FOREIGN) {
		return handle_foreign(router, trace, event, error);
	}
	router->input_events += record.type == trace->ops->input;
	return trace->ops->handle(trace->state, &record, error);
}

/* Part of `stream` is missing since `time`; NULL when unknown. */
static bool lose(struct itp_filter_router *router, const bt_stream *stream,
		 const bt_clock_snapshot *time, int64_t count, GError **error)
{
	struct itp_filter_trace *trace = find_trace(router, stream);

	if (!trace) {
		return true;
	}
	return (!time || itp_filter_trace_set_time(trace, time, error)) &&
	       trace->ops->lose(trace->state, count, error);
}

static bool lose_discarded_events(struct itp_filter_router *router, const bt_message *message,
				  GError **error)
{
	const bt_stream *stream = bt_message_discarded_events_borrow_stream_const(message);
	const bt_clock_snapshot *time = NULL;
	uint64_t count;

	if (bt_stream_class_discarded_events_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(stream))) {
		time = bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
			message);
	}
	if (bt_message_discarded_events_get_count(message, &count) !=
		    BT_PROPERTY_AVAILABILITY_AVAILABLE ||
	    count > INT64_MAX) {
		return lose(router, stream, time, ITP_LOSS_UNKNOWN, error);
	}
	return lose(router, stream, time, (int64_t)count, error);
}

/* How many events were in a discarded packet, nobody knows. */
static bool lose_packets(struct itp_filter_router *router, const bt_message *message,
			 GError **error)
{
	const bt_stream *stream = bt_message_discarded_packets_borrow_stream_const(message);
	const bt_clock_snapshot *time = NULL;

	if (bt_stream_class_discarded_packets_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(stream))) {
		time = bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
			message);
	}
	return lose(router, stream, time, ITP_LOSS_UNKNOWN, error);
}

static bool handle_message(struct itp_filter_router *router, const bt_message *message,
			   GError **error)
{
	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return begin_stream(router, message, error);
	case BT_MESSAGE_TYPE_STREAM_END:
		end_stream(router, message);
		return true;
	case BT_MESSAGE_TYPE_EVENT:
		return handle_event(router, message, error);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return lose_discarded_events(router, message, error);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return lose_packets(router, message, error);
	default:
		return true;
	}
}

/* Passes on, and takes, a message of a trace of a later stage. */
static bool pass_message(struct itp_filter_router *router, const bt_message *message)
{
	const bt_stream *stream = itp_message_stream(message);

	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_STREAM_BEGINNING &&
	    declared_types(stream) & router->ops->passed && !is_input(router, stream)) {
		g_hash_table_add(router->passed, (void *)stream);
		router->passed_streams++;
	}
	if (!stream || !g_hash_table_contains(router->passed, stream)) {
		return false;
	}
	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_STREAM_END) {
		g_hash_table_remove(router->passed, stream);
	}
	g_queue_push_tail(&router->queue, (void *)message);
	return true;
}

/* Passes on, and takes, a message of inactivity until its time. Anything ending then comes before
 * it. */
static bool pass_inactivity(struct itp_filter_router *router, const bt_message *message,
			    GError **error)
{
	const bt_clock_snapshot *snapshot =
		bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(message);
	bool done = true;
	int64_t time_ns;

	if (itp_clock_snapshot_ns(snapshot, &time_ns)) {
		for (guint i = 0; done && i < router->traces->len; i++) {
			done = itp_filter_trace_pass(g_ptr_array_index(router->traces, i), time_ns,
						     error);
		}
	}
	g_queue_push_tail(&router->queue, (void *)message);
	return done;
}

bool itp_filter_router_handle(struct itp_filter_router *router, const bt_message *message,
			      GError **error)
{
	bool done;

	if (bt_message_get_type(message) == BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY) {
		return pass_inactivity(router, message, error);
	}
	if (pass_message(router, message)) {
		return true;
	}
	if (router->ops->passes_input && router->ops->passes_input(router->params)) {
		bt_message_get_ref(message);
		g_queue_push_tail(&router->queue, (void *)message);
	}
	done = handle_message(router, message, error);
	bt_message_put_ref(message);
	return done;
}

bool itp_filter_router_end(struct itp_filter_router *router, GError **error)
{
	bool more;

	if (!itp_filter_trace_end(router->ending, router->how, &more, error)) {
		return false;
	}
	if (!more) {
		g_ptr_array_remove(router->traces, router->ending);
		router->ending = NULL;
	}
	return true;
}
