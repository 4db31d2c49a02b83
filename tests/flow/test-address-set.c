/* SPDX-License-Identifier: MIT */
/*
 * Sets of addresses, held against a table that says for each address whether it was added.
 */
#include "common/control-flow/address-set.h"

#define ROUNDS 200
#define MAX_SIZE 200000
#define QUESTIONS 2000

static uint64_t number_until(GRand *random, uint64_t limit)
{
	return (uint64_t)(g_rand_double(random) * (double)limit);
}

static bool any_of(const bool *added, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++) {
		if (added[i]) {
			return true;
		}
	}
	return false;
}

/* Most ranges are short, as functions are. */
static void ask(const struct itp_address_set *set, const bool *added, uint64_t start, uint64_t size,
		GRand *random)
{
	uint64_t from = number_until(random, size);
	uint64_t longest = g_rand_boolean(random) ? 200 : size;
	uint64_t behind = from + number_until(random, longest);
	uint64_t to = MIN(size, behind);
	const struct itp_flow_range range = { start + from, start + to };

	g_assert_cmpint(itp_address_set_has(set, start + from), ==, added[from]);
	g_assert_cmpint(itp_address_set_has_any(set, range), ==, any_of(added, from, to));
}

static void test_random(void)
{
	GRand *random = g_rand_new_with_seed(1);

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t size = 1 + number_until(random, round % 2 == 0 ? MAX_SIZE : 300);
		uint64_t start = number_until(random, UINT64_C(1) << 47);
		uint64_t count = number_until(random, size / 20 + 2);
		g_autofree bool *added = g_new0(bool, size);
		struct itp_address_set *set =
			itp_address_set_new((struct itp_flow_range){ start, start + size });

		for (uint64_t i = 0; i < count; i++) {
			uint64_t address = number_until(random, size);

			added[address] = true;
			itp_address_set_add(set, start + address);
		}
		for (int i = 0; i < QUESTIONS; i++) {
			ask(set, added, start, size, random);
		}
		itp_address_set_free(set);
	}
	g_rand_free(random);
}

static void test_outside(void)
{
	const struct itp_flow_range all = { 0, UINT64_MAX };
	const struct itp_flow_range before = { 0, 0x1000 };
	const struct itp_flow_range behind = { 0x2000, UINT64_MAX };
	struct itp_address_set *set =
		itp_address_set_new((struct itp_flow_range){ 0x1000, 0x2000 });

	itp_address_set_add(set, 0);
	itp_address_set_add(set, 0xfff);
	itp_address_set_add(set, 0x2000);
	itp_address_set_add(set, UINT64_MAX);
	g_assert_false(itp_address_set_has_any(set, all));
	itp_address_set_add(set, 0x1000);
	itp_address_set_add(set, 0x1fff);
	g_assert_true(itp_address_set_has_any(set, all));
	g_assert_false(itp_address_set_has_any(set, before));
	g_assert_false(itp_address_set_has_any(set, behind));
	g_assert_false(itp_address_set_has(set, 0x2000));
	g_assert_true(itp_address_set_has(set, 0x1fff));
	itp_address_set_free(set);
}

static void test_memory(void)
{
	/* Half a gigabyte, if every address had its bit. */
	struct itp_address_set *set =
		itp_address_set_new((struct itp_flow_range){ 0, UINT64_C(1) << 32 });
	size_t empty = itp_address_set_bytes(set);

	itp_address_set_add(set, 5);
	itp_address_set_add(set, 6);
	itp_address_set_add(set, (UINT64_C(1) << 32) - 1);
	g_assert_cmpuint(empty, <, 1024 * 1024);
	g_assert_cmpuint(itp_address_set_bytes(set), <, empty + 20000);
	itp_address_set_free(set);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/address-set/the same as a table", test_random);
	g_test_add_func("/address-set/what lies outside is not in it", test_outside);
	g_test_add_func("/address-set/memory only where addresses are", test_memory);
	return g_test_run();
}
