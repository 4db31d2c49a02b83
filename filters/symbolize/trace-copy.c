/* SPDX-License-Identifier: MIT */
/* See trace-copy.h. */
#include "filters/symbolize/trace-copy.h"

#include "common/base/failure.h"
#include "filters/symbolize/field-copy.h"
#include "messages/clock.h"
#include "messages/coding.h"
#include "messages/identity.h"

#define CALL_EVENTS "lttng_ust_cyg_profile"

static void free_stream_class(void *data)
{
	struct itp_stream_class_copy *copy = data;

	g_array_unref(copy->common_fields);
	g_free(copy);
}

static void free_event_class(void *data)
{
	struct itp_event_class_copy *copy = data;

	g_array_unref(copy->specific_fields);
	g_array_unref(copy->payload_fields);
	g_free(copy);
}

void itp_trace_copy_free(struct itp_trace_copy *copy)
{
	if (!copy) {
		return;
	}
	g_hash_table_unref(copy->packets);
	g_hash_table_unref(copy->streams);
	g_hash_table_unref(copy->event_classes);
	g_hash_table_unref(copy->stream_classes);
	g_hash_table_unref(copy->clocks);
	bt_trace_put_ref(copy->copy);
	bt_trace_put_ref(copy->input);
	g_free(copy);
}

static bt_trace_class *borrow_trace_class(const struct itp_trace_copy *copy)
{
	return bt_trace_borrow_class(copy->copy);
}

/* Streams that share a clock go on sharing it. */
static bool copy_clock(struct itp_trace_copy *copy, const bt_stream_class *from,
		       bt_stream_class *to)
{
	const bt_clock_class *input = bt_stream_class_borrow_default_clock_class_const(from);
	bt_clock_class *clock = g_hash_table_lookup(copy->clocks, input);

	if (!input) {
		return true;
	}
	if (!clock) {
		clock = itp_clock_copy(copy->self, input);
		if (!clock) {
			return false;
		}
		g_hash_table_insert(copy->clocks, (void *)input, clock);
	}
	return bt_stream_class_set_default_clock_class(to, clock) ==
	       BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK;
}

static bool copy_stream_name(const bt_stream_class *from, bt_stream_class *to)
{
	const char *name = bt_stream_class_get_name(from);

	return !name || bt_stream_class_set_name(to, name) == BT_STREAM_CLASS_SET_NAME_STATUS_OK;
}

/* The clock must be there already. */
static void copy_features(const bt_stream_class *from, bt_stream_class *to)
{
	bool has_packets = bt_stream_class_supports_packets(from);
	bool loses_events = bt_stream_class_supports_discarded_events(from);
	bool loses_packets = bt_stream_class_supports_discarded_packets(from);

	bt_stream_class_set_assigns_automatic_event_class_id(to, BT_FALSE);
	bt_stream_class_set_assigns_automatic_stream_id(to, BT_FALSE);
	bt_stream_class_set_supports_packets(
		to, has_packets,
		has_packets && bt_stream_class_packets_have_beginning_default_clock_snapshot(from),
		has_packets && bt_stream_class_packets_have_end_default_clock_snapshot(from));
	bt_stream_class_set_supports_discarded_events(
		to, loses_events,
		loses_events &&
			bt_stream_class_discarded_events_have_default_clock_snapshots(from));
	bt_stream_class_set_supports_discarded_packets(
		to, loses_packets,
		loses_packets &&
			bt_stream_class_discarded_packets_have_default_clock_snapshots(from));
	bt_stream_class_set_user_attributes(to, bt_stream_class_borrow_user_attributes_const(from));
}

static bool copy_packet_context(const struct itp_trace_copy *copy, const bt_stream_class *from,
				bt_stream_class *to)
{
	const bt_field_class *input = bt_stream_class_borrow_packet_context_field_class_const(from);
	bt_field_class *context = input ? itp_field_class_copy(borrow_trace_class(copy), input) :
					  NULL;
	bool done = !input ||
		    (context && bt_stream_class_set_packet_context_field_class(to, context) ==
					BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK);

	bt_field_class_put_ref(context);
	return done;
}

static bool copy_common_context(const struct itp_trace_copy *copy, const bt_stream_class *from,
				struct itp_stream_class_copy *to)
{
	const bt_field_class *input =
		bt_stream_class_borrow_event_common_context_field_class_const(from);
	bt_field_class *context = input ? itp_symbol_class_copy(borrow_trace_class(copy), input,
								ITP_SYMBOL_PLACE_CONTEXT,
								to->common_fields) :
					  NULL;
	bool done = !input || (context && bt_stream_class_set_event_common_context_field_class(
						  to->copy, context) ==
						  BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK);

	bt_field_class_put_ref(context);
	return done;
}

static const struct itp_stream_class_copy *copy_stream_class(struct itp_trace_copy *copy,
							     const bt_stream_class *input,
							     GError **error)
{
	struct itp_stream_class_copy *made = g_hash_table_lookup(copy->stream_classes, input);

	if (made) {
		return made;
	}
	made = g_new0(struct itp_stream_class_copy, 1);
	made->common_fields = itp_symbol_fields_new();
	made->copy = bt_stream_class_create_with_id(borrow_trace_class(copy),
						    bt_stream_class_get_id(input));
	g_hash_table_insert(copy->stream_classes, (void *)input, made);
	/* The trace class keeps it. */
	bt_stream_class_put_ref(made->copy);
	if (!made->copy || !copy_clock(copy, input, made->copy) ||
	    !copy_stream_name(input, made->copy) ||
	    !itp_stream_class_identity_copy(made->copy, input)) {
		itp_failure_set_memory(error);
		return NULL;
	}
	copy_features(input, made->copy);
	if (!copy_packet_context(copy, input, made->copy) ||
	    !copy_common_context(copy, input, made)) {
		itp_failure_set_memory(error);
		return NULL;
	}
	return made;
}

static bool copy_properties(const bt_event_class *from, bt_event_class *to)
{
	const char *name = bt_event_class_get_name(from);
	const char *uri = bt_event_class_get_emf_uri(from);
	bt_event_class_log_level level;

	if (bt_event_class_get_log_level(from, &level) == BT_PROPERTY_AVAILABILITY_AVAILABLE) {
		bt_event_class_set_log_level(to, level);
	}
	bt_event_class_set_user_attributes(to, bt_event_class_borrow_user_attributes_const(from));
	return (!name || bt_event_class_set_name(to, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK) &&
	       (!uri ||
		bt_event_class_set_emf_uri(to, uri) == BT_EVENT_CLASS_SET_EMF_URI_STATUS_OK);
}

static bool copy_specific_context(const struct itp_trace_copy *copy, const bt_event_class *from,
				  struct itp_event_class_copy *to)
{
	const bt_field_class *input =
		bt_event_class_borrow_specific_context_field_class_const(from);
	bt_field_class *context = input ? itp_symbol_class_copy(borrow_trace_class(copy), input,
								ITP_SYMBOL_PLACE_CONTEXT,
								to->specific_fields) :
					  NULL;
	bool done = !input || (context &&
			       bt_event_class_set_specific_context_field_class(to->copy, context) ==
				       BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK);

	bt_field_class_put_ref(context);
	return done;
}

static enum itp_symbol_place payload_place(const char *name)
{
	if (name && g_str_has_prefix(name, CALL_EVENTS)) {
		return ITP_SYMBOL_PLACE_CALL;
	}
	return name && itp_record_type_from_name(name) == ITP_RECORD_STACK ?
		       ITP_SYMBOL_PLACE_STACK :
		       ITP_SYMBOL_PLACE_PAYLOAD;
}

static bool copy_payload(const struct itp_trace_copy *copy, const bt_event_class *from,
			 struct itp_event_class_copy *to)
{
	const bt_field_class *input = bt_event_class_borrow_payload_field_class_const(from);
	enum itp_symbol_place place = payload_place(bt_event_class_get_name(from));
	bt_field_class *payload = input ? itp_symbol_class_copy(borrow_trace_class(copy), input,
								place, to->payload_fields) :
					  NULL;
	bool done = !input ||
		    (payload && bt_event_class_set_payload_field_class(to->copy, payload) ==
					BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK);

	bt_field_class_put_ref(payload);
	return done;
}

const struct itp_event_class_copy *itp_trace_copy_event_class(struct itp_trace_copy *copy,
							      const bt_event_class *input,
							      GError **error)
{
	struct itp_event_class_copy *made = g_hash_table_lookup(copy->event_classes, input);
	const struct itp_stream_class_copy *stream_class;

	if (made) {
		return made;
	}
	stream_class =
		copy_stream_class(copy, bt_event_class_borrow_stream_class_const(input), error);
	if (!stream_class) {
		return NULL;
	}
	made = g_new0(struct itp_event_class_copy, 1);
	made->stream_class = stream_class;
	made->specific_fields = itp_symbol_fields_new();
	made->payload_fields = itp_symbol_fields_new();
	made->copy =
		bt_event_class_create_with_id(stream_class->copy, bt_event_class_get_id(input));
	g_hash_table_insert(copy->event_classes, (void *)input, made);
	bt_event_class_put_ref(made->copy);
	if (!made->copy || !copy_properties(input, made->copy) ||
	    !itp_event_class_identity_copy(made->copy, input) ||
	    !copy_specific_context(copy, input, made) || !copy_payload(copy, input, made)) {
		itp_failure_set_memory(error);
		return NULL;
	}
	return made;
}

/* Components downstream look at the declarations of a trace. */
static bool copy_classes(struct itp_trace_copy *copy, GError **error)
{
	const bt_trace_class *input = bt_trace_borrow_class_const(copy->input);
	bool done = true;

	for (uint64_t i = 0; done && i < bt_trace_class_get_stream_class_count(input); i++) {
		const bt_stream_class *stream_class =
			bt_trace_class_borrow_stream_class_by_index_const(input, i);
		uint64_t count = bt_stream_class_get_event_class_count(stream_class);

		done = copy_stream_class(copy, stream_class, error);
		for (uint64_t j = 0; done && j < count; j++) {
			done = itp_trace_copy_event_class(
				copy,
				bt_stream_class_borrow_event_class_by_index_const(stream_class, j),
				error);
		}
	}
	return done;
}

static bool make_trace(struct itp_trace_copy *copy, GError **error)
{
	bt_trace_class *trace_class = bt_trace_class_create(copy->self);
	const char *name = bt_trace_get_name(copy->input);

	if (trace_class) {
		bt_trace_class_set_assigns_automatic_stream_class_id(trace_class, BT_FALSE);
		bt_trace_class_set_user_attributes(
			trace_class, bt_trace_class_borrow_user_attributes_const(
					     bt_trace_borrow_class_const(copy->input)));
		copy->copy = bt_trace_create(trace_class);
		bt_trace_class_put_ref(trace_class);
	}
	if (!copy->copy ||
	    (name && bt_trace_set_name(copy->copy, name) != BT_TRACE_SET_NAME_STATUS_OK) ||
	    !itp_trace_identity_copy(copy->copy, copy->input)) {
		itp_failure_set_memory(error);
		return false;
	}
	return itp_environment_copy(copy->copy, copy->input, error) && copy_classes(copy, error);
}

struct itp_trace_copy *itp_trace_copy_new(bt_self_component *self, const bt_trace *input,
					  GError **error)
{
	struct itp_trace_copy *copy = g_new0(struct itp_trace_copy, 1);

	copy->self = self;
	copy->input = input;
	bt_trace_get_ref(input);
	copy->clocks =
		g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)bt_clock_class_put_ref);
	copy->stream_classes = g_hash_table_new_full(NULL, NULL, NULL, free_stream_class);
	copy->event_classes = g_hash_table_new_full(NULL, NULL, NULL, free_event_class);
	copy->streams = g_hash_table_new_full(NULL, NULL, (GDestroyNotify)bt_stream_put_ref,
					      (GDestroyNotify)bt_stream_put_ref);
	copy->packets = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)bt_packet_put_ref);
	if (!make_trace(copy, error)) {
		itp_trace_copy_free(copy);
		return NULL;
	}
	return copy;
}

bt_stream *itp_trace_copy_stream(struct itp_trace_copy *copy, const bt_stream *input,
				 GError **error)
{
	bt_stream *made = g_hash_table_lookup(copy->streams, input);
	const struct itp_stream_class_copy *stream_class;
	const char *name = bt_stream_get_name(input);

	if (made) {
		return made;
	}
	stream_class = copy_stream_class(copy, bt_stream_borrow_class_const(input), error);
	if (!stream_class) {
		return NULL;
	}
	made = bt_stream_create_with_id(stream_class->copy, copy->copy, bt_stream_get_id(input));
	if (!made || (name && bt_stream_set_name(made, name) != BT_STREAM_SET_NAME_STATUS_OK)) {
		bt_stream_put_ref(made);
		itp_failure_set_memory(error);
		return NULL;
	}
	bt_stream_set_user_attributes(made, bt_stream_borrow_user_attributes_const(input));
	bt_stream_get_ref(input);
	g_hash_table_insert(copy->streams, (void *)input, made);
	return made;
}
