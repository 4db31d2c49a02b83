/* SPDX-License-Identifier: MIT */
/* Whose loss waits are: units of work, the chain of wakeups, and what a place tells. */
#include "tests/unit/support.h"

/* "wanted life passed" of the node with this path, for what was found since it was asked last. */
static void assert_demand(struct test_run *run, const char *path, int wanted_ns, int life_ns,
			  int passed_ns)
{
	const struct itp_node_demand *demand = &test_stats(run, path)->demand;

	g_assert_cmpint(demand->wanted_ns, ==, wanted_ns);
	g_assert_cmpint(demand->life_ns, ==, life_ns);
	g_assert_cmpint(demand->passed_ns, ==, passed_ns);
}

static void block(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack)
{
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, time_ns, tid, stack, 1);
}

static void wake(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		 int64_t waker)
{
	test_push_argument(run, ITP_EVENT_WAKEUP, time_ns, tid, stack, waker);
	test_push(run, ITP_EVENT_SWITCH_IN, time_ns, tid, "");
}

static void wait_from_to(struct test_run *run, int64_t begin_ns, int64_t end_ns, int32_t tid,
			 const char *stack)
{
	block(run, begin_ns, tid, stack);
	wake(run, end_ns, tid, "k:tcp_v4_rcv", 0);
}

static void want(struct test_run *run, int32_t tid, int64_t since_ns)
{
	const struct itp_open_time open = {
		.tid = tid, .since_ns = since_ns, .until_ns = INT64_MAX, .at = ITP_CONTEXT_ROOT
	};

	itp_infer_want(run->infer, &open);
}

static void tell(struct test_run *run)
{
	itp_infer_finish(run->infer);
	test_tell_shares(run);
}

static void test_a_wait_that_nobody_waits_for_is_idle(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_from_to(run, 10, 30, 1, "A take");
	tell(run);
	assert_demand(run, "p A take", 0, 0, 0);
	g_assert_cmpuint(itp_infer_counts(run->infer)->units, ==, 0);
}

static void test_waits_are_wanted_while_a_unit_is_open(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_from_to(run, 10, 30, 1, "A take");
	wait_from_to(run, 40, 70, 1, "A fetch");
	want(run, 1, 25);
	wait_from_to(run, 80, 95, 1, "A take");
	tell(run);
	assert_demand(run, "p A take", 5, 0, 0);
	assert_demand(run, "p A fetch", 30, 0, 0);
	g_assert_cmpuint(itp_infer_counts(run->infer)->units, ==, 1);
}

/* Thread 1 asks at 20 and is woken at 90 by 2, which waited for work until 22, for a thing of 3
 * from 30 to 80, which that waited for from 40 to 60. */
static void push_chain(struct test_run *run)
{
	block(run, 1, 3, "C take");
	block(run, 2, 2, "B take");
	block(run, 20, 1, "A ask");
	wake(run, 22, 2, "k:tcp_v4_rcv", 0);
	block(run, 30, 2, "B fetch");
	wake(run, 31, 3, "k:tcp_v4_rcv", 0);
	block(run, 40, 3, "C read");
	wake(run, 60, 3, "k:blk_done", 0);
	wake(run, 80, 2, "C done", 3);
	wake(run, 90, 1, "B answer", 2);
}

static void test_the_chain_of_wakeups_tells_whom_others_wait_for(struct test_run *run,
								 gconstpointer data)
{
	(void)data;
	push_chain(run);
	want(run, 1, 5);
	tell(run);
	assert_demand(run, "p A ask", 70, 0, 70);
	assert_demand(run, "p B take", 2, 0, 0);
	assert_demand(run, "p B fetch", 50, 0, 50);
	assert_demand(run, "p C take", 1, 0, 0);
	assert_demand(run, "p C read", 20, 0, 0);
}

static void test_what_several_want_counts_once(struct test_run *run, gconstpointer data)
{
	(void)data;
	push_chain(run);
	want(run, 2, 50);
	want(run, 1, 5);
	want(run, 1, 1);
	tell(run);
	assert_demand(run, "p B fetch", 50, 0, 50);
	assert_demand(run, "p C read", 20, 0, 0);
}

static void test_who_waits_for_an_idle_thread_wants_nothing(struct test_run *run,
							    gconstpointer data)
{
	(void)data;
	push_chain(run);
	tell(run);
	assert_demand(run, "p A ask", 0, 0, 0);
	assert_demand(run, "p C read", 0, 0, 0);
}

static void begin_command(struct test_run *run)
{
	test_push_argument(run, ITP_EVENT_START, 0, 1, "", ITP_START_UNKNOWN);
	test_push(run, ITP_EVENT_EXEC, 0, 1, "");
}

static void test_the_life_of_the_command_is_a_unit(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	push_chain(run);
	tell(run);
	assert_demand(run, "p A ask", 0, 70, 70);
	assert_demand(run, "p B take", 2, 0, 0);
	assert_demand(run, "p C read", 20, 0, 0);
	g_assert_cmpuint(itp_infer_counts(run->infer)->units, ==, 1);
}

static void test_a_command_that_serves_is_none(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	wait_from_to(run, 10, 30, 1, "A start");
	itp_infer_serve(run->infer, 1, true);
	wait_from_to(run, 40, 90, 1, "A take");
	tell(run);
	assert_demand(run, "p A start", 0, 20, 0);
	assert_demand(run, "p A take", 0, 0, 0);
}

/* Thread 2 was there as well, and is none of the command's. */
static void sleep_beside(struct test_run *run, int64_t end_ns)
{
	begin_command(run);
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "B");
	wait_from_to(run, 10, end_ns, 1, "A nap");
	test_push(run, ITP_EVENT_SAMPLE, 100, 2, "B");
	tell(run);
}

static void test_a_command_that_only_sleeps_tells_how_long_to_record(struct test_run *run,
								     gconstpointer data)
{
	(void)data;
	sleep_beside(run, 61);
	assert_demand(run, "p A nap", 0, 0, 0);
}

static void test_a_command_that_sleeps_for_less_loses_time(struct test_run *run, gconstpointer data)
{
	(void)data;
	sleep_beside(run, 59);
	assert_demand(run, "p A nap", 0, 49, 0);
}

#define LOCK "A update " TEST_ENTRY "k:wait"

static void test_a_lock_is_waited_for_by_who_works(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 8, 1, "A update", 7);
	block(run, 10, 1, LOCK);
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 28, 2, "A update", 7);
	wake(run, 30, 1, "A update " TEST_ENTRY "k:wake", 2);
	tell(run);
	assert_demand(run, "p A update syscall:7 wait", 20, 0, 0);
}

static void test_who_puts_a_job_stands_elsewhere(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 8, 1, "A take", 7);
	block(run, 10, 1, "A take " TEST_ENTRY "k:wait");
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 28, 2, "B put", 7);
	wake(run, 30, 1, "B put " TEST_ENTRY "k:wake", 2);
	tell(run);
	assert_demand(run, "p A take syscall:7 wait", 0, 0, 0);
}

/* One makes a file in a directory, and the other one has removed one. */
static void test_a_lock_of_the_kernel_is_one_in_any_call(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 8, 1, "A make", 7);
	block(run, 10, 1, "A make " TEST_ENTRY "k:rwsem_down_write_slowpath k:schedule");
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 28, 2, "B remove", 8);
	wake(run, 30, 1, "B remove " TEST_ENTRY "k:up_write", 2);
	tell(run);
	assert_demand(run, "p A make syscall:7 rwsem_down_write_slowpath schedule", 20, 0, 0);
}

/* Another system call, as of a pipe, is none of a lock. */
static void test_who_writes_holds_no_lock(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 8, 1, "A update", 7);
	block(run, 10, 1, LOCK);
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 28, 2, "A update", 8);
	wake(run, 30, 1, "A update " TEST_ENTRY "k:wake", 2);
	tell(run);
	assert_demand(run, "p A update syscall:7 wait", 0, 0, 0);
}

/* Threads 1 and 2 wait from 10 on; the last event is at 40. */
static void test_a_lock_that_nobody_releases(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 8, 1,
			   "A update libc.so.6!pthread_mutex_lock", 7);
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 9, 2, "A take libc.so.6!pthread_cond_wait",
			   7);
	block(run, 10, 1, "A update libc.so.6!pthread_mutex_lock " TEST_ENTRY "k:wait");
	block(run, 10, 2, "A take libc.so.6!pthread_cond_wait " TEST_ENTRY "k:wait");
	test_push(run, ITP_EVENT_SAMPLE, 40, 3, "B work");
	tell(run);
	assert_demand(run, "p A update pthread_mutex_lock syscall:7 wait", 30, 0, 0);
	assert_demand(run, "p A take pthread_cond_wait syscall:7 wait", 0, 0, 0);
}

static void test_a_disk_is_waited_for_by_who_works(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_from_to(run, 10, 30, 1, "A read k:io_schedule k:schedule");
	tell(run);
	assert_demand(run, "p A read io_schedule schedule", 20, 0, 0);
}

static void test_a_page_is_waited_for_by_who_works(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_from_to(run, 10, 30, 1, "A touch k:asm_exc_page_fault k:schedule");
	tell(run);
	assert_demand(run, "p A touch asm_exc_page_fault schedule", 20, 0, 0);
}

/* The stack lacks the system call. */
static void test_who_is_only_seen_to_wait_need_not_work(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_from_to(run, 10, 30, 1, "A park k:schedule k:__schedule");
	tell(run);
	assert_demand(run, "p A park schedule __schedule", 0, 0, 0);
}

/* The end itself is ranked with the thread that has ended, what that waited for as well. */
static void test_a_wait_for_an_end_is_passed_on_whole(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	block(run, 10, 1, "A join");
	wait_from_to(run, 20, 50, 2, "B nap");
	test_push(run, ITP_EVENT_SAMPLE, 55, 2, "B syscall:exit");
	wake(run, 60, 1, "B syscall:exit", 2);
	tell(run);
	assert_demand(run, "p A join", 0, 0, 0);
	assert_demand(run, "p B nap", 30, 0, 0);
}

/* A wait for a process whose last step was recorded behind its end. */
static void test_a_wait_for_a_child_is_passed_on_whole(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	block(run, 10, 1, "A syscall:wait4 k:do_wait");
	test_push_argument(run, ITP_EVENT_START, 15, 2, "", 1);
	wait_from_to(run, 20, 50, 2, "B nap");
	test_push(run, ITP_EVENT_SAMPLE, 55, 2, "B syscall:exit_group");
	test_push(run, ITP_EVENT_END, 58, 2, "");
	wake(run, 60, 1, "k:do_exit k:do_notify_parent", 2);
	tell(run);
	assert_demand(run, "p A syscall:wait4 do_wait", 0, 0, 0);
	assert_demand(run, "p B nap", 30, 0, 0);
}

/* As above, for threads of process 1. */
static void push_thread(struct test_run *run, enum itp_event_kind kind, int64_t time_ns,
			int32_t tid, const char *stack, int64_t argument)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	struct itp_stack_event event = {
		.kind = kind,
		.time_ns = time_ns,
		.pid = 1,
		.tid = tid,
		.cpu = -1,
		.comm = "p",
		.argument = argument,
		/* On a futex that others than threads of the process may wake, and whose word is
		 * `argument`. */
		.words = { .are_known = kind == ITP_EVENT_SYSCALL_ENTER,
			   .words = { 0, 0, (uint64_t)argument } },
		.complete = true,
	};

	test_frames(run->functions, stack, frames);
	event.frames = (const struct itp_frame *)(void *)frames->data;
	event.frame_count = frames->len;
	if (kind == ITP_EVENT_SYSCALL_ENTER || kind == ITP_EVENT_SYSCALL_EXIT) {
		event.callee = itp_function_table_intern_syscall(run->functions, "futex");
	}
	g_assert_cmpint(itp_infer_push(run->infer, &event), ==, 0);
}

/* The command joins thread 2 at 12, which waits for a lock from 16 on; the last event is at 50. */
static void test_who_joins_a_thread_that_hangs(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	push_thread(run, ITP_EVENT_START, 2, 2, "", 1);
	push_thread(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "main join", 2);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 12, 1, "main join " TEST_ENTRY "k:wait", 1);
	push_thread(run, ITP_EVENT_SYSCALL_ENTER, 14, 2, "W libc.so.6!pthread_mutex_lock", 0);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 16, 2,
		    "W libc.so.6!pthread_mutex_lock " TEST_ENTRY "k:wait", 1);
	push_thread(run, ITP_EVENT_SAMPLE, 50, 3, "B work", 0);
	tell(run);
	assert_demand(run, "p main join syscall:futex wait", 0, 0, 0);
	assert_demand(run, "p W pthread_mutex_lock syscall:futex wait", 34, 0, 0);
}

/* Threads 2 and 3 are made for W, thread 4 for C. Each naps once and ends. */
static void test_who_joins_workers_waits_for_all_of_them(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	for (int tid = 2; tid <= 4; tid++) {
		push_thread(run, ITP_EVENT_START, tid, tid, "", 1);
	}
	push_thread(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A", 0);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 11, 1, "A " TEST_ENTRY "k:wait", 1);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 20, 2, "W nap", 1);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 20, 3, "W nap", 1);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 20, 4, "C nap", 1);
	push_thread(run, ITP_EVENT_SWITCH_IN, 50, 2, "", 0);
	push_thread(run, ITP_EVENT_END, 55, 2, "", 0);
	push_thread(run, ITP_EVENT_SWITCH_IN, 56, 1, "", 0);
	push_thread(run, ITP_EVENT_SYSCALL_EXIT, 57, 1, "A", 0);
	push_thread(run, ITP_EVENT_SYSCALL_ENTER, 58, 1, "A", 0);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 59, 1, "A " TEST_ENTRY "k:wait", 1);
	push_thread(run, ITP_EVENT_SWITCH_IN, 60, 3, "", 0);
	push_thread(run, ITP_EVENT_END, 65, 3, "", 0);
	push_thread(run, ITP_EVENT_SWITCH_IN, 66, 1, "", 0);
	push_thread(run, ITP_EVENT_SYSCALL_EXIT, 67, 1, "A", 0);
	push_thread(run, ITP_EVENT_SYSCALL_ENTER, 70, 1, "A", 0);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 71, 1, "A " TEST_ENTRY "k:wait", 1);
	push_thread(run, ITP_EVENT_SWITCH_IN, 80, 4, "", 0);
	push_thread(run, ITP_EVENT_END, 85, 4, "", 0);
	push_thread(run, ITP_EVENT_SWITCH_IN, 86, 1, "", 0);
	tell(run);
	assert_demand(run, "p W nap", 30 + 40, 0, 0);
	assert_demand(run, "p C nap", 80 - 71, 0, 0);
}

/* Threads 2 and 3 are made for W and for what `other` begins with. Thread 1 waits for the end of 2
 * from 11 to 56, and has no need to for that of 3, at 59. */
static void push_late_worker(struct test_run *run, const char *other)
{
	begin_command(run);
	push_thread(run, ITP_EVENT_START, 2, 2, "", 1);
	push_thread(run, ITP_EVENT_START, 3, 3, "", 1);
	push_thread(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A", 0);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 11, 1, "A " TEST_ENTRY "k:wait", 1);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 20, 2, "W nap", 1);
	push_thread(run, ITP_EVENT_SWITCH_OUT, 20, 3, other, 1);
	push_thread(run, ITP_EVENT_SWITCH_IN, 50, 2, "", 0);
	push_thread(run, ITP_EVENT_END, 55, 2, "", 0);
	push_thread(run, ITP_EVENT_SWITCH_IN, 56, 1, "", 0);
	push_thread(run, ITP_EVENT_SYSCALL_EXIT, 57, 1, "A", 0);
	push_thread(run, ITP_EVENT_SWITCH_IN, 58, 3, "", 0);
	push_thread(run, ITP_EVENT_END, 59, 3, "", 0);
	push_thread(run, ITP_EVENT_SAMPLE, 70, 1, "A", 0);
	tell(run);
}

static void test_and_for_one_that_ends_while_he_runs(struct test_run *run, gconstpointer data)
{
	(void)data;
	push_late_worker(run, "W nap");
	assert_demand(run, "p W nap", 30 + 38, 0, 0);
}

static void test_but_for_no_other_thread(struct test_run *run, gconstpointer data)
{
	(void)data;
	push_late_worker(run, "C nap");
	assert_demand(run, "p W nap", 30, 0, 0);
	assert_demand(run, "p C nap", 0, 0, 0);
}

static void switch_out(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack)
{
	push_thread(run, ITP_EVENT_SWITCH_OUT, time_ns, tid, stack, 1);
}

static void switch_in(struct test_run *run, int64_t time_ns, int32_t tid)
{
	push_thread(run, ITP_EVENT_SWITCH_IN, time_ns, tid, "", 0);
}

/* Thread 2 of the command naps from 20 to 50, waits for the first thread from 60 to 90, there again
 * for time from 92 to 95, for any event from 100 to 104, and ends at 110. */
static void push_worker(struct test_run *run, const char *end)
{
	begin_command(run);
	push_thread(run, ITP_EVENT_START, 2, 2, "", 1);
	switch_out(run, 20, 2, "W nap");
	switch_in(run, 50, 2);
	switch_out(run, 60, 2, "W take");
	push_thread(run, ITP_EVENT_SAMPLE, 89, 1, "A put", 0);
	push_thread(run, ITP_EVENT_WAKEUP, 90, 2, "A put", 1);
	switch_in(run, 90, 2);
	switch_out(run, 92, 2, "W take");
	switch_in(run, 95, 2);
	switch_out(run, 100, 2, "W syscall:epoll_wait k:schedule");
	switch_in(run, 104, 2);
	push_thread(run, ITP_EVENT_SAMPLE, 105, 2, end, 0);
	push_thread(run, ITP_EVENT_END, 110, 2, "", 0);
}

/* It has ended before anybody asks: who is told to end by a flag, and has ended at once, looks the
 * same. */
static void test_a_thread_that_ends_unasked_had_no_part_in_the_life(struct test_run *run,
								    gconstpointer data)
{
	(void)data;
	push_worker(run, "W syscall:exit");
	tell(run);
	assert_demand(run, "p W nap", 0, 0, 0);
}

/* The first thread is a worker, too, and goes on for longer. */
static void push_two_workers(struct test_run *run, const char *end)
{
	push_worker(run, end);
	switch_out(run, 111, 1, "A W read");
	switch_in(run, 118, 1);
	tell(run);
}

static void test_but_one_that_does_what_the_first_does_had(struct test_run *run, gconstpointer data)
{
	(void)data;
	push_two_workers(run, "W syscall:exit");
	assert_demand(run, "p A W read", 0, 7, 0);
	assert_demand(run, "p W nap", 0, 30, 0);
	assert_demand(run, "p W take", 0, 0, 0);
	assert_demand(run, "p W syscall:epoll_wait schedule", 0, 0, 0);
}

/* Nobody knows whether it was done. */
static void test_a_thread_that_is_ended_had_none(struct test_run *run, gconstpointer data)
{
	(void)data;
	push_two_workers(run, "W nap");
	assert_demand(run, "p W nap", 0, 0, 0);
}

/* Thread 2 naps from 20 to 50 and from 60 to 90, and ends. The first thread waits for that since
 * `join_ns`. */
static void push_joined(struct test_run *run, int64_t join_ns)
{
	begin_command(run);
	push_thread(run, ITP_EVENT_START, 2, 2, "", 1);
	switch_out(run, 20, 2, "W nap");
	if (join_ns < 50) {
		push_thread(run, ITP_EVENT_SYSCALL_ENTER, join_ns - 1, 1, "A", 0);
		switch_out(run, join_ns, 1, "A " TEST_ENTRY "k:wait");
	}
	switch_in(run, 50, 2);
	switch_out(run, 60, 2, "W nap");
	if (join_ns > 60) {
		push_thread(run, ITP_EVENT_SYSCALL_ENTER, join_ns - 1, 1, "A", 0);
		switch_out(run, join_ns, 1, "A " TEST_ENTRY "k:wait");
	}
	switch_in(run, 90, 2);
	push_thread(run, ITP_EVENT_SAMPLE, 95, 2, "W syscall:exit", 0);
	push_thread(run, ITP_EVENT_END, 100, 2, "", 0);
	switch_in(run, 101, 1);
	tell(run);
}

static void test_of_who_is_joined_what_he_waits_meanwhile_is_wanted(struct test_run *run,
								    gconstpointer data)
{
	(void)data;
	push_joined(run, 40);
	assert_demand(run, "p W nap", 10 + 30, 0, 0);
}

static void test_of_who_is_joined_later_less_is(struct test_run *run, gconstpointer data)
{
	(void)data;
	push_joined(run, 70);
	assert_demand(run, "p W nap", 20, 0, 0);
}

/* Process 3 is made by the command, thread 1, and 4 by 3. Who has found 3 ended has not waited. */
static void test_a_process_of_the_command_that_ends_had_a_part(struct test_run *run,
							       gconstpointer data)
{
	(void)data;
	begin_command(run);
	test_push_argument(run, ITP_EVENT_START, 2, 3, "", 1);
	test_push_argument(run, ITP_EVENT_START, 3, 4, "", 3);
	wait_from_to(run, 20, 50, 4, "B nap");
	test_push(run, ITP_EVENT_SAMPLE, 55, 4, "B syscall:exit_group");
	test_push(run, ITP_EVENT_END, 60, 4, "");
	tell(run);
	assert_demand(run, "p B nap", 0, 30, 0);
}

static void test_what_a_server_has_made_had_none(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	test_push_argument(run, ITP_EVENT_START, 2, 3, "", 1);
	test_push_argument(run, ITP_EVENT_START, 3, 4, "", 3);
	itp_infer_serve(run->infer, 3, true);
	wait_from_to(run, 20, 50, 4, "B nap");
	test_push(run, ITP_EVENT_SAMPLE, 55, 4, "B syscall:exit_group");
	test_push(run, ITP_EVENT_END, 60, 4, "");
	tell(run);
	assert_demand(run, "p B nap", 0, 0, 0);
}

/* A client that a command has started, which serves it. */
static void test_but_a_client_of_it_had(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	test_push_argument(run, ITP_EVENT_START, 2, 3, "", 1);
	itp_infer_serve(run->infer, 1, true);
	itp_infer_ask(run->infer, 3, true);
	wait_from_to(run, 20, 50, 3, "B nap");
	itp_infer_ask(run->infer, 3, false);
	test_push(run, ITP_EVENT_SAMPLE, 55, 3, "B syscall:exit_group");
	test_push(run, ITP_EVENT_END, 60, 3, "");
	tell(run);
	assert_demand(run, "p B nap", 0, 30, 0);
}

/* Process 3 reads twice, and thread 1 ends the first of its waits: a job, or an answer. */
static void read_from_command(struct test_run *run, bool asks)
{
	begin_command(run);
	test_push_argument(run, ITP_EVENT_START, 2, 3, "", 1);
	itp_infer_ask(run->infer, 3, asks);
	block(run, 20, 3, "B read");
	wake(run, 30, 3, "A write", 1);
	wait_from_to(run, 40, 60, 3, "B read");
	test_push(run, ITP_EVENT_SAMPLE, 65, 3, "B syscall:exit_group");
	itp_infer_ask(run->infer, 3, false);
	test_push(run, ITP_EVENT_END, 70, 3, "");
	tell(run);
}

static void test_waits_for_jobs_are_none_of_a_life(struct test_run *run, gconstpointer data)
{
	(void)data;
	read_from_command(run, false);
	assert_demand(run, "p B read", 0, 0, 0);
}

static void test_but_waits_for_answers_are(struct test_run *run, gconstpointer data)
{
	(void)data;
	read_from_command(run, true);
	assert_demand(run, "p B read", 0, 30, 10);
}

#define LOOP "A syscall:epoll_wait k:schedule"
#define LOOP_NODE "p A syscall:epoll_wait schedule"

static void test_the_command_may_wait_for_any_event(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	wait_from_to(run, 10, 30, 1, LOOP);
	tell(run);
	assert_demand(run, LOOP_NODE, 0, 0, 0);
}

static void test_unless_it_has_asked_for_something(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	itp_infer_ask(run->infer, 1, true);
	wait_from_to(run, 10, 30, 1, LOOP);
	itp_infer_ask(run->infer, 1, false);
	wait_from_to(run, 40, 47, 1, LOOP);
	tell(run);
	assert_demand(run, LOOP_NODE, 0, 20, 0);
}

static void test_or_a_thread_of_its_own_tells_it(struct test_run *run, gconstpointer data)
{
	(void)data;
	begin_command(run);
	push_thread(run, ITP_EVENT_START, 2, 2, "", 1);
	switch_out(run, 10, 1, LOOP);
	push_thread(run, ITP_EVENT_SAMPLE, 29, 2, "B write", 0);
	push_thread(run, ITP_EVENT_WAKEUP, 30, 1, "B write", 2);
	switch_in(run, 30, 1);
	switch_out(run, 40, 1, "A nap");
	switch_in(run, 45, 1);
	tell(run);
	assert_demand(run, LOOP_NODE, 0, 20, 20);
}

/* 300 waits during one of thread 1: when there were 256, the first 128 were added up. Half of these
 * is wanted where half of their span is: 64 of 128. */
static void test_earlier_waits_are_known_as_sums(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "B take");
	for (int i = 0; i < 300; i++) {
		wait_from_to(run, 20 + 20 * i, 30 + 20 * i, 2, "B take");
	}
	want(run, 2, 20 + 20 * 64 - 5);
	test_tell_shares(run);
	assert_demand(run, "p B take", 64 * 10 + 172 * 10, 0, 0);
	want(run, 2, 0);
	tell(run);
	assert_demand(run, "p B take", 3000, 0, 0);
}

/* Thread 1 waits once in 1000 ns for thread 3, for so long; 128 such waits are added up. In between
 * thread 3 waits for 500 ns itself. */
static void wait_thinly(struct test_run *run, int64_t wait_ns)
{
	test_push(run, ITP_EVENT_SAMPLE, 5, 3, "C");
	for (int64_t i = 0; i < 300; i++) {
		block(run, 20 + 1000 * i, 1, "A ask");
		wake(run, 20 + 1000 * i + wait_ns, 1, "C give", 3);
		if (i == 5) {
			wait_from_to(run, 5200, 5700, 3, "C read");
		}
	}
	want(run, 1, 0);
	tell(run);
}

/* 128 · 12 of 127 012 ns are 1.2 %, and as much of 500 ns is 6. */
static void test_a_hundredth_is_followed(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_thinly(run, 12);
	assert_demand(run, "p C read", 6, 0, 0);
}

/* 128 · 8 of 127 008 ns are 0.8 %. */
static void test_less_than_a_hundredth_is_not_followed(struct test_run *run, gconstpointer data)
{
	(void)data;
	wait_thinly(run, 8);
	assert_demand(run, "p C read", 0, 0, 0);
}

/* What of the command was its life's until then stays so. */
static void test_after_a_loss_nobody_is_known_to_have_waited(struct test_run *run,
							     gconstpointer data)
{
	(void)data;
	begin_command(run);
	wait_from_to(run, 5, 9, 1, "A ask");
	wait_from_to(run, 10, 30, 2, "B fetch");
	test_push_argument(run, ITP_EVENT_LOSS, 35, -1, "", 1);
	wait_from_to(run, 40, 60, 2, "B fetch");
	want(run, 2, 5);
	tell(run);
	assert_demand(run, "p A ask", 0, 4, 0);
	assert_demand(run, "p B fetch", 20, 0, 0);
}

/* Who looks from time to time whether it is his turn waits for who tells him so in the end. */
static void test_pieces_of_a_wait_are_for_who_ends_the_last(struct test_run *run,
							    gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 5, 2, "B");
	block(run, 10, 1, "A ask");
	wait_from_to(run, 12, 18, 2, "B fetch");
	wake(run, 20, 1, "k:hrtimer_wakeup", 0);
	block(run, 22, 1, "A ask");
	wake(run, 40, 1, "B answer", 2);
	want(run, 1, 5);
	tell(run);
	assert_demand(run, "p A ask", 28, 0, 28);
	assert_demand(run, "p B fetch", 6, 0, 0);
}

static const struct test_on_run tests[] = {
	{ "a wait that nobody waits for is idle", test_a_wait_that_nobody_waits_for_is_idle },
	{ "waits are wanted while a unit is open", test_waits_are_wanted_while_a_unit_is_open },
	{ "the chain of wakeups tells whom others wait for",
	  test_the_chain_of_wakeups_tells_whom_others_wait_for },
	{ "what several want counts once", test_what_several_want_counts_once },
	{ "who waits for an idle thread wants nothing",
	  test_who_waits_for_an_idle_thread_wants_nothing },
	{ "the life of the command is a unit", test_the_life_of_the_command_is_a_unit },
	{ "a command that serves is none", test_a_command_that_serves_is_none },
	{ "a command that only sleeps tells how long to record",
	  test_a_command_that_only_sleeps_tells_how_long_to_record },
	{ "a command that sleeps for less loses time",
	  test_a_command_that_sleeps_for_less_loses_time },
	{ "a lock is waited for by who works", test_a_lock_is_waited_for_by_who_works },
	{ "who puts a job stands elsewhere", test_who_puts_a_job_stands_elsewhere },
	{ "a lock of the kernel is one in any call", test_a_lock_of_the_kernel_is_one_in_any_call },
	{ "who writes holds no lock", test_who_writes_holds_no_lock },
	{ "a lock that nobody releases", test_a_lock_that_nobody_releases },
	{ "who joins a thread that hangs", test_who_joins_a_thread_that_hangs },
	{ "a disk is waited for by who works", test_a_disk_is_waited_for_by_who_works },
	{ "a page is waited for by who works", test_a_page_is_waited_for_by_who_works },
	{ "who is only seen to wait need not work", test_who_is_only_seen_to_wait_need_not_work },
	{ "a wait for an end is passed on whole", test_a_wait_for_an_end_is_passed_on_whole },
	{ "a wait for a child is passed on whole", test_a_wait_for_a_child_is_passed_on_whole },
	{ "who joins workers waits for all of them", test_who_joins_workers_waits_for_all_of_them },
	{ "and for one that ends while he runs", test_and_for_one_that_ends_while_he_runs },
	{ "but for no other thread", test_but_for_no_other_thread },
	{ "a thread that ends unasked had no part in the life",
	  test_a_thread_that_ends_unasked_had_no_part_in_the_life },
	{ "but one that does what the first does had",
	  test_but_one_that_does_what_the_first_does_had },
	{ "a thread that is ended had none", test_a_thread_that_is_ended_had_none },
	{ "of who is joined, what he waits meanwhile is wanted",
	  test_of_who_is_joined_what_he_waits_meanwhile_is_wanted },
	{ "of who is joined later, less is", test_of_who_is_joined_later_less_is },
	{ "a process that the command has made and that ends had a part",
	  test_a_process_of_the_command_that_ends_had_a_part },
	{ "what a server has made had none", test_what_a_server_has_made_had_none },
	{ "but a client of it had", test_but_a_client_of_it_had },
	{ "waits for jobs are none of a life", test_waits_for_jobs_are_none_of_a_life },
	{ "but waits for answers are", test_but_waits_for_answers_are },
	{ "the command may wait for any event", test_the_command_may_wait_for_any_event },
	{ "unless it has asked for something", test_unless_it_has_asked_for_something },
	{ "or a thread of its own tells it", test_or_a_thread_of_its_own_tells_it },
	{ "earlier waits are known as sums", test_earlier_waits_are_known_as_sums },
	{ "a hundredth is followed", test_a_hundredth_is_followed },
	{ "less than a hundredth is not followed", test_less_than_a_hundredth_is_not_followed },
	{ "after a loss nobody is known to have waited",
	  test_after_a_loss_nobody_is_known_to_have_waited },
	{ "pieces of a wait are for who ends the last",
	  test_pieces_of_a_wait_are_for_who_ends_the_last },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("demand", ITP_CONTINUITY_CALL_SITE, tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
