/* SPDX-License-Identifier: MIT */
/* How much of the time a program can be watched for its cost: by hand, and random spans. */
#include <glib.h>
#include <math.h>

#include "common/guard/attention.h"

#define ROUNDS 1000
#define MS INT64_C(1000000)

/* 420 calls cost 10 ns each, 100 of them 200 ns more; and the guard itself. */
static void test_cost(void)
{
	const struct itp_guard_prices prices = { .call_ns = 10, .hit_ns = 200 };
	const struct itp_guard_span span = {
		.length_ns = 100 * MS, .calls = 420, .hits = 100, .own_ns = 1000
	};

	g_assert_cmpfloat_with_epsilon(itp_guard_span_cost_ns(&span, &prices), 4200 + 20000 + 1000,
				       1e-6);
}

/* 100 000 calls at 100 ns in 100 ms are a tenth of a CPU: at 1 % of one CPU that is paid for by one
 * second, at 1 % of four by a quarter, at 10 % at once. */
static void test_rest(void)
{
	const struct itp_guard_prices prices = { .call_ns = 100 };
	const struct itp_guard_span span = { .length_ns = 100 * MS, .calls = 100000 };

	g_assert_cmpint(itp_guard_rest_ns(&span, &prices, 0.01, 1), ==, 900 * MS);
	g_assert_cmpint(itp_guard_rest_ns(&span, &prices, 0.01, 0.2), ==, 900 * MS);
	g_assert_cmpint(itp_guard_rest_ns(&span, &prices, 0.01, 4), ==, 150 * MS);
	g_assert_cmpint(itp_guard_rest_ns(&span, &prices, 0.1, 1), ==, 0);
	/* It does not stop for less than a quarter of the span. */
	g_assert_cmpint(itp_guard_rest_ns(&span, &prices, 0.081, 1), ==, 0);
}

/* Looks of 30 µs may take a fifth of 1 %: one in 15 ms. */
static void test_pause(void)
{
	g_assert_cmpint(itp_guard_pause_ns(30000, 0.01), ==, 15 * MS);
}

/* Where 3 % of the time is watched, one that comes each minute is seen after 60 s / 0.03 on
 * average.
 */
static void test_unseen(void)
{
	g_assert_cmpfloat_with_epsilon(itp_guard_unseen_s(60, 0.03), 2000, 1e-9);
	g_assert_cmpfloat_with_epsilon(itp_guard_unseen_s(60, 1), 60, 1e-9);
	g_assert_true(isinf(itp_guard_unseen_s(60, 0)));
}

/* As often as not watched is drawn: until a watched one comes, one in twenty takes longer than the
 * bound, to within four standard deviations. */
static void test_unseen_mostly(void)
{
	const double most_s = ITP_GUARD_UNSEEN_MOST * itp_guard_unseen_s(1, 0.1);
	int longer = 0;

	for (int i = 0; i < 20 * ROUNDS; i++) {
		double waited_s = -log(g_test_rand_double_range(1e-9, 1));

		while (g_test_rand_double() >= 0.1) {
			waited_s -= log(g_test_rand_double_range(1e-9, 1));
		}
		longer += waited_s > most_s;
	}
	g_assert_cmpint(abs(longer - ROUNDS), <=, 4 * (int)sqrt(19 * ROUNDS / 20.0));
}

/* What follows a span pays for it, to within the quarter. */
static void test_random_spans(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		const struct itp_guard_prices prices = { g_test_rand_double_range(0, 1000),
							 g_test_rand_double_range(0, 200) };
		const struct itp_guard_span span = {
			g_test_rand_int_range(1, 1000) * MS,
			(uint64_t)g_test_rand_int_range(0, 1000000),
			(uint64_t)g_test_rand_int_range(0, 1000000),
			g_test_rand_double_range(0, 1e7),
		};
		const double budget = g_test_rand_double_range(1e-4, 1);
		const double cpus = g_test_rand_double_range(1, 64);
		const int64_t rest_ns = itp_guard_rest_ns(&span, &prices, budget, cpus);
		const double part = itp_guard_span_cost_ns(&span, &prices) /
				    (double)(span.length_ns + rest_ns) / cpus;

		g_assert_cmpint(rest_ns, >=, 0);
		g_assert_cmpfloat(part, <=, budget * 1.25 + 1e-9);
		if (rest_ns > 0) {
			g_assert_cmpfloat_with_epsilon(part, budget, budget * 1e-3);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/guard attention/cost", test_cost);
	g_test_add_func("/guard attention/rest", test_rest);
	g_test_add_func("/guard attention/pause", test_pause);
	g_test_add_func("/guard attention/unseen", test_unseen);
	g_test_add_func("/guard attention/unseen mostly", test_unseen_mostly);
	g_test_add_func("/guard attention/random spans", test_random_spans);
	return g_test_run();
}
