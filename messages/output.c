/* SPDX-License-Identifier: MIT */
/*
 * See schema.h: the classes of an output trace, made from the tables, and the trace itself.
 *
 * The output has one stream class and one stream. The clock of the stream is either a plain
 * nanosecond clock or equal to the clock of the trace from which the output is derived.
 */
#include "messages/coding.h"

#include "common/base/failure.h"
#include "messages/clock.h"
#include "messages/identity.h"
#include "messages/mip.h"

#define NANOSECONDS_PER_SECOND 1000000000

static bool add_label(bt_field_class *enumeration, const char *label, uint64_t value)
{
	bt_integer_range_set_unsigned *ranges = bt_integer_range_set_unsigned_create();
	bool done = ranges &&
		    bt_integer_range_set_unsigned_add_range(ranges, value, value) ==
			    BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK &&
		    bt_field_class_enumeration_unsigned_add_mapping(enumeration, label, ranges) ==
			    BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;

	bt_integer_range_set_unsigned_put_ref(ranges);
	return done;
}

static bt_field_class *labels_class_new(bt_trace_class *trace_class, const struct itp_field *field)
{
	bt_field_class *enumeration = bt_field_class_enumeration_unsigned_create(trace_class);
	uint64_t value;

	for (value = 0; enumeration && value < field->limit; value++) {
		if (!add_label(enumeration, field->labels[value], value)) {
			BT_FIELD_CLASS_PUT_REF_AND_RESET(enumeration);
		}
	}
	return enumeration;
}

static bt_field_class *array_class_new(bt_trace_class *trace_class, const struct itp_field *field)
{
	bt_field_class *element = bt_field_class_integer_unsigned_create(trace_class);
	bt_field_class *array;

	if (!element) {
		return NULL;
	}
	bt_field_class_integer_set_field_value_range(element, field->bits);
	if (field->type == ITP_FIELD_ADDRESSES) {
		bt_field_class_integer_set_preferred_display_base(
			element, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
	}
	array = itp_array_class_new(trace_class, element);
	bt_field_class_put_ref(element);
	return array;
}

static bt_field_class *field_class_new(bt_trace_class *trace_class, const struct itp_field *field)
{
	bt_field_class *integer = NULL;

	switch (field->type) {
	case ITP_FIELD_STRING:
		return bt_field_class_string_create(trace_class);
	case ITP_FIELD_ARRAY:
	case ITP_FIELD_ADDRESSES:
		return array_class_new(trace_class, field);
	case ITP_FIELD_UNSIGNED:
		integer = bt_field_class_integer_unsigned_create(trace_class);
		break;
	case ITP_FIELD_SIGNED:
		integer = bt_field_class_integer_signed_create(trace_class);
		break;
	case ITP_FIELD_LABELS:
		integer = labels_class_new(trace_class, field);
		break;
	}
	if (integer) {
		bt_field_class_integer_set_field_value_range(integer, field->bits);
	}
	return integer;
}

static bool append_member(bt_trace_class *trace_class, bt_field_class *payload,
			  const struct itp_field *field)
{
	bt_field_class *member = field_class_new(trace_class, field);
	bool done = member &&
		    bt_field_class_structure_append_member(payload, field->name, member) ==
			    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;

	bt_field_class_put_ref(member);
	return done;
}

static bt_field_class *payload_class_new(bt_trace_class *trace_class,
					 const struct itp_layout *layout)
{
	bt_field_class *payload = bt_field_class_structure_create(trace_class);
	size_t i;

	for (i = 0; payload && i < layout->field_count; i++) {
		if (!append_member(trace_class, payload, &layout->fields[i])) {
			BT_FIELD_CLASS_PUT_REF_AND_RESET(payload);
		}
	}
	return payload;
}

/* The result is weak: owned by the stream class. */
static bt_event_class *add_event_class(bt_trace_class *trace_class, bt_stream_class *stream_class,
				       const struct itp_layout *layout)
{
	bt_field_class *payload = payload_class_new(trace_class, layout);
	bt_event_class *event_class = bt_event_class_create(stream_class);
	bool done = payload && event_class &&
		    bt_event_class_set_name(event_class, layout->event_name) ==
			    BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
		    bt_event_class_set_payload_field_class(event_class, payload) ==
			    BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;

	bt_field_class_put_ref(payload);
	bt_event_class_put_ref(event_class);
	return done ? event_class : NULL;
}

static bt_clock_class *make_clock(bt_self_component *self, const struct itp_output_clock *wanted)
{
	bt_clock_class *clock = bt_clock_class_create(self);

	if (!clock || bt_clock_class_set_name(clock, "perf") != BT_CLOCK_CLASS_SET_NAME_STATUS_OK ||
	    !itp_clock_identity_share(clock)) {
		bt_clock_class_put_ref(clock);
		return NULL;
	}
	bt_clock_class_set_frequency(clock, NANOSECONDS_PER_SECOND);
	bt_clock_class_set_origin_is_unix_epoch(clock, wanted->has_epoch);
	if (wanted->has_epoch) {
		bt_clock_class_set_offset(
			clock, wanted->epoch_offset_ns / NANOSECONDS_PER_SECOND,
			(uint64_t)(wanted->epoch_offset_ns % NANOSECONDS_PER_SECOND));
	}
	return clock;
}

static bool add_clock(bt_self_component *self, bt_stream_class *stream_class,
		      const struct itp_output_clock *wanted)
{
	bt_clock_class *clock = wanted->like ? itp_clock_copy(self, wanted->like) :
					       make_clock(self, wanted);
	bool done = clock && bt_stream_class_set_default_clock_class(stream_class, clock) ==
				     BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK;

	bt_clock_class_put_ref(clock);
	return done;
}

static bool add_event_classes(struct itp_output *output, bt_trace_class *trace_class,
			      bt_stream_class *stream_class, unsigned int types)
{
	enum itp_record_type type;

	for (type = 0; type < ITP_RECORD_TYPE_COUNT; type++) {
		if (!(types & (1U << type))) {
			continue;
		}
		output->classes[type] =
			add_event_class(trace_class, stream_class, itp_layout_get(type));
		if (!output->classes[type]) {
			return false;
		}
	}
	return true;
}

static bool make_classes(struct itp_output *output, bt_self_component *self, unsigned int types,
			 const struct itp_output_clock *clock)
{
	bt_trace_class *trace_class = bt_trace_class_create(self);
	bt_stream_class *stream_class = trace_class ? bt_stream_class_create(trace_class) : NULL;
	bool done = stream_class && add_clock(self, stream_class, clock) &&
		    add_event_classes(output, trace_class, stream_class, types);

	if (done) {
		if (itp_packet_is_needed()) {
			itp_packet_prepare(&output->packet, stream_class);
		}
		output->trace = bt_trace_create(trace_class);
	}
	bt_stream_class_put_ref(stream_class);
	bt_trace_class_put_ref(trace_class);
	return output->trace != NULL;
}

struct itp_output *itp_output_new(bt_self_component *self, unsigned int types,
				  const struct itp_output_clock *clock, GError **error)
{
	struct itp_output *output = g_new0(struct itp_output, 1);

	if (!make_classes(output, self, types, clock)) {
		itp_failure_set_memory(error);
		g_clear_pointer(&output, itp_output_free);
	}
	return output;
}

void itp_output_free(struct itp_output *output)
{
	if (!output) {
		return;
	}
	itp_packet_release(&output->packet);
	bt_stream_put_ref(output->stream);
	bt_trace_put_ref(output->trace);
	g_free(output);
}

bool itp_output_set_name(struct itp_output *output, const char *name, GError **error)
{
	if (name && bt_trace_set_name(output->trace, name) != BT_TRACE_SET_NAME_STATUS_OK) {
		itp_failure_set_memory(error);
		return false;
	}
	return true;
}

bool itp_output_take_fact(const char *name, const char *text, void *facts)
{
	const struct itp_output_facts *into = facts;

	if (text && bt_trace_set_environment_entry_string(into->output->trace, name, text) !=
			    BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK) {
		itp_failure_set_memory(into->error);
		return false;
	}
	return true;
}

static bool copy_environment_entry(bt_trace *to, const char *name, const bt_value *value)
{
	if (bt_value_is_string(value)) {
		return bt_trace_set_environment_entry_string(to, name,
							     bt_value_string_get(value)) ==
		       BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
	}
	return bt_trace_set_environment_entry_integer(to, name,
						      bt_value_integer_signed_get(value)) ==
	       BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
}

bool itp_environment_copy(bt_trace *to, const bt_trace *from, GError **error)
{
	for (uint64_t i = 0; i < bt_trace_get_environment_entry_count(from); i++) {
		const bt_value *value;
		const char *name;

		bt_trace_borrow_environment_entry_by_index_const(from, i, &name, &value);
		if (!copy_environment_entry(to, name, value)) {
			itp_failure_set_memory(error);
			return false;
		}
	}
	return true;
}

bool itp_output_announce(struct itp_output *output, const struct itp_function_record *record,
			 GError **error)
{
	bt_value *attributes = itp_encode_attributes(ITP_RECORD_FUNCTION, record);
	bt_event_class *event_class =
		attributes ? bt_event_class_create(bt_stream_borrow_class(output->stream)) : NULL;
	bool done = event_class != NULL;

	if (done) {
		bt_event_class_set_user_attributes(event_class, attributes);
	} else {
		itp_failure_set_memory(error);
	}
	bt_event_class_put_ref(event_class);
	bt_value_put_ref(attributes);
	return done;
}

bool itp_output_open(struct itp_output *output, GError **error)
{
	bt_trace_class *trace_class = bt_trace_borrow_class(output->trace);

	output->stream = bt_stream_create(
		bt_trace_class_borrow_stream_class_by_index(trace_class, 0), output->trace);
	if (!output->stream) {
		itp_failure_set_memory(error);
		return false;
	}
	return true;
}
