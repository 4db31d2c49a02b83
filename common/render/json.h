/* SPDX-License-Identifier: MIT */
/*
 * JSON values from the core's, for all renderers of JSON.
 *
 * Names may hold anything: invalid UTF-8 is replaced, and characters that a terminal would not show
 * as themselves are escaped, so that they stay in the value and are not in the text. Integers
 * beyond INT64_MAX do not exist in JSON as jansson writes it; larger counters are written as
 * INT64_MAX.
 */
#ifndef ITP_RENDER_JSON_H
#define ITP_RENDER_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/infer/node-fields.h"

/* `value` as text, with jansson's `flags`. Owned by the caller. */
char *itp_json_dump(const json_t *value, size_t flags);

/* Appends `object` as a line, with jansson's `flags`. Takes its reference. */
void itp_json_append_line(GString *output, json_t *object, size_t flags);

/* A new reference. */
json_t *itp_json_text(const char *text);
json_t *itp_json_unsigned(uint64_t value);
/* Number, null when not finite. */
json_t *itp_json_real(double value);
json_t *itp_json_bool(bool value);
json_t *itp_json_itself(json_t *value);

/* Value by its type: a number, a bool, a text; a json_t * is taken as it is. An int is refused, as
 * it may be a comparison: (bool)(count == 1), (int64_t)pid. */
/* clang-format off */
#define ITP_JSON_VALUE(value)                                                        \
	_Generic((value),                                                            \
		long: json_integer, long long: json_integer,      \
		unsigned int: itp_json_unsigned, unsigned long: itp_json_unsigned,   \
		unsigned long long: itp_json_unsigned, double: itp_json_real,        \
		bool: itp_json_bool, char *: itp_json_text,                          \
		const char *: itp_json_text, json_t *: itp_json_itself)(value)
/* clang-format on */

/* Add a member to `object`. Keys are ASCII. */
void itp_json_set_text(json_t *object, const char *key, const char *text);
void itp_json_set_signed(json_t *object, const char *key, int64_t value);
void itp_json_set_unsigned(json_t *object, const char *key, uint64_t value);
/* Sets a number, null when not finite. */
void itp_json_set_real(json_t *object, const char *key, double value);
void itp_json_set_bool(json_t *object, const char *key, bool value);
void itp_json_set_null(json_t *object, const char *key);
/* Sets numbers of a node by their names. */
void itp_json_set_fields(json_t *object, const struct itp_node_stats *stats,
			 const enum itp_node_field *fields, size_t count);
/* Times on a CPU, blocked and waiting for one, with `prefix` ("", "own_") in front of their keys.
 */
void itp_json_set_use(json_t *object, const char *prefix, const struct itp_time_use *use);

#endif
