/* SPDX-License-Identifier: MIT */
/*
 * See hash.h. Texts are polynomials over the numbers modulo the prime 2⁶¹ − 1 (Carter and Wegman,
 * "Universal classes of hash functions", 1979): two different ones of n bytes have the same value
 * at n of 2⁶¹ points at most. Numbers, which are asked for with every event, are multiplied by the
 * point (Dietzfelbinger et al., "A reliable randomized algorithm for the closest-pair problem",
 * 1997), and mixed.
 */
#include "common/base/hash.h"

#include <string.h>
#include <sys/auxv.h>

#define PRIME_BITS 61
#define PRIME ((UINT64_C(1) << PRIME_BITS) - 1)
/* The lowest bits of a value are left out. */
#define KEPT_SHIFT 16
/* Number with an odd lower and an even upper half: halves equal to each other do not cancel out. */
#define MIXER UINT64_C(0xc4ceb9fe1a85ec53)

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

/* Odd; written once, before anybody can ask. */
static uint64_t point = UINT64_C(0x9e3779b97f4a7c15);

/* Point from the random bytes given by the kernel to each process. */
__attribute__((constructor)) static void find_point(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random) {
		memcpy(&point, random, sizeof(point));
	}
	point |= 1;
}

guint itp_hash_number(gconstpointer number)
{
	uint64_t value = GPOINTER_TO_SIZE(number) * point;

	/* Products of numbers at equal distances are at equal distances as well: every thirtieth
	 * point brought most of a hundred thousand to a third of the slots. */
	value ^= value >> 32;
	/* The highest bits of a product depend on all of the number: they go to the lowest, of
	 * which tables use as many as they need. */
	return (guint)__builtin_bswap64(value * MIXER);
}

guint itp_hash_bytes(const void *bytes, size_t size)
{
	const guchar *byte = bytes;
	uint64_t at = reduce(point);
	uint64_t value = reduce(size);

	for (size_t i = 0; i < size; i++) {
		value = multiply(value, at) + byte[i];
	}
	return (guint)(multiply(value, at) >> KEPT_SHIFT);
}

guint itp_hash_text(gconstpointer text)
{
	return itp_hash_bytes(text, strlen(text));
}

void *itp_value_at(GHashTable *table, gpointer key, size_t size)
{
	void *value = g_hash_table_lookup(table, key);

	if (!value) {
		value = g_malloc0(size);
		g_hash_table_insert(table, key, value);
	}
	return value;
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
