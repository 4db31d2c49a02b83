/* SPDX-License-Identifier: MIT */
/* Paths that the base never took: sure where its calls were told, whatever they cost. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options usual = { .folds = true, .spread = 0.03 };

/* Two waits of 40 ms, which are 80 / (40 √2) = 1.4 standard errors: chance, if chance makes them.
 */
static const struct itp_significance *judge_waits(struct comparison *comparison, const char *path,
						  struct itp_ranking **ret_ranking)
{
	comparison_block(comparison, comparison->suspect[0], path, 2, 80 * MS);
	comparison_node(comparison, comparison->suspect[0], path)->max_ns = 40 * MS;
	*ret_ranking = comparison_rank(comparison, &usual, true);
	return &comparison_path(*ret_ranking, 0)->significance;
}

/* Both make a system call each, so that calls are known to be told. */
static void request_in_both(struct comparison *comparison)
{
	comparison_set(comparison, comparison->suspect[0],
		       "main request libc.so.6!write syscall:write", 10, 100 * MS);
	comparison_set(comparison, comparison->base[0],
		       "main request libc.so.6!write syscall:write", 10, 100 * MS);
}

static void assert_verdict(struct comparison *comparison, const char *path,
			   enum itp_verdict verdict)
{
	struct itp_ranking *ranking;
	const struct itp_significance *significance = judge_waits(comparison, path, &ranking);

	g_assert_cmpstr(itp_verdict_names[significance->verdict], ==, itp_verdict_names[verdict]);
	g_assert_cmpint(significance->is_never_taken, ==, verdict == ITP_VERDICT_SURE);
	itp_ranking_free(ranking);
}

static void test_a_new_path_is_sure(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	request_in_both(comparison);
	assert_verdict(comparison, "main request look_up libc.so.6!sleep syscall:clock_nanosleep",
		       ITP_VERDICT_SURE);
}

/* A stack that was cut does not show that nobody came that way, in either workload. */
static void test_a_cut_path_is_not_new(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	request_in_both(comparison);
	assert_verdict(comparison, "? look_up libc.so.6!sleep syscall:clock_nanosleep",
		       ITP_VERDICT_CHANCE);
}

static void test_a_cut_path_may_have_been_this(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	request_in_both(comparison);
	comparison_set(comparison, comparison->base[0], "? libc.so.6!sleep syscall:clock_nanosleep",
		       1, MS);
	assert_verdict(comparison, "main request look_up libc.so.6!sleep syscall:clock_nanosleep",
		       ITP_VERDICT_CHANCE);
}

/* request() and nap() are known, and nap() by another one. */
static void test_a_new_way_to_a_call_is_sure(struct comparison *comparison, gconstpointer data)
{
	const char *known = "main nap libc.so.6!sleep syscall:clock_nanosleep";

	(void)data;
	request_in_both(comparison);
	comparison_set(comparison, comparison->suspect[0], known, 10, 1 * MS);
	comparison_set(comparison, comparison->base[0], known, 10, 1 * MS);
	assert_verdict(comparison, "main request nap libc.so.6!sleep syscall:clock_nanosleep",
		       ITP_VERDICT_SURE);
}

/* A fault on a way that both take. */
static void test_new_waits_on_an_old_path_are_counted(struct comparison *comparison,
						      gconstpointer data)
{
	(void)data;
	request_in_both(comparison);
	assert_verdict(comparison, "main request k:asm_exc_page_fault k:io_schedule",
		       ITP_VERDICT_CHANCE);
}

/* Whether a lock is free, and data are there, is chance. */
static void test_waits_for_others_are_counted(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	request_in_both(comparison);
	assert_verdict(comparison, "main request lock libc.so.6!mutex syscall:futex",
		       ITP_VERDICT_CHANCE);
	assert_verdict(comparison, "main request wait libc.so.6!poll syscall:poll",
		       ITP_VERDICT_CHANCE);
}

static void test_after_a_loss_no_path_is_new(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	request_in_both(comparison);
	comparison->base[0]->workload.counts.losses = 1;
	comparison->base[0]->workload.counts.lost_events = 1;
	comparison->base[0]->workload.counts.events = UINT32_MAX;
	assert_verdict(comparison, "main request look_up libc.so.6!sleep syscall:clock_nanosleep",
		       ITP_VERDICT_CHANCE);
}

/* Of which none was counted in the base, so that nobody knows what it made. */
static void test_without_calls_no_path_is_new(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	comparison_set(comparison, comparison->base[0], "main request", 10, 100 * MS);
	comparison_set(comparison, comparison->suspect[0], "main request", 10, 100 * MS);
	assert_verdict(comparison, "main request look_up libc.so.6!sleep syscall:clock_nanosleep",
		       ITP_VERDICT_CHANCE);
}

/* Of 100 ms more, so many are two waits that the base never made, the others two page faults. */
static enum itp_verdict verdict_by_part(struct comparison *comparison, int64_t new_ms)
{
	struct itp_ranking *ranking;
	enum itp_verdict verdict;

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	request_in_both(comparison);
	comparison_block(comparison, comparison->suspect[0],
			 "main request libc.so.6!sleep syscall:clock_nanosleep", 2, new_ms * MS);
	comparison_block(comparison, comparison->suspect[0],
			 "main request k:asm_exc_page_fault k:io_schedule", 2, (100 - new_ms) * MS);
	ranking = comparison_rank(comparison, &usual, true);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 100 * MS);
	verdict = comparison_path(ranking, 0)->significance.verdict;
	itp_ranking_free(ranking);
	return verdict;
}

static void test_half_on_a_new_path_is_sure(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(verdict_by_part(comparison, 60), ==, ITP_VERDICT_SURE);
	g_assert_cmpint(verdict_by_part(comparison, 40), !=, ITP_VERDICT_SURE);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/never taken/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a new path is sure", test_a_new_path_is_sure);
	add("a cut path is not new", test_a_cut_path_is_not_new);
	add("a cut path may have been this", test_a_cut_path_may_have_been_this);
	add("a new way to a call is sure", test_a_new_way_to_a_call_is_sure);
	add("new waits on an old path are counted", test_new_waits_on_an_old_path_are_counted);
	add("waits for others are counted", test_waits_for_others_are_counted);
	add("after a loss no path is new", test_after_a_loss_no_path_is_new);
	add("without calls no path is new", test_without_calls_no_path_is_new);
	add("half on a new path is sure", test_half_on_a_new_path_is_sure);
	return g_test_run();
}
