/* SPDX-License-Identifier: MIT */
/*
 * See json.h. Where memory runs out, jansson leaves members and values out; with GLib's functions
 * the program ends instead, as everywhere.
 */
#include "common/render/json.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/labels.h"

#define DELETE 0x7f
/* Of a key with a prefix. */
#define KEY_BYTES 32

/* Runs before any value is made. Values made with malloc() before, by others in the same process,
 * are freed well: g_free() is free(). */
__attribute__((constructor)) static void use_memory_of_glib(void)
{
	json_set_alloc_funcs(g_malloc, g_free);
}

/* "\u202E", or two of these beyond 16 bits. */
static void append_escaped(GString *output, gunichar character)
{
	glong count = 0;
	g_autofree gunichar2 *units = g_ucs4_to_utf16(&character, 1, NULL, &count, NULL);

	for (glong i = 0; i < count; i++) {
		g_string_append_printf(output, "\\u%04X", units[i]);
	}
}

/* First character of `text` to be escaped, or its end. ASCII left by jansson as it is can be seen,
 * but for the last character. */
static const char *find_unseen(const char *text)
{
	while (*text != '\0' &&
	       ((guchar)*text < DELETE || itp_label_is_seen(g_utf8_get_char(text)))) {
		text = g_utf8_next_char(text);
	}
	return text;
}

/* Jansson escapes as JSON demands, and all or nothing of the rest. Outside of strings there is
 * nothing but ASCII. */
char *itp_json_dump(const json_t *value, size_t flags)
{
	char *dumped = json_dumps(value, flags);
	GString *output = g_string_sized_new(strlen(dumped));
	const char *at = dumped;
	const char *unseen = find_unseen(at);

	for (; *unseen != '\0'; unseen = find_unseen(at)) {
		g_string_append_len(output, at, unseen - at);
		append_escaped(output, g_utf8_get_char(unseen));
		at = g_utf8_next_char(unseen);
	}
	g_string_append(output, at);
	g_free(dumped);
	return g_string_free(output, FALSE);
}

void itp_json_append_line(GString *output, json_t *object, size_t flags)
{
	g_autofree char *line = itp_json_dump(object, JSON_COMPACT | flags);

	g_string_append(output, line);
	g_string_append_c(output, '\n');
	json_decref(object);
}

json_t *itp_json_text(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return json_string_nocheck(valid);
}

json_t *itp_json_unsigned(uint64_t value)
{
	return json_integer((int64_t)MIN(value, (uint64_t)INT64_MAX));
}

json_t *itp_json_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *itp_json_bool(bool value)
{
	return json_boolean(value);
}

json_t *itp_json_itself(json_t *value)
{
	return value;
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

void itp_json_set_real(json_t *object, const char *key, double value)
{
	json_object_set_new_nocheck(object, key, itp_json_real(value));
}

void itp_json_set_bool(json_t *object, const char *key, bool value)
{
	json_object_set_new_nocheck(object, key, json_boolean(value));
}

void itp_json_set_null(json_t *object, const char *key)
{
	json_object_set_new_nocheck(object, key, json_null());
}

void itp_json_set_fields(json_t *object, const struct itp_node_stats *stats,
			 const enum itp_node_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = itp_node_field_value(stats, fields[i]);

		json_object_set_new_nocheck(object, itp_node_field_name(fields[i]),
					    itp_node_field_is_signed(fields[i]) ?
						    json_integer((int64_t)value) :
						    itp_json_unsigned(value));
	}
}

void itp_json_set_use(json_t *object, const char *prefix, const struct itp_time_use *use)
{
	const struct {
		const char *key;
		int64_t ns;
	} times[] = {
		{ "cpu_ns", use->cpu_ns },
		{ "blocked_ns", use->blocked_ns },
		{ "runnable_ns", use->runnable_ns },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(times); i++) {
		char key[KEY_BYTES];

		g_snprintf(key, sizeof(key), "%s%s", prefix, times[i].key);
		itp_json_set_signed(object, key, times[i].ns);
	}
}
