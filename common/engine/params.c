/* SPDX-License-Identifier: MIT */
/*
 * See params.h. Wrong values are reported in the order of the table, then the unknown name first in
 * order, so equal mistakes always give equal messages.
 */
#include "common/engine/params.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/failure.h"

static const char *value_type_name(GVariant *value)
{
	if (g_variant_is_of_type(value, G_VARIANT_TYPE_BYTESTRING)) {
		return "a string";
	}
	switch (g_variant_classify(value)) {
	case G_VARIANT_CLASS_TUPLE:
		return "null";
	case G_VARIANT_CLASS_BOOLEAN:
		return "a boolean";
	case G_VARIANT_CLASS_UINT64:
	case G_VARIANT_CLASS_INT64:
		return "an integer";
	case G_VARIANT_CLASS_DOUBLE:
		return "a real number";
	default:
		return g_variant_is_of_type(value, G_VARIANT_TYPE_DICTIONARY) ? "a map" :
										"an array";
	}
}

static bool wrong_type(const struct itp_param *param, const char *expected, GVariant *value,
		       GError **error)
{
	itp_failure_set(error, "parameter \"%s\": expected %s, got %s", param->name, expected,
			value_type_name(value));
	return false;
}

/* The string in `value`, weak; NULL with `error` set for other types and empty strings. */
static const char *read_text(const struct itp_param *param, const char *expected, GVariant *value,
			     GError **error)
{
	const char *text;

	if (!g_variant_is_of_type(value, G_VARIANT_TYPE_BYTESTRING)) {
		wrong_type(param, expected, value, error);
		return NULL;
	}
	text = g_variant_get_bytestring(value);
	if (text[0] == '\0') {
		itp_failure_set(error, "parameter \"%s\": is empty", param->name);
		return NULL;
	}
	return text;
}

static bool read_string(const struct itp_param *param, GVariant *value, char **target,
			GError **error)
{
	const char *text = read_text(param, "a string", value, error);

	if (!text) {
		return false;
	}
	*target = g_strdup(text);
	return true;
}

static bool append_string(const struct itp_param *param, GVariant *value, GPtrArray *target,
			  GError **error)
{
	const char *text = read_text(param, "a string or an array of strings", value, error);

	if (!text) {
		return false;
	}
	g_ptr_array_add(target, g_strdup(text));
	return true;
}

/* True for an array that is no string, and no map. */
static bool is_list(GVariant *value)
{
	return g_variant_is_of_type(value, G_VARIANT_TYPE_ARRAY) &&
	       !g_variant_is_of_type(value, G_VARIANT_TYPE_BYTESTRING) &&
	       !g_variant_is_of_type(value, G_VARIANT_TYPE_DICTIONARY);
}

static bool read_strings(const struct itp_param *param, GVariant *value, GPtrArray **target,
			 GError **error)
{
	*target = g_ptr_array_new_with_free_func(g_free);
	if (!is_list(value)) {
		return append_string(param, value, *target, error);
	}
	if (g_variant_n_children(value) == 0) {
		itp_failure_set(error, "parameter \"%s\": is empty", param->name);
		return false;
	}
	for (size_t i = 0; i < g_variant_n_children(value); i++) {
		g_autoptr(GVariant) element = g_variant_get_child_value(value, i);
		g_autoptr(GVariant) inside = g_variant_is_of_type(element, G_VARIANT_TYPE_VARIANT) ?
						     g_variant_get_variant(element) :
						     g_variant_ref(element);

		if (!append_string(param, inside, *target, error)) {
			return false;
		}
	}
	return true;
}

static bool read_count(const struct itp_param *param, GVariant *value, uint64_t *target,
		       GError **error)
{
	if (g_variant_is_of_type(value, G_VARIANT_TYPE_UINT64)) {
		*target = g_variant_get_uint64(value);
		return true;
	}
	if (!g_variant_is_of_type(value, G_VARIANT_TYPE_INT64)) {
		return wrong_type(param, "an integer", value, error);
	}
	if (g_variant_get_int64(value) < 0) {
		itp_failure_set(error, "parameter \"%s\": %" PRId64 " is negative", param->name,
				g_variant_get_int64(value));
		return false;
	}
	*target = (uint64_t)g_variant_get_int64(value);
	return true;
}

static bool read_bool(const struct itp_param *param, GVariant *value, bool *target, GError **error)
{
	if (!g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN)) {
		return wrong_type(param, "a boolean", value, error);
	}
	*target = g_variant_get_boolean(value);
	return true;
}

static bool read_real(const struct itp_param *param, GVariant *value, double *target,
		      GError **error)
{
	if (g_variant_is_of_type(value, G_VARIANT_TYPE_DOUBLE)) {
		*target = g_variant_get_double(value);
	} else if (g_variant_is_of_type(value, G_VARIANT_TYPE_UINT64)) {
		*target = (double)g_variant_get_uint64(value);
	} else if (g_variant_is_of_type(value, G_VARIANT_TYPE_INT64)) {
		*target = (double)g_variant_get_int64(value);
	} else {
		return wrong_type(param, "a number", value, error);
	}
	return true;
}

static bool read_choice(const struct itp_param *param, GVariant *value, unsigned int *target,
			GError **error)
{
	g_autofree char *known = NULL;
	const char *text;
	unsigned int i;

	if (!g_variant_is_of_type(value, G_VARIANT_TYPE_BYTESTRING)) {
		return wrong_type(param, "a string", value, error);
	}
	text = g_variant_get_bytestring(value);
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

static bool read_value(const struct itp_param *param, GVariant *value, void *target, GError **error)
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

static bool is_known(const struct itp_param_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++) {
		if (g_str_equal(table->params[i].name, name)) {
			return true;
		}
	}
	return false;
}

/* The unknown name first in order; NULL without any. Weak. */
static const char *find_unknown(const struct itp_param_table *table, GHashTable *values)
{
	const char *first = NULL;
	GHashTableIter iter;
	gpointer name;

	g_hash_table_iter_init(&iter, values);
	while (g_hash_table_iter_next(&iter, &name, NULL)) {
		if (!is_known(table, name) && (!first || strcmp(name, first) < 0)) {
			first = name;
		}
	}
	return first;
}

static bool check_names(const struct itp_param_table *table, GHashTable *values, GError **error)
{
	const char *unknown = find_unknown(table, values);
	g_autoptr(GString) known = NULL;

	if (!unknown) {
		return true;
	}
	known = g_string_new(NULL);
	for (size_t i = 0; i < table->count; i++) {
		g_string_append_printf(known, "%s%s", i == 0 ? "" : ", ", table->params[i].name);
	}
	itp_failure_set(error, "unknown parameter \"%s\"; known are %s", unknown, known->str);
	return false;
}

bool itp_params_read(const struct itp_param_table *table, GHashTable *values, void *target,
		     GError **error)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct itp_param *param = &table->params[i];
		GVariant *value = g_hash_table_lookup(values, param->name);

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
