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

/* Add a member to `object`. Keys are ASCII. */
void itp_json_set_text(json_t *object, const char *key, const char *text);
void itp_json_set_signed(json_t *object, const char *key, int64_t value);
void itp_json_set_unsigned(json_t *object, const char *key, uint64_t value);
/* Number of calls seen, and of further ones that may exist; null without a limit. */
void itp_json_set_possible(json_t *object, const char *key, uint64_t seen, uint64_t unseen);
/* Sets a number, null when not finite. */
void itp_json_set_real(json_t *object, const char *key, double value);
void itp_json_set_bool(json_t *object, const char *key, bool value);
void itp_json_set_null(json_t *object, const char *key);
/* Sets "inlined" of an inlined function; nothing of any other. */
void itp_json_set_inlined(json_t *object, const struct itp_function *function);
/* Sets numbers of a node, with `prefix` ("", "base_") in front of their names; 0 without
 * `stats`. */
void itp_json_set_fields(json_t *object, const char *prefix, const struct itp_node_stats *stats,
			 const enum itp_node_field *fields, size_t count);
/* Times on a CPU, blocked and waiting for one, with `prefix` ("", "own_") in front of their keys.
 */
void itp_json_set_use(json_t *object, const char *prefix, const struct itp_time_use *use);

#endif
