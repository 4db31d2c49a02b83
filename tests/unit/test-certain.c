/* SPDX-License-Identifier: MIT */
/* Differences that nobody takes for chance, and that no verdict may call so. */
#include <string.h>

#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)
#define US2_PER_MS2 UINT64_C(1000000)

static const struct itp_ranking_options usual = { .folds = true, .spread = 0.03 };

/* As a timer of 997 Hz sees it: a thousand ticks and more, of which the number has their root as
 * its standard deviation. */
static void sampled(struct comparison *comparison, struct itp_profile *profile, const char *stack,
		    int64_t own_ms)
{
	struct itp_node_stats *stats = comparison_set(comparison, profile, stack, 1, own_ms * MS);

	stats->samples = (uint64_t)own_ms;
	stats->own_variance_us2 = (uint64_t)own_ms * US2_PER_MS2;
}

static void test_one_long_call_is_no_noise(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	sampled(comparison, comparison->base[0], "main heavy", 1180);
	sampled(comparison, comparison->suspect[0], "main heavy", 3700);
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpuint(ranking->significant_count, ==, 1);
	g_assert_cmpfloat(comparison_path(ranking, 0)->significance.score, >, 4);
	g_assert_false(itp_significance_is_chance(&ranking->whole));
	itp_ranking_free(ranking);

	/* On a machine that cannot be busier, and beside a second good run. */
	sampled(comparison, comparison->base[1], "main heavy", 1230);
	ranking = comparison_rank(
		comparison, &(struct itp_ranking_options){ .folds = true, .spread = 0.15 }, true);
	g_assert_cmpuint(ranking->significant_count, ==, 1);
	itp_ranking_free(ranking);
}

static void test_one_long_wait_is_no_noise(struct comparison *comparison, gconstpointer data)
{
	struct itp_node_stats *stats;
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->base[0], "main send", 100, 100 * MS);
	comparison_block(comparison, comparison->suspect[0], "main send", 100, 3099 * MS);
	stats = comparison_node(comparison, comparison->base[0], "main send");
	stats->max_ns = MS;
	/* 99 of a millisecond, and one of three seconds. */
	stats = comparison_node(comparison, comparison->suspect[0], "main send");
	stats->square_sum_low = (uint64_t)((3000 * MS) * (3000 * MS) + 99 * MS * MS);
	stats->max_ns = 3000 * MS;
	stats->histogram[20] = 99;
	stats->histogram[32] = 1;
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpuint(ranking->significant_count, ==, 1);
	itp_ranking_free(ranking);
}

/* Causes slower by seconds come before ones that wait a little less often. */
static void test_a_small_gain_does_not_hide_a_loss(struct comparison *comparison,
						   gconstpointer data)
{
	static const char *const passes[] = { "main parse", "main expand", "main emit" };
	struct itp_ranking *ranking;

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(passes); i++) {
		sampled(comparison, comparison->base[0], passes[i], 500);
		sampled(comparison, comparison->suspect[0], passes[i], 500 + 30 * (int64_t)i);
	}
	sampled(comparison, comparison->base[0], "main optimise", 1200);
	sampled(comparison, comparison->suspect[0], "main optimise", 7000);
	comparison_block(comparison, comparison->base[0], "main wait __schedule", 3, 230 * MS);
	/* Of 200, 20 and 10 ms. */
	comparison_node(comparison, comparison->base[0], "main wait __schedule")->square_sum_low =
		(uint64_t)(40500 * MS * MS);
	comparison_block(comparison, comparison->suspect[0], "main wait __schedule", 3, 23 * MS);
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "optimise");
	g_assert_cmpuint(ranking->significant_count, ==, 1);
	itp_ranking_free(ranking);
}

static void test_functions_are_judged_by_all_that_they_call(struct comparison *comparison,
							    gconstpointer data)
{
	const struct itp_ranking_options options = { .by = ITP_RANK_BY_FUNCTION, .spread = 0.03 };
	struct itp_ranking *ranking;

	(void)data;
	sampled(comparison, comparison->base[0], "main outer inner", 1000);
	sampled(comparison, comparison->suspect[0], "main outer inner", 2000);
	sampled(comparison, comparison->base[0], "main other", 1000);
	sampled(comparison, comparison->suspect[0], "main other", 1010);
	ranking = comparison_rank(comparison, &options, true);
	for (guint i = 0; i < ranking->rows->len; i++) {
		const struct itp_ranked_row *row =
			&g_array_index(ranking->rows, struct itp_ranked_row, i);
		const char *name = itp_function_table_get(ranking->functions, row->function)->name;

		g_assert_cmpint(itp_significance_is_chance(&row->significance), ==,
				strcmp(name, "other") == 0);
	}
	itp_ranking_free(ranking);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/certain/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("one long call is no noise", test_one_long_call_is_no_noise);
	add("one long wait is no noise", test_one_long_wait_is_no_noise);
	add("a small gain does not hide a loss", test_a_small_gain_does_not_hide_a_loss);
	add("functions are judged by all that they call",
	    test_functions_are_judged_by_all_that_they_call);
	return g_test_run();
}
