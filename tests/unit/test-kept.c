/* SPDX-License-Identifier: MIT */
/*
 * What a profile keeps of recordings that watch more or less, with hand-computed times.
 */
#include "common/infer/kept.h"
#include "tests/unit/support.h"

#define MS 1000000

static void tick(struct test_run *run, int64_t time_ns, const char *stack)
{
	test_push_tick(run, time_ns, 1, stack, MS);
}

static uint32_t parent_of(const void *data, uint32_t node)
{
	return itp_context_tree_get(((const struct test_run *)data)->tree, node)->parent;
}

/* Ends the recording; the profile keeps what was watched. */
static void conclude(struct test_run *run)
{
	itp_infer_finish(run->infer);
	test_tell_shares(run);
	run->profile->workload.counts = *itp_infer_counts(run->infer);
	itp_profile_keep_watched(run->profile, parent_of, run);
}

/* Four ticks of 1 ms, between which the thread sleeps for 2 s: 3 in work, 1 in main. */
static void push_ticks(struct test_run *run)
{
	tick(run, 1 * MS, "main work");
	tick(run, 2 * MS, "main work");
	tick(run, 2002 * MS, "main work");
	tick(run, 2003 * MS, "main");
}

static void test_ticks_alone_tell_cpu_time(struct test_run *run, gconstpointer continuity)
{
	const struct itp_node_stats *work;

	(void)continuity;
	push_ticks(run);
	conclude(run);
	g_assert_false(itp_workload_has_latencies(&run->profile->workload));
	work = test_stats(run, "p main work");
	g_assert_cmpint(work->own_ns, ==, 3 * MS);
	g_assert_cmpint(work->own_use.cpu_ns, ==, 3 * MS);
	g_assert_cmpint(work->total_ns, ==, 3 * MS);
	/* 3 of 4 ticks: 1 ms squared, times 3 times 1 of 5. */
	g_assert_cmpuint(work->own_variance_us2, ==, 600000);
	g_assert_cmpint(test_stats(run, "p main")->own_ns, ==, 1 * MS);
	g_assert_cmpint(test_stats(run, "p main")->total_ns, ==, 4 * MS);
	g_assert_cmpint(test_stats(run, "p")->total_ns, ==, 4 * MS);
}

static void test_and_nothing_of_calls(struct test_run *run, gconstpointer continuity)
{
	const struct itp_node_stats *work;

	(void)continuity;
	push_ticks(run);
	conclude(run);
	work = test_stats(run, "p main work");
	g_assert_cmpuint(work->count, ==, 0);
	g_assert_cmpuint(work->max_count, ==, 0);
	g_assert_cmpint(work->max_ns, ==, 0);
	g_assert_cmpint(work->lower_ns, ==, work->total_ns);
	g_assert_cmpint(work->upper_ns, ==, work->total_ns);
	g_assert_cmpint(work->use.blocked_ns, ==, 0);
	g_assert_cmpuint(work->samples, ==, 3);
}

static void test_a_switch_shows_what_lies_between(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	push_ticks(run);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 2004 * MS, 1, "main", 1);
	conclude(run);
	g_assert_true(itp_workload_has_latencies(&run->profile->workload));
	g_assert_cmpint(test_stats(run, "p main")->total_ns, ==, 2003 * MS);
	g_assert_cmpuint(test_stats(run, "p main")->count, ==, 1);
}

static void test_a_switch_without_a_stack_does_not(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	push_ticks(run);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 2004 * MS, 1, "", 1);
	conclude(run);
	g_assert_false(itp_workload_has_latencies(&run->profile->workload));
	g_assert_cmpint(test_stats(run, "p main")->total_ns, ==, 4 * MS);
}

static void test_a_reader_may_know_that_switches_are_watched(struct test_run *run,
							     gconstpointer continuity)
{
	(void)continuity;
	itp_infer_watch(run->infer, ITP_WATCHED_SWITCHES);
	push_ticks(run);
	conclude(run);
	g_assert_true(itp_workload_has_latencies(&run->profile->workload));
	g_assert_cmpint(test_stats(run, "p main")->total_ns, ==, 2002 * MS);
}

static void test_page_faults_tell_no_time(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	test_push(run, ITP_EVENT_SAMPLE, 10 * MS, 1, "main work");
	test_push(run, ITP_EVENT_SAMPLE, 50 * MS, 1, "main work");
	conclude(run);
	g_assert_false(itp_node_stats_is_present(test_stats(run, "p main work")));
}

static void test_page_faults_beside_a_tick_add_nothing(struct test_run *run,
						       gconstpointer continuity)
{
	(void)continuity;
	test_push(run, ITP_EVENT_SAMPLE, 10 * MS, 1, "main fault");
	tick(run, 30 * MS, "main work");
	test_push(run, ITP_EVENT_SAMPLE, 50 * MS, 1, "main fault");
	conclude(run);
	g_assert_cmpint(test_stats(run, "p main work")->own_ns, ==, 1 * MS);
	g_assert_cmpint(test_stats(run, "p main fault")->total_ns, ==, 0);
	g_assert_cmpint(test_stats(run, "p")->total_ns, ==, 1 * MS);
}

/* Distances of 4, 4 and 2000 ms: the median is 4 ms, which the buckets know to 1.6 %. */
static void test_ticks_that_do_not_tell_stand_for_their_usual_distance(struct test_run *run,
								       gconstpointer continuity)
{
	static const int64_t times_ms[] = { 10, 14, 2014, 2018 };

	(void)continuity;
	for (size_t i = 0; i < G_N_ELEMENTS(times_ms); i++) {
		test_push_tick(run, times_ms[i] * MS, 1, "main", 0);
	}
	conclude(run);
	g_assert_cmpfloat(ABS((double)test_stats(run, "p main")->own_ns - 16.0 * MS), <, 0.3 * MS);
}

static void test_levelled_profiles_hold_cpu_time(struct test_run *run, gconstpointer continuity)
{
	struct test_run watched;
	struct itp_profile *profiles[2];

	test_run_init(&watched, GPOINTER_TO_INT(continuity), ITP_ESTIMATE_BEST, run);
	push_ticks(run);
	conclude(run);
	test_push_argument(&watched, ITP_EVENT_SWITCH_IN, 0, 1, "", 0);
	tick(&watched, 0, "main");
	test_push_argument(&watched, ITP_EVENT_SWITCH_IN, 0, 1, "", 0);
	tick(&watched, 5 * MS, "main");
	test_push_argument(&watched, ITP_EVENT_SWITCH_OUT, 10 * MS, 1, "main", 1);
	test_push_argument(&watched, ITP_EVENT_SWITCH_IN, 90 * MS, 1, "", 0);
	conclude(&watched);
	g_assert_cmpint(test_stats(&watched, "p main")->total_ns, ==, 90 * MS);
	profiles[0] = run->profile;
	profiles[1] = watched.profile;
	itp_profiles_level(profiles, 2);
	g_assert_cmpint(test_stats(&watched, "p main")->total_ns, ==, 10 * MS);
	g_assert_cmpuint(test_stats(&watched, "p main")->count, ==, 0);
	g_assert_false(itp_workload_has_latencies(&watched.profile->workload));
	g_assert_true(itp_workload_is_watched(&watched.profile->workload));
	test_run_release(&watched, run);
}

static void test_those_that_are_all_watched_stay(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	push_ticks(run);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 2004 * MS, 1, "main", 1);
	conclude(run);
	itp_profiles_level(&run->profile, 1);
	g_assert_cmpint(test_stats(run, "p main")->total_ns, ==, 2003 * MS);
}

static void test_the_paper_keeps_its_numbers(void)
{
	struct test_run run;

	test_run_init(&run, ITP_CONTINUITY_FUNCTION, ITP_ESTIMATE_CONSERVATIVE, NULL);
	push_ticks(&run);
	g_free(run.profile->workload.options);
	run.profile->workload.options = g_strdup("continuity=function group-by=process");
	conclude(&run);
	g_assert_false(itp_workload_is_watched(&run.profile->workload));
	g_assert_cmpint(test_stats(&run, "p main")->total_ns, ==, 2002 * MS);
	test_run_release(&run, NULL);
}

static void test_what_two_watch_is_what_both_do(void)
{
	const uint32_t ticks = ITP_WATCHED_TOLD | ITP_WATCHED_TICKS;
	const uint32_t both = ticks | ITP_WATCHED_SWITCHES;

	g_assert_cmpuint(itp_watched_both(ticks, both), ==, ticks);
	g_assert_cmpuint(itp_watched_both(both, ticks), ==, ticks);
	/* Of a profile of before nothing is known. */
	g_assert_cmpuint(itp_watched_both(0, ticks), ==, ticks);
	g_assert_cmpuint(itp_watched_both(both, 0), ==, both);
	g_assert_true(itp_watched_shows_latencies(0));
	g_assert_false(itp_watched_shows_latencies(ticks));
}

static void test_kinds_have_names(void)
{
	const uint32_t watched = ITP_WATCHED_TOLD | ITP_WATCHED_CALLS | ITP_WATCHED_TICKS;
	g_autofree char *text = itp_watched_text(watched);

	g_assert_cmpstr(text, ==, "ticks system-calls");
	g_assert_cmpuint(itp_watched_parse(text), ==, watched);
	g_assert_cmpuint(itp_watched_parse("stars ticks"), ==,
			 ITP_WATCHED_TOLD | ITP_WATCHED_TICKS);
}

int main(int argc, char **argv)
{
	static const struct test_on_run tests[] = {
		{ "ticks alone tell CPU time, each for its interval, and no more",
		  test_ticks_alone_tell_cpu_time },
		{ "and nothing of calls, bounds and waits", test_and_nothing_of_calls },
		{ "a switch with a stack shows what lies between ticks",
		  test_a_switch_shows_what_lies_between },
		{ "one without a stack does not", test_a_switch_without_a_stack_does_not },
		{ "a reader may know that switches are watched, though none came",
		  test_a_reader_may_know_that_switches_are_watched },
		{ "page faults alone tell no time", test_page_faults_tell_no_time },
		{ "beside a tick they add nothing to it",
		  test_page_faults_beside_a_tick_add_nothing },
		{ "ticks that do not tell for how long stand for their usual distance",
		  test_ticks_that_do_not_tell_stand_for_their_usual_distance },
		{ "beside a profile of ticks alone, others hold CPU time, too",
		  test_levelled_profiles_hold_cpu_time },
		{ "those that are all watched stay as they are",
		  test_those_that_are_all_watched_stay },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("kept", ITP_CONTINUITY_CALL_SITE, tests, G_N_ELEMENTS(tests));
	g_test_add_func("/kept/the paper's continuity keeps its numbers",
			test_the_paper_keeps_its_numbers);
	g_test_add_func("/kept/what two recordings watch is what both do",
			test_what_two_watch_is_what_both_do);
	g_test_add_func("/kept/kinds of events have names", test_kinds_have_names);
	return g_test_run();
}
