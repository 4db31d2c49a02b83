/* SPDX-License-Identifier: MIT */
/*
 * See values.h.
 */
#include "common/engine/values.h"

#include "common/base/hash.h"

GHashTable *itp_values_new(void)
{
	return g_hash_table_new_full(itp_hash_text, g_str_equal, g_free,
				     (GDestroyNotify)g_variant_unref);
}

GHashTable *itp_values_copy(GHashTable *values)
{
	GHashTable *copy = itp_values_new();
	GHashTableIter iter;
	gpointer name;
	gpointer value;

	g_hash_table_iter_init(&iter, values);
	while (g_hash_table_iter_next(&iter, &name, &value)) {
		itp_values_set(copy, name, value);
	}
	return copy;
}

void itp_values_set(GHashTable *values, const char *name, GVariant *value)
{
	g_hash_table_replace(values, g_strdup(name), g_variant_ref_sink(value));
}

void itp_values_set_text(GHashTable *values, const char *name, const char *text)
{
	itp_values_set(values, name, g_variant_new_bytestring(text));
}

void itp_values_set_bool(GHashTable *values, const char *name, bool is_on)
{
	itp_values_set(values, name, g_variant_new_boolean(is_on));
}

void itp_values_append(GHashTable *values, const char *name, const char *text)
{
	g_autoptr(GPtrArray) texts = itp_values_texts(values, name);

	g_ptr_array_add(texts, (gpointer)text);
	itp_values_set(
		values, name,
		g_variant_new_bytestring_array((const char *const *)texts->pdata, texts->len));
}

bool itp_values_has(GHashTable *values, const char *name)
{
	return g_hash_table_contains(values, name);
}

const char *itp_values_text(GHashTable *values, const char *name)
{
	GVariant *value = g_hash_table_lookup(values, name);

	return value && g_variant_is_of_type(value, G_VARIANT_TYPE_BYTESTRING) ?
		       g_variant_get_bytestring(value) :
		       NULL;
}

GPtrArray *itp_values_texts(GHashTable *values, const char *name)
{
	GVariant *value = g_hash_table_lookup(values, name);
	GPtrArray *texts = g_ptr_array_new();

	if (value && g_variant_is_of_type(value, G_VARIANT_TYPE_BYTESTRING_ARRAY)) {
		g_autofree const char **strings = g_variant_get_bytestring_array(value, NULL);

		for (size_t i = 0; strings[i]; i++) {
			g_ptr_array_add(texts, (gpointer)strings[i]);
		}
	}
	return texts;
}
