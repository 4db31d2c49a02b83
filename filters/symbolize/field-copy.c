/* SPDX-License-Identifier: MIT */
/* See field-copy.h. */
#include "filters/symbolize/field-copy.h"

#include "filters/symbolize/blob-copy.h"
#include "messages/mip.h"

/* For shorter lines. */
#define IS(type, kind) bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_##kind)

static bool copy_unsigned_labels(const bt_field_class *from, bt_field_class *to)
{
	bool done = true;

	for (uint64_t i = 0; done && i < bt_field_class_enumeration_get_mapping_count(from); i++) {
		const bt_field_class_enumeration_unsigned_mapping *mapping =
			bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(from, i);

		done = bt_field_class_enumeration_unsigned_add_mapping(
			       to,
			       bt_field_class_enumeration_mapping_get_label(
				       bt_field_class_enumeration_unsigned_mapping_as_mapping_const(
					       mapping)),
			       bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(
				       mapping)) ==
		       BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;
	}
	return done;
}

static bool copy_signed_labels(const bt_field_class *from, bt_field_class *to)
{
	bool done = true;

	for (uint64_t i = 0; done && i < bt_field_class_enumeration_get_mapping_count(from); i++) {
		const bt_field_class_enumeration_signed_mapping *mapping =
			bt_field_class_enumeration_signed_borrow_mapping_by_index_const(from, i);

		done = bt_field_class_enumeration_signed_add_mapping(
			       to,
			       bt_field_class_enumeration_mapping_get_label(
				       bt_field_class_enumeration_signed_mapping_as_mapping_const(
					       mapping)),
			       bt_field_class_enumeration_signed_mapping_borrow_ranges_const(
				       mapping)) ==
		       BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;
	}
	return done;
}

static bt_field_class *create_integer(bt_trace_class *trace_class, bt_field_class_type type)
{
	if (IS(type, UNSIGNED_ENUMERATION)) {
		return bt_field_class_enumeration_unsigned_create(trace_class);
	}
	if (IS(type, SIGNED_ENUMERATION)) {
		return bt_field_class_enumeration_signed_create(trace_class);
	}
	return IS(type, UNSIGNED_INTEGER) ? bt_field_class_integer_unsigned_create(trace_class) :
					    bt_field_class_integer_signed_create(trace_class);
}

static bt_field_class *copy_integer(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class_type type = bt_field_class_get_type(from);
	bt_field_class *to = create_integer(trace_class, type);

	if (!to) {
		return NULL;
	}
	bt_field_class_integer_set_field_value_range(
		to, bt_field_class_integer_get_field_value_range(from));
	bt_field_class_integer_set_preferred_display_base(
		to, bt_field_class_integer_get_preferred_display_base(from));
	itp_integer_hints_copy(from, to);
	if ((IS(type, UNSIGNED_ENUMERATION) && !copy_unsigned_labels(from, to)) ||
	    (IS(type, SIGNED_ENUMERATION) && !copy_signed_labels(from, to))) {
		BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	}
	return to;
}

static bt_field_class *copy_bits(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class *to = bt_field_class_bit_array_create(
		trace_class, bt_field_class_bit_array_get_length(from));

	if (to && !itp_bit_flags_copy(from, to)) {
		BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	}
	return to;
}

bool itp_structure_class_copy(bt_trace_class *trace_class, const bt_field_class *from,
			      bt_field_class *to)
{
	bool done = true;

	for (uint64_t i = 0; done && i < bt_field_class_structure_get_member_count(from); i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(from, i);
		bt_field_class *copy = itp_field_class_copy(
			trace_class,
			bt_field_class_structure_member_borrow_field_class_const(member));

		done = copy && bt_field_class_structure_append_member(
				       to, bt_field_class_structure_member_get_name(member),
				       copy) == BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;
		bt_field_class_put_ref(copy);
	}
	return done;
}

static bt_field_class *copy_structure(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class *to = bt_field_class_structure_create(trace_class);

	if (to && !itp_structure_class_copy(trace_class, from, to)) {
		BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	}
	return to;
}

static bt_field_class *copy_array(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class *element = itp_field_class_copy(
		trace_class, bt_field_class_array_borrow_element_field_class_const(from));
	bt_field_class *to = NULL;

	if (element && IS(bt_field_class_get_type(from), STATIC_ARRAY)) {
		to = bt_field_class_array_static_create(
			trace_class, element, bt_field_class_array_static_get_length(from));
	} else if (element) {
		to = itp_array_class_like(trace_class, element, from);
	}
	bt_field_class_put_ref(element);
	return to;
}

static bt_field_class *copy_option(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class *content = itp_field_class_copy(
		trace_class, bt_field_class_option_borrow_field_class_const(from));
	bt_field_class *to = content ? itp_option_class_new(trace_class, content) : NULL;

	bt_field_class_put_ref(content);
	return to;
}

static bt_field_class *copy_variant(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class *to = itp_variant_class_new(trace_class);

	for (uint64_t i = 0; to && i < bt_field_class_variant_get_option_count(from); i++) {
		const bt_field_class_variant_option *option =
			bt_field_class_variant_borrow_option_by_index_const(from, i);
		bt_field_class *copy = itp_field_class_copy(
			trace_class,
			bt_field_class_variant_option_borrow_field_class_const(option));

		if (!copy ||
		    bt_field_class_variant_without_selector_append_option(
			    to, bt_field_class_variant_option_get_name(option), copy) !=
			    BT_FIELD_CLASS_VARIANT_WITHOUT_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK) {
			BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
		}
		bt_field_class_put_ref(copy);
	}
	return to;
}

static bt_field_class *copy_class(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class_type type = bt_field_class_get_type(from);

	if (IS(type, BOOL)) {
		return bt_field_class_bool_create(trace_class);
	}
	if (IS(type, BIT_ARRAY)) {
		return copy_bits(trace_class, from);
	}
	if (IS(type, INTEGER)) {
		return copy_integer(trace_class, from);
	}
	if (IS(type, SINGLE_PRECISION_REAL)) {
		return bt_field_class_real_single_precision_create(trace_class);
	}
	if (IS(type, DOUBLE_PRECISION_REAL)) {
		return bt_field_class_real_double_precision_create(trace_class);
	}
	if (IS(type, STRING)) {
		return bt_field_class_string_create(trace_class);
	}
	if (IS(type, STRUCTURE)) {
		return copy_structure(trace_class, from);
	}
	if (IS(type, ARRAY)) {
		return copy_array(trace_class, from);
	}
	if (IS(type, OPTION)) {
		return copy_option(trace_class, from);
	}
	if (itp_is_blob(type)) {
		return itp_blob_class_copy(trace_class, from);
	}
	return IS(type, VARIANT) ? copy_variant(trace_class, from) : NULL;
}

bt_field_class *itp_field_class_copy(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class *to = copy_class(trace_class, from);

	if (to) {
		bt_field_class_set_user_attributes(
			to, bt_field_class_borrow_user_attributes_const(from));
	}
	return to;
}

static bool copy_members(const bt_field *from, bt_field *to)
{
	uint64_t count =
		bt_field_class_structure_get_member_count(bt_field_borrow_class_const(from));
	bool done = true;

	for (uint64_t i = 0; done && i < count; i++) {
		done = itp_field_copy(
			bt_field_structure_borrow_member_field_by_index_const(from, i),
			bt_field_structure_borrow_member_field_by_index(to, i));
	}
	return done;
}

static bool copy_elements(const bt_field *from, bt_field *to, bool is_dynamic)
{
	uint64_t length = bt_field_array_get_length(from);
	bool done = !is_dynamic || bt_field_array_dynamic_set_length(to, length) ==
					   BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK;

	for (uint64_t i = 0; done && i < length; i++) {
		done = itp_field_copy(bt_field_array_borrow_element_field_by_index_const(from, i),
				      bt_field_array_borrow_element_field_by_index(to, i));
	}
	return done;
}

static bool copy_content(const bt_field *from, bt_field *to)
{
	const bt_field *content = bt_field_option_borrow_field_const(from);

	bt_field_option_set_has_field(to, content != NULL);
	return !content || itp_field_copy(content, bt_field_option_borrow_field(to));
}

static bool copy_choice(const bt_field *from, bt_field *to)
{
	return bt_field_variant_select_option_by_index(
		       to, bt_field_variant_get_selected_option_index(from)) ==
		       BT_FIELD_VARIANT_SELECT_OPTION_STATUS_OK &&
	       itp_field_copy(bt_field_variant_borrow_selected_option_field_const(from),
			      bt_field_variant_borrow_selected_option_field(to));
}

/* An empty text may still hold that of an earlier event: only its length is right. */
static bool copy_text(const bt_field *from, bt_field *to)
{
	const char *text = bt_field_string_get_length(from) > 0 ? bt_field_string_get_value(from) :
								  "";

	return bt_field_string_set_value(to, text) == BT_FIELD_STRING_SET_VALUE_STATUS_OK;
}

static void copy_number(const bt_field *from, bt_field *to, bt_field_class_type type)
{
	if (IS(type, BOOL)) {
		bt_field_bool_set_value(to, bt_field_bool_get_value(from));
	} else if (IS(type, BIT_ARRAY)) {
		bt_field_bit_array_set_value_as_integer(
			to, bt_field_bit_array_get_value_as_integer(from));
	} else if (IS(type, UNSIGNED_INTEGER)) {
		bt_field_integer_unsigned_set_value(to, bt_field_integer_unsigned_get_value(from));
	} else if (IS(type, SIGNED_INTEGER)) {
		bt_field_integer_signed_set_value(to, bt_field_integer_signed_get_value(from));
	} else if (IS(type, SINGLE_PRECISION_REAL)) {
		bt_field_real_single_precision_set_value(
			to, bt_field_real_single_precision_get_value(from));
	} else {
		bt_field_real_double_precision_set_value(
			to, bt_field_real_double_precision_get_value(from));
	}
}

bool itp_field_copy(const bt_field *from, bt_field *to)
{
	bt_field_class_type type = bt_field_get_class_type(from);

	if (IS(type, STRING)) {
		return copy_text(from, to);
	}
	if (IS(type, STRUCTURE)) {
		return copy_members(from, to);
	}
	if (IS(type, ARRAY)) {
		return copy_elements(from, to, IS(type, DYNAMIC_ARRAY));
	}
	if (IS(type, OPTION)) {
		return copy_content(from, to);
	}
	if (IS(type, VARIANT)) {
		return copy_choice(from, to);
	}
	if (itp_is_blob(type)) {
		return itp_blob_copy(from, to);
	}
	copy_number(from, to, type);
	return true;
}
