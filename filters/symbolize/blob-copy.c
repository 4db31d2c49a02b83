/* SPDX-License-Identifier: MIT */
/* See blob-copy.h. */
#include "filters/symbolize/blob-copy.h"

#ifdef ITP_HAS_MIP_1

#include <string.h>

bool itp_is_blob(bt_field_class_type type)
{
	return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_BLOB);
}

static bt_field_class *create_class(bt_trace_class *trace_class, const bt_field_class *like)
{
	bt_field_class_type type = bt_field_class_get_type(like);

	if (type == BT_FIELD_CLASS_TYPE_STATIC_BLOB) {
		return bt_field_class_blob_static_create(
			trace_class, bt_field_class_blob_static_get_length(like));
	}
	return type == BT_FIELD_CLASS_TYPE_DYNAMIC_BLOB_WITH_LENGTH_FIELD ?
		       bt_field_class_blob_dynamic_with_length_field_location_create(
			       trace_class,
			       bt_field_class_blob_dynamic_with_length_field_borrow_length_field_location_const(
				       like)) :
		       bt_field_class_blob_dynamic_without_length_field_location_create(
			       trace_class);
}

bt_field_class *itp_blob_class_copy(bt_trace_class *trace_class, const bt_field_class *from)
{
	bt_field_class *to = create_class(trace_class, from);

	if (to &&
	    bt_field_class_blob_set_media_type(to, bt_field_class_blob_get_media_type(from)) !=
		    BT_FIELD_CLASS_BLOB_SET_MEDIA_TYPE_STATUS_OK) {
		BT_FIELD_CLASS_PUT_REF_AND_RESET(to);
	}
	return to;
}

bool itp_blob_copy(const bt_field *from, bt_field *to)
{
	uint64_t length = bt_field_blob_get_length(from);

	if (bt_field_get_class_type(to) != BT_FIELD_CLASS_TYPE_STATIC_BLOB &&
	    bt_field_blob_dynamic_set_length(to, length) !=
		    BT_FIELD_DYNAMIC_BLOB_SET_LENGTH_STATUS_OK) {
		return false;
	}
	if (length > 0) {
		memcpy(bt_field_blob_get_data(to), bt_field_blob_get_data_const(from), length);
	}
	return true;
}

static bool has_version_0(const bt_field_class *field_class)
{
	return bt_field_class_get_graph_mip_version(field_class) == 0;
}

bool itp_bit_flags_copy(const bt_field_class *from, bt_field_class *to)
{
	uint64_t count = has_version_0(from) ? 0 : bt_field_class_bit_array_get_flag_count(from);
	bool done = true;

	for (uint64_t i = 0; done && i < count; i++) {
		const bt_field_class_bit_array_flag *flag =
			bt_field_class_bit_array_borrow_flag_by_index_const(from, i);

		done = bt_field_class_bit_array_add_flag(
			       to, bt_field_class_bit_array_flag_get_label(flag),
			       bt_field_class_bit_array_flag_borrow_index_ranges_const(flag)) ==
		       BT_FIELD_CLASS_BIT_ARRAY_ADD_FLAG_STATUS_OK;
	}
	return done;
}

void itp_integer_hints_copy(const bt_field_class *from, bt_field_class *to)
{
	if (!has_version_0(from)) {
		bt_field_class_integer_set_field_value_hints(
			to, bt_field_class_integer_get_field_value_hints(from));
	}
}

#else

bool itp_is_blob(bt_field_class_type type)
{
	(void)type;
	return false;
}

bt_field_class *itp_blob_class_copy(bt_trace_class *trace_class, const bt_field_class *from)
{
	(void)trace_class, (void)from;
	return NULL;
}

bool itp_blob_copy(const bt_field *from, bt_field *to)
{
	(void)from, (void)to;
	return false;
}

bool itp_bit_flags_copy(const bt_field_class *from, bt_field_class *to)
{
	(void)from, (void)to;
	return true;
}

void itp_integer_hints_copy(const bt_field_class *from, bt_field_class *to)
{
	(void)from, (void)to;
}

#endif
