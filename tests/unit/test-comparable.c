/* SPDX-License-Identifier: MIT */
/* What makes workloads comparable, and differences believable: units of work, several runs, noise,
 * doubts; functions and modules instead of paths. */
#include <math.h>

#include "common/rank/scale.h"
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options folded = { .folds = true, .spread = 0.03 };

static double units(const struct comparison *comparison, enum itp_per per, const char *name)
{
	return itp_work_units(comparison->suspect[0], comparison->functions, comparison->tree, per,
			      name);
}

static void test_work_is_counted_in_many_units(struct comparison *comparison, gconstpointer data)
{
	struct itp_profile *profile = comparison->suspect[0];

	(void)data;
	profile->workload.counts.begin_ns = 500 * MS;
	profile->workload.counts.end_ns = 3000 * MS;
	comparison_set(comparison, profile, "main handle", 7, 1);
	comparison_set(comparison, profile, "main handle again handle", 20, 1);
	comparison_set(comparison, profile, "other handle", 2, 1);
	comparison_set(comparison, profile, "main handle syscall:read", 30, 1);
	comparison_set(comparison, profile, "main syscall:read", 5, 1);
	g_assert_cmpfloat(units(comparison, ITP_PER_RUN, ""), ==, 1);
	g_assert_cmpfloat(units(comparison, ITP_PER_SECOND, ""), ==, 2.5);
	/* A call inside of another one is no unit. */
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "handle"), ==, 9);
	g_assert_cmpfloat(units(comparison, ITP_PER_EVENT, "read"), ==, 35);
	g_assert_cmpfloat(units(comparison, ITP_PER_EVENT, "write"), ==, 0);
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "syscall:read"), ==, 35);
}

/* Within 5 % it does not matter how many calls it was. */
static void test_calls_that_may_be_unseen_are_no_units(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_profile *profile = comparison->suspect[0];

	(void)data;
	comparison_set(comparison, profile, "main handle", 100, 1)->max_count = 105;
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "handle"), ==, 100);
	comparison_node(comparison, profile, "main handle")->max_count = 106;
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "handle"), ==, ITP_WORK_UNKNOWN);
	comparison_set(comparison, profile, "main work", 100, 1)->counted_count = 0;
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "work"), ==, ITP_WORK_UNKNOWN);
	comparison_set(comparison, profile, "main syscall:write", 9, 1)->counted_count = 0;
	g_assert_cmpfloat(units(comparison, ITP_PER_EVENT, "write"), ==, ITP_WORK_UNKNOWN);
}

static void test_a_unit_is_called_as_users_call_it(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_profile *profile = comparison->suspect[0];

	(void)data;
	comparison_set(comparison, profile, "main shop::serve(int)", 7, 1);
	comparison_set(comparison, profile, "main shop::serve_all(int)", 9, 1);
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "shop::serve"), ==, 7);
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "shop::serve(int)"), ==, 7);
	g_assert_cmpfloat(units(comparison, ITP_PER_CALL, "shop::serv"), ==, 0);
}

static void test_the_base_is_scaled_to_the_work(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->suspect[0], "main handle", 10, 100 * MS);
	comparison_set(comparison, comparison->base[0], "main handle", 40, 400 * MS);
	comparison->suspect_units[0] = 10;
	comparison->base_units[0] = 40;
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 0);
	g_assert_cmpint(ranking->base_own_ns, ==, 100 * MS);
	g_assert_cmpuint(comparison_path(ranking, 0)->base_calls, ==, 10);
	itp_ranking_free(ranking);
}

static void test_several_runs_are_one_workload(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	for (size_t i = 0; i < TEST_RUNS; i++) {
		comparison_set(comparison, comparison->base[i], "main handle", 1,
			       (int64_t)(10 + i) * MS);
	}
	comparison_set(comparison, comparison->suspect[0], "main handle", 1, 30 * MS);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->base_runs, ==, 3);
	/* The mean of 10, 11 and 12. */
	g_assert_cmpint(ranking->base_own_ns, ==, 11 * MS);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 19 * MS);
	itp_ranking_free(ranking);
}

/* Eight contexts that differ by a percent, and one that differs by half. */
static void set_eight(struct comparison *comparison, int64_t culprit_ns)
{
	for (int i = 0; i < 8; i++) {
		g_autofree char *stack = g_strdup_printf("main f%d", i);

		comparison_set(comparison, comparison->base[0], stack, 1000, 100 * MS);
		comparison_set(comparison, comparison->suspect[0], stack, 1000,
			       (i % 2 == 0 ? 99 : 101) * MS);
	}
	comparison_set(comparison, comparison->base[0], "main slow", 1000, 100 * MS);
	comparison_set(comparison, comparison->suspect[0], "main slow", 1000, culprit_ns);
}

static void test_small_differences_are_noise(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set_eight(comparison, 150 * MS);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->significant_count, ==, 1);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "slow");
	g_assert_cmpfloat(fabs(comparison_path(ranking, 0)->significance.effect - 0.5), <, 1e-9);
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 1)->significance));
	itp_ranking_free(ranking);
}

/* One wait that is long once says little; the same time in many says much. */
static void test_few_long_waits_are_noise(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;
	struct itp_node_stats *stats;

	(void)data;
	comparison_block(comparison, comparison->base[0], "main slow", 1000, 100 * MS);
	comparison_block(comparison, comparison->suspect[0], "main slow", 1000, 150 * MS);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->significant_count, ==, 1);
	itp_ranking_free(ranking);
	stats = comparison_node(comparison, comparison->suspect[0], "main slow");
	/* One of 50 ms, the others of 0.1 ms. */
	stats->square_sum_low = (uint64_t)(50 * MS * 50 * MS + 999 * (MS / 10) * (MS / 10));
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->significant_count, ==, 0);
	itp_ranking_free(ranking);
}

static void test_runs_that_vary_make_noise(struct comparison *comparison, gconstpointer data)
{
	static const int64_t base_ms[] = { 40, 100, 160 };
	struct itp_ranking *ranking;

	(void)data;
	for (size_t i = 0; i < TEST_RUNS; i++) {
		comparison_set(comparison, comparison->base[i], "main varies", 1000,
			       base_ms[i] * MS);
		comparison_set(comparison, comparison->base[i], "main steady", 1000, 100 * MS);
	}
	comparison_set(comparison, comparison->suspect[0], "main varies", 1000, 150 * MS);
	comparison_set(comparison, comparison->suspect[0], "main steady", 1000, 150 * MS);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->significant_count, ==, 1);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "steady");
	itp_ranking_free(ranking);
}

static void test_what_is_rare_goes_last(struct comparison *comparison, gconstpointer data)
{
	const struct itp_ranking_options options = { .folds = true, .min_count = 5 };
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->suspect[0], "main start", 1, 100 * MS);
	comparison_set(comparison, comparison->suspect[0], "main handle", 5, 50 * MS);
	ranking = comparison_rank(comparison, &options, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "handle");
	g_assert_true(comparison_path(ranking, 1)->is_rare);
	itp_ranking_free(ranking);
}

static uint32_t doubts(const struct comparison *comparison, const char *per)
{
	const struct itp_ranking_options options = { .folds = true, .per = per };
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);
	uint32_t result = ranking->doubts;

	itp_ranking_free(ranking);
	return result;
}

static void test_strange_comparisons_are_doubted(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	comparison_set(comparison, comparison->suspect[0], "main handle", 1, 100 * MS);
	g_assert_cmpuint(doubts(comparison, NULL), ==, ITP_DOUBT_BASE_EMPTY);
	comparison_set(comparison, comparison->base[0], "begin work", 1, 100 * MS);
	g_assert_cmpuint(doubts(comparison, NULL), ==, ITP_DOUBT_NO_COMMON_CONTEXT);
	comparison_set(comparison, comparison->base[0], "main handle", 1, 100 * MS);
	g_assert_cmpuint(doubts(comparison, NULL), ==, 0);
	comparison->suspect[0]->workload.counts.end_ns = 1000 * MS;
	comparison->base[0]->workload.counts.end_ns = 99 * MS;
	g_assert_cmpuint(doubts(comparison, NULL), ==, ITP_DOUBT_LENGTH);
	g_assert_cmpuint(doubts(comparison, "second"), ==, 0);
}

/* Six functions read; the suspect `factors` times as often as the base. */
static void read_more(struct comparison *comparison, const double *factors)
{
	for (int i = 0; i < 6; i++) {
		g_autofree char *stack = g_strdup_printf("main f%d libc.so.6!read syscall:read", i);
		uint64_t count = 20 + 10 * (uint64_t)i;

		comparison_set(comparison, comparison->base[0], stack, count, MS);
		comparison_set(comparison, comparison->suspect[0], stack,
			       (uint64_t)((double)count * factors[i]), MS);
	}
}

static void assert_amount(struct comparison *comparison, const double *factors, double amount)
{
	struct itp_ranking_options options = folded;
	struct itp_ranking *ranking;

	read_more(comparison, factors);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpfloat_with_epsilon(ranking->amount, amount, 0.01);
	g_assert_cmpuint(ranking->doubts, ==, amount == 1 ? 0 : ITP_DOUBT_AMOUNT);
	itp_ranking_free(ranking);
	options.per = "call:f0";
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpuint(ranking->doubts, ==, 0);
	itp_ranking_free(ranking);
}

static void test_most_functions_tell_the_amount(struct comparison *comparison, gconstpointer data)
{
	/* One calls often for another reason. */
	const double more[] = { 3, 3, 3.2, 3, 500, 2.9 };
	const double less[] = { 0.5, 0.5, 0.5, 0.5, 0.5, 1 };
	const double same[] = { 1, 1, 1, 1.1, 500, 400 };
	const double apart[] = { 1, 1.5, 2.25, 4, 8, 16 };

	(void)data;
	assert_amount(comparison, more, 3);
	assert_amount(comparison, same, 1);
	assert_amount(comparison, apart, 1);
	/* Half of twenty are too few to have a vote: six are left without the first two. */
	assert_amount(comparison, less, 1);
}

static void assert_amount_function(struct comparison *comparison, const char *expected)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &folded, true);

	g_assert_cmpfloat_with_epsilon(ranking->amount, 3, 0.01);
	g_assert_cmpstr(
		ranking->amount_function == ITP_FUNCTION_UNKNOWN ?
			"-" :
			itp_function_table_get(comparison->functions, ranking->amount_function)
				->name,
		==, expected);
	itp_ranking_free(ranking);
}

/* serve() is called as often as there is work; main() is not, and poll() may have been called more
 * often than was seen. Until there is serve(), the system call tells it that most make so often. */
static void test_a_function_tells_the_amount(struct comparison *comparison, gconstpointer data)
{
	const double factors[] = { 3, 3, 3, 3, 3, 3 };

	(void)data;
	read_more(comparison, factors);
	assert_amount_function(comparison, "syscall:read");
	comparison_set(comparison, comparison->base[0], "main poll", 100, 900 * MS);
	comparison_set(comparison, comparison->suspect[0], "main poll", 300, 900 * MS)->max_count =
		400;
	assert_amount_function(comparison, "syscall:read");
	comparison_set(comparison, comparison->base[0], "main serve", 100, 200 * MS);
	comparison_set(comparison, comparison->suspect[0], "main serve", 317, 300 * MS);
	assert_amount_function(comparison, "syscall:read");
	comparison_node(comparison, comparison->suspect[0], "main serve")->count = 313;
	comparison_node(comparison, comparison->suspect[0], "main serve")->max_count = 313;
	comparison_node(comparison, comparison->suspect[0], "main serve")->counted_count = 313;
	assert_amount_function(comparison, "serve");
}

/* A server begins with as many calls however many requests come, of which each makes twelve. */
static void test_a_long_beginning_stands_aside(struct comparison *comparison, gconstpointer data)
{
	const struct itp_ranking_options options = folded;
	struct itp_ranking *ranking;

	(void)data;
	for (int i = 0; i < 52; i++) {
		g_autofree char *stack = g_strdup_printf("main f%d libc.so.6!read syscall:read", i);
		uint64_t more = i < 12 ? 5 : 1;

		comparison_set(comparison, comparison->base[0], stack, 40, MS);
		comparison_set(comparison, comparison->suspect[0], stack, 40 * more, MS);
	}
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpfloat_with_epsilon(ranking->amount, 5, 0.01);
	itp_ranking_free(ranking);

	/* With one less they may be what the cause does. */
	comparison_node(comparison, comparison->suspect[0], "main f0 libc.so.6!read syscall:read")
		->count = 40;
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpfloat_with_epsilon(ranking->amount, 1, 0.01);
	itp_ranking_free(ranking);
}

static void test_functions_and_modules_are_ranked(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking_options options = { .by = ITP_RANK_BY_FUNCTION };
	struct itp_ranking *ranking;
	const struct itp_ranked_row *row;

	(void)data;
	comparison_set(comparison, comparison->suspect[0], "main f", 1, 10);
	comparison_set(comparison, comparison->suspect[0], "main f f", 1, 20);
	comparison_set(comparison, comparison->suspect[0], "main g f", 1, 5);
	comparison_set(comparison, comparison->suspect[0], "main g libz.so!h", 1, 7);
	comparison_set(comparison, comparison->base[0], "main g f", 1, 3);
	ranking = comparison_rank(comparison, &options, true);
	row = &g_array_index(ranking->rows, struct itp_ranked_row, 0);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, row->function)->name, ==, "f");
	g_assert_cmpint(row->own_ns, ==, 35);
	g_assert_cmpint(row->base_own_ns, ==, 3);
	/* The inner call is part of the outer one. */
	g_assert_cmpint(row->total_ns, ==, 30 + 5);
	g_assert_cmpuint(row->count, ==, 2);
	itp_ranking_free(ranking);

	options.by = ITP_RANK_BY_MODULE;
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpuint(ranking->rows->len, ==, 2);
	row = &g_array_index(ranking->rows, struct itp_ranked_row, 1);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, row->function)->module, ==,
			"libz.so");
	g_assert_cmpint(row->own_ns, ==, 7);
	itp_ranking_free(ranking);
}

/* Whether work() is known to be the same below a() and b(), with so much of 10 s, and 20 ms more.
 */
static bool has_moved(struct comparison *comparison, int64_t own_ms)
{
	struct itp_ranking *ranking;
	bool has_moved = false;

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	comparison_set(comparison, comparison->base[0], "main rest", 1, 10000 * MS);
	comparison_set(comparison, comparison->suspect[0], "main rest", 1, 10000 * MS);
	comparison_set(comparison, comparison->suspect[0], "main a", 1, 0);
	comparison_set(comparison, comparison->base[0], "main a work", 1, own_ms * MS);
	comparison_set(comparison, comparison->suspect[0], "main b work", 1, (own_ms + 20) * MS);
	ranking = comparison_rank(comparison, &folded, true);
	for (guint i = 0; i < ranking->paths->len; i++) {
		has_moved |= comparison_path(ranking, i)->novelty == ITP_NOVELTY_MOVED;
	}
	itp_ranking_free(ranking);
	return has_moved;
}

static void test_what_has_moved_costs_a_two_hundredth(struct comparison *comparison,
						      gconstpointer data)
{
	(void)data;
	g_assert_true(has_moved(comparison, 60));
	g_assert_false(has_moved(comparison, 40));
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/comparable/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("work is counted in many units", test_work_is_counted_in_many_units);
	add("calls that may be unseen are no units", test_calls_that_may_be_unseen_are_no_units);
	add("a unit is called as users call it", test_a_unit_is_called_as_users_call_it);
	add("the base is scaled to the work", test_the_base_is_scaled_to_the_work);
	add("several runs are one workload", test_several_runs_are_one_workload);
	add("small differences are noise", test_small_differences_are_noise);
	add("few long waits are noise", test_few_long_waits_are_noise);
	add("runs that vary make noise", test_runs_that_vary_make_noise);
	add("what is rare goes last", test_what_is_rare_goes_last);
	add("strange comparisons are doubted", test_strange_comparisons_are_doubted);
	add("most functions tell the amount", test_most_functions_tell_the_amount);
	add("a function tells the amount", test_a_function_tells_the_amount);
	add("a long beginning stands aside", test_a_long_beginning_stands_aside);
	add("what has moved costs a two-hundredth", test_what_has_moved_costs_a_two_hundredth);
	add("functions and modules are ranked", test_functions_and_modules_are_ranked);
	return g_test_run();
}
