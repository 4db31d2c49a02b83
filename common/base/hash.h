/* SPDX-License-Identifier: MIT */
/*
 * Hashes for GHashTable where the input decides what the keys are.
 *
 * g_int64_hash() has the lower half of a key or the XOR of both halves, depending on GLib's
 * version, and everybody can find strings that are one for g_str_hash(). So the functions, names or
 * threads of a recording can have one value, by chance or on purpose, and what takes a second takes
 * hours. These are polynomials at a point that is another one in each process: two keys meet by
 * chance only, whoever has chosen them. So a table is walked in another order each time, and
 * nothing may depend on that.
 */
#ifndef ITP_BASE_HASH_H
#define ITP_BASE_HASH_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_STATIC_ASSERT(sizeof(gpointer) == sizeof(uint64_t));

/* Two numbers as one key, which takes no memory. Keys are compared by g_direct_equal(), that is
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

/* Of a pair, or of any number that was made a pointer. */
guint itp_hash_number(gconstpointer number);

/* Of a string, for g_str_equal(). */
guint itp_hash_text(gconstpointer text);

guint itp_hash_bytes(const void *bytes, size_t size);

/* A set of strings, each of which is kept once. Free with g_hash_table_unref(). */
GHashTable *itp_texts_new(void);
/* The copy of `text` in `texts`, which owns it. */
const char *itp_texts_intern(GHashTable *texts, const char *text);

#endif
