/* SPDX-License-Identifier: MIT */
/* One path from nearby: medians from histograms, and calls of all contexts of a culprit. */
#include <string.h>

#include "common/rank/detail.h"
#include "tests/unit/comparison.h"
#include "tests/unit/latencies.h"

#define ROUNDS 300
#define CALLS_MOST 60

static const struct itp_ranking_options folded = { .folds = true };

static void add_call(struct itp_node_stats *stats, int64_t latency_ns)
{
	test_add_latency(stats, latency_ns, latency_ns, latency_ns);
}

static void test_quantiles_of_a_few_calls(void)
{
	struct itp_node_stats stats = { 0 };

	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.5), ==, 0);
	add_call(&stats, 777);
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.5), ==, 777);
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.99), ==, 777);
	add_call(&stats, 0);
	/* Of two calls, the first one is the middle. */
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.5), ==, 0);
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.99), >=, 512);
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.99), <=, 777);
	g_assert_cmpuint(itp_node_stats_recorded(&stats), ==, 2);
}

/* 1000 to 1099 ns: 24 calls below 1024 ns, 76 from there on. The 50th call is number 25, counted
 * from 0, of these: 1024 + 75 · 51 / 152 = 1049.1. The 99th is number 74: 1024 + 75 · 149 / 152. */
static void test_calls_of_a_bucket_lie_evenly(void)
{
	struct itp_node_stats stats = { 0 };

	for (int i = 0; i < 100; i++) {
		add_call(&stats, 1000 + i);
	}
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.5), ==, 1049);
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0.99), ==, 1097);
	g_assert_cmpint(itp_node_stats_quantile(&stats, 0), ==, 1000);
	g_assert_cmpint(itp_node_stats_quantile(&stats, 1), ==, 1098);
}

static gint compare_latencies(gconstpointer a, gconstpointer b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

static void check_quantile(const struct itp_node_stats *stats, const GArray *sorted, guint percent)
{
	int64_t found_ns = itp_node_stats_quantile(stats, percent / 100.0);
	guint rank = MAX((percent * sorted->len + 99) / 100, 1);
	int64_t true_ns = g_array_index(sorted, int64_t, rank - 1);

	g_assert_cmpint(found_ns, >=, stats->min_ns);
	g_assert_cmpint(found_ns, <=, stats->max_ns);
	g_assert_cmpint(found_ns, >=, true_ns / 2);
	g_assert_cmpint(found_ns, <=, 2 * true_ns);
}

static void test_no_quantile_is_off_by_more_than_two(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(int64_t));
		struct itp_node_stats stats = { 0 };

		for (int i = g_test_rand_int_range(1, CALLS_MOST); i > 0; i--) {
			int64_t latency_ns = (int64_t)g_test_rand_int_range(0, G_MAXINT32)
					     << g_test_rand_int_range(0, 5);

			add_call(&stats, latency_ns);
			g_array_append_val(sorted, latency_ns);
		}
		g_array_sort(sorted, compare_latencies);
		for (guint percent = 0; percent <= 100; percent++) {
			check_quantile(&stats, sorted, percent);
			g_assert_cmpint(itp_node_stats_quantile(&stats, percent / 100.0), <=,
					itp_node_stats_quantile(&stats, (percent + 1) / 100.0));
		}
	}
}

/* A profile may come from anywhere. */
static void test_extremes_may_contradict_the_histogram(void)
{
	const int64_t extremes_ns[] = { INT64_MIN, -1, 0, 700, INT64_MAX };

	for (size_t bucket = 0; bucket < ITP_HISTOGRAM_BUCKETS; bucket++) {
		for (size_t i = 0; i < G_N_ELEMENTS(extremes_ns); i++) {
			for (size_t j = 0; j < G_N_ELEMENTS(extremes_ns); j++) {
				struct itp_node_stats stats = { .min_ns = extremes_ns[i],
								.max_ns = extremes_ns[j] };

				stats.histogram[bucket] = UINT32_MAX;
				g_assert_cmpint(itp_node_stats_quantile(&stats, 0.5), >=, 0);
			}
		}
	}
}

/* One call, of which own latency and total are known already. */
static void slow_call(struct comparison *comparison, struct itp_profile *profile, const char *stack,
		      int64_t latency_ns, int64_t begin_ns)
{
	struct itp_node_stats *stats = comparison_node(comparison, profile, stack);
	struct itp_node_stats call = { 0 };
	const struct itp_slow_call slow = { .node = comparison_node_id(comparison, stack),
					    .begin_ns = begin_ns,
					    .latency_ns = latency_ns };

	add_call(&call, latency_ns);
	stats->min_ns = itp_node_stats_recorded(stats) == 0 ? latency_ns :
							      MIN(stats->min_ns, latency_ns);
	stats->max_ns = MAX(stats->max_ns, latency_ns);
	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		stats->histogram[i] += call.histogram[i];
	}
	itp_slowest_add(profile->slowest, &slow);
}

static void test_a_detail_is_of_all_contexts(struct comparison *comparison, gconstpointer data)
{
	struct itp_path_detail detail;
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->suspect[0], "main a work", 2, 900);
	comparison_set(comparison, comparison->suspect[0], "main b work", 1, 500);
	slow_call(comparison, comparison->suspect[0], "main a work", 300, 10);
	slow_call(comparison, comparison->suspect[0], "main a work", 600, 20);
	slow_call(comparison, comparison->suspect[0], "main b work", 500, 15);
	slow_call(comparison, comparison->suspect[0], "main a", 1000, 5);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "work");
	itp_path_detail_init(&detail, ranking, comparison_path(ranking, 0));
	g_assert_true(detail.face == itp_path_face(comparison_path(ranking, 0)));
	g_assert_cmpuint(detail.context_count, ==, 2);
	g_assert_cmpuint(detail.suspect.calls, ==, 3);
	g_assert_cmpuint(detail.suspect.stats.count, ==, 3);
	g_assert_cmpint(detail.suspect.stats.total_ns, ==, 1400);
	g_assert_cmpint(detail.suspect.stats.min_ns, ==, 300);
	g_assert_cmpint(detail.suspect.stats.max_ns, ==, 600);
	/* 300 and 500 are in one bucket, [256, 512): 300 + 211 · 3 / 4. */
	g_assert_cmpint(detail.suspect.median_ns, ==, 458);
	g_assert_cmpuint(detail.suspect.slowest_count, ==, 3);
	g_assert_cmpint(detail.suspect.slowest[0].begin_ns, ==, 20);
	g_assert_cmpint(detail.suspect.slowest[1].begin_ns, ==, 15);
	g_assert_cmpint(detail.suspect.slowest[2].begin_ns, ==, 10);
	g_assert_cmpuint(detail.base.calls, ==, 0);
	g_assert_cmpuint(detail.base.slowest_count, ==, 0);
	itp_ranking_free(ranking);
}

/* Where each latency was kept, of all calls; the middle of three is 500: its bucket is 496 to 503.
 */
static void test_quantiles_are_fine_where_latencies_are_kept(struct comparison *comparison,
							     gconstpointer data)
{
	const int64_t latencies_ns[] = { 300, 600, 500 };
	const char *const stacks[] = { "main a work", "main a work", "main b work" };
	struct itp_profile *profile = comparison->suspect[0];
	struct itp_path_detail detail;
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, profile, "main a work", 2, 900);
	comparison_set(comparison, profile, "main b work", 1, 500);
	for (size_t i = 0; i < G_N_ELEMENTS(latencies_ns); i++) {
		slow_call(comparison, profile, stacks[i], latencies_ns[i], 10);
		itp_latencies_add(profile->latencies, comparison_node_id(comparison, stacks[i]),
				  latencies_ns[i], 1);
	}
	ranking = comparison_rank(comparison, &folded, false);
	itp_path_detail_init(&detail, ranking, comparison_path(ranking, 0));
	g_assert_true(detail.suspect.is_fine);
	g_assert_cmpint(detail.suspect.median_ns, ==, 499);
	g_assert_cmpint(detail.suspect.p99_ns, ==, 599);
	itp_ranking_free(ranking);
	/* Of one call only the histogram knows. */
	slow_call(comparison, profile, "main b work", 500, 10);
	ranking = comparison_rank(comparison, &folded, false);
	itp_path_detail_init(&detail, ranking, comparison_path(ranking, 0));
	g_assert_false(detail.suspect.is_fine);
	itp_ranking_free(ranking);
}

/* A quarter of its work counts, but no latency is a quarter of what it was. */
static void test_distributions_of_a_base_are_not_scaled(struct comparison *comparison,
							gconstpointer data)
{
	struct itp_path_detail detail;
	struct itp_ranking *ranking;

	(void)data;
	comparison->base_units[0] = 4;
	comparison_set(comparison, comparison->suspect[0], "main work", 1, 9000);
	comparison_set(comparison, comparison->base[0], "main work", 2, 800);
	slow_call(comparison, comparison->suspect[0], "main work", 9000, 7);
	slow_call(comparison, comparison->base[0], "main work", 300, 8);
	slow_call(comparison, comparison->base[0], "main work", 500, 9);
	ranking = comparison_rank(comparison, &folded, true);
	itp_path_detail_init(&detail, ranking, comparison_path(ranking, 0));
	g_assert_cmpint(detail.base.stats.total_ns, ==, 200);
	g_assert_cmpuint(detail.base.calls, ==, 2);
	g_assert_cmpint(detail.base.median_ns, ==, 350);
	g_assert_cmpint(detail.base.slowest[0].latency_ns, ==, 500);
	g_assert_cmpint(detail.suspect.median_ns, ==, 9000);
	itp_ranking_free(ranking);
}

static void test_clocks_of_runs_must_agree(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	for (size_t i = 0; i < 2; i++) {
		comparison_set(comparison, comparison->suspect[i], "main work", 1, 10);
		comparison->suspect[i]->workload.clock =
			(struct itp_clock){ .has_epoch = true, .offset_ns = 100 + (int64_t)i };
	}
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_true(ranking->suspect->workload.clock.has_epoch);
	g_assert_cmpint(ranking->suspect->workload.clock.offset_ns, ==, 0);
	itp_ranking_free(ranking);
	comparison->suspect[1]->workload.clock = (struct itp_clock){ .offset_ns = 100 };
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_false(ranking->suspect->workload.clock.has_epoch);
	g_assert_cmpint(ranking->suspect->workload.clock.offset_ns, ==, 100);
	itp_ranking_free(ranking);
}

static void test_a_slow_call_is_of_one_run(struct comparison *comparison, gconstpointer data)
{
	struct itp_path_detail detail;
	struct itp_recording recording;
	struct itp_ranking *ranking;

	(void)data;
	for (int i = 0; i < 2; i++) {
		struct itp_profile *run = comparison->suspect[i];

		comparison_set(comparison, run, "main work", 1, 10);
		slow_call(comparison, run, "main work", 10 + i, 1000 * i + 5);
		run->workload.clock = (struct itp_clock){ .offset_ns = 100 + i };
		run->workload.counts.begin_ns = 1000 * i;
		run->workload.counts.end_ns = 1000 * i + 20;
	}
	comparison_set(comparison, comparison->base[0], "main work", 1, 1);
	comparison->base[0]->workload.counts.begin_ns = 7;
	comparison->base[0]->workload.counts.end_ns = 9;
	ranking = comparison_rank(comparison, &folded, true);
	itp_path_detail_init(&detail, ranking, comparison_path(ranking, 0));
	g_assert_cmpuint(detail.suspect.slowest[0].run, ==, 1);
	g_assert_cmpuint(detail.suspect.slowest[1].run, ==, 0);
	itp_ranking_recording(ranking, false, 1, &recording);
	g_assert_cmpstr(recording.name, ==, comparison->suspect[1]->workload.name);
	g_assert_cmpint(recording.clock.offset_ns, ==, 101);
	g_assert_cmpint(recording.begin_ns, ==, 1000);
	g_assert_cmpint(recording.end_ns, ==, 1020);
	itp_ranking_recording(ranking, true, 0, &recording);
	g_assert_cmpstr(recording.name, ==, comparison->base[0]->workload.name);
	g_assert_cmpint(recording.begin_ns, ==, 7);
	itp_ranking_free(ranking);
}

#define ADD(name, test)                                                               \
	g_test_add("/detail/" name, struct comparison, NULL, comparison_set_up, test, \
		   comparison_tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/detail/quantiles of a few calls", test_quantiles_of_a_few_calls);
	g_test_add_func("/detail/calls of a bucket lie evenly", test_calls_of_a_bucket_lie_evenly);
	g_test_add_func("/detail/no quantile is off by more than two",
			test_no_quantile_is_off_by_more_than_two);
	g_test_add_func("/detail/extremes may contradict the histogram",
			test_extremes_may_contradict_the_histogram);
	ADD("a detail is of all contexts", test_a_detail_is_of_all_contexts);
	ADD("quantiles are fine where latencies are kept",
	    test_quantiles_are_fine_where_latencies_are_kept);
	ADD("distributions of a base are not scaled", test_distributions_of_a_base_are_not_scaled);
	ADD("clocks of runs must agree", test_clocks_of_runs_must_agree);
	ADD("a slow call is of one of several runs", test_a_slow_call_is_of_one_run);
	return g_test_run();
}
