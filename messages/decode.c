/* SPDX-License-Identifier: MIT */
/*
 * See schema.h: from events, and attributes of event classes, to records.
 *
 * An event class is compared with its layout when the first of its events arrives; from then on
 * members are read by index. Values are checked with every event, because the trace may come from
 * anywhere.
 */
#include "messages/coding.h"

#include <string.h>

#include "common/base/failure.h"
#include "common/schema/field.h"

/* Index of an optional field that the payload lacks. */
#define NO_MEMBER UINT64_MAX

/* An event class, compared with its layout. */
struct known_class {
	/* Class of the events. Owned by this, so that its address stays taken. */
	const bt_event_class *event_class;
	enum itp_record_type type;
	/* Indices in the payload of the layout's fields. */
	uint64_t members[ITP_LAYOUT_MAX_FIELDS];
};

struct itp_decoder {
	/* bt_event_class * -> struct known_class *, owned by this. */
	GHashTable *classes;
	/* struct itp_frame of the last stack read. */
	GArray *frames;
	/* Contexts of the last stack of interest. */
	uint32_t contexts[ITP_MAX_INTEREST_CONTEXTS];
};

static void known_class_free(void *data)
{
	struct known_class *known = data;

	bt_event_class_put_ref(known->event_class);
	g_free(known);
}

struct itp_decoder *itp_decoder_new(void)
{
	struct itp_decoder *decoder = g_new0(struct itp_decoder, 1);

	decoder->classes = g_hash_table_new_full(NULL, NULL, NULL, known_class_free);
	decoder->frames = g_array_new(FALSE, TRUE, sizeof(struct itp_frame));
	return decoder;
}

void itp_decoder_free(struct itp_decoder *decoder)
{
	if (!decoder) {
		return;
	}
	g_hash_table_unref(decoder->classes);
	g_array_unref(decoder->frames);
	g_free(decoder);
}

static bool is_unsigned(const bt_field_class *field_class)
{
	return bt_field_class_type_is(bt_field_class_get_type(field_class),
				      BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
}

static bool type_fits(const struct itp_field *field, const bt_field_class *field_class)
{
	bt_field_class_type type = bt_field_class_get_type(field_class);

	switch (field->type) {
	case ITP_FIELD_STRING:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_STRING);
	case ITP_FIELD_SIGNED:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	case ITP_FIELD_UNSIGNED:
	case ITP_FIELD_LABELS:
		return is_unsigned(field_class);
	case ITP_FIELD_ARRAY:
	case ITP_FIELD_ADDRESSES:
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY) &&
		       is_unsigned(
			       bt_field_class_array_borrow_element_field_class_const(field_class));
	}
	g_assert_not_reached();
}

/* Index of the member `name`, or the number of members without it. */
static uint64_t find_member(const bt_field_class *payload, const char *name,
			    const bt_field_class **ret_class)
{
	uint64_t count = bt_field_class_structure_get_member_count(payload);
	uint64_t i;

	for (i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(payload, i);

		if (g_str_equal(bt_field_class_structure_member_get_name(member), name)) {
			*ret_class =
				bt_field_class_structure_member_borrow_field_class_const(member);
			break;
		}
	}
	return i;
}

static bool find_field(struct known_class *known, size_t field_index, const bt_field_class *payload,
		       GError **error)
{
	const struct itp_layout *layout = itp_layout_get(known->type);
	const struct itp_field *field = &layout->fields[field_index];
	const bt_field_class *field_class = NULL;

	known->members[field_index] = find_member(payload, field->name, &field_class);
	if (field_class && type_fits(field, field_class)) {
		return true;
	}
	if (!field_class && field->is_optional) {
		known->members[field_index] = NO_MEMBER;
		return true;
	}
	itp_failure_set(error, "event class \"%s\" %s field \"%s\"", layout->event_name,
			field_class ? "has another type of" : "lacks the", field->name);
	return false;
}

static bool find_fields(struct known_class *known, GError **error)
{
	const bt_field_class *payload =
		bt_event_class_borrow_payload_field_class_const(known->event_class);
	const struct itp_layout *layout = itp_layout_get(known->type);
	size_t i;

	if (!payload) {
		itp_failure_set(error, "event class \"%s\" has no payload", layout->event_name);
		return false;
	}
	for (i = 0; i < layout->field_count; i++) {
		if (!find_field(known, i, payload, error)) {
			return false;
		}
	}
	return true;
}

static const struct known_class *know_class(struct itp_decoder *decoder,
					    const bt_event_class *event_class, GError **error)
{
	struct known_class *known = g_hash_table_lookup(decoder->classes, event_class);

	if (known) {
		return known;
	}
	known = g_new0(struct known_class, 1);
	known->event_class = event_class;
	bt_event_class_get_ref(event_class);
	known->type = itp_record_type_from_name(bt_event_class_get_name(event_class));
	if (known->type != ITP_RECORD_FOREIGN && !find_fields(known, error)) {
		known_class_free(known);
		return NULL;
	}
	g_hash_table_insert(decoder->classes, (void *)event_class, known);
	return known;
}

static bool read_elements(const struct itp_field *field, const bt_field *array, char *first,
			  size_t stride)
{
	uint64_t count = bt_field_array_get_length(array);
	uint64_t i;

	for (i = 0; i < count; i++) {
		const bt_field *element =
			bt_field_array_borrow_element_field_by_index_const(array, i);

		if (!itp_field_set_unsigned(field, bt_field_integer_unsigned_get_value(element),
					    first + i * stride + field->offset)) {
			return false;
		}
	}
	return true;
}

/* Frames of a stack from one of its arrays. The first array makes the frames; the second must be as
 * long. */
static bool read_frames(struct itp_decoder *decoder, const struct itp_field *field,
			const bt_field *array, struct itp_stack_event *stack)
{
	uint64_t count = bt_field_array_get_length(array);

	if (count > ITP_MAX_STACK_DEPTH) {
		return false;
	}
	if (field->type == ITP_FIELD_ADDRESSES) {
		g_array_set_size(decoder->frames, (guint)count);
		stack->frames = (const struct itp_frame *)(void *)decoder->frames->data;
		stack->frame_count = count;
	}
	return count == stack->frame_count &&
	       read_elements(field, array, decoder->frames->data, sizeof(struct itp_frame));
}

static bool read_contexts(struct itp_decoder *decoder, const struct itp_field *field,
			  const bt_field *array, struct itp_interest_record *interest)
{
	interest->contexts = decoder->contexts;
	interest->context_count = bt_field_array_get_length(array);
	return interest->context_count <= ITP_MAX_INTEREST_CONTEXTS &&
	       read_elements(field, array, (char *)decoder->contexts, sizeof(decoder->contexts[0]));
}

static bool read_array(struct itp_decoder *decoder, const struct itp_field *field,
		       const bt_field *array, struct itp_record *record)
{
	struct itp_node_stats *stats = &record->node.stats;

	if (record->type == ITP_RECORD_STACK) {
		return read_frames(decoder, field, array, &record->stack);
	}
	if (record->type == ITP_RECORD_INTEREST) {
		return read_contexts(decoder, field, array, &record->interest);
	}
	return bt_field_array_get_length(array) <= ITP_HISTOGRAM_BUCKETS &&
	       read_elements(field, array, (char *)stats->histogram, sizeof(stats->histogram[0]));
}

/* Frames that were put in have no address. */
static bool mark_filled(GArray *frames, const struct itp_stack_event *stack)
{
	uint32_t count = 0;

	for (guint i = 0; i < frames->len; i++) {
		struct itp_frame *frame = &g_array_index(frames, struct itp_frame, i);

		frame->is_filled = stack->filled_count > 0 && frame->address == 0;
		frame->is_assumed = frame->is_filled;
		count += frame->is_filled;
	}
	return count == stack->filled_count;
}

/* Text of a field. A recycled field of Babeltrace 2.0 that source.ctf.fs left empty still holds the
 * text of an earlier event; only its length is right. */
static const char *read_string(const bt_field *source)
{
	return bt_field_string_get_length(source) > 0 ? bt_field_string_get_value(source) : "";
}

static bool read_field(struct itp_decoder *decoder, const struct itp_field *field,
		       const bt_field *source, struct itp_record *record)
{
	/* All members of the union begin at its begin. */
	char *member = (char *)&record->stack + field->offset;

	switch (field->type) {
	case ITP_FIELD_STRING:
		*(const char **)member = read_string(source);
		return true;
	case ITP_FIELD_SIGNED:
		return itp_field_set_signed(field, bt_field_integer_signed_get_value(source),
					    member);
	case ITP_FIELD_UNSIGNED:
	case ITP_FIELD_LABELS:
		return itp_field_set_unsigned(field, bt_field_integer_unsigned_get_value(source),
					      member);
	case ITP_FIELD_ARRAY:
	case ITP_FIELD_ADDRESSES:
		return read_array(decoder, field, source, record);
	}
	g_assert_not_reached();
}

/* Reads member `index` of the payload into the record. */
static bool read_member(struct itp_decoder *decoder, const struct itp_field *field,
			const bt_field *payload, uint64_t index, struct itp_record *record)
{
	if (G_UNLIKELY(index == NO_MEMBER)) {
		itp_field_set_nothing(field, (char *)&record->stack + field->offset);
		return true;
	}
	return read_field(decoder, field,
			  bt_field_structure_borrow_member_field_by_index_const(payload, index),
			  record);
}

/* The name of the first field with a wrong value; NULL when all are read. */
static const char *read_members(struct itp_decoder *decoder, const struct known_class *known,
				const bt_field *payload, struct itp_record *record)
{
	const struct itp_layout *layout = itp_layout_get(known->type);

	/* Zeroes members without a field, and buckets left out by the message. */
	memset(&record->stack, 0, layout->bytes);
	for (size_t i = 0; i < layout->field_count; i++) {
		if (!read_member(decoder, &layout->fields[i], payload, known->members[i], record)) {
			return layout->fields[i].name;
		}
	}
	if (known->type == ITP_RECORD_STACK && !mark_filled(decoder->frames, &record->stack)) {
		return "filled";
	}
	return itp_record_wrong_field(record);
}

bool itp_decode(struct itp_decoder *decoder, const bt_event *event, struct itp_record *ret_record,
		GError **error)
{
	const struct known_class *known =
		know_class(decoder, bt_event_borrow_class_const(event), error);
	const char *wrong = NULL;

	if (!known) {
		return false;
	}
	ret_record->type = known->type;
	if (known->type == ITP_RECORD_FOREIGN) {
		return true;
	}
	wrong = read_members(decoder, known, bt_event_borrow_payload_field_const(event),
			     ret_record);
	if (wrong) {
		itp_failure_set(error, "event \"%s\": the value of field \"%s\" is not valid",
				itp_layout_get(known->type)->event_name, wrong);
	}
	return !wrong;
}

static bool read_entry(const bt_value *map, const struct itp_field *field,
		       struct itp_record *record)
{
	const bt_value *entry = bt_value_map_borrow_entry_value_const(map, field->name);
	char *member = (char *)&record->stack + field->offset;

	if (field->type == ITP_FIELD_STRING) {
		if (!entry || !bt_value_is_string(entry)) {
			return false;
		}
		*(const char **)member = bt_value_string_get(entry);
		return true;
	}
	return entry && bt_value_is_unsigned_integer(entry) &&
	       itp_field_set_unsigned(field, bt_value_integer_unsigned_get(entry), member);
}

bool itp_decode_attributes(const bt_event_class *event_class, enum itp_record_type type,
			   struct itp_record *ret_record)
{
	const struct itp_layout *layout = itp_layout_get(type);
	const bt_value *map = bt_value_map_borrow_entry_value_const(
		bt_event_class_borrow_user_attributes_const(event_class), layout->event_name);
	bool done = map && bt_value_is_map(map);

	ret_record->type = type;
	memset(&ret_record->stack, 0, layout->bytes);
	for (size_t i = 0; done && i < layout->field_count; i++) {
		done = read_entry(map, &layout->fields[i], ret_record);
	}
	return done && !itp_record_wrong_field(ret_record);
}
