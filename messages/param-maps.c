/* SPDX-License-Identifier: MIT */
/*
 * See param-maps.h.
 */
#include "messages/param-maps.h"

#include "common/base/failure.h"

/* ---- Values of maps ---- */

static GVariant *variant_of(const bt_value *value);

/* An array of strings is one; all others are arrays of anything. */
static GVariant *array_of(const bt_value *array)
{
	const uint64_t length = bt_value_array_get_length(array);
	GVariantBuilder anything;
	GVariantBuilder strings;
	bool are_strings = true;

	g_variant_builder_init(&anything, G_VARIANT_TYPE("av"));
	g_variant_builder_init(&strings, G_VARIANT_TYPE_BYTESTRING_ARRAY);
	for (uint64_t i = 0; i < length; i++) {
		const bt_value *element = bt_value_array_borrow_element_by_index_const(array, i);

		g_variant_builder_add(&anything, "v", variant_of(element));
		are_strings &= bt_value_is_string(element);
		if (are_strings) {
			g_variant_builder_add_value(&strings, variant_of(element));
		}
	}
	if (are_strings) {
		g_variant_builder_clear(&anything);
		return g_variant_builder_end(&strings);
	}
	g_variant_builder_clear(&strings);
	return g_variant_builder_end(&anything);
}

/* Of a map in a map only its type counts. */
static GVariant *variant_of(const bt_value *value)
{
	switch (bt_value_get_type(value)) {
	case BT_VALUE_TYPE_BOOL:
		return g_variant_new_boolean(bt_value_bool_get(value));
	case BT_VALUE_TYPE_UNSIGNED_INTEGER:
		return g_variant_new_uint64(bt_value_integer_unsigned_get(value));
	case BT_VALUE_TYPE_SIGNED_INTEGER:
		return g_variant_new_int64(bt_value_integer_signed_get(value));
	case BT_VALUE_TYPE_REAL:
		return g_variant_new_double(bt_value_real_get(value));
	case BT_VALUE_TYPE_STRING:
		return g_variant_new_bytestring(bt_value_string_get(value));
	case BT_VALUE_TYPE_ARRAY:
		return array_of(value);
	case BT_VALUE_TYPE_MAP:
		return g_variant_new("a{sv}", NULL);
	default:
		return g_variant_new_tuple(NULL, 0);
	}
}

static bt_value_map_foreach_entry_const_func_status take_entry(const char *name,
							       const bt_value *value, void *values)
{
	itp_values_set(values, name, variant_of(value));
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
}

GHashTable *itp_values_of_map(const bt_value *map)
{
	GHashTable *values = itp_values_new();

	if (map) {
		(void)bt_value_map_foreach_entry_const(map, take_entry, values);
	}
	return values;
}

bool itp_map_read(const struct itp_param_table *table, const bt_value *map, void *target,
		  GError **error)
{
	g_autoptr(GHashTable) values = itp_values_of_map(map);

	return itp_params_read(table, values, target, error);
}

/* ---- Maps of values ---- */

static bt_value *value_of_variant(GVariant *variant);

static bt_value *array_value_of(GVariant *variant)
{
	bt_value *array = bt_value_array_create();

	for (size_t i = 0; array && i < g_variant_n_children(variant); i++) {
		g_autoptr(GVariant) element = g_variant_get_child_value(variant, i);
		bt_value *value = value_of_variant(element);

		if (!value || bt_value_array_append_element(array, value) !=
				      BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK) {
			BT_VALUE_PUT_REF_AND_RESET(array);
		}
		bt_value_put_ref(value);
	}
	return array;
}

/* NULL without memory. */
static bt_value *value_of_variant(GVariant *variant)
{
	g_autoptr(GVariant) inside = NULL;

	if (g_variant_is_of_type(variant, G_VARIANT_TYPE_BYTESTRING)) {
		return bt_value_string_create_init(g_variant_get_bytestring(variant));
	}
	switch (g_variant_classify(variant)) {
	case G_VARIANT_CLASS_BOOLEAN:
		return bt_value_bool_create_init(g_variant_get_boolean(variant));
	case G_VARIANT_CLASS_UINT64:
		return bt_value_integer_unsigned_create_init(g_variant_get_uint64(variant));
	case G_VARIANT_CLASS_INT64:
		return bt_value_integer_signed_create_init(g_variant_get_int64(variant));
	case G_VARIANT_CLASS_DOUBLE:
		return bt_value_real_create_init(g_variant_get_double(variant));
	case G_VARIANT_CLASS_VARIANT:
		inside = g_variant_get_variant(variant);
		return value_of_variant(inside);
	case G_VARIANT_CLASS_ARRAY:
		return array_value_of(variant);
	default:
		g_assert_not_reached();
	}
}

bt_value *itp_map_of_values(GHashTable *values, GError **error)
{
	bt_value *map = bt_value_map_create();
	GHashTableIter iter;
	gpointer name;
	gpointer variant;

	g_hash_table_iter_init(&iter, values);
	while (map && g_hash_table_iter_next(&iter, &name, &variant)) {
		bt_value *value = value_of_variant(variant);

		if (!value || bt_value_map_insert_entry(map, name, value) !=
				      BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK) {
			BT_VALUE_PUT_REF_AND_RESET(map);
		}
		bt_value_put_ref(value);
	}
	if (!map) {
		itp_failure_set_memory(error);
	}
	return map;
}
