/* SPDX-License-Identifier: MIT */
/* Who ended the waiting: what wakeups are taken to show, and how wakers add up. */
#include "tests/unit/support.h"

/* "PROCESS FUNCTION count blocked" of who woke the threads that waited in the node with `path`. */
static char *wakers_of(const struct test_run *run, const char *path)
{
	const struct itp_wakers *wakers = itp_infer_wakers(run->infer);
	GString *text = g_string_new(NULL);

	for (uint32_t node = 1; node < itp_wakers_node_count(wakers); node++) {
		g_autofree char *name = test_path(run, node);
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; g_str_equal(name, path) && i < count; i++) {
			if (list[i].role == ITP_WAKER_RAN || list[i].role == ITP_WAKER_KEPT ||
			    list[i].role == ITP_WAKER_QUEUED) {
				continue;
			}
			g_string_append_printf(
				text, "%s %s %d %d\n",
				itp_function_table_get(run->functions, list[i].process)->name,
				list[i].role == ITP_WAKER_HAD_CPU ?
					"had-cpu" :
					itp_function_table_get(run->functions, list[i].function)
						->name,
				(int)list[i].count, (int)list[i].blocked_ns);
		}
	}
	return g_string_free(text, FALSE);
}

static void assert_wakers(const struct test_run *run, const char *path, const char *expected)
{
	g_autofree char *text = wakers_of(run, path);

	g_assert_cmpstr(text, ==, expected);
}

/* Thread 1 leaves the CPU blocked with `wait`, `waker` wakes it 10 ns later, and it goes on. */
static void wait_and_be_woken(struct test_run *run, int64_t time_ns, const char *wait,
			      const char *stack, int64_t waker)
{
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, time_ns, 1, wait, 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, time_ns + 10, 1, stack, waker);
	test_push(run, ITP_EVENT_SWITCH_IN, time_ns + 12, 1, "");
}

static void test_a_wait_ends_with_the_function_that_woke(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "X");
	wait_and_be_woken(run, 10, "A B", "X Y k:do_syscall_64 k:__x64_sys_futex k:wake", 2);
	wait_and_be_woken(run, 30, "A B", "X Z", 2);
	wait_and_be_woken(run, 50, "A B", "X Y", 2);
	wait_and_be_woken(run, 70, "A C", "X Y", 2);
	/* A waker of which nothing else is known, and one without a stack. */
	wait_and_be_woken(run, 90, "A B", "V", 3);
	wait_and_be_woken(run, 110, "A B", "", 2);
	assert_wakers(run, "p A B", "p Y 2 20\np Z 1 10\n[unknown] V 1 10\np [unknown] 1 10\n");
	assert_wakers(run, "p A C", "p Y 1 10\n");
}

static void test_wakers_explain_all_blocked_time(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_and_be_woken(run, 10, "A B", "X", 2);
	wait_and_be_woken(run, 30, "A B", "X", 2);
	assert_wakers(run, "p A B", "[unknown] X 2 20\n");
	itp_infer_finish(run->infer);
	g_assert_cmpint(test_stats(run, "p A B")->own_use.blocked_ns, ==, 20);
}

/* Waits of 3 and of 4 µs. */
static void test_wakers_keep_squares_of_waits(struct test_run *run, gconstpointer data)
{
	const struct itp_wakers *wakers = itp_infer_wakers(run->infer);
	uint64_t square_us2 = 0;

	(void)data;
	for (int64_t us = 3; us <= 4; us++) {
		test_push_argument(run, ITP_EVENT_SWITCH_OUT, 100000 * us, 1, "A B", 1);
		test_push_argument(run, ITP_EVENT_WAKEUP, 101000 * us, 1, "X", 2);
		test_push(run, ITP_EVENT_SWITCH_IN, 110000 * us, 1, "");
	}
	for (uint32_t node = 1; node < itp_wakers_node_count(wakers); node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; i < count; i++) {
			square_us2 += list[i].square_us2;
		}
	}
	g_assert_cmpuint(square_us2, ==, 3 * 3 + 4 * 4);
}

static void test_a_wakeup_of_a_thread_that_runs_ends_no_wait(struct test_run *run,
							     gconstpointer data)
{
	(void)data;
	wait_and_be_woken(run, 10, "A B", "X", 0);
	test_push_argument(run, ITP_EVENT_WAKEUP, 30, 1, "X", 0);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 40, 1, "A B", 0);
	test_push_argument(run, ITP_EVENT_WAKEUP, 50, 1, "X", 0);
	test_push(run, ITP_EVENT_SWITCH_IN, 60, 1, "");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 70, 1, "A B", 1);
	/* At the very moment of the switch. */
	test_push_argument(run, ITP_EVENT_WAKEUP, 70, 1, "X", 0);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 80, 1, "A B", 1);
	/* Of two reports of one wakeup, as by sched_waking and sched_wakeup, the first counts. */
	test_push_argument(run, ITP_EVENT_WAKEUP, 85, 1, "k:tcp_v4_rcv", 0);
	test_push_argument(run, ITP_EVENT_WAKEUP, 86, 1, "k:sched_ttwu_pending", 0);
	assert_wakers(run, "p A B",
		      "kernel:interrupt [unknown] 1 10\nkernel:network tcp_v4_rcv 1 5\n");
}

/* From 20 to 60 it waits for CPU 0, which 2 and 3 have meanwhile, and from 80 to 90 for CPU 1. */
static void test_who_has_a_cpu_keeps_others_waiting(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_switch(run, ITP_EVENT_SAMPLE, 5, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SAMPLE, 6, 1, 3, "index", "Y");
	test_push_switch(run, ITP_EVENT_SAMPLE, 8, 0, 1, "job", "A");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 10, 0, 1, "job", "");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 20, 0, 1, "job", "A B");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 22, 0, 2, "backup", "");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 40, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 41, 0, 3, "index", "");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 55, 0, 3, "index", "Y");
	/* Somebody of whom nothing is known had it in between. */
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 60, 0, 1, "job", "");
	assert_wakers(run, "job A B", "index had-cpu 1 14\nbackup had-cpu 1 18\n");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 70, 1, 2, "backup", "");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 80, 0, 1, "job", "A B");
	/* Another CPU, where it was not alone from the beginning; no time of the first one counts.
	 */
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 86, 1, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 90, 1, 1, "job", "");
	assert_wakers(run, "job A B", "index had-cpu 1 14\nbackup had-cpu 2 24\n");
}

/* Who had it may have left it long before. */
static void test_after_a_loss_nobody_has_a_cpu(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_switch(run, ITP_EVENT_SAMPLE, 5, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SAMPLE, 6, 1, 1, "job", "A");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 10, 0, 2, "backup", "");
	test_push_argument(run, ITP_EVENT_LOSS, 15, 0, "", 3);
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 20, 1, 1, "job", "A B");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 40, 0, 1, "job", "");
	assert_wakers(run, "job A B", "");
}

static void test_a_cpu_that_nobody_had_is_nobodys(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 5, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 20, 0, 1, "job", "A B");
	/* Before the wait, and on a CPU that is not known. */
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 30, 0, 1, "job", "");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 40, -1, 1, "job", "A B");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 50, -1, 1, "job", "");
	assert_wakers(run, "job A B", "");
}

/* Of whom there are no events: the CPU was given to it, and it is taken to have it until then. */
static void test_a_stranger_has_a_cpu_that_it_was_given(struct test_run *run, gconstpointer data)
{
	const struct itp_function stranger = {
		.name = "indexer", .module = "", .build_id = "", .layer = ITP_LAYER_PROCESS
	};
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SWITCH_OUT,
		.time_ns = 20,
		.pid = 1,
		.tid = 1,
		.cpu = 0,
		.comm = "job",
		.callee = itp_function_table_intern(run->functions, &stranger),
	};

	(void)data;
	test_push_switch(run, ITP_EVENT_SAMPLE, 5, 0, 1, "job", "A");
	g_assert_cmpint(itp_infer_push(run->infer, &event), ==, 0);
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 50, 0, 1, "job", "");
	test_push_switch(run, ITP_EVENT_SAMPLE, 60, 0, 1, "job", "A");
	assert_wakers(run, "job A", "indexer had-cpu 1 30\n");
}

#define THROTTLED "k:exit_to_user_mode_loop k:task_work_run k:__cond_resched k:__schedule"

/* Another thread runs on that CPU meanwhile, which is no matter: the quota kept it from the job. */
static void test_a_quota_has_the_cpu_of_who_is_throttled(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_switch(run, ITP_EVENT_SAMPLE, 5, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SAMPLE, 8, 0, 1, "job", "A");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 20, 0, 1, "job", "A B " THROTTLED);
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 22, 0, 2, "backup", "");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 40, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 60, 0, 1, "job", "");
	assert_wakers(run, "job A B task_work_run __cond_resched __schedule",
		      "kernel:cpu-quota had-cpu 1 40\n");
}

/* Who looks for another thread without such work, or is blocked, is not throttled. */
static void test_others_are_not_throttled(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_switch(run, ITP_EVENT_SAMPLE, 5, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SAMPLE, 8, 0, 1, "job", "A");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 20, 0, 1, "job",
			 "A k:exit_mmap k:__cond_resched k:__schedule");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 22, 0, 2, "backup", "");
	test_push_switch(run, ITP_EVENT_SWITCH_OUT, 40, 0, 2, "backup", "X");
	test_push_switch(run, ITP_EVENT_SWITCH_IN, 60, 0, 1, "job", "");
	assert_wakers(run, "job A exit_mmap __cond_resched __schedule", "backup had-cpu 1 18\n");
}

static void test_an_ended_thread_still_wakes(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "X");
	test_push(run, ITP_EVENT_END, 11, 2, "");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 15, 1, "A", 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, 20, 1, "k:__x64_sys_exit k:do_exit", 2);
	assert_wakers(run, "p A", "p syscall:exit 1 5\n");
}

static void test_the_kernel_wakes_for_reasons(struct test_run *run, gconstpointer data)
{
	static const struct {
		const char *stack;
		int64_t tid;
		const char *waker;
	} cases[] = {
		/* An interrupt, on a thread, in its system call, and on the idle task. */
		{ "X k:asm_sysvec_apic_timer_interrupt k:hrtimer_interrupt k:hrtimer_wakeup", 2,
		  "kernel:timer hrtimer_wakeup" },
		{ "X k:do_syscall_64 k:vfs_write k:asm_common_interrupt k:handle_softirqs "
		  "k:blk_done_softirq k:blk_update_request k:end_something",
		  2, "kernel:disk blk_update_request" },
		{ "k:do_idle k:asm_common_interrupt k:handle_softirqs k:net_rx_action k:xyz_poll",
		  0, "kernel:network net_rx_action" },
		{ "k:do_idle k:sched_ttwu_pending", 0, "kernel:other-cpu sched_ttwu_pending" },
		{ "X k:asm_sysvec_something k:abc", 2, "kernel:interrupt [unknown]" },
		/* What the interrupted thread was about to do is not the reason. */
		{ "X k:do_syscall_64 k:ext4_sync_file k:asm_sysvec_something k:abc", 2,
		  "kernel:interrupt [unknown]" },
		/* The interrupt of a thread that is gone. */
		{ "k:asm_common_interrupt k:blk_done_softirq", -1, "kernel:disk blk_done_softirq" },
		/* Kernel threads. */
		{ "k:ret_from_fork_asm k:kthread k:kjournald2 k:wake", 3,
		  "kernel:disk kjournald2" },
		{ "k:ret_from_fork_asm k:kthread k:abc", 3, "kernel:thread [unknown]" },
		/* Nobody but the thread itself: through a softirq of its own, and at its end. */
		{ "X k:do_syscall_64 k:tcp_sendmsg k:do_softirq k:net_rx_action k:tcp_v4_rcv", 2,
		  "p X" },
		{ "k:do_syscall_64 k:__x64_sys_exit_group k:do_exit k:do_notify_parent", 2,
		  "p syscall:exit_group" },
	};

	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "X");
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path = g_strdup_printf("p A%d", (int)i);
		g_autofree char *expected = g_strdup_printf("%s 1 10\n", cases[i].waker);

		wait_and_be_woken(run, 10 + 20 * (int64_t)i, path + 2, cases[i].stack,
				  cases[i].tid);
		assert_wakers(run, path, expected);
	}
}

static struct itp_frame frame_of(const struct test_run *run, const char *module, const char *name)
{
	const struct itp_function function = {
		.name = name, .module = module, .build_id = "", .layer = ITP_LAYER_USER
	};

	return (struct itp_frame){
		.address = 1, .function = itp_function_table_intern(run->functions, &function)
	};
}

static void test_the_c_library_only_goes_between(struct test_run *run, gconstpointer data)
{
	const struct itp_frame frames[] = {
		frame_of(run, "libc.so.6", "start_thread"),
		frame_of(run, "program", "work"),
		frame_of(run, "libstdc++.so.6", "notify_one"),
		frame_of(run, "libc.so.6", "pthread_cond_signal"),
	};
	struct itp_stack_event wakeup = {
		.kind = ITP_EVENT_WAKEUP,
		.time_ns = 20,
		.pid = 1,
		.tid = 1,
		.comm = "p",
		.argument = 2,
		.frames = frames,
	};

	(void)data;
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 10, 1, "A", 1);
	wakeup.frame_count = 4;
	g_assert_cmpint(itp_infer_push(run->infer, &wakeup), ==, 0);
	assert_wakers(run, "p A", "[unknown] work 1 10\n");
	/* But it is better than nothing. */
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 1, "B", 1);
	wakeup.time_ns = 40;
	wakeup.frame_count = 1;
	g_assert_cmpint(itp_infer_push(run->infer, &wakeup), ==, 0);
	assert_wakers(run, "p B", "[unknown] start_thread 1 10\n");
}

/* A stack without anything of the program says nothing; what went on around it had been waiting. */
static void test_a_wait_on_a_broken_stack_is_placed_by_the_next(struct test_run *run,
								gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B C");
	test_push(run, ITP_EVENT_SAMPLE, 11, 1, "A B C");
	wait_and_be_woken(run, 20, "k:schedule", "X", 0);
	assert_wakers(run, "p A B", "");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A B D");
	assert_wakers(run, "p A B", "kernel:interrupt [unknown] 1 10\n");
	/* And when no other comes, the thread. */
	wait_and_be_woken(run, 50, "k:schedule", "X", 0);
	itp_infer_finish(run->infer);
	assert_wakers(run, "p A B", "kernel:interrupt [unknown] 1 10\n");
	assert_wakers(run, "p", "kernel:interrupt [unknown] 1 10\n");
}

static void test_loss_ends_a_wait_without_a_waker(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_and_be_woken(run, 10, "A B", "X", 0);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 1, "A B", 1);
	test_push_argument(run, ITP_EVENT_LOSS, 35, -1, "", 1);
	/* Nobody knows whether this ended the same wait. */
	test_push_argument(run, ITP_EVENT_WAKEUP, 40, 1, "X", 0);
	assert_wakers(run, "p A B", "kernel:interrupt [unknown] 1 10\n");
}

static void test_wakers_of_a_context_are_bounded(struct test_run *run, gconstpointer data)
{
	const int wakeups = ITP_MAX_NODE_WAKERS + 50;
	const struct itp_wakers *wakers = itp_infer_wakers(run->infer);
	const struct itp_waker *list;
	int64_t blocked_ns[ITP_WAKER_ROLE_COUNT] = { 0 };
	uint64_t unknown[ITP_WAKER_ROLE_COUNT] = { 0 };
	guint known = 0;
	guint count;

	(void)data;
	for (int i = 0; i < wakeups; i++) {
		g_autofree char *stack = g_strdup_printf("X%d", i);

		wait_and_be_woken(run, 20 * (i + 1), "A B", stack, 2);
	}
	list = itp_wakers_of_node(wakers, itp_wakers_node_count(wakers) - 1, &count);
	g_assert_cmpuint(count, <=, ITP_MAX_NODE_WAKERS);
	for (guint i = 0; i < count; i++) {
		blocked_ns[list[i].role] += list[i].blocked_ns;
		known += list[i].function != ITP_FUNCTION_UNKNOWN;
		if (list[i].function == ITP_FUNCTION_UNKNOWN) {
			unknown[list[i].role] = list[i].count;
		}
	}
	g_assert_cmpuint(known, ==, ITP_MAX_NODE_WAKERS - ITP_WAKER_ROLE_COUNT);
	g_assert_cmpint(blocked_ns[ITP_WAKER_WOKE], ==, 10 * wakeups);
	g_assert_cmpint(blocked_ns[ITP_WAKER_RAN], ==, 10 * wakeups);
	g_assert_cmpint(blocked_ns[ITP_WAKER_KEPT], ==, 10 * wakeups);
	g_assert_cmpuint(unknown[ITP_WAKER_WOKE] + unknown[ITP_WAKER_RAN] + unknown[ITP_WAKER_KEPT],
			 ==, 3 * wakeups - known);
}

static gint compare_strings(gconstpointer a, gconstpointer b)
{
	return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

/* "NODE PROCESS FUNCTION count blocked", sorted: nothing else of wakers matters. */
static char *all_of(const struct itp_wakers *wakers)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	for (uint32_t node = 0; node < itp_wakers_node_count(wakers); node++) {
		guint count;
		const struct itp_waker *list = itp_wakers_of_node(wakers, node, &count);

		for (guint i = 0; i < count; i++) {
			g_ptr_array_add(lines, g_strdup_printf("%u %u %u %d %d", list[i].node,
							       list[i].process, list[i].function,
							       (int)list[i].count,
							       (int)list[i].blocked_ns));
		}
	}
	g_ptr_array_sort(lines, compare_strings);
	g_ptr_array_add(lines, NULL);
	return g_strjoinv("\n", (char **)lines->pdata);
}

static struct itp_wakers *random_wakers(GRand *random)
{
	struct itp_wakers *wakers = itp_wakers_new();

	for (int i = g_rand_int_range(random, 0, 30); i > 0; i--) {
		const struct itp_waker waker = {
			.node = (uint32_t)g_rand_int_range(random, 1, 6),
			.process = (uint32_t)g_rand_int_range(random, 0, 3),
			.function = (uint32_t)g_rand_int_range(random, 0, 4),
			.count = 1,
			.blocked_ns = g_rand_int_range(random, 0, 1000),
		};

		itp_wakers_add(wakers, &waker);
	}
	return wakers;
}

/* All wakers of the three parts, merged in that order. */
static char *merged(struct itp_wakers *const *parts, const int *order)
{
	struct itp_wakers *sum = itp_wakers_new();
	char *text;

	for (int i = 0; i < 3; i++) {
		itp_wakers_merge(sum, parts[order[i]]);
	}
	text = all_of(sum);
	itp_wakers_free(sum);
	return text;
}

static void test_merging_is_associative_and_commutative(void)
{
	for (guint32 seed = 0; seed < 100; seed++) {
		GRand *random = g_rand_new_with_seed(seed);
		struct itp_wakers *parts[3] = { random_wakers(random), random_wakers(random),
						random_wakers(random) };
		g_autofree char *forth = merged(parts, (const int[]){ 0, 1, 2 });
		g_autofree char *back = merged(parts, (const int[]){ 2, 0, 1 });
		g_autofree char *nested = NULL;

		itp_wakers_merge(parts[1], parts[2]);
		itp_wakers_merge(parts[0], parts[1]);
		nested = all_of(parts[0]);
		g_assert_cmpstr(forth, ==, back);
		g_assert_cmpstr(forth, ==, nested);
		for (int i = 0; i < 3; i++) {
			itp_wakers_free(parts[i]);
		}
		g_rand_free(random);
	}
}

static void test_profiles_merge_with_their_wakers(void)
{
	struct itp_profile *profile = itp_profile_new("a");
	struct itp_profile *other = itp_profile_new("b");
	const struct itp_waker waker = { .node = 3, .process = 1, .count = 2, .blocked_ns = 7 };
	g_autofree char *text = NULL;

	itp_wakers_add(profile->wakers, &waker);
	itp_wakers_add(other->wakers, &waker);
	itp_profile_merge(profile, other);
	text = all_of(profile->wakers);
	g_assert_cmpstr(text, ==, "3 1 0 4 14");
	itp_profile_free(profile);
	itp_profile_free(other);
}

static void test_wakers_of_several_nodes_are_sorted_by_time_and_name(void)
{
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_wakers *wakers = itp_wakers_new();
	const uint32_t zebra = test_function(functions, "zebra");
	const uint32_t ape = test_function(functions, "ape");
	const struct itp_waker all[] = {
		{ .node = 1, .process = zebra, .function = ape, .count = 1, .blocked_ns = 5 },
		{ .node = 1, .process = ape, .function = zebra, .count = 1, .blocked_ns = 5 },
		{ .node = 2, .process = ape, .function = ape, .count = 1, .blocked_ns = 4 },
		{ .node = 4, .process = ape, .function = ape, .count = 2, .blocked_ns = 5 },
		{ .node = 4, .process = ape, .function = zebra, .count = 1, .blocked_ns = 0 },
		{ .node = 3, .process = ape, .function = zebra, .count = 1, .blocked_ns = 100 },
		{ .node = 4,
		  .role = ITP_WAKER_RAN,
		  .process = ape,
		  .function = ape,
		  .count = 1,
		  .blocked_ns = 50 },
	};
	const uint32_t nodes[] = { 1, 2, 4, 7 };
	g_autoptr(GArray) list = NULL;
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		itp_wakers_add(wakers, &all[i]);
	}
	list = itp_wakers_of_nodes(wakers, ITP_WAKER_WOKE, nodes, G_N_ELEMENTS(nodes), functions);
	for (guint i = 0; i < list->len; i++) {
		const struct itp_waker *waker = &g_array_index(list, struct itp_waker, i);

		g_string_append_printf(text, "%u %s %s %d %d\n", waker->node,
				       itp_function_table_get(functions, waker->process)->name,
				       itp_function_table_get(functions, waker->function)->name,
				       (int)waker->count, (int)waker->blocked_ns);
	}
	g_assert_cmpstr(text->str, ==, "0 ape ape 3 9\n0 ape zebra 2 5\n0 zebra ape 1 5\n");
	g_assert_cmpint(itp_wakers_sum_ns(list), ==, 19);
	g_string_free(text, TRUE);
	itp_wakers_free(wakers);
	itp_function_table_free(functions);
}

static const struct test_on_run by_functions[] = {
	{ "the paper's mode knows wakers too", test_a_wait_ends_with_the_function_that_woke },
};

static const struct test_on_run by_call_sites[] = {
	{ "a wait ends with the function that woke", test_a_wait_ends_with_the_function_that_woke },
	{ "they explain all blocked time", test_wakers_explain_all_blocked_time },
	{ "they keep squares of waits", test_wakers_keep_squares_of_waits },
	{ "a wakeup of a thread that runs ends no wait",
	  test_a_wakeup_of_a_thread_that_runs_ends_no_wait },
	{ "who has a CPU keeps others waiting", test_who_has_a_cpu_keeps_others_waiting },
	{ "after a loss nobody has a CPU", test_after_a_loss_nobody_has_a_cpu },
	{ "a CPU that nobody had is nobody's", test_a_cpu_that_nobody_had_is_nobodys },
	{ "a stranger has a CPU that it was given", test_a_stranger_has_a_cpu_that_it_was_given },
	{ "a quota keeps the CPU from who is throttled",
	  test_a_quota_has_the_cpu_of_who_is_throttled },
	{ "and from nobody else", test_others_are_not_throttled },
	{ "an ended thread still wakes", test_an_ended_thread_still_wakes },
	{ "the kernel wakes for reasons", test_the_kernel_wakes_for_reasons },
	{ "the C library only goes between", test_the_c_library_only_goes_between },
	{ "a wait on a broken stack is placed by the next",
	  test_a_wait_on_a_broken_stack_is_placed_by_the_next },
	{ "loss ends a wait without a waker", test_loss_ends_a_wait_without_a_waker },
	{ "wakers of a context are bounded", test_wakers_of_a_context_are_bounded },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("wakers", ITP_CONTINUITY_FUNCTION, by_functions,
			 G_N_ELEMENTS(by_functions));
	test_add_on_runs("wakers", ITP_CONTINUITY_CALL_SITE, by_call_sites,
			 G_N_ELEMENTS(by_call_sites));
	g_test_add_func("/wakers/merging is associative and commutative",
			test_merging_is_associative_and_commutative);
	g_test_add_func("/wakers/profiles merge with their wakers",
			test_profiles_merge_with_their_wakers);
	g_test_add_func("/wakers/those of several nodes are sorted by time and name",
			test_wakers_of_several_nodes_are_sorted_by_time_and_name);
	return g_test_run();
}
