/* SPDX-License-Identifier: MIT */
/* What runs are assumed to differ by, as ticks of both show it: what varies within them, and what
 * most functions have in common. */
#include <math.h>

#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)
#define US2_PER_MS2 UINT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };

/* Time on the CPU, by as many ticks of a millisecond, of which the number varies by so much. */
static struct itp_node_stats *tick(struct comparison *comparison, struct itp_profile *profile,
				   const char *stack, int64_t own_ms)
{
	struct itp_node_stats *stats = comparison_set(comparison, profile, stack, 1, own_ms * MS);

	stats->samples = (uint64_t)own_ms;
	stats->own_variance_us2 = (uint64_t)own_ms * US2_PER_MS2;
	profile->workload.counts.timer_samples += stats->samples;
	return stats;
}

static void tick_both(struct comparison *comparison, const char *stack, int64_t base_ms,
		      int64_t suspect_ms)
{
	tick(comparison, comparison->base[0], stack, base_ms);
	tick(comparison, comparison->suspect[0], stack, suspect_ms);
}

static void set_uneven(struct comparison *comparison, struct itp_profile *profile,
		       const char *stack, uint64_t uneven_ticks2)
{
	comparison_node(comparison, profile, stack)->uneven_ticks2 = uneven_ticks2;
}

/* Of the path to `culprit`. */
static struct itp_significance judge(const struct comparison *comparison, const char *culprit)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);
	struct itp_significance significance = { .score = NAN };

	for (guint i = 0; i < ranking->paths->len; i++) {
		if (g_strcmp0(comparison_culprit(ranking, i), culprit) == 0) {
			significance = comparison_path(ranking, i)->significance;
		}
	}
	itp_ranking_free(ranking);
	return significance;
}

/* walk() took 1000 and 1400 ms, 4 % of which are 69 ms. Blocks of one run show that it varies by
 * 100 ticks there; as if one of four told, by 200: 20 % more of either. */
static void test_what_varies_within_a_run_varies_between_runs(struct comparison *comparison,
							      gconstpointer data)
{
	struct itp_significance significance;

	(void)data;
	tick_both(comparison, "main walk", 1000, 1400);
	significance = judge(comparison, "walk");
	g_assert_cmpfloat_with_epsilon(significance.spread, 0.04, 1e-9);
	g_assert_cmpint(significance.verdict, ==, ITP_VERDICT_SURE);
	set_uneven(comparison, comparison->base[0], "main walk", 100 * 100);
	significance = judge(comparison, "walk");
	g_assert_cmpfloat_with_epsilon(significance.spread, hypot(0.04, 0.2), 1e-9);
	g_assert_cmpint(significance.verdict, ==, ITP_VERDICT_CHANCE);
	/* The other run shows less of it. */
	set_uneven(comparison, comparison->suspect[0], "main walk", 1);
	significance = judge(comparison, "walk");
	g_assert_cmpfloat_with_epsilon(significance.spread, hypot(0.04, 0.2), 1e-9);
}

/* f() took 30 % longer and h() shorter, as they may if they vary by 20 % in each run; what took
 * twice as long beside them does not. */
static void test_what_varies_by_itself_tells_nothing_of_others(struct comparison *comparison,
							       gconstpointer data)
{
	static const char *const functions[] = { "main f", "main g", "main h" };
	static const int64_t suspect_ms[] = { 1300, 1000, 770 };

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
		tick_both(comparison, functions[i], 1000, suspect_ms[i]);
	}
	tick_both(comparison, "main slower", 2000, 4000);
	g_assert_cmpfloat(judge(comparison, "slower").spread, >, 0.1);
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
		set_uneven(comparison, comparison->base[0], functions[i], 100 * 100);
		set_uneven(comparison, comparison->suspect[0], functions[i], 100 * 100);
	}
	g_assert_cmpfloat_with_epsilon(judge(comparison, "slower").spread, 0.04, 1e-9);
	g_assert_cmpint(judge(comparison, "slower").verdict, ==, ITP_VERDICT_SURE);
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
	add("what varies within a run varies between runs",
	    test_what_varies_within_a_run_varies_between_runs);
	add("what varies by itself tells nothing of others",
	    test_what_varies_by_itself_tells_nothing_of_others);
	return g_test_run();
}
