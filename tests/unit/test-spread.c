/* SPDX-License-Identifier: MIT */
/* Spread: how much most functions of two workloads differ by. */
#include <math.h>

#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)
#define US2_PER_MS2 UINT64_C(1000000)

static void assert_near(double value, double expected, double most)
{
	g_assert_cmpfloat_with_epsilon(value, expected, most);
}

/* Spread of functions that take 100 ms in the base, by so many ticks each; 0: exact times. */
static double spread_by_ticks(struct comparison *comparison, const int64_t *suspect_ms,
			      const char *const *functions, size_t count, uint64_t ticks)
{
	const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };
	struct itp_profile *profiles[] = { comparison->suspect[0], comparison->base[0] };
	struct itp_ranking *ranking;
	double spread;

	for (size_t i = 0; i < count; i++) {
		comparison_set(comparison, comparison->suspect[0], functions[i], 1,
			       suspect_ms[i] * MS);
		comparison_set(comparison, comparison->base[0], functions[i], 1, 100 * MS);
	}
	for (size_t side = 0; side < G_N_ELEMENTS(profiles); side++) {
		profiles[side]->workload.counts.timer_samples = 1000;
		for (size_t i = 0; i < count; i++) {
			struct itp_node_stats *stats =
				comparison_node(comparison, profiles[side], functions[i]);

			stats->samples = ticks > 0 ? ticks : 100;
			stats->own_variance_us2 = ticks > 0 ? 100 * 100 * US2_PER_MS2 / ticks : 0;
		}
	}
	ranking = comparison_rank(comparison, &options, true);
	spread = ranking->spread;
	itp_ranking_free(ranking);
	return spread;
}

/* The median function by 5 % makes √(0.0488² / 0.4549 / 2) = 5.1 %, 10 % makes 10 %; one that is
 * much slower alone makes nothing, and two functions say nothing. The largest difference does not
 * count. */
static void test_what_most_functions_differ_by_makes_less_sure(struct comparison *comparison,
							       gconstpointer data)
{
	static const char *const functions[] = { "main f", "main g", "main h", "main i" };

	(void)data;
	assert_near(spread_by_ticks(comparison, (const int64_t[]){ 900, 105, 105, 105 }, functions,
				    4, 0),
		    hypot(0.04, 0.0511), 1e-3);
	assert_near(spread_by_ticks(comparison, (const int64_t[]){ 900, 110, 110, 110 }, functions,
				    4, 0),
		    hypot(0.04, 0.0998), 1e-3);
	assert_near(spread_by_ticks(comparison, (const int64_t[]){ 900, 300, 100, 100 }, functions,
				    4, 0),
		    0.04, 1e-9);
}

/* Twenty ticks make functions differ by 32 %, if nothing does: 26 % is no proof of anything. */
static void test_few_ticks_tell_little(struct comparison *comparison, gconstpointer data)
{
	static const char *const functions[] = { "main f", "main g", "main h", "main i" };
	static const int64_t differing[] = { 900, 130, 130, 130 };

	(void)data;
	assert_near(spread_by_ticks(comparison, differing, functions, 4, 20), 0.04, 1e-9);
	/* 34 leave 0.105 of what they differ by, squared: 1.8 standard errors. 45 leave 0.116, and
	 * all beyond 2 of 0.0452 is proved: √(0.0257 / 2). */
	assert_near(spread_by_ticks(comparison, differing, functions, 4, 34), 0.04, 1e-9);
	assert_near(spread_by_ticks(comparison, differing, functions, 4, 45), hypot(0.04, 0.1134),
		    1e-3);
	assert_near(spread_by_ticks(comparison, differing, functions, 4, 2000), 0.15, 1e-9);
}

/* A client waits for what got slower, and for longer: it is that which tells nothing of the others.
 */
static void test_waits_do_not_hide_what_got_slower(struct comparison *comparison,
						   gconstpointer data)
{
	static const char *const functions[] = { "serve answer", "main f", "main g" };

	(void)data;
	comparison_block(comparison, comparison->suspect[0], "main ask", 100, 900 * MS);
	assert_near(
		spread_by_ticks(comparison, (const int64_t[]){ 150, 119, 100 }, functions, 3, 2000),
		0.04, 1e-9);
}

/* Of f, g and h, with 11 ticks of h and thousands of the others, h is the middle one. */
static void test_the_middle_function_may_have_few_ticks(struct comparison *comparison,
							gconstpointer data)
{
	static const char *const functions[] = { "main culprit", "main f", "main g", "main h" };
	struct itp_profile *profiles[] = { comparison->suspect[0], comparison->base[0] };
	const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };
	struct itp_ranking *ranking;

	(void)data;
	spread_by_ticks(comparison, (const int64_t[]){ 900, 190, 101, 130 }, functions, 4, 2000);
	for (size_t side = 0; side < G_N_ELEMENTS(profiles); side++) {
		struct itp_node_stats *stats =
			comparison_node(comparison, profiles[side], "main h");

		stats->samples = 11;
		stats->own_variance_us2 = 100 * 100 * US2_PER_MS2 / 11;
	}
	ranking = comparison_rank(comparison, &options, true);
	assert_near(ranking->spread, 0.04, 1e-9);
	itp_ranking_free(ranking);
}

static void test_too_few_functions_tell_nothing(struct comparison *comparison, gconstpointer data)
{
	static const char *const functions[] = { "main f", "main g" };

	(void)data;
	assert_near(spread_by_ticks(comparison, (const int64_t[]){ 100, 150 }, functions, 2, 0),
		    0.04, 1e-9);
}

/* Ten percent that most functions differ by, exactly, with so many ticks of each. */
static double spread_of_ticks(struct comparison *comparison, size_t functions, uint64_t ticks)
{
	static const char *const names[] = { "main culprit", "main f", "main g", "main h" };
	struct itp_profile *profiles[] = { comparison->suspect[0], comparison->base[0] };
	const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };
	struct itp_ranking *ranking;
	double spread;

	spread_by_ticks(comparison, (const int64_t[]){ 900, 110, 110, 110 }, names, functions, 0);
	for (size_t side = 0; side < G_N_ELEMENTS(profiles); side++) {
		for (size_t i = 0; i < functions; i++) {
			comparison_node(comparison, profiles[side], names[i])->samples = ticks;
		}
	}
	ranking = comparison_rank(comparison, &options, true);
	spread = ranking->spread;
	itp_ranking_free(ranking);
	return spread;
}

static void test_three_functions_of_ten_ticks_tell(struct comparison *comparison,
						   gconstpointer data)
{
	(void)data;
	assert_near(spread_of_ticks(comparison, 4, 12), hypot(0.04, 0.0998), 1e-3);
	assert_near(spread_of_ticks(comparison, 4, 8), 0.04, 1e-9);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	/* Two beside the culprit. */
	assert_near(spread_of_ticks(comparison, 3, 12), 0.04, 1e-9);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/spread/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("what most functions differ by makes less sure",
	    test_what_most_functions_differ_by_makes_less_sure);
	add("few ticks tell little", test_few_ticks_tell_little);
	add("waits do not hide what got slower", test_waits_do_not_hide_what_got_slower);
	add("the middle function may have few ticks", test_the_middle_function_may_have_few_ticks);
	add("too few functions tell nothing", test_too_few_functions_tell_nothing);
	add("three functions of ten ticks tell", test_three_functions_of_ten_ticks_tell);
	return g_test_run();
}
