/* SPDX-License-Identifier: MIT */
/* Valleys between two modes of a histogram. */
#include <glib.h>

#include "common/unit/modes.h"

/* 36 fewer than 50, by √64 deviations each, are 4.5; 30 fewer, by √70, are 3.6. */
static void test_a_valley_is_four_deviations_deep(void)
{
	static const uint64_t deep[] = { 50, 14, 50 };
	static const uint64_t flat[] = { 50, 20, 50 };

	g_assert_cmpuint(itp_modes_valley(deep, G_N_ELEMENTS(deep), 1), ==, 1);
	g_assert_cmpuint(itp_modes_valley(flat, G_N_ELEMENTS(flat), 1), ==, 0);
}

static void test_modes_may_have_to_be_apart(void)
{
	static const uint64_t near[] = { 50, 0, 50 };

	g_assert_cmpuint(itp_modes_valley(near, G_N_ELEMENTS(near), 2), ==, 1);
	g_assert_cmpuint(itp_modes_valley(near, G_N_ELEMENTS(near), 3), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/modes/a valley is four deviations deep",
			test_a_valley_is_four_deviations_deep);
	g_test_add_func("/modes/modes may have to be apart", test_modes_may_have_to_be_apart);
	return g_test_run();
}
