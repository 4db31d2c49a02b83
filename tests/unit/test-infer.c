/* SPDX-License-Identifier: MIT */
/*
 * What events say of a thread beside its stack, or instead of one: how it used its time, where it
 * begins and ends, what is missing. On traces short enough to work out by hand.
 */
#include <errno.h>

#include "common/base/error.h"
#include "common/base/watched.h"
#include "tests/unit/support.h"

/* 10 off the CPU blocked, 30 woken, 35 on the CPU again. */
static void test_time_is_split_by_switches_and_wakeups(struct test_run *run, gconstpointer data)
{
	const struct itp_instance *instance;

	(void)data;
	test_push(run, ITP_EVENT_SWITCH_IN, 0, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 4, 1, "A");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 10, 1, "A B", 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, 30, 1, "", 2);
	test_push(run, ITP_EVENT_SWITCH_IN, 35, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 41, 1, "A");
	instance = test_instance(run, "p A B");
	g_assert_cmpint(instance->conservative_ns, ==, 30);
	g_assert_cmpint(instance->use.blocked_ns, ==, 20);
	g_assert_cmpint(instance->use.runnable_ns, ==, 5);
	g_assert_cmpint(instance->use.cpu_ns, ==, 5);
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p A")->use.cpu_ns, ==, 12);
	g_assert_cmpint(test_stats(run, "p A")->own_use.cpu_ns, ==, 7);
	g_assert_cmpint(test_stats(run, "p A")->own_use.blocked_ns, ==, 0);
}

static void test_a_thread_off_the_cpu_stands_where_it_was(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 10, 1, "A B", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 90, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 100, 1, "A");
	test_assert_instances(run, "p A B 10 80 90\np A 10 90 90\np 10 90 90\n");
}

/* Recorded without switches in: off the CPU in B from 100 on, and seen in C at 600. */
static void test_off_the_cpu_nothing_is_called(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_run_release(run, NULL);
	test_run_init(run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 100, 1, "A B", 1);
	test_push(run, ITP_EVENT_SAMPLE, 600, 1, "A C");
	itp_infer_finish(run->infer);
	test_tell_shares(run);
	g_assert_cmpint(test_stats(run, "p A B")->own_use.blocked_ns, ==, 500);
	g_assert_cmpint(test_stats(run, "p A C")->total_ns, ==, 0);
}

/* Thread 2 begins at 20 and gets a CPU at 50. */
static void test_a_new_thread_waits_for_a_cpu(struct test_run *run, gconstpointer data)
{
	const struct itp_node_stats *process;

	(void)data;
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 10, 1, "main", 1);
	test_push(run, ITP_EVENT_START, 20, 2, "");
	test_push(run, ITP_EVENT_SWITCH_IN, 50, 2, "");
	test_push(run, ITP_EVENT_SAMPLE, 60, 2, "work");
	test_push(run, ITP_EVENT_END, 70, 2, "");
	itp_infer_finish(run->infer);
	process = test_stats(run, "p");
	g_assert_cmpint(process->use.runnable_ns, ==, 30);
	g_assert_cmpint(process->use.cpu_ns, ==, 20);
}

/* Its switch is the first that is recorded. */
static void test_the_first_switch_tells_that_a_thread_waited(struct test_run *run,
							     gconstpointer data)
{
	const struct itp_node_stats *process;

	(void)data;
	test_push(run, ITP_EVENT_START, 20, 1, "");
	test_push(run, ITP_EVENT_START, 25, 2, "");
	test_push(run, ITP_EVENT_SAMPLE, 30, 2, "work");
	test_push(run, ITP_EVENT_SWITCH_IN, 50, 1, "");
	test_push(run, ITP_EVENT_SWITCH_IN, 55, 2, "");
	test_push(run, ITP_EVENT_SAMPLE, 60, 1, "work");
	test_push(run, ITP_EVENT_END, 70, 1, "");
	test_push(run, ITP_EVENT_END, 70, 2, "");
	itp_infer_finish(run->infer);
	process = test_stats(run, "p");
	g_assert_cmpint(process->use.runnable_ns, ==, 30);
	g_assert_cmpint(process->use.cpu_ns, ==, 20 + 15);
}

static void test_without_switches_the_use_of_time_is_unknown(struct test_run *run,
							     gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p A")->use.cpu_ns, ==, 0);
}

/* Until one comes, a thread that shows itself goes on running. */
static void test_a_reader_may_know_that_switches_are_recorded(struct test_run *run,
							      gconstpointer data)
{
	(void)data;
	itp_infer_watch(run->infer, ITP_WATCHED_SWITCHES);
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 1, "A", 1);
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p A")->use.cpu_ns, ==, 20);
}

static void test_a_wakeup_shows_the_wakers_stack(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "X");
	test_push_argument(run, ITP_EVENT_WAKEUP, 20, 1, "X Y", 2);
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_stats(run, "p X Y")->count, ==, 1);
	g_assert_cmpuint(test_stats(run, "p A")->count, ==, 1);
}

static void test_loss_ends_what_is_open_and_is_not_averaged_in(struct test_run *run,
							       gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_push_argument(run, ITP_EVENT_LOSS, 25, -1, "", 12);
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 37, 1, "A B");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_instance(run, "p A B")->flags & ITP_INSTANCE_LOST, !=, 0);
	g_assert_cmpuint(test_stats(run, "p A B")->count, ==, 1);
	g_assert_cmpint(test_stats(run, "p A B")->max_ns, ==, 7);
	/* Its time is the thread's all the same. */
	g_assert_cmpint(test_stats(run, "p A B")->total_ns, ==, 10 + 7);
	g_assert_cmpuint(test_stats(run, "p A B")->lost_count, ==, 1);
	g_assert_cmpuint(itp_infer_counts(run->infer)->lost_events, ==, 12);
}

static void test_two_threads_never_mix(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 12, 2, "A C");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 22, 2, "A C");
	test_assert_instances(run, "p A B 10 10 12\np A 10 10 12\np 10 10 12\n"
				   "p A C 12 10 10\np A 12 10 10\np 12 10 10\n");
}

static void test_exec_and_exit_close_everything(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_START, 5, 1, "", 99);
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(run, ITP_EVENT_EXEC, 20, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_push(run, ITP_EVENT_END, 40, 1, "");
	test_assert_instances(run, "p A B 10 0 10\np A 10 0 10\np 5 15 15\n"
				   "p A B 30 0 10\np A 30 0 10\np 20 20 20\n");
	g_assert_cmpuint(test_instance(run, "p A B")->flags, ==, 0);
	g_assert_cmpint(test_instance(run, "p A B")->upper_ns, ==, 15);
}

static void test_function_entries_and_exits_are_exact(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 10, 1, "A");
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 20, 1, "B");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 30, 1, "B");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 50, 1, "A");
	g_assert_cmpuint(test_instance(run, "p A")->flags, ==,
			 ITP_INSTANCE_EXACT | ITP_INSTANCE_COUNTED);
	g_assert_cmpint(test_instance(run, "p A")->upper_ns, ==, 40);
	g_assert_cmpint(test_instance(run, "p A B")->lower_ns, ==, 10);
}

/* Functions that are entered behind a loss have callers that were entered in it, or before. */
static void test_exact_traces_go_on_behind_a_loss(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 10, 1, "main");
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 20, 1, "work");
	test_push_argument(run, ITP_EVENT_LOSS, 30, 1, "", 5);
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 40, 1, "work");
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 50, 1, "work");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 60, 1, "work");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 70, 1, "main");
	test_push(run, ITP_EVENT_END, 80, 1, "");
	g_assert_cmpint(test_instance(run, "p [unknown callers] work")->upper_ns, ==, 10);
	g_assert_cmpuint(test_instance(run, "p [unknown callers] work")->flags, ==,
			 ITP_INSTANCE_EXACT | ITP_INSTANCE_COUNTED);
	g_assert_cmpuint(test_stats(run, "p [unknown callers]")->count, ==, 1);
	g_assert_cmpint(test_stats(run, "p [unknown callers]")->total_ns, ==, 20);
}

static void test_events_out_of_order_are_refused(struct test_run *run, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A"), ==, 0);
	g_assert_cmpint(test_push(run, ITP_EVENT_SAMPLE, 9, 1, "A"), ==, ITP_ERROR_TIME_ORDER);
}

static void test_unknown_functions_are_refused(struct test_run *run, gconstpointer data)
{
	const struct itp_frame frame = { .function = 1000 };
	const struct itp_stack_event event = {
		.kind = ITP_EVENT_SAMPLE, .comm = "p", .frames = &frame, .frame_count = 1
	};

	(void)data;
	g_assert_cmpint(itp_infer_push(run->infer, &event), ==, ITP_ERROR_UNKNOWN_ID);
}

static void append_open(const struct itp_instance *instance, void *data)
{
	GString *text = data;

	g_string_append_printf(text, "%u %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT "\n",
			       instance->depth, instance->begin_ns, instance->best_ns);
	g_assert_cmpuint(instance->flags & ITP_INSTANCE_END_UNKNOWN, !=, 0);
}

static void assert_open(const struct test_run *run, int64_t time_ns, const char *wanted)
{
	g_autoptr(GString) text = g_string_new(NULL);

	itp_infer_show_open(run->infer, time_ns, append_open, text);
	g_assert_cmpstr(text->str, ==, wanted);
}

static void test_what_is_open_is_known_as_far_as_it_was_seen(struct test_run *run,
							     gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "main work");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "main work");
	assert_open(run, 50, "2 10+10\n1 10+10\n0 10+10\n");
	/* Off the CPU it stays where it is. */
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 60, 1, "main work", 1);
	assert_open(run, 90, "2 10+80\n1 10+80\n0 10+80\n");
	assert_open(run, 100, "2 10+90\n1 10+90\n0 10+90\n");
	g_assert_cmpuint(run->instances->len, ==, 0);
}

static void test_an_entered_function_is_open_until_it_is_left(struct test_run *run,
							      gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 10, 1, "main");
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 20, 1, "work");
	assert_open(run, 50, "2 20+30\n1 10+40\n0 10+40\n");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 60, 1, "work");
	assert_open(run, 70, "1 10+60\n0 10+60\n");
}

/* Between two system calls of A, B has the CPU whenever the timer looks, and C when others want it.
 * So there is no kind of gap that begins or ends in C, and that no tick has found. */
static void test_who_loses_the_cpu_is_asked_by_ticks_alone(struct test_run *run, gconstpointer data)
{
	const int gaps = 20;

	(void)data;
	test_run_release(run, NULL);
	test_run_init(run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
	for (int64_t t = 0; t < 1000 * gaps; t += 1000) {
		test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, t, 1, "A", 7);
		test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, t + 100, 1, "A", 7);
		test_push_argument(run, ITP_EVENT_SAMPLE, t + 300, 1, "A B", 1);
		test_push_argument(run, ITP_EVENT_SWITCH_OUT, t + 500, 1, "A C", 0);
		test_push(run, ITP_EVENT_SWITCH_IN, t + 600, 1, "");
	}
	itp_infer_finish(run->infer);
	test_tell_shares(run);
	g_assert_cmpint(test_stats(run, "p A B")->own_use.cpu_ns, >, 700 * gaps);
	g_assert_cmpint(test_stats(run, "p A C")->own_use.cpu_ns, <, 30 * gaps);
}

static void test_a_system_call_tells_its_descriptor_and_its_result(struct test_run *run,
								   gconstpointer data)
{
	const struct itp_instance *instance;

	(void)data;
	test_push_enter(run, 10, 1, "main", 0, 5);
	test_push_exit(run, 20, 1, "main", 0, -EINTR);
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "main");
	instance = test_instance(run, "p main syscall:0");
	g_assert_cmpint(itp_instance_descriptor(instance), ==, 5);
	g_assert_true(instance->has_result);
	g_assert_cmpint(instance->result, ==, -EINTR);
}

static void test_words_that_were_not_recorded_are_no_descriptor(struct test_run *run,
								gconstpointer data)
{
	const struct itp_instance *instance;

	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "main", 0);
	test_push_exit(run, 20, 1, "main", 0, 7);
	instance = test_instance(run, "p main syscall:0");
	g_assert_cmpint(itp_instance_descriptor(instance), ==, -1);
	g_assert_cmpint(instance->result, ==, 7);
}

static void test_a_large_word_is_no_descriptor(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_enter(run, 10, 1, "main", 202, UINT64_C(0x7ffd12345678));
	test_push_exit(run, 20, 1, "main", 202, 0);
	g_assert_cmpint(itp_instance_descriptor(test_instance(run, "p main syscall:202")), ==, -1);
}

static void test_a_call_that_was_not_seen_to_return_has_no_result(struct test_run *run,
								  gconstpointer data)
{
	(void)data;
	test_push_enter(run, 10, 1, "main", 0, 5);
	itp_infer_finish(run->infer);
	g_assert_false(test_instance(run, "p main syscall:0")->has_result);
}

/* Who waits for what a call writes is woken before the call returns. */
static void test_a_call_tells_when_it_woke_another_thread(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_enter(run, 10, 1, "main", 0, 5);
	test_push_waking_exit(run, 20, 1, "main", 0, 7);
	g_assert_cmpint(test_instance(run, "p main syscall:0")->woke_ns, ==, 13);
}

/* More lay on its stack than was copied. */
static void test_a_call_without_a_stack_is_told_beside(struct test_run *run, gconstpointer data)
{
	const struct itp_instance *call;

	(void)data;
	test_push_enter(run, 10, 1, "main", 0, 5);
	test_push_exit(run, 20, 1, "main", 0, 1);
	g_assert_cmpuint(run->unplaced->len, ==, 0);
	test_push_short_enter(run, 30, 1, "fill deep", 1, 6);
	test_push_exit(run, 40, 1, "", 1, 9);
	g_assert_cmpuint(run->unplaced->len, ==, 1);
	call = &g_array_index(run->unplaced, struct itp_instance, 0);
	g_assert_cmpint(call->best_begin_ns, ==, 30);
	g_assert_cmpint(call->best_ns, ==, 10);
	g_assert_cmpint(itp_instance_descriptor(call), ==, 6);
	g_assert_cmpint(call->result, ==, 9);
}

static const struct test_on_run by_call_sites[] = {
	{ "time is split by switches and wakeups", test_time_is_split_by_switches_and_wakeups },
	{ "a thread off the CPU stands where it was",
	  test_a_thread_off_the_cpu_stands_where_it_was },
	{ "off the CPU nothing is called", test_off_the_cpu_nothing_is_called },
	{ "who loses the CPU is asked by ticks alone",
	  test_who_loses_the_cpu_is_asked_by_ticks_alone },
	{ "a new thread waits for a CPU", test_a_new_thread_waits_for_a_cpu },
	{ "the first switch tells that a thread waited",
	  test_the_first_switch_tells_that_a_thread_waited },
	{ "without switches the use of time is unknown",
	  test_without_switches_the_use_of_time_is_unknown },
	{ "a reader may know that switches are recorded",
	  test_a_reader_may_know_that_switches_are_recorded },
	{ "a wakeup shows the waker's stack", test_a_wakeup_shows_the_wakers_stack },
	{ "loss ends what is open and is not averaged in",
	  test_loss_ends_what_is_open_and_is_not_averaged_in },
	{ "two threads never mix", test_two_threads_never_mix },
	{ "exec and exit close everything", test_exec_and_exit_close_everything },
	{ "function entries and exits are exact", test_function_entries_and_exits_are_exact },
	{ "exact traces go on behind a loss", test_exact_traces_go_on_behind_a_loss },
	{ "events out of order are refused", test_events_out_of_order_are_refused },
	{ "unknown functions are refused", test_unknown_functions_are_refused },
	{ "what is open is known as far as it was seen",
	  test_what_is_open_is_known_as_far_as_it_was_seen },
	{ "an entered function is open until it is left",
	  test_an_entered_function_is_open_until_it_is_left },
	{ "a system call tells its descriptor and its result",
	  test_a_system_call_tells_its_descriptor_and_its_result },
	{ "a call tells when it woke another thread",
	  test_a_call_tells_when_it_woke_another_thread },
	{ "a call without a stack is told beside", test_a_call_without_a_stack_is_told_beside },
	{ "words that were not recorded are no descriptor",
	  test_words_that_were_not_recorded_are_no_descriptor },
	{ "a large word is no descriptor", test_a_large_word_is_no_descriptor },
	{ "a call that was not seen to return has no result",
	  test_a_call_that_was_not_seen_to_return_has_no_result },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("infer", ITP_CONTINUITY_CALL_SITE, by_call_sites,
			 G_N_ELEMENTS(by_call_sites));
	return g_test_run();
}
