/* SPDX-License-Identifier: MIT */
/* See foreign-field.h. */
#include "messages/foreign-field.h"

static bool is_type(const bt_field_class *field_class, bt_field_class_type type)
{
	return bt_field_class_type_is(bt_field_class_get_type(field_class), type);
}

static bool fits(const bt_field_class *field_class, enum itp_foreign_type type)
{
	switch (type) {
	case ITP_FOREIGN_NUMBER:
		return is_type(field_class, BT_FIELD_CLASS_TYPE_INTEGER);
	case ITP_FOREIGN_TEXT:
		return is_type(field_class, BT_FIELD_CLASS_TYPE_STRING);
	case ITP_FOREIGN_NUMBERS:
		return is_type(field_class, BT_FIELD_CLASS_TYPE_ARRAY) &&
		       is_type(bt_field_class_array_borrow_element_field_class_const(field_class),
			       BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
	}
	g_assert_not_reached();
}

/* `structure` may be NULL. */
static struct itp_foreign_field find_field(const bt_field_class *structure, const char *name,
					   enum itp_foreign_type type, bool may_have_underscores)
{
	uint64_t count = structure ? bt_field_class_structure_get_member_count(structure) : 0;
	struct itp_foreign_field field = { .is_there = false };

	for (uint64_t i = 0; i < count && !field.is_there; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(structure, i);
		const char *found = bt_field_class_structure_member_get_name(member);
		const bt_field_class *field_class =
			bt_field_class_structure_member_borrow_field_class_const(member);

		while (may_have_underscores && found[0] == '_') {
			found++;
		}
		if (g_str_equal(found, name) && fits(field_class, type)) {
			field.is_there = true;
			field.is_signed = is_type(field_class, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
			field.index = i;
		}
	}
	return field;
}

struct itp_foreign_field itp_foreign_payload_field(const bt_event_class *event_class,
						   const char *name, enum itp_foreign_type type)
{
	return find_field(bt_event_class_borrow_payload_field_class_const(event_class), name, type,
			  false);
}

struct itp_foreign_field itp_foreign_context_field(const bt_event_class *event_class,
						   const char *name, enum itp_foreign_type type)
{
	struct itp_foreign_field field =
		find_field(bt_event_class_borrow_specific_context_field_class_const(event_class),
			   name, type, true);

	if (!field.is_there) {
		field = find_field(bt_stream_class_borrow_event_common_context_field_class_const(
					   bt_event_class_borrow_stream_class_const(event_class)),
				   name, type, true);
		field.is_in_common_context = true;
	}
	field.is_in_context = true;
	return field;
}

static const bt_field *borrow(const bt_event *event, const struct itp_foreign_field *field)
{
	const bt_field *structure;

	if (!field->is_in_context) {
		structure = bt_event_borrow_payload_field_const(event);
	} else if (field->is_in_common_context) {
		structure = bt_event_borrow_common_context_field_const(event);
	} else {
		structure = bt_event_borrow_specific_context_field_const(event);
	}
	return bt_field_structure_borrow_member_field_by_index_const(structure, field->index);
}

int64_t itp_foreign_number(const bt_event *event, const struct itp_foreign_field *field)
{
	const bt_field *number = borrow(event, field);

	return field->is_signed ? bt_field_integer_signed_get_value(number) :
				  (int64_t)bt_field_integer_unsigned_get_value(number);
}

const char *itp_foreign_text(const bt_event *event, const struct itp_foreign_field *field)
{
	const bt_field *text = borrow(event, field);

	/* An empty field may still hold the text of an earlier event. */
	return bt_field_string_get_length(text) > 0 ? bt_field_string_get_value(text) : "";
}

uint64_t itp_foreign_numbers(const bt_event *event, const struct itp_foreign_field *field,
			     GArray *numbers)
{
	const bt_field *array = borrow(event, field);
	uint64_t count = bt_field_array_get_length(array);

	for (uint64_t i = 0; i < count; i++) {
		uint64_t number = bt_field_integer_unsigned_get_value(
			bt_field_array_borrow_element_field_by_index_const(array, i));

		g_array_append_val(numbers, number);
	}
	return count;
}

int32_t itp_foreign_cpu(const bt_event *event)
{
	const bt_stream *stream = bt_event_borrow_stream_const(event);
	const bt_field *context = NULL;
	const bt_field *cpu = NULL;

	if (bt_stream_class_supports_packets(bt_stream_borrow_class_const(stream))) {
		context = bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event));
	}
	if (context) {
		cpu = bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id");
	}
	if (!cpu || bt_field_get_class_type(cpu) != BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) {
		return -1;
	}
	return (int32_t)MIN(bt_field_integer_unsigned_get_value(cpu), INT32_MAX);
}
