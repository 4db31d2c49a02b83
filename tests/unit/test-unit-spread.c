/* SPDX-License-Identifier: MIT */
/* Usual latencies of a type, and their limits, computed by hand. */
#include <glib.h>

#include "common/unit/spread.h"

/* Two units of 10 ns and two of 30: a mean of 20 with a deviation of 10, and a median of 10, from
 * which half of them are 0 and half 20 away. */
static void test_limits_are_four_deviations_above(void)
{
	struct itp_latencies *latencies = itp_latencies_new();
	struct itp_unit_type type = { .count = 4, .total_ns = 80 };

	itp_latencies_add(latencies, 0, 10, 2);
	itp_latencies_add(latencies, 0, 30, 2);
	itp_unit_type_set_spread(&type, latencies, 2 * 10 * 10 + 2 * 30 * 30);
	g_assert_cmpint(type.mean_limit_ns, ==, 20 + 4 * 10);
	g_assert_cmpint(type.median_ns, ==, 10);
	g_assert_cmpint(type.median_limit_ns, ==, 10 + 4 * 20);
	itp_latencies_free(latencies);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/unit spread/limits are four deviations above",
			test_limits_are_four_deviations_above);
	return g_test_run();
}
