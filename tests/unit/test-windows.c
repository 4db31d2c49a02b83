/* SPDX-License-Identifier: MIT */
/*
 * Numbers of calls where system calls are watched in windows alone, with hand-computed estimates.
 */
#include "common/infer/profile.h"
#include "tests/unit/support.h"

#define CALL 7

/* From here on each call stands for `one_in`; 0: system calls are not watched. */
static void window(struct test_run *run, int64_t time_ns, int64_t one_in)
{
	const struct itp_stack_event event = { .kind = ITP_EVENT_WINDOW,
					       .time_ns = time_ns,
					       .pid = -1,
					       .tid = -1,
					       .cpu = -1,
					       .comm = "",
					       .argument = one_in };

	g_assert_cmpint(itp_infer_push(run->infer, &event), ==, 0);
}

/* `count` system calls from `begin_ns` on, one each 10 ns, from "main work". */
static void calls(struct test_run *run, int64_t begin_ns, int count)
{
	for (int i = 0; i < count; i++) {
		const int64_t time_ns = begin_ns + 10 * i;

		test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, time_ns, 1, "main@1 work@2", CALL);
		test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, time_ns + 5, 1, "main@1 work@2",
				   CALL);
	}
}

/* Windows of two calls each, one in `one_in`, 50 ns long and 50 ns apart, from 100 ns on. */
static void windows(struct test_run *run, int count, int one_in)
{
	for (int i = 1; i <= count; i++) {
		window(run, 100 * i, one_in);
		calls(run, 100 * i + 10, 2);
		window(run, 100 * i + 50, 0);
	}
}

static const struct itp_node_stats *of_call(struct test_run *run)
{
	return test_stats(run, "p main work syscall:7");
}

static struct itp_call_bounds bounds(struct test_run *run)
{
	return itp_node_stats_calls(of_call(run), itp_infer_counts(run->infer));
}

/* Three calls are seen, two of them in a window that is one in four. */
static void push_two_of_four(struct test_run *run)
{
	window(run, 0, 1);
	calls(run, 10, 1);
	window(run, 50, 0);
	test_push_tick(run, 70, 1, "main@1 work@3", 10);
	window(run, 100, 4);
	calls(run, 110, 2);
	window(run, 150, 0);
	test_push_tick(run, 170, 1, "main@1 work@3", 10);
	itp_infer_finish(run->infer);
}

static void test_calls_in_a_window_stand_for_others(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	push_two_of_four(run);
	g_assert_cmpuint(of_call(run)->count, ==, 1 + 2 * 4);
	g_assert_cmpuint(of_call(run)->counted_count, ==, 9);
}

/* Their time is not multiplied: ticks and switches tell all of it. */
static void test_time_is_that_of_all_calls(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	push_two_of_four(run);
	g_assert_cmpint(test_stats(run, "p main")->total_ns, ==, 160);
	g_assert_cmpint(of_call(run)->total_ns, ==, 3 * 5);
}

static void test_windows_and_what_lies_between_are_summed(struct test_run *run,
							  gconstpointer continuity)
{
	(void)continuity;
	push_two_of_four(run);
	g_assert_cmpint(itp_infer_counts(run->infer)->windows_ns, ==, 50 + 50);
	g_assert_cmpint(itp_infer_counts(run->infer)->rests_ns, ==, 50 + 20);
}

/* Windows of 8 calls: differences of 8 and -8 at both ends, the variance is half of 64 + 64. Nine
 * windows have six degrees of freedom, by which three deviations are 4.95: 40 calls. Of calls that
 * no window has seen there may be 5.9. */
static void test_the_number_has_bounds(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	window(run, 0, 1);
	calls(run, 10, 1);
	window(run, 50, 0);
	windows(run, 9, 4);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(of_call(run)->count, ==, 1 + 9 * 8);
	g_assert_cmpuint(of_call(run)->count_variance, ==, 64);
	g_assert_cmpuint(itp_infer_counts(run->infer)->drawn_windows, ==, 9);
	g_assert_cmpuint(bounds(run).seen, ==, 73 - 40);
	g_assert_cmpuint(bounds(run).possible, ==, 73 + 46);
}

/* Ninety have sixty: 3.13 deviations, which are 25 calls. */
static void test_more_windows_are_surer(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	windows(run, 90, 4);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(of_call(run)->count_variance, ==, 64);
	g_assert_cmpuint(bounds(run).seen, ==, 720 - 26);
}

/* One window alone may be any: its limits say nearly nothing. */
static void test_of_one_window_hardly_anything_is_known(struct test_run *run,
							gconstpointer continuity)
{
	(void)continuity;
	push_two_of_four(run);
	g_assert_cmpuint(bounds(run).seen, ==, 1);
	g_assert_cmpuint(bounds(run).possible, >, 100000);
}

/* A window that is certain says nothing of what lies behind it. */
static void test_without_a_drawn_window_there_is_no_limit(struct test_run *run,
							  gconstpointer continuity)
{
	(void)continuity;
	window(run, 0, 1);
	calls(run, 10, 1);
	window(run, 50, 0);
	test_push_tick(run, 70, 1, "main@1 work@3", 10);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(bounds(run).possible, ==, ITP_CALLS_UNKNOWN);
}

/* Half of the windows' time, 250 ns of 500, was the recorder's, and perhaps a third more:
 * unwatched, a program gets up to three times as far. */
static void test_who_is_slower_in_windows_may_call_more(struct test_run *run,
							gconstpointer continuity)
{
	(void)continuity;
	window(run, 0, 1);
	calls(run, 10, 1);
	window(run, 50, 0);
	windows(run, 9, 4);
	window(run, 950, -500000);
	itp_infer_finish(run->infer);
	g_assert_cmpint(itp_infer_counts(run->infer)->slowed_ns, ==, 250);
	g_assert_cmpuint(of_call(run)->count, ==, 73);
	/* Three times 73 + 39.6 + 5.9. */
	g_assert_cmpuint(bounds(run).possible, ==, 356);
}

/* 30, 30 and 50 in windows that follow each other, as in normalize.c. */
static void test_windows_that_are_alike_leave_little_doubt(struct test_run *run,
							   gconstpointer continuity)
{
	(void)continuity;
	for (int i = 0; i < 3; i++) {
		window(run, 1000 * i, 10);
		calls(run, 1000 * i + 10, i < 2 ? 3 : 5);
		window(run, 1000 * i + 100, 0);
	}
	itp_infer_finish(run->infer);
	g_assert_cmpuint(of_call(run)->count, ==, 110);
	g_assert_cmpuint(of_call(run)->count_variance, ==, 1900);
}

/* Neither does the call go on for which nobody saw an end, nor is what is called between windows
 * one more. */
static void test_between_windows_nothing_is_counted(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	window(run, 0, 2);
	calls(run, 10, 1);
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 30, 1, "main@1 work@2", CALL);
	window(run, 40, 0);
	for (int i = 0; i < 5; i++) {
		test_push_tick(run, 50 + 20 * i, 1, "main@1 other@4", 10);
		test_push_tick(run, 60 + 20 * i, 1, "main@1 work@3", 10);
	}
	itp_infer_finish(run->infer);
	g_assert_cmpuint(of_call(run)->count, ==, 2 * 2);
	/* What is seen between windows alone was called once at least. */
	g_assert_cmpuint(test_stats(run, "p main other")->count, ==, 1);
	g_assert_cmpint(of_call(run)->max_ns, <=, 20);
}

/* What the kernel calls its function for it may not show. */
static void test_between_windows_time_is_that_of_system_calls_too(struct test_run *run,
								  gconstpointer continuity)
{
	(void)continuity;
	window(run, 0, 1);
	calls(run, 10, 1);
	window(run, 40, 0);
	for (int i = 0; i < 3; i++) {
		test_push_argument(run, ITP_EVENT_IN_CALL, 50 + 20 * i, 1, "", CALL);
		test_push_tick(run, 50 + 20 * i, 1, "main@1 work@2 " TEST_ENTRY "k:ksys_read", 10);
		test_push_argument(run, ITP_EVENT_IN_CALL, 60 + 20 * i, 1, "", CALL);
		test_push_tick(run, 60 + 20 * i, 1, "main@1 work@2 " TEST_ENTRY "k:ksys_read", 10);
	}
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p main work syscall:7 ksys_read")->total_ns, >, 0);
	g_assert_false(itp_node_stats_is_present(test_stats(run, "p main work ksys_read")));
	g_assert_cmpuint(of_call(run)->count, ==, 1);
}

/* First call seen by a tick, before any event told of this system call: 36 are told by windows, 20
 * are 4.95 deviations, and 5.9 times 460 ns of rest in 450 ns of windows are unseen. */
static void test_a_call_between_windows_hides_no_other(struct test_run *run,
						       gconstpointer continuity)
{
	(void)continuity;
	window(run, 0, 1);
	test_push_tick(run, 20, 1, "main@1 work@3", 10);
	window(run, 40, 0);
	test_push_argument(run, ITP_EVENT_IN_CALL, 50, 1, "", CALL);
	test_push_tick(run, 50, 1, "main@1 work@2 " TEST_ENTRY "k:ksys_read", 10);
	test_push_tick(run, 70, 1, "main@1 work@3", 10);
	windows(run, 9, 2);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(of_call(run)->count, ==, 1 + 9 * 4);
	g_assert_cmpuint(of_call(run)->counted_count, ==, 9 * 4);
	g_assert_cmpuint(of_call(run)->part_count, ==, 1);
	g_assert_cmpuint(bounds(run).possible, ==, 36 + 26);
}

/* Whoever has a thread from its beginning knows that it is one. */
static void test_a_thread_is_one(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	window(run, 0, 2);
	calls(run, 10, 1);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p")->count, ==, 1);
}

static void test_without_windows_a_call_is_one(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	calls(run, 10, 3);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(of_call(run)->count, ==, 3);
	g_assert_cmpuint(of_call(run)->count_variance, ==, 0);
	g_assert_cmpuint(bounds(run).seen, ==, 3);
	g_assert_cmpuint(bounds(run).possible, ==, 3);
	g_assert_cmpint(itp_infer_counts(run->infer)->windows_ns, ==, 0);
}

int main(int argc, char **argv)
{
	static const struct test_on_run tests[] = {
		{ "calls in a window stand for others", test_calls_in_a_window_stand_for_others },
		{ "time is that of all calls", test_time_is_that_of_all_calls },
		{ "windows and what lies between are summed",
		  test_windows_and_what_lies_between_are_summed },
		{ "the number has bounds", test_the_number_has_bounds },
		{ "more windows are surer", test_more_windows_are_surer },
		{ "of one window hardly anything is known",
		  test_of_one_window_hardly_anything_is_known },
		{ "without a drawn window there is no limit",
		  test_without_a_drawn_window_there_is_no_limit },
		{ "who is slower in windows may call more",
		  test_who_is_slower_in_windows_may_call_more },
		{ "windows that are alike leave little doubt",
		  test_windows_that_are_alike_leave_little_doubt },
		{ "between windows nothing is counted", test_between_windows_nothing_is_counted },
		{ "between windows, time is that of system calls, too",
		  test_between_windows_time_is_that_of_system_calls_too },
		{ "a call between windows hides no other",
		  test_a_call_between_windows_hides_no_other },
		{ "a thread is one", test_a_thread_is_one },
		{ "without windows a call is one", test_without_windows_a_call_is_one },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("windows", ITP_CONTINUITY_CALL_SITE, tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
