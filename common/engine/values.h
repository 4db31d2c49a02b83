/* SPDX-License-Identifier: MIT */
/*
 * Values of a request's parameters by name, whatever told them: options of a command, arguments of
 * a plugin of perf, parameters of a component.
 *
 * A value is a GVariant: a string of bytes "ay" (paths need not be UTF-8), an array of them "aay",
 * a boolean "b", a number "t", "x" or "d". Other types are refused by who reads them (params.h), in
 * words of their own.
 */
#ifndef ITP_ENGINE_VALUES_H
#define ITP_ENGINE_VALUES_H

#include <glib.h>
#include <stdbool.h>

/* char * → GVariant *, both owned by it. Free with g_hash_table_unref(). */
GHashTable *itp_values_new(void);
/* A map with the same values. */
GHashTable *itp_values_copy(GHashTable *values);

/* Sets a value, instead of an earlier one; takes a floating reference, as of g_variant_new(). */
void itp_values_set(GHashTable *values, const char *name, GVariant *value);
void itp_values_set_text(GHashTable *values, const char *name, const char *text);
void itp_values_set_bool(GHashTable *values, const char *name, bool is_on);
/* Appends a string to an array, made when missing. */
void itp_values_append(GHashTable *values, const char *name, const char *text);

bool itp_values_has(GHashTable *values, const char *name);
/* The string; NULL when it is missing, or something else. Weak. */
const char *itp_values_text(GHashTable *values, const char *name);
/* char *: the strings of an array, none when it is missing. Weak; free the container with
 * g_ptr_array_unref(). */
GPtrArray *itp_values_texts(GHashTable *values, const char *name);

#endif
