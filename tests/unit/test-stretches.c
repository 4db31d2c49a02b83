/* SPDX-License-Identifier: MIT */
/*
 * The lives of threads, as they are told stretch by stretch: where each was, from when to when, and
 * who ended its waits.
 */
#include "tests/unit/support.h"

static void append_context(const struct test_run *run, uint32_t node, GString *text)
{
	g_autofree char *path = node == ITP_CONTEXT_ROOT ? NULL : test_path(run, node);

	g_string_append(text, path ? path : "-");
}

/* A line for each: "TID CONTEXT BEGIN END HOW", and of a wakeup "TID CONTEXT PROCESS FUNCTION". */
static void assert_waits(const struct test_run *run, const char *wanted)
{
	static const char *const ends[] = { "woken", "unseen", "cut" };
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < run->stretches->len; i++) {
		const struct itp_stretch *wait =
			&g_array_index(run->stretches, struct itp_stretch, i);

		if (wait->kind != ITP_STRETCH_WAIT) {
			continue;
		}
		g_string_append_printf(text, "%d ", wait->tid);
		append_context(run, wait->node, text);
		g_string_append_printf(text, " %d %d %s", (int)wait->begin_ns, (int)wait->end_ns,
				       ends[wait->end]);
		if (wait->end == ITP_WAIT_WOKEN) {
			g_string_append_printf(text, " by %d ", wait->waker_tid);
			append_context(run, wait->waker_node, text);
			g_string_append_printf(
				text, " %s %s",
				itp_function_table_get(run->functions, wait->waker_process)->name,
				itp_function_table_get(run->functions, wait->waker_function)->name);
		}
		g_string_append_c(text, '\n');
	}
	g_assert_cmpstr(text->str, ==, wanted);
}

/* A line for each: "TID KIND CONTEXT BEGIN END". */
static void assert_stretches(const struct test_run *run, const char *wanted)
{
	static const char *const kinds[] = { "run", "ready", "wait", "unknown" };
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < run->stretches->len; i++) {
		const struct itp_stretch *stretch =
			&g_array_index(run->stretches, struct itp_stretch, i);

		g_string_append_printf(text, "%d %s ", stretch->tid, kinds[stretch->kind]);
		append_context(run, stretch->node, text);
		g_string_append_printf(text, " %d %d\n", (int)stretch->begin_ns,
				       (int)stretch->end_ns);
	}
	g_assert_cmpstr(text->str, ==, wanted);
}

static void block(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack)
{
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, time_ns, tid, stack, 1);
}

static void wake(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		 int64_t waker)
{
	test_push_argument(run, ITP_EVENT_WAKEUP, time_ns, tid, stack, waker);
}

/* A lock that goes from hand to hand: the waker stands where the wakeup shows it, not where it was
 * seen before. */
static void test_a_thread_ends_the_wait(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "X Y");
	test_push(run, ITP_EVENT_SAMPLE, 6, 3, "V");
	block(run, 10, 1, "A lock");
	block(run, 12, 3, "V lock");
	wake(run, 20, 1, "X unlock", 2);
	test_push(run, ITP_EVENT_SWITCH_IN, 24, 1, "");
	wake(run, 40, 3, "A unlock", 1);
	assert_waits(run, "1 p A lock 10 20 woken by 2 p X unlock p unlock\n"
			  "3 p V lock 12 40 woken by 1 p A unlock p unlock\n");
}

static void test_the_kernel_ends_the_wait(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "X Y");
	block(run, 10, 1, "A sleep");
	wake(run, 30, 1, "k:hrtimer_wakeup", 0);
	/* An interrupt while another thread runs, whose stack it lies on. */
	block(run, 40, 1, "A sleep");
	wake(run, 60, 1, "X Y k:asm_sysvec_apic_timer_interrupt k:hrtimer_wakeup", 2);
	assert_waits(run, "1 p A sleep 10 30 woken by 0 - kernel:timer hrtimer_wakeup\n"
			  "1 p A sleep 40 60 woken by 0 - kernel:timer hrtimer_wakeup\n");
}

static void test_a_stranger_ends_the_wait(struct test_run *run, gconstpointer data)
{
	(void)data;
	block(run, 10, 1, "A read");
	wake(run, 30, 1, "V", 7);
	assert_waits(run, "1 p A read 10 30 woken by 0 - [unknown] V\n");
}

static void test_an_end_may_not_be_seen(struct test_run *run, gconstpointer data)
{
	(void)data;
	block(run, 10, 1, "A read");
	test_push(run, ITP_EVENT_SWITCH_IN, 30, 1, "");
	block(run, 40, 1, "A read");
	/* The switch was not recorded either. */
	test_push(run, ITP_EVENT_SAMPLE, 70, 1, "A B");
	block(run, 80, 1, "A read");
	block(run, 95, 1, "A write");
	assert_waits(run, "1 p A read 10 30 unseen\n1 p A read 40 70 unseen\n"
			  "1 p A read 80 95 unseen\n");
}

static void end_child(struct test_run *run, int64_t time_ns, int32_t tid, int64_t maker)
{
	test_push_argument(run, ITP_EVENT_START, time_ns, tid, "", maker);
	test_push(run, ITP_EVENT_SAMPLE, time_ns + 2, tid, "X Y");
	test_push(run, ITP_EVENT_END, time_ns + 4, tid, "");
}

/* A process is recorded until just before it wakes who waits for its end. */
static void test_a_process_that_ends_ends_the_wait_for_that(struct test_run *run,
							    gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 1, "A");
	test_push(run, ITP_EVENT_SAMPLE, 6, 9, "V");
	block(run, 10, 1, "A syscall:wait4 k:do_wait");
	end_child(run, 20, 2, 1);
	/* Somebody else's. */
	end_child(run, 26, 3, 9);
	test_push(run, ITP_EVENT_SWITCH_IN, 32, 1, "");
	/* The child ended before, or is none that is waited for. */
	block(run, 40, 1, "A syscall:wait4 k:do_wait");
	test_push(run, ITP_EVENT_SWITCH_IN, 50, 1, "");
	block(run, 60, 1, "A syscall:read");
	end_child(run, 62, 4, 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 70, 1, "");
	assert_waits(run, "1 p A syscall:wait4 do_wait 10 32 woken by 2 p X Y p Y\n"
			  "1 p A syscall:wait4 do_wait 40 50 unseen\n"
			  "1 p A syscall:read 60 70 unseen\n");
}

/* A recorder in the kernel sees the last step as well. */
static void test_a_wakeup_behind_the_end_is_by_who_ended(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 1, "A");
	block(run, 10, 1, "A syscall:wait4 k:do_wait");
	end_child(run, 20, 2, 1);
	wake(run, 25, 1, "k:do_exit k:do_notify_parent", 2);
	test_push(run, ITP_EVENT_SWITCH_IN, 32, 1, "");
	assert_waits(run, "1 p A syscall:wait4 do_wait 10 25 woken by 2 p X Y p Y\n");
}

static void test_losses_and_the_end_cut_waits(struct test_run *run, gconstpointer data)
{
	(void)data;
	block(run, 10, 1, "A read");
	test_push_argument(run, ITP_EVENT_LOSS, 30, -1, "", 5);
	wake(run, 40, 1, "V", 7);
	test_push(run, ITP_EVENT_SWITCH_IN, 45, 1, "");
	block(run, 50, 1, "A read");
	test_push(run, ITP_EVENT_SAMPLE, 60, 2, "X");
	itp_infer_finish(run->infer);
	assert_waits(run, "1 p A read 10 30 cut\n1 p A read 50 60 cut\n");
}

/* A thread that has lost its CPU to another does not wait for anything. */
static void test_preempted_is_not_blocked(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 10, 1, "A B", 0);
	wake(run, 20, 1, "V", 7);
	test_push(run, ITP_EVENT_SWITCH_IN, 30, 1, "");
	assert_waits(run, "");
}

/* Between two stacks it was in what they share; a timer shows where it was meanwhile. */
static void test_a_life(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push(run, ITP_EVENT_SWITCH_IN, 12, 2, "");
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 20, 1, "A B D");
	test_push(run, ITP_EVENT_SYSCALL_EXIT, 25, 1, "");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A E");
	block(run, 40, 1, "A E sleep");
	wake(run, 60, 1, "k:hrtimer_wakeup", 0);
	test_push(run, ITP_EVENT_SWITCH_IN, 65, 1, "");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 70, 1, "A E sleep", 0);
	test_push(run, ITP_EVENT_SWITCH_IN, 80, 1, "");
	test_push(run, ITP_EVENT_END, 90, 1, "");
	assert_stretches(run, "1 unknown p A B 10 20\n"
			      "1 run p A B D syscall:0 20 25\n"
			      "1 run p A E 25 30\n"
			      "1 run p A E 30 40\n"
			      "1 wait p A E sleep 40 60\n"
			      "1 ready p A E sleep 60 65\n"
			      "1 run p A E sleep 65 70\n"
			      "1 ready p A E sleep 70 80\n"
			      "1 run p A E sleep 80 90\n");
}

/* Without switches nothing tells whether a thread runs; behind lost events, what it did. */
static void test_what_is_not_known(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A C");
	test_push_argument(run, ITP_EVENT_LOSS, 30, -1, "", 5);
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A D");
	itp_infer_finish(run->infer);
	assert_stretches(run, "1 unknown p A C 10 20\n"
			      "1 unknown p A D 30 40\n");
}

static const struct test_on_run tests[] = {
	{ "a thread ends the wait", test_a_thread_ends_the_wait },
	{ "the kernel ends the wait", test_the_kernel_ends_the_wait },
	{ "a stranger ends the wait", test_a_stranger_ends_the_wait },
	{ "an end may not be seen", test_an_end_may_not_be_seen },
	{ "a process that ends ends the wait for that",
	  test_a_process_that_ends_ends_the_wait_for_that },
	{ "a wakeup behind the end is by who ended", test_a_wakeup_behind_the_end_is_by_who_ended },
	{ "losses and the end cut waits", test_losses_and_the_end_cut_waits },
	{ "a life", test_a_life },
	{ "what is not known", test_what_is_not_known },
	{ "preempted is not blocked", test_preempted_is_not_blocked },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("stretches", ITP_CONTINUITY_CALL_SITE, tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
