/* SPDX-License-Identifier: MIT */
/*
 * Hashes for GHashTable where the input decides the keys.
 *
 * g_int64_hash() is the lower half of a key or the XOR of both halves, depending on GLib's version,
 * and strings of equal g_str_hash() are easy to find. Functions, names or threads of a recording
 * can share a value then, by chance or on purpose, and a second's work takes hours. These hashes
 * are polynomials at a point drawn anew in each process: two keys meet by chance only, whoever has
 * chosen them. Order of tables differs from run to run, and nothing may depend on it.
 */
#ifndef ITP_BASE_HASH_H
#define ITP_BASE_HASH_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_STATIC_ASSERT(sizeof(gpointer) == sizeof(uint64_t));

/* Two numbers as a single key without memory. Keys are compared by g_direct_equal(), that is
 * NULL. */
static inline gpointer itp_pair(uint32_t high, uint32_t low)
{
	return GSIZE_TO_POINTER((gsize)high << 32 | low);
}

static inline uint32_t itp_pair_high(gconstpointer pair)
{
	return (uint32_t)(GPOINTER_TO_SIZE(pair) >> 32);
}

static inline uint32_t itp_pair_low(gconstpointer pair)
{
	return (uint32_t)GPOINTER_TO_SIZE(pair);
}

/* Hash of a pair, or of any number made a pointer. */
guint itp_hash_number(gconstpointer number);

/* Of a string, for g_str_equal(). */
guint itp_hash_text(gconstpointer text);

guint itp_hash_bytes(const void *bytes, size_t size);

/* Value of `key`; `size` zeroes where it is new. For tables that free their values by g_free(). */
void *itp_value_at(GHashTable *table, gpointer key, size_t size);

/* Set of strings, each kept once. Free with g_hash_table_unref(). */
GHashTable *itp_texts_new(void);
/* The copy of `text` in `texts`, which owns it. */
const char *itp_texts_intern(GHashTable *texts, const char *text);

#endif
