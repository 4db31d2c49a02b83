/* SPDX-License-Identifier: MIT */
/*
 * See json.h.
 */
#include "common/render/json.h"

#include <glib.h>

/* Of a key with a prefix. */
#define KEY_BYTES 32

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

void itp_json_set_possible(json_t *object, const char *key, uint64_t seen, uint64_t unseen)
{
	if (unseen == ITP_CALLS_UNKNOWN) {
		itp_json_set_null(object, key);
	} else {
		itp_json_set_unsigned(object, key, seen + unseen);
	}
}

void itp_json_set_bool(json_t *object, const char *key, bool value)
{
	json_object_set_new_nocheck(object, key, json_boolean(value));
}

void itp_json_set_null(json_t *object, const char *key)
{
	json_object_set_new_nocheck(object, key, json_null());
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
