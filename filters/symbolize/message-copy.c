/* SPDX-License-Identifier: MIT */
/* See trace-copy.h. */
#include "common/base/failure.h"
#include "filters/symbolize/field-copy.h"
#include "filters/symbolize/trace-copy.h"

/* Message on its way: common data of all functions below. */
struct passage {
	struct itp_trace_copy *copy;
	bt_self_message_iterator *self;
	const bt_message *input;
	itp_symbol_func *function;
	void *data;
	GError **error;
};

static uint64_t cycles(const bt_clock_snapshot *snapshot)
{
	return bt_clock_snapshot_get_value(snapshot);
}

static bool has_clock(const bt_stream *stream)
{
	return bt_stream_class_borrow_default_clock_class_const(
		bt_stream_borrow_class_const(stream));
}

static bt_message *copy_stream_beginning(const struct passage *passage)
{
	const bt_stream *input = bt_message_stream_beginning_borrow_stream_const(passage->input);
	bt_stream *stream = itp_trace_copy_stream(passage->copy, input, passage->error);
	bt_message *message = stream ? bt_message_stream_beginning_create(passage->self, stream) :
				       NULL;
	const bt_clock_snapshot *snapshot;

	if (message && has_clock(input) &&
	    bt_message_stream_beginning_borrow_default_clock_snapshot_const(
		    passage->input, &snapshot) == BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		bt_message_stream_beginning_set_default_clock_snapshot(message, cycles(snapshot));
	}
	return message;
}

static bt_message *copy_stream_end(const struct passage *passage)
{
	const bt_stream *input = bt_message_stream_end_borrow_stream_const(passage->input);
	bt_stream *stream = itp_trace_copy_stream(passage->copy, input, passage->error);
	bt_message *message = stream ? bt_message_stream_end_create(passage->self, stream) : NULL;
	const bt_clock_snapshot *snapshot;

	if (message && has_clock(input) &&
	    bt_message_stream_end_borrow_default_clock_snapshot_const(passage->input, &snapshot) ==
		    BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
		bt_message_stream_end_set_default_clock_snapshot(message, cycles(snapshot));
	}
	return message;
}

/* Copy of a packet that has begun. */
static bt_packet *find_packet(const struct passage *passage, const bt_packet *input)
{
	return g_hash_table_lookup(passage->copy->packets, input);
}

static bt_packet *make_packet(const struct passage *passage, const bt_packet *input)
{
	const bt_field *context = bt_packet_borrow_context_field_const(input);
	bt_stream *stream = itp_trace_copy_stream(
		passage->copy, bt_packet_borrow_stream_const(input), passage->error);
	bt_packet *packet = stream ? bt_packet_create(stream) : NULL;

	if (packet) {
		g_hash_table_insert(passage->copy->packets, (void *)input, packet);
	}
	return packet && (!context ||
			  itp_field_copy(context, bt_packet_borrow_context_field(packet))) ?
		       packet :
		       NULL;
}

static bt_message *copy_packet_beginning(const struct passage *passage)
{
	const bt_packet *input = bt_message_packet_beginning_borrow_packet_const(passage->input);
	bt_packet *packet = make_packet(passage, input);

	if (!packet) {
		return NULL;
	}
	if (!bt_stream_class_packets_have_beginning_default_clock_snapshot(
		    bt_stream_borrow_class_const(bt_packet_borrow_stream_const(input)))) {
		return bt_message_packet_beginning_create(passage->self, packet);
	}
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		passage->self, packet,
		cycles(bt_message_packet_beginning_borrow_default_clock_snapshot_const(
			passage->input)));
}

static bt_message *copy_packet_end(const struct passage *passage)
{
	const bt_packet *input = bt_message_packet_end_borrow_packet_const(passage->input);
	bt_packet *packet = find_packet(passage, input);
	bt_message *message;

	if (!bt_stream_class_packets_have_end_default_clock_snapshot(
		    bt_stream_borrow_class_const(bt_packet_borrow_stream_const(input)))) {
		message = bt_message_packet_end_create(passage->self, packet);
	} else {
		message = bt_message_packet_end_create_with_default_clock_snapshot(
			passage->self, packet,
			cycles(bt_message_packet_end_borrow_default_clock_snapshot_const(
				passage->input)));
	}
	g_hash_table_remove(passage->copy->packets, input);
	return message;
}

static bt_message *create_event(const struct passage *passage, const bt_event *input,
				const bt_event_class *event_class, const bt_stream *stream)
{
	const bt_packet *input_packet =
		bt_stream_class_supports_packets(bt_stream_borrow_class_const(stream)) ?
			bt_event_borrow_packet_const(input) :
			NULL;
	bt_packet *packet = input_packet ? find_packet(passage, input_packet) : NULL;
	const bt_clock_snapshot *snapshot =
		has_clock(stream) ?
			bt_message_event_borrow_default_clock_snapshot_const(passage->input) :
			NULL;

	if (packet && snapshot) {
		return bt_message_event_create_with_packet_and_default_clock_snapshot(
			passage->self, event_class, packet, cycles(snapshot));
	}
	if (packet) {
		return bt_message_event_create_with_packet(passage->self, event_class, packet);
	}
	if (snapshot) {
		return bt_message_event_create_with_default_clock_snapshot(
			passage->self, event_class, stream, cycles(snapshot));
	}
	return bt_message_event_create(passage->self, event_class, stream);
}

/* NULL for both is a part that events of the class do not have. */
static bool copy_part(const struct passage *passage, const GArray *fields, const bt_field *from,
		      bt_field *to)
{
	return !from || itp_symbol_fields_copy(fields, from, to, passage->function, passage->data);
}

static bt_message *copy_event(const struct passage *passage)
{
	const bt_event *input = bt_message_event_borrow_event_const(passage->input);
	const struct itp_event_class_copy *event_class = itp_trace_copy_event_class(
		passage->copy, bt_event_borrow_class_const(input), passage->error);
	const bt_stream *stream = event_class ?
					  itp_trace_copy_stream(passage->copy,
								bt_event_borrow_stream_const(input),
								passage->error) :
					  NULL;
	bt_message *message = stream ? create_event(passage, input, event_class->copy, stream) :
				       NULL;
	bt_event *event = message ? bt_message_event_borrow_event(message) : NULL;

	if (event && !(copy_part(passage, event_class->stream_class->common_fields,
				 bt_event_borrow_common_context_field_const(input),
				 bt_event_borrow_common_context_field(event)) &&
		       copy_part(passage, event_class->specific_fields,
				 bt_event_borrow_specific_context_field_const(input),
				 bt_event_borrow_specific_context_field(event)) &&
		       copy_part(passage, event_class->payload_fields,
				 bt_event_borrow_payload_field_const(input),
				 bt_event_borrow_payload_field(event)))) {
		BT_MESSAGE_PUT_REF_AND_RESET(message);
	}
	return message;
}

static bt_message *create_discarded_events(const struct passage *passage, const bt_stream *input,
					   const bt_stream *stream)
{
	if (!bt_stream_class_discarded_events_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(input))) {
		return bt_message_discarded_events_create(passage->self, stream);
	}
	return bt_message_discarded_events_create_with_default_clock_snapshots(
		passage->self, stream,
		cycles(bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
			passage->input)),
		cycles(bt_message_discarded_events_borrow_end_default_clock_snapshot_const(
			passage->input)));
}

static bt_message *copy_discarded_events(const struct passage *passage)
{
	const bt_stream *input = bt_message_discarded_events_borrow_stream_const(passage->input);
	const bt_stream *stream = itp_trace_copy_stream(passage->copy, input, passage->error);
	bt_message *message = stream ? create_discarded_events(passage, input, stream) : NULL;
	uint64_t count;

	if (message && bt_message_discarded_events_get_count(passage->input, &count) ==
			       BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_message_discarded_events_set_count(message, count);
	}
	return message;
}

static bt_message *create_discarded_packets(const struct passage *passage, const bt_stream *input,
					    const bt_stream *stream)
{
	if (!bt_stream_class_discarded_packets_have_default_clock_snapshots(
		    bt_stream_borrow_class_const(input))) {
		return bt_message_discarded_packets_create(passage->self, stream);
	}
	return bt_message_discarded_packets_create_with_default_clock_snapshots(
		passage->self, stream,
		cycles(bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
			passage->input)),
		cycles(bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(
			passage->input)));
}

static bt_message *copy_discarded_packets(const struct passage *passage)
{
	const bt_stream *input = bt_message_discarded_packets_borrow_stream_const(passage->input);
	const bt_stream *stream = itp_trace_copy_stream(passage->copy, input, passage->error);
	bt_message *message = stream ? create_discarded_packets(passage, input, stream) : NULL;
	uint64_t count;

	if (message && bt_message_discarded_packets_get_count(passage->input, &count) ==
			       BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_message_discarded_packets_set_count(message, count);
	}
	return message;
}

static bt_message *copy_any(const struct passage *passage)
{
	switch (bt_message_get_type(passage->input)) {
	case BT_MESSAGE_TYPE_STREAM_BEGINNING:
		return copy_stream_beginning(passage);
	case BT_MESSAGE_TYPE_STREAM_END:
		return copy_stream_end(passage);
	case BT_MESSAGE_TYPE_EVENT:
		return copy_event(passage);
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		return copy_packet_beginning(passage);
	case BT_MESSAGE_TYPE_PACKET_END:
		return copy_packet_end(passage);
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		return copy_discarded_events(passage);
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		return copy_discarded_packets(passage);
	default:
		g_assert_not_reached();
	}
}

const bt_message *itp_message_copy(struct itp_trace_copy *copy, bt_self_message_iterator *self,
				   const bt_message *message, itp_symbol_func *function, void *data,
				   GError **error)
{
	const struct passage passage = {
		.copy = copy,
		.self = self,
		.input = message,
		.function = function,
		.data = data,
		.error = error,
	};
	const bt_message *made = copy_any(&passage);

	if (!made && error && !*error) {
		itp_failure_set_memory(error);
	}
	return made;
}
