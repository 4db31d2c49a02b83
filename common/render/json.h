/* SPDX-License-Identifier: MIT */
/*
 * JSON values from the core's, for all renderers that write JSON.
 *
 * Names may hold anything: what is no UTF-8 is replaced, and what a terminal would not show as one
 * character is escaped, so that it stays in the value and is not in the text. Integers beyond
 * INT64_MAX do not exist in JSON as jansson writes it; counters that large are written as
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

/* Appends `object`, of which it takes the reference, as a line, with jansson's `flags`. */
void itp_json_append_line(GString *output, json_t *object, size_t flags);

/* A new reference. */
json_t *itp_json_text(const char *text);
json_t *itp_json_unsigned(uint64_t value);

/* Add a member to `object`. Keys are ASCII. */
void itp_json_set_text(json_t *object, const char *key, const char *text);
void itp_json_set_signed(json_t *object, const char *key, int64_t value);
void itp_json_set_unsigned(json_t *object, const char *key, uint64_t value);
/* Calls that were seen and how many more there may be; null when there is no limit. */
void itp_json_set_possible(json_t *object, const char *key, uint64_t seen, uint64_t unseen);
/* Null for what is no finite number. */
void itp_json_set_real(json_t *object, const char *key, double value);
void itp_json_set_bool(json_t *object, const char *key, bool value);
void itp_json_set_null(json_t *object, const char *key);
/* So many numbers of a node, with `prefix` ("", "base_") in front of their names; 0 without
 * `stats`. */
void itp_json_set_fields(json_t *object, const char *prefix, const struct itp_node_stats *stats,
			 const enum itp_node_field *fields, size_t count);
/* Times on a CPU, blocked and waiting for one, with `prefix` ("", "own_") in front of their keys.
 */
void itp_json_set_use(json_t *object, const char *prefix, const struct itp_time_use *use);

#endif
