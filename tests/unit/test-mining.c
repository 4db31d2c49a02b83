/* SPDX-License-Identifier: MIT */
/*
 * What patterns cost at least, if nobody says, and where there are too many.
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

/* Each of eight functions is in a stack of its own: as many patterns. */
static void fill_stacks(struct itp_mining *mining)
{
	for (int64_t i = 1; i <= 8; i++) {
		g_autofree char *name = g_strdup_printf("work_%d", (int)i);
		const struct itp_function function = { .name = name,
						       .module = "shop",
						       .build_id = "" };
		struct itp_stack_set *set = &mining->sets[ITP_MINE_RUNNING];

		itp_stack_set_add(set,
				  itp_context_tree_child(
					  set->tree, ITP_CONTEXT_ROOT,
					  itp_function_table_intern(mining->functions, &function)),
				  i, 1, 0);
	}
}

/* Up to five patterns: those of 1 or more are too many, and those of 2; those of 4 are five. */
static void test_a_limit_that_is_given_up(void)
{
	const struct itp_mining_options options = { .patterns = { .least_ns = 1,
								  .max_candidates = 6 } };
	struct itp_stack_statistics *statistics;
	struct itp_mining mining;
	struct itp_mined mined;

	itp_mining_init(&mining);
	fill_stacks(&mining);
	statistics = itp_mining_statistics(&mining);
	itp_mined_init(&mined, &mining, ITP_MINE_RUNNING, statistics, &options);
	g_assert_cmpint(mined.asked_ns, ==, 1);
	g_assert_cmpint(mined.least_ns, ==, 4);
	g_assert_false(mined.patterns.is_incomplete);
	g_assert_cmpuint(mined.patterns.list->len, ==, 5);
	itp_mined_release(&mined);
	itp_stack_statistics_free(statistics);
	itp_mining_release(&mining);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/mining/of few symptoms, half of one or a hundredth", test_few_symptoms);
	g_test_add_func("/mining/of many symptoms, two of them", test_many_symptoms);
	g_test_add_func("/mining/of many stacks, no less than a two-hundredth", test_many_stacks);
	g_test_add_func(
		"/mining/where there are too many patterns, all of twice the cost are found",
		test_a_limit_that_is_given_up);
	return g_test_run();
}
