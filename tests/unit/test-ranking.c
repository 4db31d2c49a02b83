/* SPDX-License-Identifier: MIT */
/* Algorithm 3 on trees that were worked out by hand, and the choice of the culprit. */
#include "tests/unit/comparison.h"

#include "common/base/watched.h"

/* Gives a context a count, a total and its own part of it. */
static void set(struct comparison *comparison, struct itp_profile *profile, const char *path,
		uint64_t count, int64_t total_ns, int64_t own_ns)
{
	struct itp_node_stats *stats = comparison_node(comparison, profile, path);

	stats->count = count;
	stats->max_count = count;
	stats->counted_count = count;
	stats->total_ns = total_ns;
	stats->own_ns = own_ns;
}

static struct itp_ranking *rank(const struct comparison *comparison, enum itp_metric metric,
				enum itp_method method, bool with_base, size_t top)
{
	const struct itp_ranking_options options = { .metric = metric,
						     .method = method,
						     .top = top };

	return comparison_rank(comparison, &options, with_base);
}

/* main(100) = 10 own + 2 × f(30 each: 5 own + 25 g) + h(30). */
static void set_suspect(struct comparison *comparison)
{
	set(comparison, comparison->suspect[0], "main", 1, 100, 10);
	set(comparison, comparison->suspect[0], "main f", 2, 60, 10);
	set(comparison, comparison->suspect[0], "main f g", 2, 50, 50);
	set(comparison, comparison->suspect[0], "main h", 1, 30, 30);
}

static void set_base(struct comparison *comparison)
{
	set(comparison, comparison->base[0], "main", 1, 50, 5);
	set(comparison, comparison->base[0], "main f", 1, 15, 5);
	set(comparison, comparison->base[0], "main f g", 1, 10, 10);
	set(comparison, comparison->base[0], "main i", 1, 30, 30);
}

static void test_paths_run_from_root_to_leaf(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set_suspect(comparison);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 0);
	g_assert_cmpuint(ranking->path_count, ==, 2);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 70);
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "g");
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 40);
	g_assert_cmpstr(comparison_leaf(ranking, 1), ==, "h");
	g_assert_cmpint(ranking->suspect_own_ns, ==, 100);
	itp_ranking_free(ranking);
}

static void test_calls_of_functions_without_a_name_are_counted(struct comparison *comparison,
							       gconstpointer data)
{
	const struct itp_function unnamed = { .name = "g",
					      .module = "program",
					      .build_id = "",
					      .layer = ITP_LAYER_USER,
					      .is_unnamed = true };
	struct itp_ranking *ranking;

	(void)data;
	itp_function_table_intern(comparison->functions, &unnamed);
	set_suspect(comparison);
	set_base(comparison);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, true, 0);
	g_assert_cmpuint(ranking->suspect_calls.calls, ==, 1 + 2 + 2 + 1);
	g_assert_cmpuint(ranking->suspect_calls.unnamed, ==, 2);
	g_assert_cmpuint(ranking->base_calls.calls, ==, 4);
	g_assert_cmpuint(ranking->base_calls.unnamed, ==, 1);
	itp_ranking_free(ranking);
}

/* Ticks hit the interpreter, which is below the functions that it runs. */
static void test_ticks_below_made_code_are_its(struct comparison *comparison, gconstpointer data)
{
	struct itp_profile *profile = comparison->suspect[0];
	struct itp_ranking *ranking;

	(void)data;
	profile->workload.counts.watched = ITP_WATCHED_TOLD | ITP_WATCHED_TICKS;
	comparison_set(comparison, profile,
		       "python3.13!main [jit]!py_serve python3.13!_PyEval_EvalFrameDefault", 0, 100)
		->samples = 1;
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 5);
	g_assert_cmpstr(itp_machine_code_main(&ranking->suspect_calls.made)->name, ==, "Python");
	g_assert_false(itp_machine_code_is_mute(&ranking->suspect_calls.made));
	itp_ranking_free(ranking);
}

static void test_base_is_subtracted_node_by_node(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set_suspect(comparison);
	set_base(comparison);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, true, 0);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, (10 - 5) + (10 - 5) + (50 - 10));
	g_assert_cmpuint(comparison_path(ranking, 0)->novelty, ==, ITP_NOVELTY_NONE);
	/* h is new, but main is not. */
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, (10 - 5) + 30);
	g_assert_cmpuint(comparison_path(ranking, 1)->novelty, ==, ITP_NOVELTY_NEW);
	itp_ranking_free(ranking);
}

/* Means: main 100, f 30, g 25, h 30; own: main 100 − 30 − 30 = 40, f 5, g 25, h 30.
 * Base:  main 50, f 15, g 10, i 30; own: main 5, f 5, g 10, i 30. */
static void test_paper_takes_base_out_of_equal_paths_only(struct comparison *comparison,
							  gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set_suspect(comparison);
	set_base(comparison);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_PAPER, true, 0);
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "h");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 40 + 30);
	g_assert_cmpint(comparison_path(ranking, 0)->base_value, ==, 0);
	g_assert_cmpstr(comparison_leaf(ranking, 1), ==, "g");
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, (40 - 5) + (5 - 5) + (25 - 10));
	itp_ranking_free(ranking);
}

static void test_paper_own_latency_is_mean_minus_means(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_ranked_path *path;

	(void)data;
	set_suspect(comparison);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_PAPER, false, 0);
	path = comparison_path(ranking, 0);
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "g");
	g_assert_cmpint(path->frames[0].value, ==, 40);
	g_assert_cmpint(path->frames[1].value, ==, 5);
	g_assert_cmpint(path->frames[2].value, ==, 25);
	itp_ranking_free(ranking);
}

static void test_frames_are_ranked_inside_their_path(struct comparison *comparison,
						     gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_ranked_path *path;

	(void)data;
	set_suspect(comparison);
	set(comparison, comparison->suspect[0], "main f", 2, 60, 9);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 0);
	path = comparison_path(ranking, 0);
	g_assert_cmpuint(path->frames[0].rank, ==, 2);
	g_assert_cmpuint(path->frames[1].rank, ==, 3);
	g_assert_cmpuint(path->frames[2].rank, ==, 1);
	itp_ranking_free(ranking);
}

static void test_only_the_top_is_kept(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set_suspect(comparison);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 1);
	g_assert_cmpuint(ranking->paths->len, ==, 1);
	g_assert_cmpuint(ranking->path_count, ==, 2);
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "g");
	itp_ranking_free(ranking);
}

static void test_metrics_choose_the_value(struct comparison *comparison, gconstpointer data)
{
	const int64_t wanted[] = {
		[ITP_METRIC_OWN] = 70,
		[ITP_METRIC_TOTAL] = 100 + 60 + 50,
		[ITP_METRIC_COUNT] = 1 + 2 + 2,
		[ITP_METRIC_EACH] = 10 + 5 + 25,
	};

	(void)data;
	set_suspect(comparison);
	for (size_t metric = 0; metric < G_N_ELEMENTS(wanted); metric++) {
		struct itp_ranking *ranking =
			rank(comparison, (enum itp_metric)metric, ITP_METHOD_TOTALS, false, 1);

		g_assert_cmpint(comparison_path(ranking, 0)->suspect_value, ==, wanted[metric]);
		itp_ranking_free(ranking);
	}
}

/* f: 1 call of 5 own → 2 of 5: more often. g: 1 of 10 → 2 of 25: 10 more often, 30 slower. */
static void test_a_difference_is_split_into_more_often_and_slower(struct comparison *comparison,
								  gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_ranked_path *path;

	(void)data;
	set_suspect(comparison);
	set_base(comparison);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, true, 1);
	path = comparison_path(ranking, 0);
	g_assert_cmpint(path->delta.more_calls_ns, ==, 0 + 5 + 10);
	g_assert_cmpint(path->delta.slower_calls_ns, ==, 5 + 0 + 30);
	g_assert_cmpint(path->delta.more_calls_ns + path->delta.slower_calls_ns, ==, path->cost);
	itp_ranking_free(ranking);
}

static void test_ties_are_ordered_by_name(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set(comparison, comparison->suspect[0], "main", 1, 30, 0);
	set(comparison, comparison->suspect[0], "main zeta", 1, 10, 10);
	set(comparison, comparison->suspect[0], "main alpha", 1, 10, 10);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 0);
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "alpha");
	g_assert_cmpstr(comparison_leaf(ranking, 1), ==, "zeta");
	itp_ranking_free(ranking);
}

static void test_the_culprit_is_the_deepest_own_function(struct comparison *comparison,
							 gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set(comparison, comparison->suspect[0], "main", 1, 100, 5);
	set(comparison, comparison->suspect[0], "main f", 1, 95, 5);
	set(comparison, comparison->suspect[0], "main f g", 1, 90, 10);
	set(comparison, comparison->suspect[0], "main f g k:schedule", 1, 80, 80);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 1);
	g_assert_cmpint(comparison_path(ranking, 0)->culprit, ==, 2);
	itp_ranking_free(ranking);
}

static void test_a_cheap_callee_is_not_the_culprit(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set(comparison, comparison->suspect[0], "main", 1, 100, 5);
	set(comparison, comparison->suspect[0], "main f", 1, 95, 85);
	set(comparison, comparison->suspect[0], "main f g", 1, 10, 10);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 1);
	g_assert_cmpint(comparison_path(ranking, 0)->culprit, ==, 1);
	itp_ranking_free(ranking);
}

/* Others are to blame for that, not whoever was to run. */
static void test_waiting_for_a_cpu_makes_no_culprit(struct comparison *comparison,
						    gconstpointer data)
{
	struct itp_node_stats *waiting =
		comparison_set(comparison, comparison->suspect[0], "main", 1, 100);
	const struct itp_ranking_options folded = { .folds = true };
	struct itp_ranking *ranking;

	(void)data;
	waiting->own_use = (struct itp_time_use){ .runnable_ns = 100 };
	comparison_set(comparison, comparison->suspect[0], "main work", 1, 60);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "work");
	itp_ranking_free(ranking);
}

static void test_a_kernel_thread_has_no_culprit(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	set(comparison, comparison->suspect[0], "k:ret_from_fork", 1, 100, 5);
	set(comparison, comparison->suspect[0], "k:ret_from_fork k:kthread", 1, 95, 95);
	ranking = rank(comparison, ITP_METRIC_OWN, ITP_METHOD_TOTALS, false, 1);
	g_assert_cmpint(comparison_path(ranking, 0)->culprit, ==, -1);
	itp_ranking_free(ranking);
}

/* A thread of a machine that has no function of a program: what it called tells more than where the
 * kernel put it to sleep. */
static void test_the_kernel_is_not_to_blame_for_a_runtime(struct comparison *comparison,
							  gconstpointer data)
{
	const struct itp_ranking_options folded = { .folds = true };
	const struct itp_ranked_path *path;
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0],
			 "libc.so.6!clone3 libc.so.6!select syscall:write k:schedule", 1, 100);
	ranking = comparison_rank(comparison, &folded, false);
	path = comparison_path(ranking, 0);
	g_assert_cmpint(path->culprit, ==, -1);
	g_assert_cmpuint(path->variant_count, ==, 1);
	g_assert_cmpuint(path->variants[0].node, ==, path->frames[1].node);
	itp_ranking_free(ranking);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/ranking/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("paths run from root to leaf", test_paths_run_from_root_to_leaf);
	add("calls of functions without a name are counted",
	    test_calls_of_functions_without_a_name_are_counted);
	add("ticks below made code are its", test_ticks_below_made_code_are_its);
	add("base is subtracted node by node", test_base_is_subtracted_node_by_node);
	add("the paper takes base out of equal paths only",
	    test_paper_takes_base_out_of_equal_paths_only);
	add("the paper's own latency is mean minus means",
	    test_paper_own_latency_is_mean_minus_means);
	add("frames are ranked inside their path", test_frames_are_ranked_inside_their_path);
	add("only the top is kept", test_only_the_top_is_kept);
	add("metrics choose the value", test_metrics_choose_the_value);
	add("a difference is split into more often and slower",
	    test_a_difference_is_split_into_more_often_and_slower);
	add("ties are ordered by name", test_ties_are_ordered_by_name);
	add("the culprit is the deepest own function",
	    test_the_culprit_is_the_deepest_own_function);
	add("a cheap callee is not the culprit", test_a_cheap_callee_is_not_the_culprit);
	add("waiting for a CPU makes no culprit", test_waiting_for_a_cpu_makes_no_culprit);
	add("a kernel thread has no culprit", test_a_kernel_thread_has_no_culprit);
	add("the kernel is not to blame for a runtime",
	    test_the_kernel_is_not_to_blame_for_a_runtime);
	return g_test_run();
}
