/* SPDX-License-Identifier: MIT */
/* Where more calls begin, just on both sides of each limit. */
#include "tests/unit/comparison.h"

static const struct itp_ranking_options options = { .folds = true };

/* main() calls handle(), and this work(), which is called three times as often in the suspect.
 * handle() is called so often for a hundred times in the base, and has so much of 1000 that the
 * suspect takes longer. Returns the function where more calls begin, or "-". Begins anew. */
static const char *origin_of(struct comparison *comparison, uint64_t calls, int64_t more)
{
	struct itp_ranking *ranking;
	const struct itp_ranked_path *path;
	const char *origin = "-";

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	comparison_set(comparison, comparison->base[0], "main", 1, 10);
	comparison_set(comparison, comparison->base[0], "main handle", 100, 100);
	comparison_set(comparison, comparison->base[0], "main handle work", 100, 100);
	comparison_set(comparison, comparison->suspect[0], "main", 1, 10);
	comparison_set(comparison, comparison->suspect[0], "main handle", calls, 100 + more);
	comparison_set(comparison, comparison->suspect[0], "main handle work", 300, 1100 - more);
	ranking = comparison_rank(comparison, &options, true);
	for (guint i = 0; i < ranking->paths->len; i++) {
		path = comparison_path(ranking, i);
		if (strcmp(comparison_leaf(ranking, i), "work") == 0 && path->origin >= 0) {
			origin = itp_function_table_get(comparison->functions,
							path->frames[path->origin].function)
					 ->name;
		}
	}
	itp_ranking_free(ranking);
	return origin;
}

static void test_a_twentieth_is_as_often(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpstr(origin_of(comparison, 104, 0), ==, "handle");
	g_assert_cmpstr(origin_of(comparison, 106, 0), ==, "main");
}

static void test_most_lies_below_its_origin(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpstr(origin_of(comparison, 100, 400), ==, "handle");
	g_assert_cmpstr(origin_of(comparison, 100, 600), ==, "-");
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/path/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a twentieth is as often", test_a_twentieth_is_as_often);
	add("most lies below its origin", test_most_lies_below_its_origin);
	return g_test_run();
}
