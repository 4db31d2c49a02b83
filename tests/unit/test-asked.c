/* SPDX-License-Identifier: MIT */
/* When requests are open: read from descriptors that serve, and not answered yet. */
#include "tests/unit/support.h"

#include "common/unit/asked.h"

/* Calls go through a finder of requests as they end. */
struct asking {
	struct test_run run;
	struct itp_asked *asked;
	guint told;
};

static void set_up(struct asking *asking, gconstpointer data)
{
	(void)data;
	test_run_init(&asking->run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_CONSERVATIVE, NULL);
	asking->asked = itp_asked_new(asking->run.tree, asking->run.functions);
	itp_asked_set_infer(asking->asked, asking->run.infer);
	asking->told = 0;
}

static void tear_down(struct asking *asking, gconstpointer data)
{
	(void)data;
	itp_asked_free(asking->asked);
	test_run_release(&asking->run, NULL);
}

static void pass_on(struct asking *asking)
{
	for (; asking->told < asking->run.instances->len; asking->told++) {
		itp_asked_add(asking->asked, &g_array_index(asking->run.instances,
							    struct itp_instance, asking->told));
	}
}

/* Threads 1 and 2 are processes, 11 a thread of process 1. */
static struct itp_stack_event event_of(enum itp_event_kind kind, int64_t time_ns, int32_t tid)
{
	return (struct itp_stack_event){
		.kind = kind,
		.time_ns = time_ns,
		.pid = tid == 11 ? 1 : tid,
		.tid = tid,
		.cpu = -1,
		.comm = "p",
		.complete = true,
	};
}

static void push(struct asking *asking, struct itp_stack_event *event, const char *stack)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));

	test_frames(asking->run.functions, stack, frames);
	event->frames = (const struct itp_frame *)(void *)frames->data;
	event->frame_count = frames->len;
	g_assert_cmpint(itp_infer_push(asking->run.infer, event), ==, 0);
	pass_on(asking);
}

static void call(struct asking *asking, int64_t time_ns, int32_t tid, const char *name,
		 int64_t descriptor, int64_t result)
{
	struct itp_stack_event enter = event_of(ITP_EVENT_SYSCALL_ENTER, time_ns, tid);
	struct itp_stack_event exit = event_of(ITP_EVENT_SYSCALL_EXIT, time_ns + 1, tid);

	enter.callee = itp_function_table_intern_syscall(asking->run.functions, name);
	enter.words =
		(struct itp_syscall_words){ .words = { (uint64_t)descriptor }, .are_known = true };
	exit.callee = enter.callee;
	exit.argument = result;
	push(asking, &enter, "A");
	push(asking, &exit, "A");
}

static void wait_for(struct asking *asking, int64_t begin_ns, int64_t end_ns, int32_t tid,
		     const char *stack, int32_t waker)
{
	struct itp_stack_event out = event_of(ITP_EVENT_SWITCH_OUT, begin_ns, tid);
	struct itp_stack_event wakeup = event_of(ITP_EVENT_WAKEUP, end_ns, tid);
	struct itp_stack_event in = event_of(ITP_EVENT_SWITCH_IN, end_ns, tid);

	out.argument = 1;
	wakeup.argument = waker;
	push(asking, &out, stack);
	push(asking, &wakeup, waker != 0 ? "A put" : "k:tcp_v4_rcv");
	push(asking, &in, "");
}

static void wait(struct asking *asking, int64_t begin_ns, int64_t end_ns, int32_t tid,
		 const char *stack)
{
	wait_for(asking, begin_ns, end_ns, tid, stack, 0);
}

static void begin_command(struct asking *asking)
{
	struct itp_stack_event start = event_of(ITP_EVENT_START, 0, 1);
	struct itp_stack_event exec = event_of(ITP_EVENT_EXEC, 0, 1);

	start.argument = ITP_START_UNKNOWN;
	push(asking, &start, "");
	push(asking, &exec, "");
}

static void assert_wanted(struct asking *asking, const char *path, int wanted_ns)
{
	itp_infer_finish(asking->run.infer);
	pass_on(asking);
	test_tell_shares(&asking->run);
	g_assert_cmpint(test_stats(&asking->run, path)->demand.wanted_ns, ==, wanted_ns);
}

static void test_a_request_is_open_until_it_is_answered(struct asking *asking, gconstpointer data)
{
	(void)data;
	wait(asking, 10, 30, 1, "A take");
	call(asking, 40, 1, "read", 3, 8);
	wait(asking, 50, 70, 1, "A fetch");
	call(asking, 80, 1, "write", 3, 8);
	wait(asking, 90, 95, 1, "A take");
	assert_wanted(asking, "p A fetch", 20);
	g_assert_cmpint(test_stats(&asking->run, "p A take")->demand.wanted_ns, ==, 0);
	g_assert_cmpuint(itp_infer_counts(asking->run.infer)->units, ==, 1);
}

/* Work after an answer, as a line in a log, keeps a server from its next turn. */
static void test_who_has_answered_works_on(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 40, 1, "read", 3, 8);
	call(asking, 50, 1, "write", 3, 8);
	wait(asking, 60, 90, 1, "A log");
	call(asking, 95, 1, "read", 3, 0);
	assert_wanted(asking, "p A log", 30);
	g_assert_cmpuint(itp_infer_counts(asking->run.infer)->units, ==, 1);
}

static void test_until_it_closes_the_descriptor(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 40, 1, "read", 3, 8);
	call(asking, 50, 1, "write", 3, 8);
	wait(asking, 60, 90, 1, "A log");
	call(asking, 95, 1, "close", 3, 0);
	wait(asking, 100, 130, 1, "A take");
	call(asking, 140, 1, "read", 3, 8);
	assert_wanted(asking, "p A log", 30);
	g_assert_cmpint(test_stats(&asking->run, "p A take")->demand.wanted_ns, ==, 0);
}

/* Thread 11 hands it the next job, of the same connection. */
static void test_unless_others_wake_it(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 40, 1, "read", 3, 8);
	call(asking, 50, 1, "write", 3, 8);
	call(asking, 55, 11, "sched_yield", 0, 0);
	wait_for(asking, 60, 90, 1, "A take", 11);
	call(asking, 95, 1, "read", 3, 8);
	assert_wanted(asking, "p A take", 0);
}

/* Nobody knows for what it waits at the end. */
static void test_nobody_has_answered_at_the_end(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 40, 1, "read", 3, 8);
	call(asking, 50, 1, "write", 3, 8);
	wait(asking, 60, 90, 1, "A take");
	assert_wanted(asking, "p A take", 0);
}

/* Thread 1 reads, and thread 11 answers. */
static void test_another_thread_may_answer(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 40, 1, "read", 3, 8);
	wait(asking, 45, 95, 1, "B take");
	wait(asking, 100, 170, 11, "A fetch");
	call(asking, 180, 11, "write", 3, 8);
	assert_wanted(asking, "p A fetch", 70);
	g_assert_cmpint(test_stats(&asking->run, "p B take")->demand.wanted_ns, ==, 0);
}

static void test_who_asks_first_serves_nobody(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "write", 3, 8);
	wait(asking, 20, 70, 1, "A ask");
	call(asking, 80, 1, "read", 3, 8);
	wait(asking, 90, 95, 1, "A think");
	call(asking, 98, 1, "write", 3, 8);
	assert_wanted(asking, "p A think", 0);
	g_assert_cmpuint(itp_infer_counts(asking->run.infer)->units, ==, 0);
}

static void expect_answer(struct asking *asking, int64_t time_ns, int life_ns)
{
	wait(asking, time_ns, time_ns + 5, 1, "A syscall:epoll_wait k:schedule");
	test_tell_shares(&asking->run);
	g_assert_cmpint(test_stats(&asking->run, "p A syscall:epoll_wait schedule")->demand.life_ns,
			==, life_ns);
}

/* After the answer, and of what is only written as to a terminal, nothing is to come. */
static void test_a_question_is_open_until_it_is_answered(struct asking *asking, gconstpointer data)
{
	(void)data;
	begin_command(asking);
	call(asking, 2, 1, "write", 1, 8);
	expect_answer(asking, 5, 0);
	call(asking, 10, 1, "connect", 3, -115);
	expect_answer(asking, 15, 5);
	call(asking, 30, 1, "write", 3, 8);
	call(asking, 40, 1, "read", 3, 8);
	expect_answer(asking, 45, 5);
	call(asking, 50, 1, "write", 3, 8);
	expect_answer(asking, 55, 10);
	call(asking, 60, 1, "close", 3, 0);
	expect_answer(asking, 65, 10);
}

static void test_a_file_asks_for_nothing(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "openat", 0, 3);
	call(asking, 20, 1, "read", 3, 8);
	wait(asking, 30, 70, 1, "A look");
	call(asking, 80, 1, "write", 3, 8);
	assert_wanted(asking, "p A look", 0);
}

/* Where a file was, there is the connection of a client now. */
static void test_a_number_may_be_another_descriptors(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "openat", 0, 3);
	call(asking, 12, 1, "close", 3, 0);
	call(asking, 14, 1, "accept4", 5, 3);
	call(asking, 20, 1, "read", 3, 8);
	wait(asking, 30, 70, 1, "A look");
	call(asking, 80, 1, "write", 3, 8);
	assert_wanted(asking, "p A look", 40);
}

static void test_a_request_may_be_open_at_the_end(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "read", 3, 8);
	call(asking, 20, 1, "write", 3, 8);
	call(asking, 30, 1, "read", 3, 8);
	wait(asking, 40, 90, 1, "A hang");
	assert_wanted(asking, "p A hang", 50);
}

static void test_who_only_reads_of_others_never_answers(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "accept4", 5, 3);
	call(asking, 20, 1, "read", 3, 8);
	call(asking, 30, 1, "poll", 3, 1);
	wait(asking, 40, 90, 1, "A take");
	assert_wanted(asking, "p A take", 0);
}

/* One thread sends, and another one works on what comes: nobody waits for an answer. */
static void test_what_is_never_answered_is_worked_on(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "read", 3, 8);
	wait(asking, 20, 50, 1, "A fetch");
	call(asking, 60, 1, "read", 3, 8);
	assert_wanted(asking, "p A fetch", 30);
}

static void test_the_wait_for_more_is_no_work(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "read", 3, 8);
	call(asking, 20, 1, "epoll_wait", 4, 1);
	wait(asking, 30, 50, 1, "A look");
	call(asking, 60, 1, "read", 3, 8);
	assert_wanted(asking, "p A look", 0);
}

static void test_what_was_read_may_hang(struct asking *asking, gconstpointer data)
{
	(void)data;
	call(asking, 10, 1, "read", 3, 8);
	wait(asking, 20, 90, 1, "A hang");
	assert_wanted(asking, "p A hang", 70);
}

static void test_who_listens_lives_for_others(struct asking *asking, gconstpointer data)
{
	(void)data;
	begin_command(asking);
	call(asking, 10, 1, "listen", 5, 0);
	wait(asking, 20, 70, 1, "A take");
	assert_wanted(asking, "p A take", 0);
	g_assert_cmpint(test_stats(&asking->run, "p A take")->demand.life_ns, ==, 0);
}

/* Waits from the second question on; the first one may be to a log, or to a database at the
 * begin. */
static void ask_twice(struct asking *asking, int64_t time_ns)
{
	call(asking, time_ns, 1, "connect", 6, 0);
	call(asking, time_ns + 2, 1, "write", 6, 8);
	call(asking, time_ns + 4, 1, "read", 6, 8);
	call(asking, time_ns + 6, 1, "write", 6, 8);
	wait(asking, time_ns + 10, time_ns + 50, 1, "A ask");
	call(asking, time_ns + 60, 1, "read", 6, 8);
}

static void assert_life(struct asking *asking, int life_ns)
{
	itp_infer_finish(asking->run.infer);
	pass_on(asking);
	test_tell_shares(&asking->run);
	g_assert_cmpint(test_stats(&asking->run, "p A ask")->demand.life_ns, ==, life_ns);
}

/* It listened for a child, whose client it is. */
static void test_who_listens_and_asks_has_a_life(struct asking *asking, gconstpointer data)
{
	(void)data;
	begin_command(asking);
	call(asking, 10, 1, "listen", 5, 0);
	ask_twice(asking, 20);
	assert_life(asking, 40);
}

/* As a proxy, or an application with a database. */
static void test_who_accepts_and_asks_lives_for_others(struct asking *asking, gconstpointer data)
{
	(void)data;
	begin_command(asking);
	call(asking, 10, 1, "listen", 5, 0);
	call(asking, 12, 1, "accept4", 5, 7);
	ask_twice(asking, 20);
	assert_life(asking, 0);
}

/* Its own thread 11 serves. What it waits for in a read, between write and read, or after that, is
 * told apart. */
static void test_a_client_of_its_own_thread_has_a_life(struct asking *asking, gconstpointer data)
{
	struct itp_stack_event enter = event_of(ITP_EVENT_SYSCALL_ENTER, 30, 1);
	struct itp_stack_event exit = event_of(ITP_EVENT_SYSCALL_EXIT, 80, 1);

	(void)data;
	begin_command(asking);
	call(asking, 10, 1, "listen", 5, 0);
	call(asking, 12, 11, "accept4", 5, 7);
	call(asking, 20, 1, "connect", 6, 0);
	call(asking, 22, 1, "write", 6, 8);
	enter.callee = itp_function_table_intern_syscall(asking->run.functions, "read");
	enter.words = (struct itp_syscall_words){ .words = { 6 }, .are_known = true };
	exit.callee = enter.callee;
	exit.argument = 8;
	push(asking, &enter, "A ask");
	wait(asking, 35, 75, 1, "A ask k:schedule");
	push(asking, &exit, "A ask");
	wait(asking, 90, 95, 1, "A take");
	itp_infer_finish(asking->run.infer);
	pass_on(asking);
	test_tell_shares(&asking->run);
	g_assert_cmpint(test_stats(&asking->run, "p A ask syscall:read schedule")->demand.life_ns,
			==, 40);
	g_assert_cmpint(test_stats(&asking->run, "p A take")->demand.life_ns, ==, 0);
}

static void add(const char *name, void (*test)(struct asking *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/asked/", name, NULL);

	g_test_add(path, struct asking, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a request is open until it is answered", test_a_request_is_open_until_it_is_answered);
	add("who has answered works on", test_who_has_answered_works_on);
	add("until it closes the descriptor", test_until_it_closes_the_descriptor);
	add("unless others wake it", test_unless_others_wake_it);
	add("nobody has answered at the end", test_nobody_has_answered_at_the_end);
	add("another thread may answer", test_another_thread_may_answer);
	add("who asks first serves nobody", test_who_asks_first_serves_nobody);
	add("a file asks for nothing", test_a_file_asks_for_nothing);
	add("a question is open until it is answered",
	    test_a_question_is_open_until_it_is_answered);
	add("a number may be another descriptor's", test_a_number_may_be_another_descriptors);
	add("a request may be open at the end", test_a_request_may_be_open_at_the_end);
	add("who only reads of others never answers", test_who_only_reads_of_others_never_answers);
	add("what is never answered is worked on", test_what_is_never_answered_is_worked_on);
	add("the wait for more is no work", test_the_wait_for_more_is_no_work);
	add("what was read may hang", test_what_was_read_may_hang);
	add("who listens lives for others", test_who_listens_lives_for_others);
	add("who listens and asks has a life", test_who_listens_and_asks_has_a_life);
	add("who accepts and asks lives for others", test_who_accepts_and_asks_lives_for_others);
	add("a client of its own thread has a life", test_a_client_of_its_own_thread_has_a_life);
	return g_test_run();
}
