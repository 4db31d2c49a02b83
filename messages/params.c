/* SPDX-License-Identifier: MIT */
/*
 * See params.h. Wrong values are reported in the order of the table, then the unknown name first in
 * order, so equal mistakes always give equal messages.
 */
#include "messages/params.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/failure.h"

static const char *value_type_name(const bt_value *value)
{
	switch (bt_value_get_type(value)) {
	case BT_VALUE_TYPE_NULL:
		return "null";
	case BT_VALUE_TYPE_BOOL:
		return "a boolean";
	case BT_VALUE_TYPE_UNSIGNED_INTEGER:
	case BT_VALUE_TYPE_SIGNED_INTEGER:
		return "an integer";
	case BT_VALUE_TYPE_REAL:
		return "a real number";
	case BT_VALUE_TYPE_STRING:
		return "a string";
	case BT_VALUE_TYPE_ARRAY:
		return "an array";
	default:
		return "a map";
	}
}

static bool wrong_type(const struct itp_param *param, const char *expected, const bt_value *value,
		       GError **error)
{
	itp_failure_set(error, "parameter \"%s\": expected %s, got %s", param->name, expected,
			value_type_name(value));
	return false;
}

/* The string in `value`, weak; NULL with `error` set for other types and empty strings. */
static const char *read_text(const struct itp_param *param, const char *expected,
			     const bt_value *value, GError **error)
{
	const char *text;

	if (!bt_value_is_string(value)) {
		wrong_type(param, expected, value, error);
		return NULL;
	}
	text = bt_value_string_get(value);
	if (text[0] == '\0') {
		itp_failure_set(error, "parameter \"%s\": is empty", param->name);
		return NULL;
	}
	return text;
}

static bool read_string(const struct itp_param *param, const bt_value *value, char **target,
			GError **error)
{
	const char *text = read_text(param, "a string", value, error);

	if (!text) {
		return false;
	}
	*target = g_strdup(text);
	return true;
}

static bool append_string(const struct itp_param *param, const bt_value *value, GPtrArray *target,
			  GError **error)
{
	const char *text = read_text(param, "a string or an array of strings", value, error);

	if (!text) {
		return false;
	}
	g_ptr_array_add(target, g_strdup(text));
	return true;
}

static bool read_strings(const struct itp_param *param, const bt_value *value, GPtrArray **target,
			 GError **error)
{
	uint64_t i;

	*target = g_ptr_array_new_with_free_func(g_free);
	if (!bt_value_is_array(value)) {
		return append_string(param, value, *target, error);
	}
	if (bt_value_array_is_empty(value)) {
		itp_failure_set(error, "parameter \"%s\": is empty", param->name);
		return false;
	}
	for (i = 0; i < bt_value_array_get_length(value); i++) {
		if (!append_string(param, bt_value_array_borrow_element_by_index_const(value, i),
				   *target, error)) {
			return false;
		}
	}
	return true;
}

static bool read_count(const struct itp_param *param, const bt_value *value, uint64_t *target,
		       GError **error)
{
	if (bt_value_is_unsigned_integer(value)) {
		*target = bt_value_integer_unsigned_get(value);
		return true;
	}
	if (!bt_value_is_signed_integer(value)) {
		return wrong_type(param, "an integer", value, error);
	}
	if (bt_value_integer_signed_get(value) < 0) {
		itp_failure_set(error, "parameter \"%s\": %" PRId64 " is negative", param->name,
				bt_value_integer_signed_get(value));
		return false;
	}
	*target = (uint64_t)bt_value_integer_signed_get(value);
	return true;
}

static bool read_bool(const struct itp_param *param, const bt_value *value, bool *target,
		      GError **error)
{
	if (!bt_value_is_bool(value)) {
		return wrong_type(param, "a boolean", value, error);
	}
	*target = bt_value_bool_get(value);
	return true;
}

static bool read_real(const struct itp_param *param, const bt_value *value, double *target,
		      GError **error)
{
	if (bt_value_is_real(value)) {
		*target = bt_value_real_get(value);
	} else if (bt_value_is_unsigned_integer(value)) {
		*target = (double)bt_value_integer_unsigned_get(value);
	} else if (bt_value_is_signed_integer(value)) {
		*target = (double)bt_value_integer_signed_get(value);
	} else {
		return wrong_type(param, "a number", value, error);
	}
	return true;
}

static bool read_choice(const struct itp_param *param, const bt_value *value, unsigned int *target,
			GError **error)
{
	g_autofree char *known = NULL;
	const char *text;
	unsigned int i;

	if (!bt_value_is_string(value)) {
		return wrong_type(param, "a string", value, error);
	}
	text = bt_value_string_get(value);
	for (i = 0; param->choices[i]; i++) {
		if (strcmp(param->choices[i], text) == 0) {
			*target = i;
			return true;
		}
	}
	known = g_strjoinv(", ", (char **)param->choices);
	itp_failure_set(error, "parameter \"%s\": \"%s\" is not one of %s", param->name, text,
			known);
	return false;
}

static bool read_value(const struct itp_param *param, const bt_value *value, void *target,
		       GError **error)
{
	switch (param->type) {
	case ITP_PARAM_STRING:
		return read_string(param, value, target, error);
	case ITP_PARAM_STRINGS:
		return read_strings(param, value, target, error);
	case ITP_PARAM_COUNT:
		return read_count(param, value, target, error);
	case ITP_PARAM_BOOL:
		return read_bool(param, value, target, error);
	case ITP_PARAM_REAL:
		return read_real(param, value, target, error);
	case ITP_PARAM_CHOICE:
		return read_choice(param, value, target, error);
	}
	g_assert_not_reached();
}

/* State of the search for an unknown name. */
struct unknown_search {
	const struct itp_param_table *table;
	/* The unknown name first in order, or NULL. Weak: owned by the map. */
	const char *name;
};

static bt_value_map_foreach_entry_const_func_status note_unknown(const char *name,
								 const bt_value *value, void *data)
{
	struct unknown_search *search = data;
	size_t i;

	(void)value;
	for (i = 0; i < search->table->count; i++) {
		if (strcmp(search->table->params[i].name, name) == 0) {
			return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
		}
	}
	if (!search->name || strcmp(name, search->name) < 0) {
		search->name = name;
	}
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
}

static bool check_names(const struct itp_param_table *table, const bt_value *values, GError **error)
{
	struct unknown_search search = { .table = table };
	g_autoptr(GString) known = NULL;
	size_t i;

	(void)bt_value_map_foreach_entry_const(values, note_unknown, &search);
	if (!search.name) {
		return true;
	}
	known = g_string_new(NULL);
	for (i = 0; i < table->count; i++) {
		g_string_append_printf(known, "%s%s", i == 0 ? "" : ", ", table->params[i].name);
	}
	itp_failure_set(error, "unknown parameter \"%s\"; known are %s", search.name, known->str);
	return false;
}

bool itp_params_read(const struct itp_param_table *table, const bt_value *values, void *target,
		     GError **error)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		const struct itp_param *param = &table->params[i];
		const bt_value *value = bt_value_map_borrow_entry_value_const(values, param->name);

		if (value && !read_value(param, value, (char *)target + param->offset, error)) {
			return false;
		}
	}
	return check_names(table, values, error);
}

void itp_params_release(const struct itp_param_table *table, void *target)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		void *member = (char *)target + table->params[i].offset;

		if (table->params[i].type == ITP_PARAM_STRING) {
			g_clear_pointer((char **)member, g_free);
		} else if (table->params[i].type == ITP_PARAM_STRINGS) {
			g_clear_pointer((GPtrArray **)member, g_ptr_array_unref);
		}
	}
}
