/* SPDX-License-Identifier: MIT */
/* Culprits just on both sides of each limit of culprit.c. */
#include "tests/unit/comparison.h"

static const struct itp_ranking_options options = { .folds = true };

static void spend(struct comparison *comparison, const char *stack, int64_t own_ns)
{
	comparison_set(comparison, comparison->suspect[0], stack, 1, own_ns);
}

/* Whether `function` has an entry of its own. Begins anew. */
static bool is_culprit(struct comparison *comparison, const char *function)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, false);
	bool is_found = false;

	for (guint i = 0; i < ranking->paths->len; i++) {
		is_found |= strcmp(comparison_culprit(ranking, i), function) == 0;
	}
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return is_found;
}

/* A callee that is too small for an entry beside its caller. */
static void test_who_has_half_of_the_callers_cost(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	spend(comparison, "big", 2000);
	spend(comparison, "run", 45);
	spend(comparison, "run work", 55);
	g_assert_true(is_culprit(comparison, "work"));
	spend(comparison, "big", 2000);
	spend(comparison, "run", 55);
	spend(comparison, "run work", 45);
	g_assert_false(is_culprit(comparison, "work"));
}

/* Three callees, none with half of the cost, each with more than the caller. */
static bool is_entry_beside(struct comparison *comparison, int64_t largest_ns)
{
	spend(comparison, "big", largest_ns);
	spend(comparison, "run", 10);
	spend(comparison, "run a", 30);
	spend(comparison, "run b", 30);
	spend(comparison, "run c", 30);
	return is_culprit(comparison, "b");
}

static void test_who_has_a_twentieth_is_an_entry(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_true(is_entry_beside(comparison, 500));
	g_assert_false(is_entry_beside(comparison, 700));
}

/* A callee with less than its caller. */
static bool is_entry_below(struct comparison *comparison, int64_t largest_ns)
{
	spend(comparison, "big", largest_ns);
	spend(comparison, "run", 100);
	spend(comparison, "run work", 60);
	return is_culprit(comparison, "work");
}

static void test_who_has_a_quarter_is_an_entry_below_more(struct comparison *comparison,
							  gconstpointer data)
{
	(void)data;
	g_assert_true(is_entry_below(comparison, 200));
	g_assert_false(is_entry_below(comparison, 280));
}

/* All of what a function costs lies below it. */
static bool is_searched(struct comparison *comparison, int64_t largest_ns)
{
	spend(comparison, "big", largest_ns);
	spend(comparison, "run", 0);
	spend(comparison, "run work", 100);
	return is_culprit(comparison, "work");
}

static void test_what_is_small_is_not_searched(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_true(is_searched(comparison, 19000));
	g_assert_false(is_searched(comparison, 21000));
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/culprit/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("who has half of the caller's cost", test_who_has_half_of_the_callers_cost);
	add("who has a twentieth is an entry", test_who_has_a_twentieth_is_an_entry);
	add("who has a quarter is an entry below more",
	    test_who_has_a_quarter_is_an_entry_below_more);
	add("what is small is not searched", test_what_is_small_is_not_searched);
	return g_test_run();
}
