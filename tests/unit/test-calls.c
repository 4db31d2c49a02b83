/* SPDX-License-Identifier: MIT */
/* How often something was called: what events tell of it, and what two workloads say together. */
#include <string.h>

#include "common/rank/scale.h"
#include "common/rank/side.h"
#include "tests/unit/comparison.h"
#include "tests/unit/support.h"

#define CALL ITP_EVENT_CALL
#define SAMPLE ITP_EVENT_SAMPLE
#define MS INT64_C(1000000)

/* ---- What events tell ---- */

struct fixture {
	struct test_run run;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_run_init(&fixture->run, ITP_CONTINUITY_CONTROL_FLOW, ITP_ESTIMATE_CONSERVATIVE, NULL);
	test_run_set_flow(&fixture->run, &(struct itp_flow){ .can_stay = test_can_stay,
							     .may_jump_away = test_may_jump_away,
							     .may_avoid = test_may_avoid,
							     .always_calls = test_always_calls,
							     .is_frameless = test_is_frameless,
							     .data = &fixture->run });
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_run_release(&fixture->run, NULL);
}

/* Ends the recording. "2..5", "2.." where there is no limit. */
static void assert_calls(struct fixture *fixture, const char *path, const char *wanted)
{
	struct itp_call_bounds calls = itp_node_stats_calls(test_stats(&fixture->run, path),
							    itp_infer_counts(fixture->run.infer));
	g_autofree char *got =
		calls.possible == ITP_CALLS_UNKNOWN ?
			g_strdup_printf("%d..", (int)calls.seen) :
			g_strdup_printf("%d..%d", (int)calls.seen, (int)calls.possible);

	g_assert_cmpstr(got, ==, wanted);
}

/* System call 7 from `stack`, for 10 ns. */
static void call(struct fixture *fixture, int64_t time_ns, const char *stack)
{
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_ENTER, time_ns, 1, stack, 7);
	test_push_argument(&fixture->run, ITP_EVENT_SYSCALL_EXIT, time_ns + 10, 1, stack, 7);
}

static void test_between_two_stacks_there_may_be_any_number(struct fixture *fixture,
							    gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, SAMPLE, 10, 1, "main@1 work@5");
	test_push(&fixture->run, SAMPLE, 20, 1, "main@1");
	test_push(&fixture->run, SAMPLE, 30, 1, "main@1 work@5");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main work", "2..");
}

/* The call at 10 is one, as are those at 30 and 50; the leaf stands behind the system call. */
static void test_what_makes_a_system_call_each_time_shows_each_time(struct fixture *fixture,
								    gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@1 handle@1 read@1");
	call(fixture, 30, "loop@1 handle@1 read@1");
	call(fixture, 50, "loop@1 handle@1 read@1");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p loop handle read syscall:7", "3..3");
	assert_calls(fixture, "p loop handle read", "3..3");
	assert_calls(fixture, "p loop handle", "3..3");
}

/* Whoever may do without the call, or call another function there, may have been called unseen;
 * what it called shows all the same. */
static void test_what_can_do_without_a_system_call_may_be_unseen(struct fixture *fixture,
								 gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@1 maybe@1 read@1");
	call(fixture, 30, "loop@1 pointing@1 write@1");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p loop maybe", "1..");
	assert_calls(fixture, "p loop maybe read", "1..1");
	assert_calls(fixture, "p loop pointing", "1..");
	assert_calls(fixture, "p loop pointing write", "1..1");
}

static void test_a_broken_stack_may_have_hidden_one(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	call(fixture, 10, "loop@1 handle@1 read@1");
	test_push_incomplete(&fixture->run, SAMPLE, 25, 1, "elsewhere@3 further@4", 0);
	call(fixture, 30, "loop@1 handle@1 read@1");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p loop handle", "2..3");
	/* Of a system call an event tells. */
	assert_calls(fixture, "p loop handle read syscall:7", "2..2");
}

/* Nothing else tells the five calls apart: no step back, no system call. */
static void test_each_event_at_an_entry_is_a_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	for (int i = 0; i < 5; i++) {
		test_push(&fixture->run, CALL, 10 * i + 10, 1, "main@1 loop@1 work@0");
		test_push(&fixture->run, SAMPLE, 10 * i + 13, 1, "main@1 loop@1 work@3");
		test_push(&fixture->run, SAMPLE, 10 * i + 15, 1, "main@1 loop@1 work@3");
	}
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main loop work", "5..5");
	assert_calls(fixture, "p main loop", "1..");
	g_assert_cmpint(test_stats(&fixture->run, "p main loop work")->total_ns, ==, 5 * 5);
}

static void test_a_counted_call_begins_exactly(struct fixture *fixture, gconstpointer data)
{
	const struct itp_instance *instance;

	(void)data;
	test_push(&fixture->run, SAMPLE, 10, 1, "main@1");
	test_push(&fixture->run, CALL, 18, 1, "main@1 work@0");
	test_push(&fixture->run, SAMPLE, 30, 1, "main@1");
	instance = &g_array_index(fixture->run.instances, struct itp_instance, 0);
	g_assert_cmpint(instance->best_begin_ns, ==, 18);
	g_assert_cmpint(instance->upper_ns, ==, 12);
	g_assert_cmpuint(instance->flags, ==, ITP_INSTANCE_COUNTED);
}

static void test_a_recursion_is_counted_in_each_context(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, CALL, 10, 1, "main@1 work@0");
	test_push(&fixture->run, CALL, 20, 1, "main@1 work@4 work@0");
	test_push(&fixture->run, CALL, 30, 1, "main@1 work@6 work@0");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main work", "1..1");
	assert_calls(fixture, "p main work work", "2..2");
}

/* What comes without a stack, or with one that fits nowhere, counts as well; the stacks between are
 * parts of such calls. */
static void test_calls_are_counted_whatever_their_stacks_are(struct fixture *fixture,
							     gconstpointer data)
{
	const char *const contexts[] = { "p main work", "p main work work", "p work" };
	uint64_t calls = 0;

	(void)data;
	test_push(&fixture->run, SAMPLE, 5, 1, "main@1");
	test_push(&fixture->run, CALL, 10, 1, "main@1 work@0");
	test_push(&fixture->run, SAMPLE, 15, 1, "main@1 other@1");
	test_push_incomplete(&fixture->run, CALL, 20, 1, "work@0", 0);
	test_push(&fixture->run, SAMPLE, 25, 1, "main@1 work@5");
	test_push(&fixture->run, SAMPLE, 27, 1, "main@1 other@1");
	test_push_incomplete(&fixture->run, CALL, 30, 1, "work@0", 0);
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main other work", "2..2");
	for (size_t i = 0; i < G_N_ELEMENTS(contexts); i++) {
		struct itp_call_bounds bounds =
			itp_node_stats_calls(test_stats(&fixture->run, contexts[i]),
					     itp_infer_counts(fixture->run.infer));

		calls += bounds.seen;
	}
	g_assert_cmpuint(calls, ==, 1);
}

/* Of the one that was under way when the recording began, no event told. */
static void test_what_began_before_the_recording_is_none_of_those_counted(struct fixture *fixture,
									  gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, SAMPLE, 10, 1, "main@1 work@5");
	test_push(&fixture->run, SAMPLE, 20, 1, "main@1");
	test_push(&fixture->run, CALL, 30, 1, "main@1 work@0");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main work", "1..1");
}

static void test_lost_events_may_have_told_of_calls(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, CALL, 10, 1, "main@1 work@0");
	test_push(&fixture->run, SAMPLE, 15, 1, "main@1");
	test_push_argument(&fixture->run, ITP_EVENT_LOSS, 20, -1, "", 4);
	test_push(&fixture->run, CALL, 30, 1, "main@1 work@0");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main work", "2..6");
}

static void test_a_loss_of_nobody_knows_how_many_leaves_no_limit(struct fixture *fixture,
								 gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, CALL, 10, 1, "main@1 work@0");
	test_push(&fixture->run, SAMPLE, 15, 1, "main@1");
	test_push_argument(&fixture->run, ITP_EVENT_LOSS, 20, -1, "", ITP_LOSS_UNKNOWN);
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main work", "1..");
}

/* A tick may find a thread on the way to the event that tells the first call. */
static void test_a_call_begins_with_its_event(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, SAMPLE, 5, 1, "main@1");
	test_push(&fixture->run, SAMPLE, 10, 1, "main@1 work@0 k:asm_exc_int3 k:exc_int3");
	test_push(&fixture->run, CALL, 12, 1, "main@1 work@0");
	test_push(&fixture->run, SAMPLE, 20, 1, "main@1 work@5");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main work", "1..1");
	g_assert_cmpint(test_stats(&fixture->run, "p main work")->total_ns, ==, 8);
}

/* The kernel's way to the event, and the copy of the instruction that gave way to it. */
static void test_what_a_probe_takes_is_none_of_the_program(struct fixture *fixture,
							   gconstpointer data)
{
	(void)data;
	test_push(&fixture->run, CALL, 10, 1, "main@1 work@0");
	test_push_argument(&fixture->run, ITP_EVENT_SWITCH_OUT, 12, 1,
			   "main@1 work@0 k:asm_exc_int3 k:exc_int3 k:schedule", 0);
	test_push(&fixture->run, ITP_EVENT_SWITCH_IN, 14, 1, "");
	test_push_incomplete(&fixture->run, SAMPLE, 16, 1, "[uprobes]!+0x80 k:asm_exc_debug", 0);
	test_push(&fixture->run, SAMPLE, 20, 1, "main@1 work@5");
	itp_infer_finish(fixture->run.infer);
	assert_calls(fixture, "p main work", "1..1");
	g_assert_cmpint(test_stats(&fixture->run, "p main work")->own_ns, ==, 10);
	g_assert_cmpuint(itp_context_tree_size(fixture->run.tree), ==, 4);
}

/* ---- What two workloads say ---- */

static const struct itp_ranking_options folded = { .folds = true };

/* Of `possible` calls `seen` were seen; without a limit when that is 0. */
static void put(struct comparison *comparison, struct itp_profile *profile, const char *stack,
		uint64_t seen, uint64_t possible, int64_t own_ns)
{
	struct itp_node_stats *stats = comparison_set(comparison, profile, stack, seen, own_ns);

	stats->max_count = MAX(possible, seen);
	stats->counted_count = possible > 0 ? seen : 0;
}

static struct itp_delta delta_of(struct comparison *comparison, uint64_t base_seen,
				 uint64_t base_possible, uint64_t seen, uint64_t possible)
{
	struct itp_ranking *ranking;
	struct itp_delta delta;

	put(comparison, comparison->base[0], "main work", base_seen, base_possible, 100 * MS);
	put(comparison, comparison->suspect[0], "main work", seen, possible, 1000 * MS);
	ranking = comparison_rank(comparison, &folded, true);
	delta = comparison_path(ranking, 0)->delta;
	g_assert_cmpint(delta.more_calls_ns + delta.slower_calls_ns + delta.unsplit_ns, ==,
			900 * MS);
	itp_ranking_free(ranking);
	return delta;
}

static void test_bounds_that_overlap_split_nothing(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_delta delta = delta_of(comparison, 26, 158, 120, 2627);

	(void)data;
	g_assert_cmpint(delta.unsplit_ns, ==, 900 * MS);
	g_assert_cmpint(delta.more_calls_ns, ==, 0);
}

static void test_counts_without_a_limit_split_nothing(struct comparison *comparison,
						      gconstpointer data)
{
	struct itp_delta delta = delta_of(comparison, 26, 0, 2627, 0);

	(void)data;
	g_assert_cmpint(delta.unsplit_ns, ==, 900 * MS);
}

static void test_equal_counts_make_calls_slower(struct comparison *comparison, gconstpointer data)
{
	struct itp_delta delta = delta_of(comparison, 1600, 1600, 1600, 1600);

	(void)data;
	g_assert_cmpint(delta.slower_calls_ns, ==, 900 * MS);
	g_assert_cmpint(delta.unsplit_ns, ==, 0);
}

/* At least 300 against at most 100: 200 more at a mean of 1 ms. */
static void test_bounds_apart_tell_the_least_difference(struct comparison *comparison,
							gconstpointer data)
{
	struct itp_delta delta = delta_of(comparison, 10, 100, 300, 0);

	(void)data;
	g_assert_cmpint(delta.more_calls_ns, ==, 200 * MS);
	g_assert_cmpint(delta.slower_calls_ns, ==, 700 * MS);
}

/* At most 20 against at least 100: 80 fewer at a mean of 1 ms. */
static void test_fewer_calls_need_bounds_apart_too(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_delta delta = delta_of(comparison, 100, 0, 10, 20);

	(void)data;
	g_assert_cmpint(delta.more_calls_ns, ==, -80 * MS);
	g_assert_cmpint(delta.slower_calls_ns, ==, 980 * MS);
}

/* What the base counts elsewhere it does not call here; of what it does not count nobody knows. */
static void test_a_new_context_is_called_more_often_if_calls_are_counted(
	struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	put(comparison, comparison->base[0], "main other counted", 3, 3, MS);
	put(comparison, comparison->base[0], "main work", 5, 5, MS);
	put(comparison, comparison->suspect[0], "main other counted", 3, 3, MS);
	put(comparison, comparison->suspect[0], "main work", 5, 5, MS);
	put(comparison, comparison->suspect[0], "main work counted", 5, 5, 100 * MS);
	put(comparison, comparison->suspect[0], "main unseen", 5, 5, 200 * MS);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "unseen");
	g_assert_cmpint(comparison_path(ranking, 0)->delta.unsplit_ns, ==, 200 * MS);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "counted");
	g_assert_cmpuint(comparison_path(ranking, 1)->base_calls, ==, 0);
	g_assert_cmpuint(comparison_path(ranking, 1)->base_unseen, ==, 0);
	g_assert_cmpint(comparison_path(ranking, 1)->delta.more_calls_ns, ==, 100 * MS);
	itp_ranking_free(ranking);
}

/* Time that was found elsewhere, and parts of calls there, are no calls of what is counted. */
static void test_time_without_a_call_leaves_counts_exact(struct comparison *comparison,
							 gconstpointer data)
{
	const char *const elsewhere[] = { "main stray counted", "main part counted" };
	struct itp_call_bounds calls = { .seen = 0 };
	struct itp_ranking *ranking;

	(void)data;
	put(comparison, comparison->suspect[0], "main work counted", 3, 3, 100 * MS);
	for (uint64_t parts = 0; parts < G_N_ELEMENTS(elsewhere); parts++) {
		put(comparison, comparison->suspect[0], elsewhere[parts], parts, 0, 10 * MS);
		comparison_node(comparison, comparison->suspect[0], elsewhere[parts])->part_count =
			parts;
	}
	ranking = comparison_rank(comparison, &folded, false);
	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = comparison_path(ranking, i);

		g_assert_cmpstr(comparison_culprit(ranking, i), ==, "counted");
		calls = itp_call_bounds_sum(
			calls, itp_calls_bounds(path->suspect_calls, path->suspect_unseen));
	}
	g_assert_cmpuint(calls.seen, ==, 3);
	g_assert_cmpuint(calls.possible, ==, 3);
	itp_ranking_free(ranking);
	g_assert_cmpfloat(itp_work_units(comparison->suspect[0], comparison->functions,
					 comparison->tree, ITP_PER_CALL, "counted"),
			  ==, 3);
}

static void test_a_merge_is_as_sure_as_its_parts(struct comparison *comparison, gconstpointer data)
{
	const struct itp_infer_counts counts = { .events = 1 };
	struct itp_node_stats sum = { .count = 5, .max_count = 5, .counted_count = 5 };
	const struct itp_node_stats counted = {
		.count = 3, .max_count = 4, .counted_count = 2, .part_count = 1
	};
	const struct itp_node_stats inferred = { .count = 2, .max_count = 2 };

	(void)comparison;
	(void)data;
	itp_node_stats_merge(&sum, &counted);
	g_assert_cmpuint(itp_node_stats_calls(&sum, &counts).seen, ==, 7);
	g_assert_cmpuint(itp_node_stats_calls(&sum, &counts).possible, ==, 8);
	itp_node_stats_merge(&sum, &inferred);
	g_assert_cmpuint(itp_node_stats_calls(&sum, &counts).possible, ==, ITP_CALLS_UNKNOWN);
}

struct infer_test {
	const char *name;
	void (*test)(struct fixture *fixture, gconstpointer data);
};

struct rank_test {
	const char *name;
	void (*test)(struct comparison *comparison, gconstpointer data);
};

static const struct infer_test infer_tests[] = {
	{ "between two stacks there may be any number of calls",
	  test_between_two_stacks_there_may_be_any_number },
	{ "what makes a system call each time shows each time",
	  test_what_makes_a_system_call_each_time_shows_each_time },
	{ "what can do without a system call may be unseen",
	  test_what_can_do_without_a_system_call_may_be_unseen },
	{ "a broken stack may have hidden a call", test_a_broken_stack_may_have_hidden_one },
	{ "each event at an entry is a call", test_each_event_at_an_entry_is_a_call },
	{ "a counted call begins exactly", test_a_counted_call_begins_exactly },
	{ "a recursion is counted in each context", test_a_recursion_is_counted_in_each_context },
	{ "calls are counted whatever their stacks are",
	  test_calls_are_counted_whatever_their_stacks_are },
	{ "what began before the recording is none of those counted",
	  test_what_began_before_the_recording_is_none_of_those_counted },
	{ "a call begins with its event", test_a_call_begins_with_its_event },
	{ "what a probe takes is none of the program",
	  test_what_a_probe_takes_is_none_of_the_program },
	{ "lost events may have told of calls", test_lost_events_may_have_told_of_calls },
	{ "a loss of nobody knows how many leaves no limit",
	  test_a_loss_of_nobody_knows_how_many_leaves_no_limit },
};

static const struct rank_test rank_tests[] = {
	{ "bounds that overlap split nothing", test_bounds_that_overlap_split_nothing },
	{ "counts without a limit split nothing", test_counts_without_a_limit_split_nothing },
	{ "equal counts make calls slower", test_equal_counts_make_calls_slower },
	{ "bounds apart tell the least difference", test_bounds_apart_tell_the_least_difference },
	{ "fewer calls need bounds apart too", test_fewer_calls_need_bounds_apart_too },
	{ "a new context is called more often if calls are counted",
	  test_a_new_context_is_called_more_often_if_calls_are_counted },
	{ "time without a call leaves counts exact", test_time_without_a_call_leaves_counts_exact },
	{ "a merge is as sure as its parts", test_a_merge_is_as_sure_as_its_parts },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (size_t i = 0; i < G_N_ELEMENTS(infer_tests); i++) {
		g_autofree char *path = g_strconcat("/calls/", infer_tests[i].name, NULL);

		g_test_add(path, struct fixture, NULL, set_up, infer_tests[i].test, tear_down);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(rank_tests); i++) {
		g_autofree char *path = g_strconcat("/calls/", rank_tests[i].name, NULL);

		g_test_add(path, struct comparison, NULL, comparison_set_up, rank_tests[i].test,
			   comparison_tear_down);
	}
	return g_test_run();
}
