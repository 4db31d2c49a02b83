/* SPDX-License-Identifier: MIT */
/*
 * What patterns cost at least, if nobody says.
 */
#include "common/mine/mining.h"

#define COST_NS INT64_C(1000000)
#define FEW_STACKS 100000

static void test_few_symptoms(void)
{
	g_assert_cmpint(itp_mining_least(COST_NS, 0, 10), ==, 10000);
	g_assert_cmpint(itp_mining_least(COST_NS, 20, 10), ==, 10000);
	g_assert_cmpint(itp_mining_least(COST_NS, 80, 10), ==, 6250);
	g_assert_cmpint(itp_mining_least(COST_NS, 100, 10), ==, 5000);
	g_assert_cmpint(itp_mining_least(COST_NS, 400, 10), ==, 5000);
}

static void test_many_symptoms(void)
{
	g_assert_cmpint(itp_mining_least(COST_NS, 500, FEW_STACKS), ==, 4000);
	g_assert_cmpint(itp_mining_least(COST_NS, 100000, FEW_STACKS), ==, 3300);
}

static void test_many_stacks(void)
{
	g_assert_cmpint(itp_mining_least(COST_NS, 80, FEW_STACKS + 1), ==, 6250);
	g_assert_cmpint(itp_mining_least(COST_NS, 100000, FEW_STACKS + 1), ==, 5000);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/mining/of few symptoms, half of one or a hundredth", test_few_symptoms);
	g_test_add_func("/mining/of many symptoms, two of them", test_many_symptoms);
	g_test_add_func("/mining/of many stacks, no less than a two-hundredth", test_many_stacks);
	return g_test_run();
}
