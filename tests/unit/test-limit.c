/* SPDX-License-Identifier: MIT */
/* The limits of sink.introperf.rank: what is above one, and that chance never is. */
#include "common/engine/limit.h"

#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)
#define US2_PER_MS2 UINT64_C(1000000)

/* One call, as a timer with a tick in each millisecond knows it. */
static void call_heavy(struct comparison *comparison, struct itp_profile *run, int64_t own_ms)
{
	comparison_set(comparison, run, "main heavy", 1, own_ms * MS)->own_variance_us2 =
		(uint64_t)own_ms * US2_PER_MS2;
}

/* The error of a single limit; NULL when nothing is above it. */
static char *excess(const struct comparison *comparison, const char *text)
{
	const struct itp_ranking_options by_path = { .folds = true, .spread = 0.03 };
	const struct itp_ranking_options by_function = { .by = ITP_RANK_BY_FUNCTION,
							 .spread = 0.03 };
	struct itp_ranking *paths = comparison_rank(comparison, &by_path, true);
	struct itp_ranking *functions = comparison_rank(comparison, &by_function, true);
	g_autoptr(GPtrArray) texts = g_ptr_array_new();
	g_autoptr(GArray) limits = NULL;
	g_autoptr(GError) error = NULL;

	g_ptr_array_add(texts, (gpointer)text);
	limits = itp_limits_parse(texts, &error);
	g_assert_no_error(error);
	g_assert_true(itp_limits_check(limits, paths, functions, &error) == !error);
	g_assert_true(!error || g_error_matches(error, itp_limit_quark(), ITP_LIMIT_EXCEEDED));
	itp_ranking_free(paths);
	itp_ranking_free(functions);
	return error ? g_strdup(error->message) : NULL;
}

static void assert_excess(const struct comparison *comparison, const char *limit,
			  const char *wanted)
{
	g_autofree char *got = excess(comparison, limit);

	g_assert_cmpstr(got, ==, wanted);
}

static void test_one_long_call_is_above_a_limit(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	call_heavy(comparison, comparison->base[0], 1180);
	call_heavy(comparison, comparison->suspect[0], 3700);
	assert_excess(comparison, "path=5%",
		      ITP_LIMIT_EXCEEDED_TEXT ": heavy: +2.52 s (limit path=5%)");
	assert_excess(comparison, "5%", ITP_LIMIT_EXCEEDED_TEXT ": the whole: +2.52 s (limit 5%)");
	assert_excess(comparison, "heavy=2s",
		      ITP_LIMIT_EXCEEDED_TEXT ": heavy: +2.52 s (limit heavy=2s)");
	assert_excess(comparison, "path=300%", NULL);
	/* Beside a second good run. */
	call_heavy(comparison, comparison->base[1], 1230);
	assert_excess(comparison, "path=5%",
		      ITP_LIMIT_EXCEEDED_TEXT ": heavy: +2.50 s (limit path=5%)");
}

static void test_chance_is_above_no_limit(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	call_heavy(comparison, comparison->base[0], 1180);
	call_heavy(comparison, comparison->suspect[0], 1260);
	assert_excess(comparison, "path=5%", NULL);
	assert_excess(comparison, "5%", NULL);
	assert_excess(comparison, "heavy=20ms", NULL);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add("/limit/one long call is above a limit", struct comparison, NULL,
		   comparison_set_up, test_one_long_call_is_above_a_limit, comparison_tear_down);
	g_test_add("/limit/chance is above no limit", struct comparison, NULL, comparison_set_up,
		   test_chance_is_above_no_limit, comparison_tear_down);
	return g_test_run();
}
