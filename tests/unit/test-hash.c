/* SPDX-License-Identifier: MIT */
/*
 * Keys that have one value in GLib's hashes have different ones in ours. No clock is needed: that
 * is what makes a table fast.
 */
#include "common/base/hash.h"

#define KEYS 100000u
/* Of so many keys one or two meet by chance; where the point makes two meet, others at the same
 * distance from each other do, too. */
#define MEET_MOST (KEYS / 20)
#define PAIRS 16

static void add_value(GHashTable *values, guint value)
{
	g_hash_table_add(values, GUINT_TO_POINTER(value));
}

/* Whether the values are of KEYS different keys. */
static void assert_spread(GHashTable *values, guint keys)
{
	g_assert_cmpuint(g_hash_table_size(values), >=, keys - MEET_MOST);
}

/* Functions that are numbered as they come, and what they go with besides them. g_int64_hash() of
 * newer GLibs takes them for one. */
static void test_pairs_side_by_side(void)
{
	g_autoptr(GHashTable) values = g_hash_table_new(NULL, NULL);

	for (uint32_t i = 0; i < KEYS; i++) {
		add_value(values, itp_hash_number(itp_pair(2 * i, 2 * i + 1)));
	}
	assert_spread(values, KEYS);
}

static void test_all_pairs_of_few(void)
{
	g_autoptr(GHashTable) values = g_hash_table_new(NULL, NULL);

	for (uint32_t high = 0; high < KEYS / 100; high++) {
		for (uint32_t low = 0; low < 100; low++) {
			add_value(values, itp_hash_number(itp_pair(high, low)));
		}
	}
	assert_spread(values, KEYS);
}

/* g_direct_hash(), and g_int64_hash() of older GLibs, have the lower half of a number only. */
static void test_numbers_with_one_lower_half(void)
{
	g_autoptr(GHashTable) values = g_hash_table_new(NULL, NULL);

	for (uint32_t i = 0; i < KEYS; i++) {
		add_value(values, itp_hash_number(itp_pair(i, 7)));
	}
	assert_spread(values, KEYS);
}

/* Values in a table of 2^17 slots, whose size for GLib is a prime. */
static void test_multiples_of_a_table(void)
{
	g_autoptr(GHashTable) slots = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < KEYS; i++) {
		gpointer key = GSIZE_TO_POINTER((gsize)i * 131071);

		add_value(slots, itp_hash_number(key) * 11 % 131071);
	}
	/* As many as balls thrown at random find empty slots. */
	g_assert_cmpuint(g_hash_table_size(slots), >=, KEYS / 2);
}

/* g_str_hash() takes "Ez" for "FY", wherever they stand. */
static void test_texts_of_one_value(void)
{
	g_autoptr(GHashTable) values = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < 1u << PAIRS; i++) {
		char text[2 * PAIRS + 1] = "";

		for (guint bit = 0; bit < PAIRS; bit++) {
			text[2 * bit] = i >> bit & 1 ? 'E' : 'F';
			text[2 * bit + 1] = i >> bit & 1 ? 'z' : 'Y';
		}
		add_value(values, itp_hash_text(text));
	}
	assert_spread(values, 1u << PAIRS);
}

static void test_texts_are_kept_once(void)
{
	g_autoptr(GHashTable) texts = itp_texts_new();
	char text[] = "module";
	const char *kept = itp_texts_intern(texts, text);

	g_assert_cmpstr(kept, ==, "module");
	g_assert_true(kept != text);
	g_assert_true(itp_texts_intern(texts, "module") == kept);
	g_assert_cmpstr(itp_texts_intern(texts, ""), ==, "");
}

static void test_pairs_are_their_halves(void)
{
	gpointer pair = itp_pair(UINT32_MAX, 3);

	g_assert_cmpuint(itp_pair_high(pair), ==, UINT32_MAX);
	g_assert_cmpuint(itp_pair_low(pair), ==, 3);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/hash/pairs whose halves grow together do not meet",
			test_pairs_side_by_side);
	g_test_add_func("/hash/all pairs of few numbers do not meet", test_all_pairs_of_few);
	g_test_add_func("/hash/numbers with one lower half do not meet",
			test_numbers_with_one_lower_half);
	g_test_add_func("/hash/multiples of a table's size find different slots",
			test_multiples_of_a_table);
	g_test_add_func("/hash/names that are one for GLib do not meet", test_texts_of_one_value);
	g_test_add_func("/hash/equal texts are kept once", test_texts_are_kept_once);
	g_test_add_func("/hash/a pair gives its halves back", test_pairs_are_their_halves);
	return g_test_run();
}
