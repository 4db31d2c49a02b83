/* SPDX-License-Identifier: MIT */
/* Verdicts on runs of which the machine's speed was measured. */
#include <math.h>

#include "common/rank/felt.h"
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
	set_speeds(comparison->suspect[0], 10, 5, 14000);
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
	struct itp_felt felt;

	(void)data;
	set_speeds(comparison->base[0], 12, 5, 10000);
	comparison->base[0]->workload.counts.speeds.computed_ns2 += 12 * UINT64_C(2000) * 2000;
	set_speeds(comparison->suspect[0], 20, 5, 14400);
	speed = itp_machine_speed_find(&suspect, &base);
	g_assert_cmpfloat_with_epsilon(speed.ratio, 1.44, 1e-9);
	g_assert_cmpfloat_with_epsilon(speed.ratio_error, 1.44 * 0.2 / sqrt(11), 1e-6);
	felt = itp_felt_assumed(&speed);
	/* 1.44 to the power of 3/4. */
	g_assert_cmpfloat_with_epsilon(felt.factor, 1.314534, 1e-6);
	/* (0.6 · ln 1.44)² + 0.75² · 0.04 / 11. */
	g_assert_cmpfloat_with_epsilon(felt.variance, 0.049913, 1e-6);
}

/* Runs of 10 and 12.1 µs, give or take nothing: the logarithms are ± ln 1.1 from their mean. */
static void test_runs_have_their_own_slowness(struct comparison *comparison, gconstpointer data)
{
	const struct itp_profile *const profiles[] = { comparison->base[0], comparison->base[1] };
	const struct itp_runs runs = { .profiles = profiles, .count = 2 };
	struct itp_machine_speed speed;
	g_autofree double *known = NULL;
	g_autofree double *unknown = NULL;

	(void)data;
	set_speeds(comparison->base[0], 10, 5, 10000);
	set_speeds(comparison->base[1], 20, 5, 12100);
	speed = itp_machine_speed_find(&runs, &runs);
	known = itp_machine_speed_of_runs(&speed, &runs);
	g_assert_cmpfloat_with_epsilon(known[0], -log(1.1), 1e-9);
	g_assert_cmpfloat_with_epsilon(known[1], log(1.1), 1e-9);
	/* A measurement of no time at all is none. */
	set_speeds(comparison->base[1], 20, 5, 0);
	speed = itp_machine_speed_find(&runs, &runs);
	unknown = itp_machine_speed_of_runs(&speed, &runs);
	g_assert_cmpfloat(unknown[1], ==, 0);
}

/* Two runs of each workload, in which a part took as much longer as the machine was slower, ± 20 %:
 * the power is (0.75 / 0.36 + 2 · 0.08 / 0.0016) / (1 / 0.36 + 2 · 0.08 / 0.0016) = 0.993243, its
 * variance 1 / 102.7778. */
static void test_runs_tell_what_is_felt(void)
{
	const struct itp_evidence_side side = {
		.value_ns = 1000,
		.parts[ITP_TIME_COMPUTING] = { .value_ns = 1000,
					       .run_squares = 0.08,
					       .run_slowness = 0.08 },
		.runs = 2,
		.slowness_squares = 0.08,
	};
	struct itp_evidence evidence = { .suspect = side, .base = side };
	const struct itp_evidence_part *base = &evidence.base.parts[ITP_TIME_COMPUTING];
	const struct itp_machine_speed speed = { .is_known = true, .ratio = 1.44 };
	const struct itp_spreads spreads = itp_spreads_assume(0.04);

	itp_felt_level(&evidence, 1, &speed, &spreads);
	/* 1000 · 1.44 to that power. */
	g_assert_cmpfloat_with_epsilon(base->value_ns, 1436.456, 1e-3);
	g_assert_cmpfloat_with_epsilon(evidence.base.value_ns, 1436.456, 1e-3);
	g_assert_cmpfloat_with_epsilon(evidence.suspect.value_ns, 1000, 1e-9);
	/* 1436.456² · (ln 1.44)² / 102.7778. */
	g_assert_cmpfloat_with_epsilon(base->felt_variance, 2669.4, 0.1);
	/* 0.08 · (1 − 0.993243)² · 2 / (2 − 0.972973). */
	g_assert_cmpfloat_with_epsilon(base->run_squares, 7.112e-6, 1e-8);

	/* Runs that vary by nothing else still leave the power open, by 1 / 160002.8. */
	evidence = (struct itp_evidence){ .suspect = side, .base = side };
	itp_felt_level(&evidence, 1, &speed, &(const struct itp_spreads){ { 0 } });
	g_assert_cmpfloat_with_epsilon(base->felt_variance, 1.7232, 1e-4);
}

/* Nothing gets faster by a slower machine, nor slower by more than the square of it. */
static void test_no_power_is_beyond_belief(void)
{
	const struct itp_machine_speed speed = { .is_known = true, .ratio = 1.44 };
	const struct itp_spreads spreads = itp_spreads_assume(0.04);

	for (int sign = -1; sign <= 1; sign += 2) {
		const struct itp_evidence_side side = {
			.value_ns = 1000,
			.parts[ITP_TIME_COMPUTING] = { .value_ns = 1000,
						       .run_squares = 2,
						       .run_slowness = sign * 0.4 },
			.runs = 2,
			.slowness_squares = 0.08,
		};
		struct itp_evidence evidence = { .suspect = side, .base = side };

		itp_felt_level(&evidence, 1, &speed, &spreads);
		/* 1.44 to the power of 0, and of 0.75 + 2 · 0.6. */
		g_assert_cmpfloat_with_epsilon(evidence.base.value_ns, sign < 0 ? 1000 : 2036.136,
					       1e-3);
	}
}

/* The whole is as unsure of the machine as any part of it: 1.44 times as slow, and 1.4 times as
 * long. */
static void test_the_whole_feels_it(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->base[0], "main f", 1, 1000 * MS);
	comparison_set(comparison, comparison->suspect[0], "main f", 1, 1750 * MS);
	set_speeds(comparison->base[0], 20, 5, 10000);
	set_speeds(comparison->suspect[0], 20, 5, 14400);
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpint(ranking->whole.verdict, ==, ITP_VERDICT_CHANCE);
	itp_ranking_free(ranking);
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
	add("runs have their own slowness", test_runs_have_their_own_slowness);
	add("the whole feels it", test_the_whole_feels_it);
	g_test_add_func("/machine speed/runs tell what is felt", test_runs_tell_what_is_felt);
	g_test_add_func("/machine speed/no power is beyond belief", test_no_power_is_beyond_belief);
	return g_test_run();
}
