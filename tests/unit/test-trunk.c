/* SPDX-License-Identifier: MIT */
/* The function below which nearly all of a difference lies. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true };

/* The base has `base_ms` in `stack`, the suspect `more_ms` more. */
static void add(struct comparison *comparison, const char *stack, int64_t base_ms, int64_t more_ms)
{
	comparison_set(comparison, comparison->base[0], stack, 10, base_ms * MS);
	comparison_set(comparison, comparison->suspect[0], stack, 10, (base_ms + more_ms) * MS);
}

/* "FUNCTION in PROCESS: ms", or "-". */
static void assert_trunk(const struct comparison *comparison, const char *expected)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);
	const struct itp_trunk *trunk = &ranking->trunk;
	g_autofree char *text = g_strdup("-");

	if (trunk->function != ITP_FUNCTION_UNKNOWN) {
		g_free(text);
		text = g_strdup_printf(
			"%s in %s: %d",
			itp_function_table_get(comparison->functions, trunk->function)->name,
			itp_function_table_get(comparison->functions, trunk->process)->name,
			(int)(trunk->delta_ns / MS));
	}
	g_assert_cmpstr(text, ==, expected);
	itp_ranking_free(ranking);
}

static void test_it_is_the_last_before_it_branches(struct comparison *comparison,
						   gconstpointer data)
{
	(void)data;
	add(comparison, "main read", 500, 5);
	add(comparison, "main write derive copy", 1, 100);
	add(comparison, "main write derive digest", 1, 80);
	add(comparison, "main write", 300, 10);
	assert_trunk(comparison, "derive in p: 180");
}

/* What got faster elsewhere does not lead astray. */
static void test_it_is_where_most_is_at_each_fork(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	add(comparison, "main read", 500, -200);
	add(comparison, "main list sort", 50, 190);
	add(comparison, "main write derive copy", 50, 110);
	add(comparison, "main write derive digest", 50, 105);
	assert_trunk(comparison, "derive in p: 215");
}

static void test_the_whole_program_tells_nothing(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	add(comparison, "main read", 500, 100);
	add(comparison, "main write", 500, 100);
	assert_trunk(comparison, "-");
}

static void test_the_c_library_tells_nothing(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	add(comparison, "main read", 500, 0);
	add(comparison, "main load libc.so.6!qsort libc.so.6!memcpy", 10, 60);
	add(comparison, "main load libc.so.6!qsort libc.so.6!malloc", 10, 60);
	assert_trunk(comparison, "load in p: 120");
}

static void test_what_is_faster_has_none(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	add(comparison, "main read", 500, -10);
	add(comparison, "main write", 500, 5);
	assert_trunk(comparison, "-");
}

static const struct {
	const char *path;
	void (*check)(struct comparison *comparison, gconstpointer data);
} tests[] = {
	{ "/trunk/it is the last before it branches", test_it_is_the_last_before_it_branches },
	{ "/trunk/it is where most is at each fork", test_it_is_where_most_is_at_each_fork },
	{ "/trunk/the whole program tells nothing", test_the_whole_program_tells_nothing },
	{ "/trunk/the C library tells nothing", test_the_c_library_tells_nothing },
	{ "/trunk/what is faster has none", test_what_is_faster_has_none },
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
