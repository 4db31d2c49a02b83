/* SPDX-License-Identifier: MIT */
/* Rule 5, stacks that do not reach their root, on traces short enough to work out by hand. */
#include "tests/unit/support.h"

static void test_broken_stacks_are_matched_by_their_suffix(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 20, 1, "B C D", 0);
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B C");
	test_assert_instances(run, "p A B C D 20 0 10\n"
				   "p A B C 10 20 20\n"
				   "p A B 10 20 20\n"
				   "p A 10 20 20\n"
				   "p 10 20 20\n");
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 1);
	g_assert_cmpuint(itp_infer_counts(run->infer)->deep_stacks, ==, 0);
	g_assert_cmpuint(itp_infer_counts(run->infer)->unwind_failures, ==, 0);
}

static void test_stacks_are_counted_by_their_end_and_how_they_were_found(struct test_run *run,
									 gconstpointer data)
{
	static const enum itp_stack_end ends[] = { ITP_STACK_END_ROOT, ITP_STACK_END_DEPTH,
						   ITP_STACK_END_DEPTH, ITP_STACK_END_UNWIND,
						   ITP_STACK_END_UNKNOWN };
	const struct itp_infer_counts *counts = itp_infer_counts(run->infer);
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));

	(void)data;
	test_frames(run->functions, "m f", frames);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		const struct itp_stack_event event = {
			.kind = ITP_EVENT_SAMPLE,
			.time_ns = 10 + (int64_t)i,
			.pid = 1,
			.tid = 1,
			.comm = "p",
			.frames = (const struct itp_frame *)(void *)frames->data,
			.frame_count = frames->len,
			.complete = ends[i] == ITP_STACK_END_ROOT,
			.end = ends[i],
			.found_by = i < 3 ? ITP_FOUND_BY_RULE : ITP_FOUND_BY_FRAME_POINTER,
		};

		g_assert_cmpint(itp_infer_push(run->infer, &event), ==, 0);
	}
	g_assert_cmpuint(counts->broken_stacks, ==, 4);
	g_assert_cmpuint(counts->deep_stacks, ==, 2);
	g_assert_cmpuint(counts->unwind_failures, ==, 1);
	g_assert_cmpuint(counts->found_by[ITP_FOUND_BY_RULE], ==, 3);
	g_assert_cmpuint(counts->found_by[ITP_FOUND_BY_FRAME_POINTER], ==, 2);
}

/* A sample of frame pointers that the recorder's limit has cut. */
static void push_cut(struct test_run *run, int64_t time_ns, const char *stack)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SAMPLE,
		.time_ns = time_ns,
		.pid = 1,
		.tid = 1,
		.comm = "p",
		.end = ITP_STACK_END_DEPTH,
		.found_by = ITP_FOUND_BY_RECORDER,
	};

	test_frames(run->functions, stack, frames);
	event.frames = (const struct itp_frame *)(void *)frames->data;
	event.frame_count = frames->len;
	g_assert_cmpint(itp_infer_push(run->infer, &event), ==, 0);
}

/* From A or from B: nobody knows who called it, once it is deeper than what is recorded. */
static void test_callers_of_a_deep_recursion_are_unknown(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "main A f");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "main A f f");
	push_cut(run, 30, "f f f");
	push_cut(run, 40, "f f f");
	test_push(run, ITP_EVENT_SAMPLE, 50, 1, "main B f");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p [unknown callers] f f f")->total_ns, >=, 10);
	g_assert_cmpint(test_stats(run, "p main A")->total_ns, <=, 20);
}

static void test_who_has_one_caller_is_called_by_that(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "main A f");
	push_cut(run, 20, "A f g");
	push_cut(run, 30, "A f g");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "main A f");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p main A f g")->total_ns, >=, 10);
}

static void test_the_function_rule_takes_broken_stacks_as_they_are(struct test_run *run,
								   gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 20, 1, "B", 0);
	test_assert_instances(run, "p A B 10 0 10\n"
				   "p A 10 0 10\n"
				   "p B 20 0 0\n"
				   "p 10 10 10\n");
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 1);
}

static void test_broken_stacks_in_recursion_end_as_little_as_possible(struct test_run *run,
								      gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C B C");
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 20, 1, "B C D", 0);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A B C B C D")->count, ==, 1);
}

static void test_broken_stacks_that_fit_nowhere_are_skipped(struct test_run *run,
							    gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 20, 1, "X Y", 0);
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_assert_instances(run, "p A B 10 20 20\np A 10 20 20\np 10 20 20\n");
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 1);
}

static void test_a_function_seen_below_another_is_no_root(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A X");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "C D");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A X");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A")->count, ==, 1);
	g_assert_cmpint(test_stats(run, "p A X")->total_ns, ==, 20);
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 1);
}

/* At 30 its callers are unknown, below what was common to all before; that is no sight of a call,
 * and what begins with it at 80 is whole. */
static void test_a_function_with_unknown_callers_may_be_a_root(struct test_run *run,
							       gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B D");
	test_push_incomplete(run, ITP_EVENT_SWITCH_OUT, 30, 1, "X Y", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 70, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 80, 1, "X Y");
	test_push(run, ITP_EVENT_SAMPLE, 90, 1, "X Y");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p X Y")->total_ns, ==, 10);
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 1);
}

/* A single stack in which it stands below others, which must be an error, does not unmake it, be it
 * before or among the true ones. */
static void test_the_entry_of_a_program_is_a_root(struct test_run *run, gconstpointer data)
{
	static const char *const stacks[][4] = {
		{ "L M N _start main", "_start main", "_start main", "_start main" },
		{ "_start main", "L M N _start main", "_start main", "_start main" },
	};

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(stacks); i++) {
		int64_t time_ns = 0;

		test_run_release(run, NULL);
		test_run_init(run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_CONSERVATIVE, NULL);
		for (; time_ns < 50; time_ns += 10) {
			test_push(run, ITP_EVENT_SAMPLE, time_ns, 1, "L M N");
		}
		for (size_t j = 0; j < G_N_ELEMENTS(stacks[i]); j++, time_ns += 10) {
			test_push(run, ITP_EVENT_SAMPLE, time_ns, 1, stacks[i][j]);
		}
		itp_infer_finish(run->infer);
		g_assert_cmpint(test_stats(run, "p _start main")->total_ns, >=, 10);
		g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 0);
	}
}

/* It goes to another stack: whoever calls it stands on the one before. */
static void test_a_function_that_leaves_its_stack_has_unknown_callers(struct test_run *run,
								      gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "goexit main runtime.systemstack");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "runtime.systemstack collect");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "runtime.systemstack collect");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "goexit main");
	itp_infer_finish(run->infer);
	g_assert_cmpint(
		test_stats(run, "p [unknown callers] runtime.systemstack collect")->total_ns, ==,
		10);
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 0);
}

/* A tick finds it on the stack that it is about to leave: on the other one it is the first all the
 * same. */
static void test_a_function_that_begins_a_stack_is_a_root(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "goexit park runtime.mcall");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "runtime.mcall schedule");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "runtime.mcall schedule");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "goexit park");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p runtime.mcall schedule")->total_ns, ==, 10);
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 0);
}

/* Time that is seen in stat(), of 7000 stacks that show where it is called, and of so many behind
 * them that do not. */
static int64_t time_without_root(struct test_run *run, int broken)
{
	int64_t time_ns = 0;

	test_run_release(run, NULL);
	test_run_init(run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_CONSERVATIVE, NULL);
	for (int i = 0; i < 7000; i++) {
		test_push(run, ITP_EVENT_SAMPLE, ++time_ns, 1, "A B");
	}
	for (int i = 0; i < broken; i++) {
		test_push(run, ITP_EVENT_SAMPLE, ++time_ns, 1, "stat");
	}
	itp_infer_finish(run->infer);
	return test_stats(run, "p stat")->total_ns;
}

static void test_four_thousand_broken_stacks_end_any(struct test_run *run, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(time_without_root(run, 3500), ==, 0);
	g_assert_cmpint(time_without_root(run, 5000), >, 0);
}

static void test_a_lone_frame_does_not_end_a_deep_stack(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "write");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_assert_instances(run, "p A B 10 20 20\np A 10 20 20\np 10 20 20\n");
}

/* A program without frame pointers: hardly a stack reaches further than the C library. */
static void test_where_most_stacks_are_broken_each_counts_as_it_is(struct test_run *run,
								   gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	for (int64_t t = 20; t < 100; t += 10) {
		test_push(run, ITP_EVENT_SAMPLE, t, 1, "stat");
	}
	test_push(run, ITP_EVENT_SAMPLE, 100, 1, "A B");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p stat")->total_ns, ==, 60);
	g_assert_cmpuint(test_stats(run, "p A")->count, ==, 2);
	g_assert_cmpint(test_stats(run, "p A")->total_ns, ==, 0);
}

/* A thread all of whose stacks are deeper than their copies. */
static void test_what_is_below_nothing_known_has_unknown_callers(struct test_run *run,
								 gconstpointer data)
{
	(void)data;
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 10, 1, "B C", 0);
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 20, 1, "C D", 0);
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 30, 1, "X Y", 0);
	test_push_incomplete(run, ITP_EVENT_SAMPLE, 40, 1, "k:vfs_read", 0);
	test_assert_instances(run, "p [unknown callers] B C D 20 0 10\n"
				   "p [unknown callers] B C 10 10 20\n"
				   "p [unknown callers] B 10 10 20\n"
				   "p [unknown callers] X Y 30 0 10\n"
				   "p [unknown callers] X 30 0 10\n"
				   "p [unknown callers] 10 20 30\n"
				   "p vfs_read 40 0 0\n"
				   "p 10 30 30\n");
}

static void test_a_broken_stack_ends_what_made_the_last_system_call(struct test_run *run,
								    gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A close " TEST_ENTRY);
	test_push(run, ITP_EVENT_SYSCALL_EXIT, 12, 1, "A close " TEST_ENTRY);
	test_push(run, ITP_EVENT_SAMPLE, 50, 1, "sleep");
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 90, 1, "A close " TEST_ENTRY);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A close")->count, ==, 2);
	g_assert_cmpint(test_stats(run, "p A close")->total_ns, ==, 2);
	g_assert_cmpint(test_stats(run, "p A")->total_ns, ==, 80);
}

/* A wait is not that of what was open before. What all stacks had in common is there still. */
static void test_a_wait_with_a_broken_stack_is_where_it_shows(struct test_run *run,
							      gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B D");
	test_push_incomplete(run, ITP_EVENT_SWITCH_OUT, 30, 1, "X Y", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 80, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 90, 1, "A B D");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p A B [unknown callers] X Y")->own_use.blocked_ns, ==, 50);
	g_assert_cmpuint(test_stats(run, "p A B")->count, ==, 1);
	g_assert_cmpint(test_stats(run, "p A B")->total_ns, ==, 80);
	g_assert_cmpuint(test_stats(run, "p A B D")->count, ==, 2);
}

/* sleep() leaves nothing of its callers to those who follow frame pointers. */
static void test_a_wait_with_a_lone_frame_is_where_it_shows(struct test_run *run,
							    gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B D");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 1, "X k:schedule", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 80, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 90, 1, "A B D");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p A B D")->use.blocked_ns, ==, 0);
	g_assert_cmpint(test_stats(run, "p A B [unknown callers] X")->use.blocked_ns, ==, 50);
	g_assert_cmpuint(test_stats(run, "p A B")->count, ==, 1);
}

/* As long as its caller has not called anything else, as far as that shows. */
static void test_a_choice_is_what_was_called_before(struct test_run *run, gconstpointer data)
{
	const struct itp_function any = {
		.name = "any", .module = "program", .build_id = "", .choices = "AB\nB\nBA"
	};

	(void)data;
	itp_function_table_intern(run->functions, &any);
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A@1 B C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A@1 +any C");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A@1 B D");
	/* Another call. */
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A@2 +any C");
	/* None of the choices. */
	test_push(run, ITP_EVENT_SAMPLE, 50, 1, "A@3 BB C");
	test_push(run, ITP_EVENT_SAMPLE, 60, 1, "A@3 +any C");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p A B")->count, ==, 1);
	g_assert_cmpuint(test_stats(run, "p A B C")->count, ==, 1);
	g_assert_cmpuint(test_stats(run, "p A any")->count, ==, 2);
}

/* Whoever was preempted goes on. */
static void test_a_broken_stack_of_who_lost_the_cpu_is_skipped(struct test_run *run,
							       gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push_incomplete(run, ITP_EVENT_SWITCH_OUT, 20, 1, "X Y", 0);
	test_push(run, ITP_EVENT_SWITCH_IN, 25, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_assert_instances(run, "p A B 10 20 20\np A 10 20 20\np 10 20 20\n");
}

static void test_a_burst_of_broken_stacks_ends_nothing(struct test_run *run, gconstpointer data)
{
	(void)data;
	for (int64_t t = 10; t < 30; t++) {
		test_push(run, ITP_EVENT_SAMPLE, t, 1, "A B");
	}
	for (int64_t t = 30; t < 40; t++) {
		test_push(run, ITP_EVENT_SAMPLE, t, 1, "stat");
	}
	test_push(run, ITP_EVENT_SAMPLE, 50, 1, "A B");
	test_assert_instances(run, "p A B 10 40 40\np A 10 40 40\np 10 40 40\n");
}

/* It came back from B's system call at 32: B cannot answer for all that is done from then on, which
 * is shown by the ticks at 50 and 60. A single one, at 40, proves nothing. */
static void test_time_that_fits_nowhere_is_not_the_last_calls(struct test_run *run,
							      gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SAMPLE, 10, 1, "M A B", 1);
	test_push_argument(run, ITP_EVENT_SAMPLE, 20, 1, "M L", 1);
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 30, 1, "M A B " TEST_ENTRY);
	test_push(run, ITP_EVENT_SYSCALL_EXIT, 32, 1, "M A B " TEST_ENTRY);
	for (int64_t t = 40; t < 70; t += 10) {
		test_push_incomplete(run, ITP_EVENT_SAMPLE, t, 1, "X", 1);
	}
	test_push_argument(run, ITP_EVENT_SAMPLE, 70, 1, "M L", 1);
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p M [unknown callers] X")->total_ns, ==, 10);
	g_assert_cmpint(test_stats(run, "p M A")->total_ns, ==, 2);
	g_assert_cmpuint(test_stats(run, "p M")->count, ==, 1);
}

/* From 10 to 60 the thread makes no system call; four ticks of nine find X, of which nothing says
 * who called it: it is what the caller of the innermost function calls. */
static void test_a_tick_that_fits_nowhere_counts_for_what_it_shows(struct test_run *run,
								   gconstpointer data)
{
	(void)data;
	test_run_release(run, NULL);
	test_run_init(run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
	test_push(run, ITP_EVENT_SWITCH_IN, 0, 1, "");
	test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, 10, 1, "A B", 7);
	for (int64_t t = 15; t < 60; t += 5) {
		if (t % 10 == 0) {
			test_push_incomplete(run, ITP_EVENT_SAMPLE, t, 1, "X", 1);
		} else {
			test_push_argument(run, ITP_EVENT_SAMPLE, t, 1, "A B", 1);
		}
	}
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 60, 1, "A B", 7);
	itp_infer_finish(run->infer);
	test_tell_shares(run);
	/* 50 ns; the five other ticks, and the half that is the prior's, are B's. */
	g_assert_cmpint(test_stats(run, "p A X")->own_use.cpu_ns, ==, 21);
	g_assert_cmpuint(test_stats(run, "p A X")->samples, ==, 4);
	g_assert_cmpuint(test_stats(run, "p A X")->count, ==, 0);
	g_assert_cmpint(test_stats(run, "p A B")->own_use.cpu_ns, ==, 29);
	g_assert_cmpint(test_stats(run, "p A")->use.cpu_ns, ==, 50);
}

/* C on the stack of Go's runtime, and between two of its ticks one of Go's runtime there, whose
 * callers are not to be found. */
static void test_a_tick_that_fits_nowhere_is_not_on_another_stack(struct test_run *run,
								  gconstpointer data)
{
	(void)data;
	test_run_release(run, NULL);
	test_run_init(run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
	test_push(run, ITP_EVENT_SWITCH_IN, 0, 1, "");
	test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, 5, 1, "goexit main", 7);
	for (int64_t t = 10; t < 60; t += 5) {
		if (t == 35) {
			test_push_incomplete(run, ITP_EVENT_SAMPLE, t, 1, "newproc leave", 1);
		} else {
			test_push_argument(run, ITP_EVENT_SAMPLE, t, 1, "runtime.systemstack outer",
					   1);
		}
	}
	itp_infer_finish(run->infer);
	test_tell_shares(run);
	g_assert_cmpuint(test_stats(run, "p [unknown callers] newproc leave")->samples, ==, 1);
	g_assert_cmpuint(test_stats(run, "p [unknown callers] runtime.systemstack outer")->samples,
			 ==, 9);
}

/* Whoever has found the stack has taken it for whole: in code that the program has made, and in
 * which frames are not to be found, it is below what had entered such code. */
static void test_made_code_has_been_entered(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B [anon]!+0x1 C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "[anon]!+0x2 D");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B [anon]!+0x1 C");
	test_assert_instances(run, "p A B +0x1 C 10 0 10\n"
				   "p A B +0x1 10 0 10\n"
				   "p A B [made code] +0x2 D 20 0 10\n"
				   "p A B [made code] +0x2 20 0 10\n"
				   "p A B [made code] 20 0 10\n"
				   "p A B +0x1 C 30 0 0\n"
				   "p A B +0x1 30 0 0\n"
				   "p A B 10 20 20\n"
				   "p A 10 20 20\n"
				   "p 10 20 20\n");
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 1);
}

/* A thread that has shown nothing else may begin there, as in a program that unpacks itself. */
static void test_made_code_may_be_a_root(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "[anon]!+0x1 C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "[anon]!+0x1 D");
	test_assert_instances(run, "p +0x1 C 10 0 10\n"
				   "p +0x1 D 20 0 0\n"
				   "p +0x1 10 10 10\n"
				   "p 10 10 10\n");
	g_assert_cmpuint(itp_infer_counts(run->infer)->broken_stacks, ==, 0);
}

static const struct test_on_run by_functions[] = {
	{ "the function rule takes broken stacks as they are",
	  test_the_function_rule_takes_broken_stacks_as_they_are },
};

static const struct test_on_run by_call_sites[] = {
	{ "broken stacks are matched by their suffix",
	  test_broken_stacks_are_matched_by_their_suffix },
	{ "stacks are counted by their end and by how they were found",
	  test_stacks_are_counted_by_their_end_and_how_they_were_found },
	{ "broken stacks in recursion end as little as possible",
	  test_broken_stacks_in_recursion_end_as_little_as_possible },
	{ "callers of a deep recursion are unknown", test_callers_of_a_deep_recursion_are_unknown },
	{ "who has one caller is called by that", test_who_has_one_caller_is_called_by_that },
	{ "broken stacks that fit nowhere are skipped",
	  test_broken_stacks_that_fit_nowhere_are_skipped },
	{ "a function seen below another is no root",
	  test_a_function_seen_below_another_is_no_root },
	{ "a function with unknown callers may be a root",
	  test_a_function_with_unknown_callers_may_be_a_root },
	{ "the entry of a program is a root", test_the_entry_of_a_program_is_a_root },
	{ "a function that leaves its stack has unknown callers",
	  test_a_function_that_leaves_its_stack_has_unknown_callers },
	{ "four thousand broken stacks end any", test_four_thousand_broken_stacks_end_any },
	{ "a function that begins a stack is a root",
	  test_a_function_that_begins_a_stack_is_a_root },
	{ "a lone frame does not end a deep stack", test_a_lone_frame_does_not_end_a_deep_stack },
	{ "where most stacks are broken each counts as it is",
	  test_where_most_stacks_are_broken_each_counts_as_it_is },
	{ "what is below nothing known has unknown callers",
	  test_what_is_below_nothing_known_has_unknown_callers },
	{ "a broken stack ends what made the last system call",
	  test_a_broken_stack_ends_what_made_the_last_system_call },
	{ "a wait with a broken stack is where it shows",
	  test_a_wait_with_a_broken_stack_is_where_it_shows },
	{ "a wait with a lone frame is where it shows",
	  test_a_wait_with_a_lone_frame_is_where_it_shows },
	{ "made code has been entered", test_made_code_has_been_entered },
	{ "made code may be a root", test_made_code_may_be_a_root },
	{ "a choice is what was called before", test_a_choice_is_what_was_called_before },
	{ "a broken stack of who lost the CPU is skipped",
	  test_a_broken_stack_of_who_lost_the_cpu_is_skipped },
	{ "a burst of broken stacks ends nothing", test_a_burst_of_broken_stacks_ends_nothing },
	{ "time that fits nowhere is not the last call's",
	  test_time_that_fits_nowhere_is_not_the_last_calls },
	{ "a tick that fits nowhere counts for what it shows",
	  test_a_tick_that_fits_nowhere_counts_for_what_it_shows },
	{ "a tick that fits nowhere is not on another stack",
	  test_a_tick_that_fits_nowhere_is_not_on_another_stack },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("broken", ITP_CONTINUITY_FUNCTION, by_functions,
			 G_N_ELEMENTS(by_functions));
	test_add_on_runs("broken", ITP_CONTINUITY_CALL_SITE, by_call_sites,
			 G_N_ELEMENTS(by_call_sites));
	return g_test_run();
}
