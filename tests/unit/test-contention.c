/* SPDX-License-Identifier: MIT */
/* Waiting for a CPU: when it is the cause, and whose it is behind a wait for work. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };

static void suspect(struct comparison *comparison, const char *stack, int64_t own_ms)
{
	comparison_set(comparison, comparison->suspect[0], stack, 9, own_ms * MS);
}

static void base(struct comparison *comparison, const char *stack, int64_t own_ms)
{
	comparison_set(comparison, comparison->base[0], stack, 9, own_ms * MS);
}

/* In the suspect, behind whatever else it does there. `taker` had the CPU. */
static void wait_for_cpu(struct comparison *comparison, const char *stack, int64_t waited_ms,
			 const char *taker)
{
	comparison_wait_for_cpu(comparison, comparison->suspect[0], stack, waited_ms * MS, taker);
}

static const char *taker_of(const struct itp_ranking *ranking, guint path)
{
	const GArray *takers = comparison_path(ranking, path)->waited_for[ITP_WAKER_HAD_CPU];

	return takers->len == 0 ?
		       "-" :
		       itp_function_table_get(ranking->functions,
					      g_array_index(takers, struct itp_waker, 0).process)
			       ->name;
}

/* It lost 1500 ms to another, which the base did not run, and is 20 ms slower by itself. */
static void test_who_lost_the_cpu_comes_first(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main pack", 500);
	suspect(comparison, "main pack", 520);
	wait_for_cpu(comparison, "main pack", 1500, "backupd");
	suspect(comparison, "backupd: main burn", 1900);
	wait_for_cpu(comparison, "backupd: main burn", 500, "p");
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "pack");
	g_assert_false(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	g_assert_cmpint(comparison_path(ranking, 0)->ranked_value, ==, 1520 * MS);
	g_assert_cmpstr(taker_of(ranking, 0), ==, "backupd");
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "burn");
	/* What the other waited for is not the suspect's loss. */
	g_assert_cmpint(ranking->suspect_runnable_ns, ==, 1500 * MS);
	g_assert_cmpuint(ranking->takers->len, ==, 1);
	itp_ranking_free(ranking);
}

/* The 1500 ms that a recorder had the CPU are nobody's fault, and no cause. */
static void test_a_recorder_is_never_the_cause(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main pack", 500);
	suspect(comparison, "main pack", 520);
	wait_for_cpu(comparison, "main pack", 1500, "perf-introperf");
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpint(comparison_path(ranking, 0)->ranked_value, ==, 20 * MS);
	g_assert_cmpstr(taker_of(ranking, 0), ==, "-");
	g_assert_cmpint(ranking->suspect_runnable_ns, ==, 1500 * MS);
	g_assert_cmpuint(ranking->takers->len, ==, 0);
	itp_ranking_free(ranking);
}

/* The kernel took the CPU at a system call, of a thread that computes elsewhere. */
static void test_what_is_computed_lost_the_cpu(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main pack", 300);
	base(comparison, "main show", 100);
	suspect(comparison, "main pack", 300);
	suspect(comparison, "main show", 100);
	wait_for_cpu(comparison, "main show libc.so.6!clock syscall:clock k:schedule", 1200,
		     "backupd");
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "pack");
	g_assert_cmpint(comparison_path(ranking, 0)->ranked_value, ==, 900 * MS);
	g_assert_cmpstr(taker_of(ranking, 0), ==, "backupd");
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "show");
	g_assert_cmpint(comparison_path(ranking, 1)->ranked_value, ==, 300 * MS);
	g_assert_cmpint(ranking->suspect_runnable_ns, ==, 1200 * MS);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 1600 * MS);
	itp_ranking_free(ranking);
}

/* Most of what it lost is work of its own. */
static void test_others_are_not_blamed_for_own_work(struct comparison *comparison,
						    gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main pack", 500);
	base(comparison, "main list", 400);
	suspect(comparison, "main pack", 900);
	suspect(comparison, "main list", 400);
	wait_for_cpu(comparison, "main list", 300, "backupd");
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "pack");
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 300 * MS);
	g_assert_cmpint(comparison_path(ranking, 1)->ranked_value, ==, 0);
	itp_ranking_free(ranking);
}

/* Less than a fifth of what the base took is a busy machine. */
static void test_a_little_of_it_is_no_cause(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main pack", 500);
	suspect(comparison, "main pack", 500);
	wait_for_cpu(comparison, "main pack", 90, "backupd");
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpint(comparison_path(ranking, 0)->ranked_value, ==, 0);
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	itp_ranking_free(ranking);
}

/* The wait for work is over when there is some. */
static void test_work_that_waits_for_a_cpu_is_not_idle(struct comparison *comparison,
						       gconstpointer data)
{
	const char *wait = "main loop libc.so.6!epoll_wait syscall:epoll_wait k:schedule";
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->base[0], wait, 9, 900 * MS);
	base(comparison, "main loop handle", 100);
	comparison_block(comparison, comparison->suspect[0], wait, 9, 900 * MS);
	suspect(comparison, "main loop handle", 100);
	wait_for_cpu(comparison, wait, 400, "backupd");
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "loop");
	g_assert_cmpstr(comparison_leaf(ranking, 0), ==, "schedule");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 400 * MS);
	g_assert_false(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	g_assert_cmpstr(taker_of(ranking, 0), ==, "backupd");
	g_assert_cmpint(ranking->suspect_own_ns, ==, 500 * MS);
	g_assert_cmpint(ranking->base_own_ns, ==, 100 * MS);
	itp_ranking_free(ranking);
}

/* A shell waits for what it has started, also when only the suspect runs by a shell. */
static void test_the_end_of_another_is_never_the_cause(struct comparison *comparison,
						       gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main pack", 500);
	suspect(comparison, "main pack", 900);
	comparison_block(comparison, comparison->suspect[0],
			 "sh: run libc.so.6!wait4 syscall:wait4 k:schedule", 1, 900 * MS);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "pack");
	g_assert_cmpint(ranking->suspect_own_ns, ==, 900 * MS);
	itp_ranking_free(ranking);
}

/* Time of pack() that is ranked in milliseconds, where the suspect takes `more_ms` more than the
 * base by itself, and waits for backupd. Begins anew. */
static int64_t ranked_ms(struct comparison *comparison, int64_t base_ms, int64_t more_ms,
			 int64_t waited_ms)
{
	struct itp_ranking *ranking;
	int64_t ranked_ns;

	base(comparison, "main pack", base_ms);
	suspect(comparison, "main pack", base_ms + more_ms);
	wait_for_cpu(comparison, "main pack", waited_ms, "backupd");
	ranking = comparison_rank(comparison, &options, true);
	ranked_ns = comparison_path(ranking, 0)->ranked_value;
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return ranked_ns / MS;
}

static void test_half_of_what_was_lost_is_the_cause(struct comparison *comparison,
						    gconstpointer data)
{
	(void)data;
	g_assert_cmpint(ranked_ms(comparison, 500, 200, 300), ==, 500);
	g_assert_cmpint(ranked_ms(comparison, 500, 400, 300), ==, 400);
}

static void test_a_fifth_of_the_base_is_the_cause(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(ranked_ms(comparison, 1000, 0, 250), ==, 250);
	g_assert_cmpint(ranked_ms(comparison, 1000, 0, 150), ==, 0);
}

static void test_a_tenth_of_a_second_is_the_cause(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(ranked_ms(comparison, 200, 0, 120), ==, 120);
	g_assert_cmpint(ranked_ms(comparison, 200, 0, 80), ==, 0);
}

/* Time of pack() that is ranked in milliseconds, where `scale` times the base computed 500 ms and
 * waited for 500 ms, as backupd ran, and the suspect computes 800 ms and waits for `waited_ms`. */
static int64_t ranked_beside_others(struct comparison *comparison, int64_t waited_ms)
{
	struct itp_ranking *ranking;
	int64_t ranked_ms;

	base(comparison, "main pack", 500);
	comparison_wait_for_cpu(comparison, comparison->base[0], "main pack", 500 * MS, "backupd");
	suspect(comparison, "main pack", 800);
	wait_for_cpu(comparison, "main pack", waited_ms, "backupd");
	ranking = comparison_rank(comparison, &options, true);
	ranked_ms = comparison_path(ranking, 0)->ranked_value / MS;
	itp_ranking_free(ranking);
	return ranked_ms;
}

/* Who computes for longer waits for longer: 500 ms for 500 ms of computing, and 800 for 800. */
static void test_the_same_others_are_not_the_cause(struct comparison *comparison,
						   gconstpointer data)
{
	(void)data;
	g_assert_cmpint(ranked_beside_others(comparison, 800), ==, 300);
}

/* 1300 ms of what it lost is more than the same others take, of 1600 in all. */
static void test_more_of_the_same_others_is_the_cause(struct comparison *comparison,
						      gconstpointer data)
{
	(void)data;
	g_assert_cmpint(ranked_beside_others(comparison, 2100), ==, 1900);
}

/* Another program that the base did not run, started by the suspect: that is its own work. */
static void test_what_it_started_is_not_another(struct comparison *comparison, gconstpointer data)
{
	struct itp_waker started = { .role = ITP_WAKER_STARTED, .count = 400 };
	struct itp_ranking *ranking;

	(void)data;
	base(comparison, "main pack", 500);
	suspect(comparison, "main pack", 520);
	wait_for_cpu(comparison, "main pack", 1500, "gzip");
	suspect(comparison, "gzip: main deflate", 1900);
	started.node = comparison_node_id(comparison, "main pack");
	started.process = itp_context_tree_get(
				  comparison->tree,
				  itp_context_tree_get(comparison->tree,
						       comparison_node_id(comparison, "gzip: main"))
					  ->parent)
				  ->function;
	itp_wakers_add(comparison->suspect[0]->wakers, &started);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_false(ranking->counts_waiting);
	itp_ranking_free(ranking);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/contention/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("who lost the CPU comes first", test_who_lost_the_cpu_comes_first);
	add("what it started is not another", test_what_it_started_is_not_another);
	add("a recorder is never the cause", test_a_recorder_is_never_the_cause);
	add("what is computed lost the CPU", test_what_is_computed_lost_the_cpu);
	add("others are not blamed for own work", test_others_are_not_blamed_for_own_work);
	add("a little of it is no cause", test_a_little_of_it_is_no_cause);
	add("half of what was lost is the cause", test_half_of_what_was_lost_is_the_cause);
	add("a fifth of the base is the cause", test_a_fifth_of_the_base_is_the_cause);
	add("the same others are not the cause", test_the_same_others_are_not_the_cause);
	add("more of the same others is the cause", test_more_of_the_same_others_is_the_cause);
	add("a tenth of a second is the cause", test_a_tenth_of_a_second_is_the_cause);
	add("work that waits for a CPU is not idle", test_work_that_waits_for_a_cpu_is_not_idle);
	add("the end of another is never the cause", test_the_end_of_another_is_never_the_cause);
	return g_test_run();
}
