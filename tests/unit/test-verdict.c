/* SPDX-License-Identifier: MIT */
/* Verdicts: each source of doubt alone. */
#include <math.h>

#include "common/rank/chance.h"
#include "common/rank/error-model.h"
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)
#define US2_PER_MS2 UINT64_C(1000000)

static const struct itp_ranking_options exact = { .folds = true };
static const struct itp_ranking_options usual = { .folds = true, .spread = 0.03 };

static void assert_near(double value, double expected, double most)
{
	g_assert_cmpfloat_with_epsilon(value, expected, most);
}

/* ---- Each doubt alone ---- */

static void suspect(struct comparison *comparison, const char *stack, uint64_t count,
		    int64_t own_ns)
{
	comparison_set(comparison, comparison->suspect[0], stack, count, own_ns);
}

static void base(struct comparison *comparison, const char *stack, uint64_t count, int64_t own_ns)
{
	comparison_set(comparison, comparison->base[0], stack, count, own_ns);
}

static void assert_about(const struct itp_significance *significance, enum itp_doubt_about about)
{
	g_assert_cmpstr(itp_doubt_about_names[significance->doubt], ==,
			itp_doubt_about_names[about]);
}

/* Own latency of handle(), of which the other workload has `other`; both lost so many of 1 000
 * events. */
static struct itp_significance judge_losses(int64_t base_ns, uint64_t base_lost, int64_t suspect_ns,
					    uint64_t suspect_lost)
{
	struct comparison comparison;
	struct itp_infer_counts *base_counts;
	struct itp_infer_counts *suspect_counts;
	struct itp_significance significance;
	struct itp_ranking *ranking;

	comparison_set_up(&comparison, NULL);
	base(&comparison, "handle", 1, base_ns);
	suspect(&comparison, "handle", 1, suspect_ns);
	base_counts = &comparison.base[0]->workload.counts;
	suspect_counts = &comparison.suspect[0]->workload.counts;
	base_counts->events = 1000 - base_lost;
	base_counts->lost_events = base_lost;
	suspect_counts->events = 1000 - suspect_lost;
	suspect_counts->lost_events = suspect_lost;
	ranking = comparison_rank(&comparison, &exact, true);
	g_assert_cmpuint(ranking->doubts, ==, base_lost + suspect_lost > 40 ? ITP_DOUBT_LOSSES : 0);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "handle");
	significance = comparison_path(ranking, 0)->significance;
	itp_ranking_free(ranking);
	comparison_tear_down(&comparison, NULL);
	return significance;
}

/* Two functions: f() differs by so many standard errors of 10 ms, g() not at all, so that of the
 * two p the smaller is compared with half of each limit. */
static enum itp_verdict verdict_by_score(struct comparison *comparison, double score)
{
	struct itp_ranking *ranking;
	enum itp_verdict verdict;

	suspect(comparison, "main f", 1, (int64_t)(100e6 + score * 10e6));
	base(comparison, "main f", 1, 100 * MS);
	suspect(comparison, "main g", 1, 100 * MS);
	base(comparison, "main g", 1, 100 * MS);
	/* And a tick more or less in each. */
	comparison_node(comparison, comparison->base[0], "main f")->own_variance_us2 =
		98 * US2_PER_MS2;
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "f");
	verdict = comparison_path(ranking, 0)->significance.verdict;
	itp_ranking_free(ranking);
	return verdict;
}

/* p = 0.001 is 3.29, p = 0.025 is 2.24. */
static void test_words_have_their_limits(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(verdict_by_score(comparison, 3.4), ==, ITP_VERDICT_SURE);
	g_assert_cmpint(verdict_by_score(comparison, 3.2), ==, ITP_VERDICT_LIKELY);
	g_assert_cmpint(verdict_by_score(comparison, 2.3), ==, ITP_VERDICT_LIKELY);
	g_assert_cmpint(verdict_by_score(comparison, 2.2), ==, ITP_VERDICT_CHANCE);
}

/* One lost event of a thousand: its threads were not seen again for most of the time. */
static void test_lost_time_hides_what_was_done(struct comparison *comparison, gconstpointer data)
{
	const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 900 * MS);
	base(comparison, "main f", 1, 100 * MS);
	comparison->base[0]->workload.counts.events = 999;
	comparison->base[0]->workload.counts.losses = 1;
	comparison->base[0]->workload.counts.lost_events = 1;
	ranking = comparison_rank(comparison, &options, true);
	g_assert_false(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	g_assert_cmpuint(ranking->doubts, ==, 0);
	itp_ranking_free(ranking);
	base(comparison, "main k:[lost]", 1, 800 * MS);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	g_assert_cmpuint(ranking->doubts, ==, ITP_DOUBT_LOSSES);
	itp_ranking_free(ranking);
}

static void test_what_is_lost_makes_nothing_faster(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_significance significance;

	(void)comparison;
	(void)data;
	significance = judge_losses(100 * MS, 0, 67 * MS, 667);
	g_assert_true(itp_significance_is_chance(&significance));
	assert_about(&significance, ITP_DOUBT_ABOUT_LOSSES);
	/* The same the other way round: nor does it get slower. */
	significance = judge_losses(67 * MS, 667, 100 * MS, 0);
	g_assert_true(itp_significance_is_chance(&significance));
	assert_about(&significance, ITP_DOUBT_ABOUT_LOSSES);
	/* What takes more nevertheless does so all the more. */
	significance = judge_losses(100 * MS, 0, 200 * MS, 667);
	g_assert_false(itp_significance_is_chance(&significance));
	/* A third of what was seen is missing at most: 75 + 25. */
	assert_near(judge_losses(75 * MS, 250, 400 * MS, 0).measurement_ns, (double)(325 * MS) / 4,
		    1);
	assert_near(judge_losses(300 * MS, 250, 400 * MS, 0).measurement_ns, (double)(100 * MS), 1);
	/* Nearly all is: 0.998 / 0.01 of what was seen, instead of 0.998 / 0.002. */
	assert_near(judge_losses(10 * MS, 998, 110 * MS, 0).measurement_ns, (double)(998 * MS), 1);
	significance = judge_losses(100 * MS, 10, 200 * MS, 10);
	g_assert_false(itp_significance_is_chance(&significance));
}

static void test_ticks_are_a_doubt(struct comparison *comparison, gconstpointer data)
{
	struct itp_node_stats *stats;
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 130 * MS);
	base(comparison, "main f", 1, 100 * MS);
	stats = comparison_node(comparison, comparison->suspect[0], "main f");
	stats->samples = 130;
	stats->own_variance_us2 = 9 * US2_PER_MS2;
	stats = comparison_node(comparison, comparison->base[0], "main f");
	stats->samples = 100;
	stats->own_variance_us2 = 16 * US2_PER_MS2;
	ranking = comparison_rank(comparison, &exact, true);
	/* √(3² + 4²) ms, and a tick more or less in each: 30 ms are 5.8 of it. */
	assert_near(comparison_path(ranking, 0)->significance.measurement_ns / 1e6, sqrt(27), 1e-6);
	assert_near(comparison_path(ranking, 0)->significance.score, 30 / sqrt(27), 1e-9);
	g_assert_cmpuint(comparison_path(ranking, 0)->significance.samples, ==, 130);
	g_assert_cmpuint(comparison_path(ranking, 0)->significance.base_samples, ==, 100);
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_SAMPLES);
	g_assert_false(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	itp_ranking_free(ranking);
}

/* A page fault takes as long as the state of memory makes it. */
static void test_page_faults_vary(struct comparison *comparison, gconstpointer data)
{
	const char *fault = "main f k:asm_exc_page_fault k:clear_page";
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, fault, 1, 40 * MS);
	base(comparison, fault, 1, 30 * MS);
	suspect(comparison, "main g k:clear_page", 1, 400 * MS);
	base(comparison, "main g k:clear_page", 1, 300 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	/* 6 % of 40 and 30 ms, and 12 % of what else the kernel does. */
	assert_near(comparison_path(ranking, 0)->significance.runs_ns / 1e6, 0.06 * 50, 1e-6);
	assert_near(comparison_path(ranking, 1)->significance.runs_ns / 1e6, 0.12 * 500, 1e-6);
	itp_ranking_free(ranking);
}

/* Time of interrupts, up to 0.2 ms in each call, is anybody's; the rest is the kernel's. */
static void test_interrupts_are_anybodys(struct comparison *comparison, gconstpointer data)
{
	const char *call = "main f syscall:sendto";
	const char *door = "main f syscall:sendto k:ip_output k:__local_bh_enable_ip";
	const char *fault = "main g k:asm_exc_page_fault k:_raw_spin_unlock_irqrestore k:retire";
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, call, 200, 0);
	base(comparison, call, 100, 0);
	suspect(comparison, door, 60, 50 * MS);
	base(comparison, door, 20, 20 * MS);
	suspect(comparison, "main g k:asm_exc_page_fault", 10, 0);
	base(comparison, "main g k:asm_exc_page_fault", 10, 0);
	suspect(comparison, fault, 1, 12 * MS);
	base(comparison, fault, 1, 0);
	ranking = comparison_rank(comparison, &exact, true);
	/* Ten faults, of 0.2 ms. */
	assert_near(comparison_path(ranking, 0)->significance.runs_ns / 1e6, hypot(2, 0.12 * 10),
		    1e-6);
	/* 200 and 100 calls. */
	assert_near(comparison_path(ranking, 1)->significance.runs_ns / 1e6,
		    hypot(hypot(40, 20), 0.12 * 10), 1e-6);
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 1)->significance));
	itp_ranking_free(ranking);
}

/* The error of twice as much work is twice as large: 2 · √(4² + 1) ms. */
static void test_ticks_are_scaled_to_the_work(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 300 * MS);
	base(comparison, "main f", 1, 100 * MS);
	comparison_node(comparison, comparison->base[0], "main f")->own_variance_us2 =
		16 * US2_PER_MS2;
	comparison->suspect_units[0] = 2;
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 100 * MS);
	assert_near(comparison_path(ranking, 0)->significance.measurement_ns / 1e6, 2 * sqrt(17),
		    1e-6);
	itp_ranking_free(ranking);
}

/* 100 ms of one tick per millisecond: 10 ms, and one tick more or less. */
static void test_without_ticks_there_is_a_timer(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	comparison->suspect[0]->workload.counts.timer_samples = 0;
	suspect(comparison, "main f", 1, 100 * MS);
	base(comparison, "main f", 1, 10 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	assert_near(comparison_path(ranking, 0)->significance.measurement_ns / 1e6, sqrt(101),
		    1e-6);
	itp_ranking_free(ranking);
}

/* Waits of 10, 20, 30 and 40 ms, of which there were none before: each might not have been, which
 * is √(10² + 20² + 30² + 40²) of their 100 ms. */
static void test_waits_that_vary_are_a_doubt(struct comparison *comparison, gconstpointer data)
{
	struct itp_node_stats *stats;
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], "main f", 4, 100 * MS);
	stats = comparison_node(comparison, comparison->suspect[0], "main f");
	stats->square_sum_low = (uint64_t)(3000 * MS * MS);
	stats->max_ns = 40 * MS;
	base(comparison, "main g", 1, 100 * MS);
	suspect(comparison, "main g", 1, 100 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "f");
	assert_near(comparison_path(ranking, 0)->significance.measurement_ns / 1e6, sqrt(3000),
		    1e-3);
	g_assert_cmpuint(comparison_path(ranking, 0)->significance.waits, ==, 4);
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_WAITS);
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	itp_ranking_free(ranking);

	/* Where there were as many and as long ones, their length varies by 4 · 166.7 ms² in each,
	 * and 16 times that as long ones come together; and one more or less is made. */
	comparison_block(comparison, comparison->base[0], "main f", 4, 100 * MS);
	stats = comparison_node(comparison, comparison->base[0], "main f");
	stats->square_sum_low = (uint64_t)(3000 * MS * MS);
	stats->max_ns = 40 * MS;
	ranking = comparison_rank(comparison, &exact, true);
	assert_near(comparison_path(ranking, 0)->significance.measurement_ns / 1e6,
		    sqrt(2 * 16 * 2000.0 / 3 + 625), 1e-3);
	itp_ranking_free(ranking);
}

/* Of a hundred waits of 1 ms in f, and of three of 200 ms, which time has ended. */
static void block_with_timeouts(struct comparison *comparison, struct itp_profile *profile)
{
	const struct itp_function timer = {
		.name = "kernel:timer", .module = "", .build_id = "", .layer = ITP_LAYER_PROCESS
	};
	const struct itp_waker waker = {
		.node = comparison_node_id(comparison, "main f"),
		.role = ITP_WAKER_WOKE,
		.process = itp_function_table_intern(comparison->functions, &timer),
		.count = 3,
		.blocked_ns = 600 * MS,
	};
	struct itp_node_stats *stats;

	comparison_block(comparison, profile, "main f", 103, 700 * MS);
	stats = comparison_node(comparison, profile, "main f");
	stats->square_sum_low = (uint64_t)((100 + 3 * 40000) * MS * MS);
	stats->square_sum_high = 0;
	stats->max_ns = 200 * MS;
	/* From 2¹⁹ and from 2²⁷ ns on. */
	stats->histogram[20] = 100;
	stats->histogram[28] = 3;
	itp_wakers_add(profile->wakers, &waker);
}

/* Timeouts are other events than answers: of those, which both waited for, there is one more or
 * less of 1 ms; each of these might not have been, for 50 ms. */
static void test_timeouts(struct comparison *comparison, struct itp_profile *with,
			  struct itp_profile *without)
{
	struct itp_ranking *ranking;

	block_with_timeouts(comparison, with);
	comparison_block(comparison, without, "main f", 100, 100 * MS);
	comparison_node(comparison, without, "main f")->histogram[20] = 100;
	ranking = comparison_rank(comparison, &exact, true);
	assert_near(comparison_path(ranking, 0)->significance.measurement_ns / 1e6,
		    sqrt(3 * 2500 + 1), 1e-3);
	g_assert_cmpint(comparison_path(ranking, 0)->significance.verdict, ==, ITP_VERDICT_SURE);
	itp_ranking_free(ranking);
}

static void test_new_timeouts_are_waits_by_themselves(struct comparison *comparison,
						      gconstpointer data)
{
	(void)data;
	test_timeouts(comparison, comparison->suspect[0], comparison->base[0]);
}

static void test_gone_timeouts_are_waits_by_themselves(struct comparison *comparison,
						       gconstpointer data)
{
	(void)data;
	test_timeouts(comparison, comparison->base[0], comparison->suspect[0]);
}

/* parse() takes 20 ms in its place in the base, and none there in the suspect; below unknown
 * callers it takes `cut_ms` and `base_cut_ms`. */
static struct itp_significance judge_cuts(struct comparison *comparison, int64_t cut_ms,
					  int64_t base_cut_ms)
{
	struct itp_significance significance;
	struct itp_ranking *ranking;
	guint i = 0;

	base(comparison, "main load k:copy", 1, 20 * MS);
	suspect(comparison, "? store k:copy", 1, cut_ms * MS);
	base(comparison, "? store k:copy", 1, base_cut_ms * MS);
	suspect(comparison, "main g", 1, 100 * MS);
	base(comparison, "main g", 1, 100 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	while (comparison_path(ranking, i)->cost != -20 * MS) {
		i++;
	}
	significance = comparison_path(ranking, i)->significance;
	itp_ranking_free(ranking);
	return significance;
}

/* 12 ms of it are in stacks that were cut. */
static void test_stacks_that_were_cut_move_time(struct comparison *comparison, gconstpointer data)
{
	const struct itp_significance significance = judge_cuts(comparison, 12, 0);

	(void)data;
	assert_near(significance.measurement_ns / 1e6, 12, 1e-6);
	g_assert_cmpint(significance.doubt, ==, ITP_DOUBT_ABOUT_CUTS);
	g_assert_cmpint(significance.verdict, ==, ITP_VERDICT_CHANCE);
}

/* As much in such stacks of both has not moved. */
static void test_stacks_cut_alike_move_nothing(struct comparison *comparison, gconstpointer data)
{
	const struct itp_significance significance = judge_cuts(comparison, 50, 50);

	(void)data;
	assert_near(significance.measurement_ns / 1e6, 0, 1e-6);
	g_assert_cmpint(significance.verdict, ==, ITP_VERDICT_SURE);
}

/* Score of a difference of 1000 ns, of which `blocked_ns` are blocked, known to 100, and the rest
 * on the CPU, where runs of about 1000 differ by a fifth. */
static double score_of_parts(double blocked_ns)
{
	const struct itp_spreads spreads = { .parts = { [ITP_TIME_COMPUTING] = 0.2 } };
	const double cpu_ns = 2000 - blocked_ns;
	const struct itp_evidence evidence = {
		.suspect = { .value_ns = 2000,
			     .parts = { [ITP_TIME_COMPUTING] = { .value_ns = cpu_ns },
					[ITP_TIME_BLOCKED] = { .value_ns = blocked_ns,
							       .variance = 10000 } },
			     .runs = 1 },
		.base = { .value_ns = 1000,
			  .parts = { [ITP_TIME_COMPUTING] = { .value_ns = 1000 } },
			  .runs = 1 },
	};

	return itp_error_model_apply(&evidence, &spreads).score;
}

/* More than half of it is 5.5 standard errors, as the answer to one of three questions: a normal
 * number is three times as likely to be beyond 5.5 − ln 3 / (5.5 + 1 / 5.5). */
static void test_most_of_a_difference_tells(void)
{
	assert_near(score_of_parts(550), 5.306644, 1e-6);
	g_assert_cmpfloat(score_of_parts(450), <, 3);
}

/* One wait does not vary, also where its workload is scaled to a quarter: what is left is one wait
 * more or less, of at most 50 ms. */
static void test_one_wait_does_not_vary(struct comparison *comparison, gconstpointer data)
{
	struct itp_node_stats *stats;
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->base[0], "main f", 1, 800 * MS);
	stats = comparison_node(comparison, comparison->base[0], "main f");
	stats->histogram[30] = 1;
	stats->max_ns = 800 * MS;
	comparison_block(comparison, comparison->suspect[0], "main f", 1, 100 * MS);
	comparison->base_units[0] = 4;
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, -100 * MS);
	assert_near(comparison_path(ranking, 0)->significance.measurement_ns, 50e6, 1);
	itp_ranking_free(ranking);
}

/* ---- What was cut out ---- */

/* Of 10 ticks each, in both together. */
static void set_ticks(struct comparison *comparison, const char *stack, uint64_t suspect_ticks)
{
	struct itp_profile *profiles[] = { comparison->suspect[0], comparison->base[0] };

	for (size_t side = 0; side < G_N_ELEMENTS(profiles); side++) {
		uint64_t ticks = side == 0 ? suspect_ticks : 10 - suspect_ticks;
		struct itp_node_stats *stats =
			comparison_set(comparison, profiles[side], stack, 1, (int64_t)ticks * MS);

		stats->samples = ticks;
		stats->own_variance_us2 = ticks * US2_PER_MS2;
	}
}

/* a() calls 20 functions in which ticks happened to fall more often, and which are entries by
 * themselves, and 21 of a library in which they fell less often, and which are its own: 126 ms
 * less, 8.6 times √(210 + 2). But with all that it calls, it took 6 ms less. */
static void test_what_was_cut_out_by_chance_counts(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set_ticks(comparison, "main a libc.so.6!d", 2);
	for (size_t i = 0; i < 20; i++) {
		g_autofree char *more = g_strdup_printf("main a b%zu", i);
		g_autofree char *less = g_strdup_printf("main a libc.so.6!c%zu", i);

		set_ticks(comparison, more, 8);
		set_ticks(comparison, less, 2);
	}
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpuint(ranking->significant_count, ==, 0);
	itp_ranking_free(ranking);
}

/* 5 % of 300 and of 100 ms: √(15² + 5²). */
static void test_runs_are_a_doubt(struct comparison *comparison, gconstpointer data)
{
	const struct itp_ranking_options options = { .folds = true, .spread = 0.05 };
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 300 * MS);
	base(comparison, "main f", 1, 100 * MS);
	ranking = comparison_rank(comparison, &options, true);
	assert_near(comparison_path(ranking, 0)->significance.runs_ns / 1e6, sqrt(250), 1e-6);
	assert_near(comparison_path(ranking, 0)->significance.spread, 0.05, 1e-9);
	assert_near(ranking->spread, 0.05, 1e-9);
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_RUNS);
	itp_ranking_free(ranking);
}

static struct itp_ranking *rank_with_runs(struct comparison *comparison, size_t runs,
					  const int64_t *suspect_ms, const int64_t *base_ms)
{
	for (size_t i = 0; i < runs; i++) {
		comparison_set(comparison, comparison->suspect[i], "main f", 1, suspect_ms[i] * MS);
		comparison_set(comparison, comparison->base[i], "main f", 1, base_ms[i] * MS);
	}
	return comparison_rank(comparison, &usual, true);
}

/* Eight percent more, where 3 % are assumed: one run of each says little, three that hardly differ
 * say enough. */
static void test_several_runs_tell_more_than_one(struct comparison *comparison, gconstpointer data)
{
	static const int64_t suspect_ms[] = { 108, 109, 108 };
	static const int64_t base_ms[] = { 100, 100, 101 };
	struct itp_ranking *ranking = rank_with_runs(comparison, 1, suspect_ms, base_ms);

	(void)data;
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	ranking = rank_with_runs(comparison, TEST_RUNS, suspect_ms, base_ms);
	g_assert_cmpint(comparison_path(ranking, 0)->significance.verdict, ==, ITP_VERDICT_SURE);
	/* They show 0.0000366 with 4 degrees of freedom, beside 0.0009 as if with 4: 0.000468. This
	 * one shows 0.000123 in all beside that: √((12 · 0.000468 + 0.000123) / 16). */
	assert_near(comparison_path(ranking, 0)->significance.spread, 0.0189, 1e-4);
	itp_ranking_free(ranking);
}

/* Runs of 90 and 110 ms, 14.1 % apart; the error of 10 ms in each of them explains half of that. */
static void test_measurement_counts_once(struct comparison *comparison, gconstpointer data)
{
	static const int64_t base_ms[] = { 90, 110 };
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 300 * MS);
	for (size_t i = 0; i < G_N_ELEMENTS(base_ms); i++) {
		comparison_set(comparison, comparison->base[i], "main f", 1, base_ms[i] * MS)
			->own_variance_us2 = 100 * US2_PER_MS2;
	}
	ranking = comparison_rank(comparison, &exact, true);
	/* With a tick more or less in each, 0.0099 is left; all entries show 0.0099 / 0.47, one
	 * part in 5 beside an assumption of 0: 0.0042. This one shows 0.0099 beside that: √((12 ·
	 * 0.0042 + 0.0099) / 13). */
	assert_near(comparison_path(ranking, 0)->significance.spread, 0.0682, 1e-4);
	itp_ranking_free(ranking);
}

static void test_more_work_is_told(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 200, 200 * MS);
	base(comparison, "main f", 100, 100 * MS);
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_false(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	g_assert_true(comparison_path(ranking, 0)->significance.is_called_otherwise);
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_WORK);
	itp_ranking_free(ranking);

	/* The hundred calls may have been two hundred. */
	comparison_node(comparison, comparison->base[0], "main f")->max_count = 200;
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_false(comparison_path(ranking, 0)->significance.is_called_otherwise);
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_RUNS);
	itp_ranking_free(ranking);
}

/* Of 50 ms more, so many are those of more calls, of a millisecond each. */
static enum itp_doubt_about doubt_by_calls(struct comparison *comparison, uint64_t more)
{
	struct itp_ranking *ranking;
	enum itp_doubt_about doubt;

	suspect(comparison, "main f", 100 + more, 150 * MS);
	base(comparison, "main f", 100, 100 * MS);
	ranking = comparison_rank(comparison, &usual, true);
	doubt = comparison_path(ranking, 0)->significance.doubt;
	itp_ranking_free(ranking);
	return doubt;
}

static void test_most_is_more_work(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(doubt_by_calls(comparison, 30), ==, ITP_DOUBT_ABOUT_WORK);
	g_assert_cmpint(doubt_by_calls(comparison, 20), ==, ITP_DOUBT_ABOUT_RUNS);
}

static void test_new_calls_are_no_other_work(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 10, 100 * MS);
	suspect(comparison, "main g", 10, 100 * MS);
	base(comparison, "main g", 10, 100 * MS);
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "f");
	g_assert_false(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_RUNS);
	itp_ranking_free(ranking);
}

static void test_what_is_small_is_noise(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 1000 * MS);
	base(comparison, "main f", 1, 1000 * MS);
	suspect(comparison, "main g", 1, 9 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "g");
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_SIZE);
	itp_ranking_free(ranking);
}

/* Of 10 s a hundredth is 100 ms. */
static void test_what_is_a_little_more_is_none(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 9870 * MS);
	base(comparison, "main f", 1, 9870 * MS);
	suspect(comparison, "main g", 1, 130 * MS);
	base(comparison, "main g", 1, 10 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpint(comparison_path(ranking, 0)->significance.verdict, ==, ITP_VERDICT_SURE);
	itp_ranking_free(ranking);
	base(comparison, "main g", 1, 50 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	assert_about(&comparison_path(ranking, 0)->significance, ITP_DOUBT_ABOUT_SIZE);
	itp_ranking_free(ranking);
}

/* Of 200 ms in the base, 120 were somebody else's: the rest is as sure as ever. */
static void test_waiting_for_a_cpu_makes_nothing_less_sure(struct comparison *comparison,
							   gconstpointer data)
{
	const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };
	struct itp_ranking *ranking;
	double runs_ns;

	(void)data;
	suspect(comparison, "main f", 1, 100 * MS);
	base(comparison, "main f", 1, 80 * MS);
	ranking = comparison_rank(comparison, &options, true);
	runs_ns = comparison_path(ranking, 0)->significance.runs_ns;
	assert_near(ranking->spread, 0.04, 1e-9);
	itp_ranking_free(ranking);
	comparison_wait_for_cpu(comparison, comparison->base[0], "main f", 120 * MS, "backup");
	ranking = comparison_rank(comparison, &options, true);
	assert_near(ranking->spread, 0.04, 1e-9);
	assert_near(comparison_path(ranking, 0)->significance.runs_ns, runs_ns, 1);
	itp_ranking_free(ranking);
}

/* It is told by itself: 1990 of (2000 + 10) / 2 ms with 50 % in each run are 2.8 standard errors,
 * by 12 degrees of freedom one in sixty, and without it there is no difference. */
static void test_waiting_for_a_cpu_is_likely_at_most(struct comparison *comparison,
						     gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 100 * MS);
	base(comparison, "main f", 1, 100 * MS);
	comparison_wait_for_cpu(comparison, comparison->base[0], "main f", 10 * MS, "p");
	comparison_wait_for_cpu(comparison, comparison->suspect[0], "main f", 2000 * MS, "backup");
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpint(comparison_path(ranking, 0)->significance.verdict, ==, ITP_VERDICT_LIKELY);
	assert_near(comparison_path(ranking, 0)->significance.probability, 0.0161, 1e-4);
	g_assert_cmpint(ranking->whole.verdict, !=, ITP_VERDICT_SURE);
	itp_ranking_free(ranking);
}

/* 3 % of 100 ms in each of both, 4.24 ms, with 12 degrees of freedom: a difference of 5.82 of these
 * is as unlikely as 3.09 and 0.84 of normal ones. Four runs of each have half of the error. */
static void test_what_could_be_seen_is_told(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	assert_near(itp_chance_p(3.0902), 0.002, 1e-6);
	/* Whatever the suspect does. */
	suspect(comparison, "main f", 1, 900 * MS);
	base(comparison, "main f", 1, 100 * MS);
	ranking = comparison_rank(comparison, &usual, true);
	assert_near(ranking->visible, 0.2471, 1e-3);
	assert_near(ranking->visible_with_more, 0.2471 / 2, 1e-3);
	itp_ranking_free(ranking);
}

/* Both wait 40 times, the suspect for 60 ms more, in which whoever it waited for waited for a CPU.
 */
static void test_a_queue_of_who_is_waited_for_is_no_wait(struct comparison *comparison,
							 gconstpointer data)
{
	struct itp_waker queued = { .role = ITP_WAKER_QUEUED, .count = 40, .blocked_ns = 60 * MS };
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->base[0], "main f", 40, 100 * MS);
	comparison_block(comparison, comparison->suspect[0], "main f", 40, 160 * MS);
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpint(comparison_path(ranking, 0)->significance.verdict, ==, ITP_VERDICT_SURE);
	itp_ranking_free(ranking);
	queued.node = comparison_node_id(comparison, "main f");
	itp_wakers_add(comparison->suspect[0]->wakers, &queued);
	ranking = comparison_rank(comparison, &exact, true);
	assert_near(comparison_path(ranking, 0)->significance.score, 0, 1e-9);
	g_assert_cmpint(comparison_path(ranking, 0)->significance.verdict, ==, ITP_VERDICT_CHANCE);
	itp_ranking_free(ranking);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/verdict/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("ticks are a doubt", test_ticks_are_a_doubt);
	add("words have their limits", test_words_have_their_limits);
	add("what is lost makes nothing faster", test_what_is_lost_makes_nothing_faster);
	add("page faults vary", test_page_faults_vary);
	add("interrupts are anybody's", test_interrupts_are_anybodys);
	add("lost time hides what was done", test_lost_time_hides_what_was_done);
	add("ticks are scaled to the work", test_ticks_are_scaled_to_the_work);
	add("without ticks there is a timer", test_without_ticks_there_is_a_timer);
	add("waits that vary are a doubt", test_waits_that_vary_are_a_doubt);
	add("what was cut out by chance counts", test_what_was_cut_out_by_chance_counts);
	add("new timeouts are waits by themselves", test_new_timeouts_are_waits_by_themselves);
	add("gone timeouts are waits by themselves", test_gone_timeouts_are_waits_by_themselves);
	add("stacks that were cut move time", test_stacks_that_were_cut_move_time);
	add("stacks cut alike move nothing", test_stacks_cut_alike_move_nothing);
	g_test_add_func("/verdict/most of a difference tells", test_most_of_a_difference_tells);
	add("one wait does not vary", test_one_wait_does_not_vary);
	add("runs are a doubt", test_runs_are_a_doubt);
	add("several runs tell more than one", test_several_runs_tell_more_than_one);
	add("measurement counts once", test_measurement_counts_once);
	add("more work is told", test_more_work_is_told);
	add("most is more work", test_most_is_more_work);
	add("new calls are no other work", test_new_calls_are_no_other_work);
	add("what is small is noise", test_what_is_small_is_noise);
	add("what is a little more is none", test_what_is_a_little_more_is_none);
	add("waiting for a CPU is likely at most", test_waiting_for_a_cpu_is_likely_at_most);
	add("a queue of who is waited for is no wait",
	    test_a_queue_of_who_is_waited_for_is_no_wait);
	add("what could be seen is told", test_what_could_be_seen_is_told);
	add("waiting for a CPU makes nothing less sure",
	    test_waiting_for_a_cpu_makes_nothing_less_sure);
	return g_test_run();
}
