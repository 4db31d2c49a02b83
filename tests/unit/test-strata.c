/* SPDX-License-Identifier: MIT */
/* Whose the CPU time of gaps was, on gaps few enough to work out by hand. */
#include "tests/unit/gaps.h"

/* What continuity.h said counts as half a tick: of 8 ticks each has two parts of 17. */
#define PART_NS 5000

static void assert_corrections_cancel(const struct gaps *gaps)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < gaps->told->len; i++) {
		sum_ns += g_array_index(gaps->told, struct itp_share, i).cpu_ns;
	}
	g_assert_cmpint(sum_ns, ==, 0);
}

static void test_ticks_divide_the_time_of_a_kind_of_gaps(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	/* In one gap of many, all of one kind. */
	gaps_begin(gaps, gaps->a, 10 * PART_NS);
	gaps_end(gaps, gaps->a);
	gaps_begin(gaps, gaps->a, 7 * PART_NS);
	gaps_tick(gaps, gaps->b, 6);
	gaps_tick(gaps, gaps->c, 2);
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	g_assert_cmpint(gaps_told_of(gaps, gaps->a).cpu_ns, ==, (1 - 17) * PART_NS);
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, ==, 12 * PART_NS);
	g_assert_cmpint(gaps_told_of(gaps, gaps->c).cpu_ns, ==, 4 * PART_NS);
	g_assert_cmpuint(gaps_told_of(gaps, gaps->b).samples, ==, 6);
	/* (85 µs)² · 12/17 · 5/17 / (8 + 1) = 166.7 */
	g_assert_cmpuint(gaps_told_of(gaps, gaps->b).variance_us2, ==, 166);
	assert_corrections_cancel(gaps);
}

static void test_a_tick_counts_for_what_it_stands(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, 17 * PART_NS);
	itp_strata_tick(gaps->strata, &gaps->log, gaps->b, 3 * 1003009.0);
	itp_strata_tick(gaps->strata, &gaps->log, gaps->c, 1003009.0);
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	/* The mean weight is 2, half of it the prior's: of 5 parts 3, 1 and 1. */
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, ==, 3 * 17 * PART_NS / 5);
	g_assert_cmpint(gaps_told_of(gaps, gaps->c).cpu_ns, ==, 17 * PART_NS / 5);
	assert_corrections_cancel(gaps);
}

static void test_kinds_that_are_too_short_are_pooled(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	/* Of 7 ticks less than 4 are expected in each. */
	gaps_begin(gaps, gaps->a, 7 * PART_NS);
	gaps_tick(gaps, gaps->b, 4);
	gaps_end(gaps, gaps->a);
	gaps_begin(gaps, gaps->a, 8 * PART_NS);
	gaps_tick(gaps, gaps->c, 3);
	gaps_end(gaps, gaps->b);
	gaps_tell(gaps);
	g_assert_cmpint(gaps_told_of(gaps, gaps->a).cpu_ns, ==, (1 - 15) * PART_NS);
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, ==, 8 * PART_NS);
	g_assert_cmpint(gaps_told_of(gaps, gaps->c).cpu_ns, ==, 6 * PART_NS);
}

static void test_kinds_that_let_expect_four_ticks_are_not(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, 18 * PART_NS);
	gaps_tick(gaps, gaps->a, 1);
	gaps_tick(gaps, gaps->b, 3);
	gaps_end(gaps, gaps->a);
	gaps_begin(gaps, gaps->a, 18 * PART_NS);
	gaps_tick(gaps, gaps->c, 5);
	gaps_end(gaps, gaps->b);
	gaps_tell(gaps);
	/* 3 of 4.5; 5 of 6, of which A has half for what was said, and half for its tick. */
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, ==, 12 * PART_NS);
	g_assert_cmpint(gaps_told_of(gaps, gaps->c).cpu_ns, ==, 15 * PART_NS);
	assert_corrections_cancel(gaps);
}

/* Whether it is pooled follows from how long a kind is: had it followed from the ticks that came,
 * the short kind, which by chance has one, would not count where there was none. */
static void test_chance_does_not_decide_what_is_pooled(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, 170 * PART_NS);
	gaps_tick(gaps, gaps->b, 8);
	gaps_end(gaps, gaps->a);
	gaps_begin(gaps, gaps->a, PART_NS);
	gaps_tick(gaps, gaps->c, 9);
	gaps_end(gaps, gaps->b);
	gaps_tell(gaps);
	/* The long kind has enough; the short one, alone in its pool, is divided 9 to a half. */
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, ==, 160 * PART_NS);
	g_assert_cmpint(gaps_told_of(gaps, gaps->c).cpu_ns, ==, 4737);
}

static void test_time_stays_within_its_system_call(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, 17 * PART_NS);
	gaps_tick(gaps, gaps->b, 8);
	gaps_end(gaps, gaps->a);
	itp_gap_log_begin(&gaps->log, gaps->call, ITP_GAP_EDGE_ENTER);
	itp_gap_log_give(&gaps->log, gaps->call, PART_NS);
	itp_strata_end_gap(gaps->strata, &gaps->log, gaps->call, ITP_GAP_EDGE_EXIT);
	gaps_tell(gaps);
	g_assert_cmpint(gaps_told_of(gaps, gaps->call).cpu_ns, ==, 0);
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, ==, 16 * PART_NS);
}

static void test_the_recorder_is_told_for_the_whole_process(struct gaps *gaps, gconstpointer data)
{
	uint32_t inside;
	uint32_t recorder;

	(void)data;
	gaps_begin(gaps, gaps->a, 17 * PART_NS);
	inside = itp_strata_recorder(gaps->strata, gaps->b);
	gaps_tick(gaps, inside, 8);
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	recorder = itp_strata_recorder(gaps->strata, gaps->process);
	g_assert_cmpint(gaps_told_of(gaps, inside).cpu_ns, ==, 0);
	g_assert_cmpint(gaps_told_of(gaps, recorder).cpu_ns, ==, 16 * PART_NS);
	g_assert_cmpuint(gaps_told_of(gaps, recorder).within, ==, gaps->b);
	assert_corrections_cancel(gaps);
}

/* Most of the gap is summed before it ends, and nothing of it is lost. */
static void test_a_gap_may_have_any_number_of_ticks(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, 0);
	for (int i = 0; i < 1000; i++) {
		itp_gap_log_give(&gaps->log, gaps->a, PART_NS);
		gaps_tick(gaps, gaps->b, 1);
	}
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	g_assert_cmpuint(gaps_told_of(gaps, gaps->b).samples, ==, 1000);
	/* 768 of them are in gaps that come back to A, and 232 in one that ends there: of both, no
	 * more than half a tick is left to A. */
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, >=, 999 * PART_NS);
	assert_corrections_cancel(gaps);
}

static void test_without_ticks_there_is_nothing_to_tell(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, 17 * PART_NS);
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	g_assert_cmpuint(gaps->told->len, ==, 0);
}

static void test_what_was_told_is_not_told_again(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, 17 * PART_NS);
	gaps_tick(gaps, gaps->b, 8);
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	gaps_tell(gaps);
	g_assert_cmpuint(gaps->told->len, ==, 0);
	gaps_begin(gaps, gaps->a, 17 * PART_NS);
	gaps_tick(gaps, gaps->c, 8);
	gaps_end(gaps, gaps->a);
	gaps_tell(gaps);
	g_assert_cmpint(gaps_told_of(gaps, gaps->b).cpu_ns, ==, 0);
	g_assert_cmpint(gaps_told_of(gaps, gaps->c).cpu_ns, ==, 16 * PART_NS);
}

/* Ticks said that B, which the stacks around such gaps do not show, is what takes time between A's
 * and C's turn: then A has called it. */
static void test_what_was_learnt_divides_gaps_without_ticks(struct gaps *gaps, gconstpointer data)
{
	(void)data;
	gaps_begin(gaps, gaps->a, PART_NS);
	itp_gap_log_give(&gaps->log, gaps->c, PART_NS);
	gaps_tick(gaps, gaps->b, 3);
	gaps_tick(gaps, gaps->c, 1);
	gaps_end(gaps, gaps->c);
	gaps_begin(gaps, gaps->a, PART_NS);
	g_assert_true(itp_strata_learnt(gaps->strata, &gaps->log, gaps->c, ITP_GAP_EDGE_ENTER));
	/* Half a tick says 1 of both. */
	g_assert_cmpfloat(itp_strata_part(gaps->strata, &gaps->log, gaps->a, 1), ==, 3.5);
	g_assert_cmpfloat(itp_strata_part(gaps->strata, &gaps->log, gaps->c, 1), ==, 1.5);
	g_assert_false(itp_strata_learnt(gaps->strata, &gaps->log, gaps->a, ITP_GAP_EDGE_ENTER));
}

static const struct test_on_gaps tests[] = {
	{ "ticks divide the time of a kind of gaps", test_ticks_divide_the_time_of_a_kind_of_gaps },
	{ "a tick counts for what it stands", test_a_tick_counts_for_what_it_stands },
	{ "kinds that are too short are pooled", test_kinds_that_are_too_short_are_pooled },
	{ "kinds that let expect four ticks are not",
	  test_kinds_that_let_expect_four_ticks_are_not },
	{ "chance does not decide what is pooled", test_chance_does_not_decide_what_is_pooled },
	{ "time stays within its system call", test_time_stays_within_its_system_call },
	{ "the recorder is told for the whole process",
	  test_the_recorder_is_told_for_the_whole_process },
	{ "a gap may have any number of ticks", test_a_gap_may_have_any_number_of_ticks },
	{ "without ticks there is nothing to tell", test_without_ticks_there_is_nothing_to_tell },
	{ "what was told is not told again", test_what_was_told_is_not_told_again },
	{ "what was learnt divides gaps without ticks",
	  test_what_was_learnt_divides_gaps_without_ticks },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	gaps_add_tests("strata", tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
