/* SPDX-License-Identifier: MIT */
/* Functions that cost little in each of many contexts, and most of it in all of them together. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true };

static const char *const operations[] = { "add", "sub", "mul", "quote", "call", "cond" };

/* The base has `base_ms` in `stack`, the suspect `more_ms` more. */
static void add(struct comparison *comparison, const char *stack, int64_t base_ms, int64_t more_ms)
{
	comparison_set(comparison, comparison->base[0], stack, 100, base_ms * MS);
	comparison_set(comparison, comparison->suspect[0], stack, 100, (base_ms + more_ms) * MS);
}

static void assert_first(const struct comparison *comparison, const char *culprit, int64_t cost_ms)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);

	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, culprit);
	g_assert_cmpint(comparison_path(ranking, 0)->cost / MS, ==, cost_ms);
	itp_ranking_free(ranking);
}

/* "main eval add eval sub TAIL", for each two operations. */
static void add_pairs(struct comparison *comparison, const char *tail, int64_t base_ms,
		      int64_t more_ms)
{
	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++) {
		for (size_t k = 0; k < G_N_ELEMENTS(operations); k++) {
			g_autofree char *stack = g_strdup_printf(
				"main eval %s eval %s %s", operations[i], operations[k], tail);

			add(comparison, stack, base_ms, more_ms);
		}
	}
}

/* add() and the others call eval() again: each has a part of what it costs, and explains none. */
static void test_below_a_recursion(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	add_pairs(comparison, "make_cell", 10, 0);
	add_pairs(comparison, "make_cell collect", 1, 1);
	add_pairs(comparison, "make_cell collect mark", 5, 20);
	assert_first(comparison, "mark", 36 * 20);
}

static void test_below_many_callers(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++) {
		g_autofree char *own = g_strdup_printf("main %s", operations[i]);
		g_autofree char *stack = g_strdup_printf("main %s lock", operations[i]);

		add(comparison, own, 50, 5);
		add(comparison, stack, 1, 40);
	}
	assert_first(comparison, "lock", 6 * 40);
}

/* Three of six callers have 10 of 20 ms each there: half of all, and in the next test less. */
static void add_halves(struct comparison *comparison, int64_t elsewhere_ms)
{
	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++) {
		g_autofree char *own = g_strdup_printf("main %s", operations[i]);
		g_autofree char *stack = g_strdup_printf("main %s lock", operations[i]);

		add(comparison, own, 50, elsewhere_ms);
		add(comparison, stack, 1, 100);
	}
}

static void test_half_is_most(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	add_halves(comparison, 99);
	assert_first(comparison, "lock", 600);
}

static void test_less_than_half_is_not(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	add_halves(comparison, 102);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, <, 600 * MS);
	itp_ranking_free(ranking);
}

/* Where one caller has most of it, the way there says more. */
static void test_not_where_one_way_has_most(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	add(comparison, "main serve", 10, 300);
	add(comparison, "main serve lock", 10, 200);
	add(comparison, "main log lock", 10, 200);
	add(comparison, "main list lock", 10, 200);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "serve");
	itp_ranking_free(ranking);
}

/* malloc() is in all programs, and in no one's hands. */
static void test_no_function_of_the_system(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++) {
		g_autofree char *stack =
			g_strdup_printf("main.c:x main %s libc.so.6!malloc", operations[i]);

		add(comparison, stack, 1, 40);
	}
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), !=, "malloc");
	itp_ranking_free(ranking);
}

/* The call of run() is the difference, whatever all below it call. */
static void test_not_below_what_is_new(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	add(comparison, "main plan lock", 10, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++) {
		g_autofree char *stack = g_strdup_printf("main plan run %s lock", operations[i]);

		comparison_set(comparison, comparison->suspect[0], stack, 100, 40 * MS);
	}
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "run");
	itp_ranking_free(ranking);
}

static const struct {
	const char *path;
	void (*check)(struct comparison *comparison, gconstpointer data);
} tests[] = {
	{ "/gathered/below a recursion", test_below_a_recursion },
	{ "/gathered/below many callers", test_below_many_callers },
	{ "/gathered/half is most", test_half_is_most },
	{ "/gathered/less than half is not", test_less_than_half_is_not },
	{ "/gathered/not where one way has most", test_not_where_one_way_has_most },
	{ "/gathered/no function of the system", test_no_function_of_the_system },
	{ "/gathered/not below what is new", test_not_below_what_is_new },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_test_add(tests[i].path, struct comparison, NULL, comparison_set_up,
			   tests[i].check, comparison_tear_down);
	}
	return g_test_run();
}
