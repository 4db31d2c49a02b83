/* SPDX-License-Identifier: MIT */
/* What functions do elsewhere, in gaps of two contexts of one function, worked out by hand. */
#include "tests/unit/gaps.h"

/* A gap between two system calls of A, at `a`, with so many ticks in it and in B, at `b`. */
static void add_gap(struct gaps *gaps, int64_t cpu_ns, uint32_t a, int a_ticks, uint32_t b,
		    int b_ticks)
{
	gaps_begin(gaps, a, cpu_ns);
	gaps_tick(gaps, a, a_ticks);
	gaps_tick(gaps, b, b_ticks);
	gaps_end(gaps, a);
}

static int64_t told_ns(const struct gaps *gaps, uint32_t node)
{
	return gaps_told_of(gaps, node).cpu_ns;
}

static void test_few_ticks_are_helped_by_those_elsewhere(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	add_gap(gaps, 900000, gaps->a, 2, gaps->b, 6);
	add_gap(gaps, 40000, gaps->other_a, 3, gaps->other_b, 1);
	/* So that both kinds have enough. */
	add_gap(gaps, 860000, gaps->other_a, 0, gaps->other_b, 0);
	gaps_tell(gaps);
	/* With the prior A has 3.5 of 4.5 ticks below E. Elsewhere it has 2 of 8: of half a tick
	 * 1/8. */
	g_assert_cmpint(told_ns(gaps, gaps->other_b), ==, 900000 * 11 / 40);
	g_assert_cmpint(told_ns(gaps, gaps->other_a), ==, -900000 * 11 / 40);
	/* Below p 2.5 of 8.5, and elsewhere 3 of 4. */
	g_assert_cmpint(told_ns(gaps, gaps->b), ==, 900000 * 49 / 72);
	g_assert_cmpint(told_ns(gaps, gaps->a), ==, -900000 * 49 / 72);
}

static void test_many_ticks_outweigh_those_elsewhere(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	add_gap(gaps, 201000, gaps->a, 2, gaps->b, 6);
	add_gap(gaps, 201000, gaps->other_a, 150, gaps->other_b, 50);
	gaps_tell(gaps);
	/* 50 and 3/8 of 201. */
	g_assert_cmpint(told_ns(gaps, gaps->other_b), ==, 50375);
	g_assert_cmpint(told_ns(gaps, gaps->other_a), ==, -50375);
}

static void test_nothing_goes_where_a_kind_has_nothing(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	add_gap(gaps, 40000, gaps->a, 2, gaps->b, 6);
	add_gap(gaps, 40000, gaps->other_a, 4, gaps->other_b, 0);
	gaps_tell(gaps);
	g_assert_cmpint(told_ns(gaps, gaps->other_b), ==, 0);
	g_assert_cmpint(told_ns(gaps, gaps->other_a), ==, 0);
}

static void test_other_kinds_of_one_context_are_elsewhere_too(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	add_gap(gaps, 900000, gaps->a, 2, gaps->b, 6);
	itp_gap_log_begin(&gaps->log, gaps->a, ITP_GAP_EDGE_SWITCH);
	itp_gap_log_give(&gaps->log, gaps->a, 900000);
	gaps_tick(gaps, gaps->a, 3);
	gaps_tick(gaps, gaps->b, 1);
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	/* The two kinds are those of the first test. */
	g_assert_cmpint(told_ns(gaps, gaps->b), ==, 900000 * 11 / 40 + 900000 * 49 / 72);
}

static void test_what_was_told_is_no_habit(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	add_gap(gaps, 40000, gaps->a, 2, gaps->b, 6);
	gaps_tell(gaps);
	add_gap(gaps, 90000, gaps->other_a, 3, gaps->other_b, 1);
	gaps_tell(gaps);
	/* 1 of 4.5. */
	g_assert_cmpint(told_ns(gaps, gaps->other_b), ==, 20000);
}

static const struct test_on_gaps tests[] = {
	{ "few ticks are helped by those elsewhere", test_few_ticks_are_helped_by_those_elsewhere },
	{ "many ticks outweigh those elsewhere", test_many_ticks_outweigh_those_elsewhere },
	{ "nothing goes where a kind has nothing", test_nothing_goes_where_a_kind_has_nothing },
	{ "other kinds of one context are elsewhere, too",
	  test_other_kinds_of_one_context_are_elsewhere_too },
	{ "what was told is no habit", test_what_was_told_is_no_habit },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	gaps_add_tests("habits", tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
