/* SPDX-License-Identifier: MIT */
/* Verdicts on runs of which the machine's speed was measured. */
#include <math.h>

#include "common/rank/machine-speed.h"
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options usual = { .folds = true, .spread = 0.03 };

static void set_speeds(struct itp_profile *profile, uint64_t count, uint64_t meter, uint64_t ns)
{
	profile->workload.counts.speeds =
		(struct itp_speed_sums){ .count = count,
					 .meters = count * meter,
					 .computed_ns = count * ns,
					 .computed_ns2 = count * ns * ns };
}

static enum itp_verdict first_verdict(const struct comparison *comparison)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &usual, true);
	enum itp_verdict verdict = comparison_path(ranking, 0)->significance.verdict;

	itp_ranking_free(ranking);
	return verdict;
}

/* f takes 30 % longer, and so does a fixed computation. */
static void test_a_slower_machine_is_no_difference(struct comparison *comparison,
						   gconstpointer data)
{
	(void)data;
	comparison_set(comparison, comparison->base[0], "main f", 1, 1000 * MS);
	comparison_set(comparison, comparison->suspect[0], "main f", 1, 1300 * MS);
	g_assert_cmpint(first_verdict(comparison), ==, ITP_VERDICT_SURE);
	set_speeds(comparison->base[0], 20, 5, 15000);
	set_speeds(comparison->suspect[0], 10, 5, 19500);
	g_assert_cmpint(first_verdict(comparison), ==, ITP_VERDICT_CHANCE);
	/* Of a machine that was faster it is more than it seems. */
	set_speeds(comparison->suspect[0], 10, 5, 11500);
	g_assert_cmpint(first_verdict(comparison), ==, ITP_VERDICT_SURE);
	/* Other code measured, or too little was. */
	set_speeds(comparison->suspect[0], 10, 6, 19500);
	g_assert_cmpint(first_verdict(comparison), ==, ITP_VERDICT_SURE);
	set_speeds(comparison->suspect[0], 4, 5, 19500);
	g_assert_cmpint(first_verdict(comparison), ==, ITP_VERDICT_CHANCE);
	set_speeds(comparison->suspect[0], 3, 5, 19500);
	g_assert_cmpint(first_verdict(comparison), ==, ITP_VERDICT_SURE);
}

/* 10 measurements of 15 µs give or take 30 % each tell the mean to 10 % at best. */
static void test_a_machine_that_varies_makes_less_sure(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_speed_sums *speeds = &comparison->suspect[0]->workload.counts.speeds;

	(void)data;
	comparison_set(comparison, comparison->base[0], "main f", 1, 1000 * MS);
	comparison_set(comparison, comparison->suspect[0], "main f", 1, 1300 * MS);
	set_speeds(comparison->base[0], 10, 5, 15000);
	set_speeds(comparison->suspect[0], 10, 5, 15000);
	g_assert_cmpint(first_verdict(comparison), ==, ITP_VERDICT_SURE);
	speeds->computed_ns2 += 10 * UINT64_C(4500) * 4500;
	g_assert_cmpint(first_verdict(comparison), !=, ITP_VERDICT_SURE);
}

/* 12 and 20 measurements, of 10 µs give or take 2, and of 14.4 µs: the ratio is 1.44, and its
 * variance 0.2² / 11. */
static void test_a_program_feels_a_part_of_it(struct comparison *comparison, gconstpointer data)
{
	const struct itp_profile *const profiles[] = { comparison->suspect[0],
						       comparison->base[0] };
	const struct itp_runs suspect = { .profiles = &profiles[0], .count = 1 };
	const struct itp_runs base = { .profiles = &profiles[1], .count = 1 };
	struct itp_machine_speed speed;

	(void)data;
	set_speeds(comparison->base[0], 12, 5, 10000);
	comparison->base[0]->workload.counts.speeds.computed_ns2 += 12 * UINT64_C(2000) * 2000;
	set_speeds(comparison->suspect[0], 20, 5, 14400);
	speed = itp_machine_speed_find(&suspect, &base);
	g_assert_cmpfloat_with_epsilon(speed.ratio, 1.44, 1e-9);
	g_assert_cmpfloat_with_epsilon(speed.ratio_error, 1.44 * 0.2 / sqrt(11), 1e-6);
	/* 1.44 to the power of 3/4. */
	g_assert_cmpfloat_with_epsilon(speed.felt, 1.314534, 1e-6);
	/* 2 · 0.04 / 11 + (0.29 · ln 1.44)². */
	g_assert_cmpfloat_with_epsilon(speed.variance, 0.018456, 1e-6);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/machine speed/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a slower machine is no difference", test_a_slower_machine_is_no_difference);
	add("a machine that varies makes less sure", test_a_machine_that_varies_makes_less_sure);
	add("a program feels a part of it", test_a_program_feels_a_part_of_it);
	return g_test_run();
}
