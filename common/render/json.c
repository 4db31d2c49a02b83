/* SPDX-License-Identifier: MIT */
/*
 * See json.h.
 */
#include "common/render/json.h"

#include <glib.h>

json_t *itp_json_text(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return json_string_nocheck(valid);
}

json_t *itp_json_unsigned(uint64_t value)
{
	return json_integer((int64_t)MIN(value, (uint64_t)INT64_MAX));
}

void itp_json_set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new_nocheck(object, key, itp_json_text(text));
}

void itp_json_set_signed(json_t *object, const char *key, int64_t value)
{
	json_object_set_new_nocheck(object, key, json_integer(value));
}

void itp_json_set_unsigned(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new_nocheck(object, key, itp_json_unsigned(value));
}

void itp_json_set_bool(json_t *object, const char *key, bool value)
{
	json_object_set_new_nocheck(object, key, json_boolean(value));
}

void itp_json_set_null(json_t *object, const char *key)
{
	json_object_set_new_nocheck(object, key, json_null());
}
