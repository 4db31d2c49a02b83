/* SPDX-License-Identifier: MIT */
/*
 * See hash.h. The polynomials are over the numbers modulo the prime 2⁶¹ − 1 (Carter and Wegman,
 * "Universal classes of hash functions", 1979): two different texts of n bytes have the same value
 * at n of 2⁶¹ points at most.
 */
#include "common/hash.h"

#include <string.h>
#include <sys/auxv.h>

#define PRIME_BITS 61
#define PRIME ((UINT64_C(1) << PRIME_BITS) - 1)
/* The lowest bits of a value are left out. */
#define KEPT_SHIFT 16

/* Below 2 · PRIME. */
static uint64_t reduce(uint64_t value)
{
	return (value & PRIME) + (value >> PRIME_BITS);
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return reduce((uint64_t)(product & PRIME) + (uint64_t)(product >> PRIME_BITS));
}

/* From the random bytes that the kernel gives each process. */
static uint64_t find_point(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t point = UINT64_C(0x9e3779b97f4a7c15);

	if (random) {
		memcpy(&point, random, sizeof(point));
	}
	return reduce(point) | 1u << KEPT_SHIFT;
}

static guint finish(uint64_t value, uint64_t point)
{
	return (guint)(multiply(value, point) >> KEPT_SHIFT);
}

guint itp_hash_number(gconstpointer number)
{
	uint64_t point = find_point();
	uint64_t key = GPOINTER_TO_SIZE(number);

	return finish(multiply(key >> 32, point) + (uint32_t)key, point);
}

guint itp_hash_bytes(const void *bytes, size_t size)
{
	const guchar *byte = bytes;
	uint64_t point = find_point();
	uint64_t value = reduce(size);

	for (size_t i = 0; i < size; i++) {
		value = multiply(value, point) + byte[i];
	}
	return finish(value, point);
}

guint itp_hash_text(gconstpointer text)
{
	return itp_hash_bytes(text, strlen(text));
}

GHashTable *itp_texts_new(void)
{
	return g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
}

const char *itp_texts_intern(GHashTable *texts, const char *text)
{
	gpointer known;

	if (!g_hash_table_lookup_extended(texts, text, &known, NULL)) {
		known = g_strdup(text);
		g_hash_table_add(texts, known);
	}
	return known;
}
