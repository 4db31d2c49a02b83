/* SPDX-License-Identifier: MIT */
/*
 * See schema.h: from records to event messages, and to attributes of event classes.
 *
 * Members are written in the order of the layout, which the class has as well (see output.c).
 */
#include "messages/coding.h"

#include "common/base/failure.h"
#include "common/schema/field.h"

/* The array described by the array fields of a record. */
struct elements {
	/* Weak: owned by the record. */
	const char *first;
	size_t stride;
	size_t count;
};

static struct elements elements_of(enum itp_record_type type, const void *record)
{
	const struct itp_stack_event *stack = record;
	const struct itp_node_record *node = record;
	const struct itp_interest_record *interest = record;

	if (type == ITP_RECORD_STACK) {
		return (struct elements){ (const char *)stack->frames, sizeof(*stack->frames),
					  stack->frame_count };
	}
	if (type == ITP_RECORD_INTEREST) {
		return (struct elements){ (const char *)interest->contexts,
					  sizeof(*interest->contexts), interest->context_count };
	}
	return (struct elements){ (const char *)node->stats.histogram,
				  sizeof(node->stats.histogram[0]),
				  itp_told_buckets(&node->stats) };
}

static bool write_array(bt_field *array, const struct itp_field *field,
			const struct elements *elements)
{
	size_t offset = field->offset;
	size_t i;

	if (bt_field_array_dynamic_set_length(array, elements->count) !=
	    BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK) {
		return false;
	}
	for (i = 0; i < elements->count; i++) {
		bt_field_integer_unsigned_set_value(
			bt_field_array_borrow_element_field_by_index(array, i),
			itp_field_unsigned(field, elements->first + offset));
		offset += elements->stride;
	}
	return true;
}

static bool write_field(bt_field *target, const struct itp_field *field, enum itp_record_type type,
			const void *record)
{
	const char *member = (const char *)record + field->offset;
	struct elements elements;

	switch (field->type) {
	case ITP_FIELD_STRING:
		return bt_field_string_set_value(target, *(const char *const *)member) ==
		       BT_FIELD_STRING_SET_VALUE_STATUS_OK;
	case ITP_FIELD_ARRAY:
	case ITP_FIELD_ADDRESSES:
		elements = elements_of(type, record);
		return write_array(target, field, &elements);
	case ITP_FIELD_SIGNED:
		bt_field_integer_signed_set_value(target, itp_field_signed(field, member));
		return true;
	case ITP_FIELD_UNSIGNED:
	case ITP_FIELD_LABELS:
		bt_field_integer_unsigned_set_value(target, itp_field_unsigned(field, member));
		return true;
	}
	g_assert_not_reached();
}

static bool insert_field(bt_value *map, const struct itp_field *field, const void *record)
{
	const char *member = (const char *)record + field->offset;

	if (field->type == ITP_FIELD_STRING) {
		return bt_value_map_insert_string_entry(map, field->name,
							*(const char *const *)member) ==
		       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	}
	return bt_value_map_insert_unsigned_integer_entry(map, field->name,
							  itp_field_unsigned(field, member)) ==
	       BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
}

bt_value *itp_encode_attributes(enum itp_record_type type, const void *record)
{
	const struct itp_layout *layout = itp_layout_get(type);
	bt_value *attributes = bt_value_map_create();
	bt_value *map = NULL;
	bool done = attributes &&
		    bt_value_map_insert_empty_map_entry(attributes, layout->event_name, &map) ==
			    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;

	for (size_t i = 0; done && i < layout->field_count; i++) {
		done = insert_field(map, &layout->fields[i], record);
	}
	if (!done) {
		BT_VALUE_PUT_REF_AND_RESET(attributes);
	}
	return attributes;
}

bt_message *itp_encode(struct itp_output *output, bt_self_message_iterator *self, uint64_t cycles,
		       enum itp_record_type type, const void *record, GError **error)
{
	const struct itp_layout *layout = itp_layout_get(type);
	bt_message *message = itp_packet_event(&output->packet, output->stream,
					       output->classes[type], self, cycles);
	bt_field *payload;
	size_t i;

	if (!message) {
		itp_failure_set_memory(error);
		return NULL;
	}
	payload = bt_event_borrow_payload_field(bt_message_event_borrow_event(message));
	for (i = 0; i < layout->field_count; i++) {
		if (!write_field(bt_field_structure_borrow_member_field_by_index(payload, i),
				 &layout->fields[i], type, record)) {
			itp_failure_set_memory(error);
			BT_MESSAGE_PUT_REF_AND_RESET(message);
			break;
		}
	}
	return message;
}
