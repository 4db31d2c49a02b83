/* SPDX-License-Identifier: MIT */
/* What waits by design, and who is apart, on trees that were worked out by hand. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options folded = { .folds = true };

static void suspect(struct comparison *comparison, const char *stack, uint64_t count, int64_t own)
{
	comparison_set(comparison, comparison->suspect[0], stack, count, own);
}

static void base(struct comparison *comparison, const char *stack, uint64_t count, int64_t own)
{
	comparison_set(comparison, comparison->base[0], stack, count, own);
}

/* ---- Waiting for work ---- */

static void test_event_loops_wait_for_work(struct comparison *comparison, gconstpointer data)
{
	const struct itp_ranking_options all = { .folds = true, .ranks_idle = true };
	const char *wait = "main loop libc.so.6!epoll_wait syscall:epoll_wait k:schedule";
	struct itp_ranking *ranking;
	const struct itp_idle_wait *idle;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], wait, 9, 900);
	comparison_block(comparison, comparison->base[0], wait, 9, 200);
	suspect(comparison, "main loop handle", 9, 50);
	base(comparison, "main loop handle", 9, 10);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "handle");
	g_assert_cmpint(ranking->suspect_own_ns, ==, 50);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	idle = &g_array_index(ranking->idle, struct itp_idle_wait, 0);
	g_assert_cmpint(idle->suspect_ns, ==, 900);
	g_assert_cmpint(idle->base_ns, ==, 200);
	g_assert_cmpstr(itp_function_table_get(ranking->functions, idle->function)->name, ==,
			"loop");
	itp_ranking_free(ranking);
	ranking = comparison_rank(comparison, &all, true);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 950);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	itp_ranking_free(ranking);
}

static void test_the_name_is_enough_where_nobody_is_known_to_wait(struct comparison *comparison,
								  gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_idle_wait *idle;

	(void)data;
	comparison_block(comparison, comparison->suspect[0],
			 "libc.so.6!epoll_wait syscall:epoll_wait k:schedule", 9, 900);
	comparison_block(comparison, comparison->suspect[0], "libc.so.6!poll syscall:poll", 9, 70);
	suspect(comparison, "main handle", 9, 50);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 50 + 70);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	idle = &g_array_index(ranking->idle, struct itp_idle_wait, 0);
	g_assert_cmpint(idle->suspect_ns, ==, 900);
	g_assert_cmpuint(idle->function, ==, ITP_FUNCTION_UNKNOWN);
	itp_ranking_free(ranking);
}

static void test_waiting_that_is_new_is_not_idle(struct comparison *comparison, gconstpointer data)
{
	const char *wait = "main handle libc.so.6!epoll_wait syscall:epoll_wait k:schedule";
	struct itp_ranking *ranking;

	(void)data;
	/* But for the end of what was started, which is ranked itself. */
	comparison_block(comparison, comparison->suspect[0],
			 "timeout: main libc.so.6!sigsuspend syscall:rt_sigsuspend", 1, 2000);
	/* And for threads of Go without a goroutine. */
	comparison_block(comparison, comparison->suspect[0],
			 "runtime.mcall runtime.stopm runtime.futex syscall:futex", 9, 3000);
	comparison_block(comparison, comparison->suspect[0],
			 "runtime.mcall runtime.netpoll syscall:epoll_pwait", 9, 3000);
	comparison_block(comparison, comparison->suspect[0],
			 "runtime.mstart runtime.templateThread runtime.futex syscall:futex", 9,
			 3000);
	comparison_block(comparison, comparison->suspect[0],
			 "runtime.mstart runtime.sysmon runtime.usleep syscall:nanosleep", 9, 3000);
	comparison_block(comparison, comparison->suspect[0], wait, 9, 900);
	suspect(comparison, "main handle", 9, 50);
	base(comparison, "main handle", 9, 50);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 900);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 950);
	itp_ranking_free(ranking);
}

/* The resolver of the C library polls for an answer, and a client for its server; a server polls
 * where it works. */
static void test_poll_is_idle_where_the_thread_works(struct comparison *comparison,
						     gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "start main serve", 1, 1);
	comparison_block(comparison, comparison->suspect[0],
			 "start main serve libc.so.6!poll syscall:poll", 9, 400);
	suspect(comparison, "start main serve work", 9, 500);
	suspect(comparison, "start main serve work log lookup", 9, 10);
	comparison_block(comparison, comparison->suspect[0],
			 "start main serve work log lookup libc.so.6!getaddrinfo libc.so.6!poll "
			 "syscall:poll",
			 9, 90);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 1 + 500 + 10 + 90);
	itp_ranking_free(ranking);
}

/* The end of a pipeline; and one who reads now and then, but has more to do. */
static void test_who_reads_from_a_pipe_waits_for_work(struct comparison *comparison,
						      gconstpointer data)
{
	const char *wait = "head: main libc.so.6!read syscall:read k:vfs_read k:anon_pipe_read";
	const char *other = "p: main libc.so.6!read syscall:read k:vfs_read k:pipe_read";
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "head: main", 1, 20);
	base(comparison, "head: main", 1, 20);
	comparison_block(comparison, comparison->suspect[0], wait, 2, 2000);
	comparison_block(comparison, comparison->base[0], wait, 2, 500);
	suspect(comparison, "p: main", 1, 900);
	base(comparison, "p: main", 1, 900);
	comparison_block(comparison, comparison->suspect[0], other, 2, 700);
	comparison_block(comparison, comparison->base[0], other, 2, 500);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 20 + 900 + 700);
	itp_ranking_free(ranking);
}

static void test_a_reader_alone_is_all_there_is(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "cat: main", 1, 20);
	comparison_block(comparison, comparison->suspect[0],
			 "cat: main libc.so.6!read syscall:read k:pipe_read", 2, 2000);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	itp_ranking_free(ranking);
}

/* The loop that looks names up works elsewhere; the wait is the resolver's. */
static void test_a_wait_of_the_resolver_is_not_idle(struct comparison *comparison,
						    gconstpointer data)
{
	const char *wait = "main visit libc.so.6!getaddrinfo libc.so.6!res_search "
			   "libc.so.6!send_dg libc.so.6!poll syscall:poll";
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main", 1, 1);
	base(comparison, "main", 1, 1);
	suspect(comparison, "main count", 9, 500);
	base(comparison, "main count", 9, 500);
	comparison_block(comparison, comparison->suspect[0], wait, 20, 3000);
	comparison_block(comparison, comparison->base[0], wait, 20, 7);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "visit");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 2993);
	itp_ranking_free(ranking);
}

static void test_a_pool_waits_most_of_the_time(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0],
			 "worker take libc.so.6!pthread_cond_wait syscall:futex", 9, 900);
	/* A library's own pool, which nothing of the program runs in. */
	comparison_block(comparison, comparison->suspect[0],
			 "libc.so.6!start_thread /libglib-2.0.so.0!libglib-2.0.so.0+0x90 "
			 "/libglib-2.0.so.0!g_cond_wait_until libc.so.6!syscall syscall:futex",
			 1, 900);
	suspect(comparison, "worker run", 9, 100);
	/* Less than half of the time of threads of this kind. */
	comparison_block(comparison, comparison->suspect[0],
			 "main commit libc.so.6!pthread_cond_wait syscall:futex", 9, 300);
	suspect(comparison, "main commit", 9, 400);
	/* A mutex is never waited for by design. */
	comparison_block(comparison, comparison->suspect[0],
			 "other lock libc.so.6!pthread_mutex_lock syscall:futex", 9, 900);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 2);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 100 + 300 + 400 + 900);
	itp_ranking_free(ranking);
}

/* Some of a pool's threads hardly wait, others hardly work; and a job waits for another one. */
static void test_a_worker_waits_between_jobs(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "pool", 4, 1);
	comparison_block(comparison, comparison->suspect[0],
			 "pool libc.so.6!pthread_cond_wait syscall:futex", 9, 300);
	suspect(comparison, "pool compress", 9, 800);
	comparison_block(comparison, comparison->suspect[0],
			 "pool compress libc.so.6!pthread_cond_wait syscall:futex", 9, 70);
	/* The first thread waits for what it has asked for. */
	comparison_block(comparison, comparison->suspect[0],
			 "main libc.so.6!pthread_cond_wait syscall:futex", 9, 200);
	suspect(comparison, "main read", 9, 500);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 1 + 800 + 70 + 200 + 500);
	itp_ranking_free(ranking);
}

/* A thread that hears of the end of its parent through a pipe, below the same first function as the
 * parent, which sleeps. */
static void test_a_thread_may_wait_once_in_its_life(struct comparison *comparison,
						    gconstpointer data)
{
	const char *wait = "main child libc.so.6!read syscall:read k:pipe_read";
	const char *rest = "main parent libc.so.6!select syscall:pselect6";
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], wait, 1, 900);
	comparison_node(comparison, comparison->suspect[0],
			"main child libc.so.6!read syscall:read")
		->max_ns = 900;
	comparison_block(comparison, comparison->suspect[0], rest, 9, 950);
	suspect(comparison, "main parent", 1, 40);
	comparison_node(comparison, comparison->suspect[0], "main")->count = 2;
	suspect(comparison, "worker run", 4, 100);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 2);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 40 + 100);
	itp_ranking_free(ranking);

	/* Where the thread does the work of the process itself, its input is what it lacks. */
	suspect(comparison, "main parent", 1, 200);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 900 + 200 + 100);
	itp_ranking_free(ranking);
}

/* The threads of Erlang's machine that have nothing to do, in both runs, and are woken at the end;
 * those of a program with a pool larger than its work as well, but not who waits again and again.
 */
static void test_a_pool_may_be_too_large(struct comparison *comparison, gconstpointer data)
{
	const char *machine =
		"libc.so.6!clone3 beam.smp!erts_schedule libc.so.6!syscall syscall:futex";
	const char *pool = "worker take libc.so.6!syscall syscall:futex";
	struct itp_ranking *ranking;

	(void)data;
	for (int is_base = 0; is_base < 2; is_base++) {
		struct itp_profile *profile = is_base ? comparison->base[0] :
							comparison->suspect[0];
		int64_t life_ns = is_base ? 100 : 900;

		comparison_block(comparison, profile, machine, 3, 3 * life_ns);
		comparison_block(comparison, profile, pool, 2, 2 * life_ns);
		comparison_node(comparison, profile, machine)->max_ns = life_ns;
		comparison_node(comparison, profile, pool)->max_ns = life_ns;
		comparison_node(comparison, profile, "libc.so.6!clone3")->count = 3;
		comparison_node(comparison, profile, "worker")->count = 2;
		comparison_set(comparison, profile, "main work", 1, life_ns);
	}
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "work");
	g_assert_cmpint(ranking->suspect_own_ns, ==, 900);
	itp_ranking_free(ranking);

	comparison_node(comparison, comparison->suspect[0], pool)->max_ns = 90;
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 900 + 2 * 900);
	itp_ranking_free(ranking);
}

/* Threads that wait once for most of their lives, in both runs, while another one works: only some
 * wait for work. */
static int64_t ranked_of_waits_through(struct comparison *comparison, const char *through)
{
	g_autofree char *wait =
		g_strdup_printf("worker take %s libc.so.6!syscall syscall:futex", through);
	struct itp_profile *profiles[2];
	struct itp_ranking *ranking;
	int64_t ranked_ns;

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	profiles[0] = comparison->suspect[0];
	profiles[1] = comparison->base[0];
	for (size_t i = 0; i < G_N_ELEMENTS(profiles); i++) {
		comparison_block(comparison, profiles[i], wait, 1, 900);
		comparison_node(comparison, profiles[i], wait)->max_ns = 900;
		comparison_node(comparison, profiles[i], "worker")->count = 1;
		comparison_set(comparison, profiles[i], "main work", 1, 100);
	}
	ranking = comparison_rank(comparison, &folded, true);
	ranked_ns = ranking->suspect_own_ns;
	itp_ranking_free(ranking);
	return ranked_ns;
}

static void test_a_lock_is_never_waited_for_by_design(struct comparison *comparison,
						      gconstpointer data)
{
	static const char *const locks[] = {
		"libc.so.6!pthread_mutex_lock",
		"libc.so.6!pthread_mutex_timedlock",
		"libc.so.6!pthread_rwlock_wrlock",
		"libc.so.6!__lll_lock_wait_private",
		"std::sys::sync::mutex::futex::Mutex::lock_contended",
	};

	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(locks); i++) {
		g_assert_cmpint(ranked_of_waits_through(comparison, locks[i]), ==, 1000);
	}
	g_assert_cmpint(ranked_of_waits_through(comparison, "libc.so.6!wait_for_event"), ==, 100);
	g_assert_cmpint(ranked_of_waits_through(comparison,
						"std::sys::sync::condvar::futex::Condvar::wait"),
			==, 100);
}

static void test_the_kernel_waits_for_work_of_others(struct comparison *comparison,
						     gconstpointer data)
{
	const char *disks[] = {
		"k:ret_from_fork k:kthread k:kjournald k:io_schedule k:schedule",
		"k:ret_from_fork k:kthread k:writer k:io_schedule_timeout k:schedule_timeout",
	};
	struct itp_ranking *ranking;
	const struct itp_idle_wait *idle;

	(void)data;
	suspect(comparison, "main", 1, 40);
	suspect(comparison, "k:ret_from_fork k:kthread k:worker_thread", 1, 10);
	comparison_block(comparison, comparison->suspect[0],
			 "k:ret_from_fork k:kthread k:worker_thread k:schedule k:__schedule", 9,
			 900);
	comparison_block(comparison, comparison->suspect[0],
			 "k:ret_from_fork k:kthread k:kcompactd k:schedule_timeout k:schedule", 9,
			 800);
	comparison_block(comparison, comparison->suspect[0], disks[0], 9, 70);
	comparison_block(comparison, comparison->suspect[0], disks[1], 9, 7);
	/* What a new thread of a program begins with is no wait. */
	suspect(comparison, "k:ret_from_fork k:schedule_tail", 1, 3);
	comparison_block(comparison, comparison->suspect[0],
			 "main libc.so.6!read syscall:read k:schedule", 9, 5);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 40 + 10 + 70 + 7 + 3 + 5);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	idle = &g_array_index(ranking->idle, struct itp_idle_wait, 0);
	g_assert_cmpuint(idle->process, ==, ITP_FUNCTION_UNKNOWN);
	g_assert_cmpint(idle->suspect_ns, ==, 1700);
	itp_ranking_free(ranking);
}

static void test_threads_of_a_machine_wait_for_work(struct comparison *comparison,
						    gconstpointer data)
{
	const char *own = "libjvm.so!entry libjvm.so!run libc.so.6!pthread_cond_wait syscall:futex";
	const char *runs = "node!start node!Builtins_InterpreterEntryTrampoline node!park "
			   "libc.so.6!pthread_cond_wait syscall:futex";
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], own, 9, 900);
	comparison_block(comparison, comparison->suspect[0], runs, 9, 80);
	suspect(comparison, "main", 1, 40);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 80 + 40);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	itp_ranking_free(ranking);
}

static void test_who_records_is_no_cause(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main", 1, 40);
	suspect(comparison, "perf: main cmd_record", 1, 500);
	suspect(comparison, "perf/17: main", 1, 60);
	suspect(comparison, "perfect: main", 1, 30);
	/* Who looks at nothing but perf wants to know. */
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 40 + 500 + 60 + 30);
	itp_ranking_free(ranking);
	suspect(comparison, "kworker/0: k:ret_from_fork k:kthread", 1, 10);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 40 + 30 + 10);
	g_assert_cmpint(ranking->suspect_apart.recorder_ns, ==, 500 + 60);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	itp_ranking_free(ranking);
}

/* Apache's first process sleeps between two looks at the others, in a library's function. */
static void test_who_looks_after_others_waits_by_design(struct comparison *comparison,
							gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main serve answer", 9, 300 * MS);
	comparison_block(comparison, comparison->suspect[0],
			 "main event_run ap_wait_or_timeout libapr-1.so.0!apr_sleep "
			 "libc.so.6!select syscall:pselect6 k:schedule",
			 5, 5000 * MS);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "answer");
	g_assert_cmpint(ranking->suspect_own_ns, ==, 300 * MS);
	itp_ranking_free(ranking);
}

static void test_a_disk_is_not_waited_for_by_design(struct comparison *comparison,
						    gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0],
			 "main load libc.so.6!read syscall:read k:filemap_read k:io_schedule "
			 "k:schedule",
			 1, 900);
	comparison_node(comparison, comparison->suspect[0], "main load libc.so.6!read syscall:read")
		->max_ns = 900;
	suspect(comparison, "main", 1, 40);
	suspect(comparison, "worker run", 4, 100);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	itp_ranking_free(ranking);
}

/* A thread that looks at the clock every second, while the others work. */
static void test_who_only_sleeps_is_idle(struct comparison *comparison, gconstpointer data)
{
	const char *sleep = "clock tick libc.so.6!usleep syscall:clock_nanosleep";
	struct itp_waker waker = { .count = 9, .blocked_ns = 800 };
	struct itp_ranking *ranking;
	uint32_t waiter;

	(void)data;
	suspect(comparison, "clock", 1, 1);
	base(comparison, "clock", 1, 1);
	base(comparison, "clock tick", 1, 0);
	waiter = itp_context_tree_size(comparison->tree) - 1;
	comparison_block(comparison, comparison->suspect[0], sleep, 20, 900);
	comparison_block(comparison, comparison->base[0], sleep, 10, 450);
	suspect(comparison, "main work", 9, 150);
	base(comparison, "main work", 9, 100);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 151);
	itp_ranking_free(ranking);
	/* When others have to wait for it, it is their delay. */
	comparison_block(comparison, comparison->suspect[0],
			 "main work libc.so.6!lock syscall:futex", 9, 800);
	waker.process = itp_context_tree_get(comparison->tree, 1)->function;
	waker.node = itp_context_tree_size(comparison->tree) - 1;
	waker.function = itp_context_tree_get(comparison->tree, waiter)->function;
	itp_wakers_add(comparison->suspect[0]->wakers, &waker);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	itp_ranking_free(ranking);
}

/* perf was told to record the machine for as long as `sleep` runs; or a script runs it. */
static void test_a_process_that_sleeps_is_idle_unless_wanted(struct comparison *comparison,
							     gconstpointer data)
{
	const char *sleep = "sleep: main libc.so.6!nanosleep syscall:clock_nanosleep";
	struct itp_waker started = { .role = ITP_WAKER_STARTED, .count = 1 };
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], sleep, 1, 5000);
	comparison_set(comparison, comparison->suspect[0], "sh: main libc.so.6!fork", 1, 100);
	started.node = itp_context_tree_size(comparison->tree) - 1;
	started.process = itp_function_table_intern_stand_in(comparison->functions, "sleep",
							     ITP_LAYER_PROCESS);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 100);
	itp_ranking_free(ranking);
	itp_wakers_add(comparison->suspect[0]->wakers, &started);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	itp_ranking_free(ranking);
}

/* The command that says how long to record is the recorder's, who waits for its end. */
static void test_who_records_wants_nothing(struct comparison *comparison, gconstpointer data)
{
	const char *sleep = "sleep: main libc.so.6!nanosleep syscall:clock_nanosleep";
	struct itp_waker waker = { .role = ITP_WAKER_STARTED, .count = 1 };
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], sleep, 1, 5000);
	suspect(comparison, "sh: main", 1, 100);
	suspect(comparison, "kworker/0: k:ret_from_fork k:kthread", 1, 0);
	suspect(comparison, "perf: main libc.so.6!fork", 1, 100);
	waker.node = itp_context_tree_size(comparison->tree) - 1;
	waker.process = itp_function_table_intern_stand_in(comparison->functions, "sleep",
							   ITP_LAYER_PROCESS);
	itp_wakers_add(comparison->suspect[0]->wakers, &waker);
	waker.role = ITP_WAKER_WOKE;
	waker.blocked_ns = 5000;
	itp_wakers_add(comparison->suspect[0]->wakers, &waker);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 100);
	itp_ranking_free(ranking);
}

/* A program without names that looks at something again and again, as all others work. */
static void test_what_time_ends_beside_work_is_idle(struct comparison *comparison,
						    gconstpointer data)
{
	const char *wait = "agent: a b c d e f syscall:futex k:futex_wait";
	struct itp_waker timer = { .role = ITP_WAKER_WOKE, .count = 90, .blocked_ns = 4400 };
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], wait, 90, 9000);
	timer.node = comparison_node_id(comparison, wait);
	timer.process = itp_function_table_intern_stand_in(
		comparison->functions, ITP_REASON_PREFIX "timer", ITP_LAYER_PROCESS);
	timer.function = ITP_FUNCTION_UNKNOWN;
	suspect(comparison, "main work", 9, 150);
	itp_wakers_add(comparison->suspect[0]->wakers, &timer);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	itp_ranking_free(ranking);
	timer.blocked_ns = 200;
	itp_wakers_add(comparison->suspect[0]->wakers, &timer);
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(ranking->idle->len, ==, 1);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 150);
	itp_ranking_free(ranking);
}

/* A retry that sleeps, in the only thread that there is. */
static void test_a_sleep_in_the_thread_that_works_counts(struct comparison *comparison,
							 gconstpointer data)
{
	const char *sleep = "main fetch libc.so.6!usleep syscall:clock_nanosleep";
	struct itp_ranking *ranking;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], sleep, 90, 9000);
	comparison_block(comparison, comparison->base[0], sleep, 10, 1000);
	suspect(comparison, "main fetch", 1, 50);
	base(comparison, "main fetch", 1, 50);
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpuint(ranking->idle->len, ==, 0);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "fetch");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 8000);
	itp_ranking_free(ranking);
}

/* Number of idle waits of a single workload. Begins anew. */
static guint count_idle(struct comparison *comparison)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &folded, false);
	guint count = ranking->idle->len;

	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return count;
}

/* A loop that works 500 and polls for 300, `waits` times, in a function that it calls by `way`. */
static guint poll_below(struct comparison *comparison, const char *way, uint64_t waits)
{
	g_autofree char *wait = g_strdup_printf("loop %s syscall:poll", way);

	suspect(comparison, "loop work", 9, 500);
	comparison_block(comparison, comparison->suspect[0], wait, waits, 300);
	return count_idle(comparison);
}

static void test_a_loop_is_six_functions_above(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(poll_below(comparison, "a b c d e libc.so.6!poll", 9), ==, 1);
	g_assert_cmpuint(poll_below(comparison, "a b c d e f libc.so.6!poll", 9), ==, 0);
}

static void test_a_loop_goes_on_eight_times(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(poll_below(comparison, "libc.so.6!poll", 10), ==, 1);
	g_assert_cmpuint(poll_below(comparison, "libc.so.6!poll", 6), ==, 0);
}

static void test_a_wait_has_two_wrappers(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(poll_below(comparison, "libc.so.6!a libc.so.6!b", 9), ==, 1);
	g_assert_cmpuint(poll_below(comparison, "libc.so.6!a libc.so.6!b libc.so.6!c", 9), ==, 0);
}

/* Two functions at the end of `way` wait for 300 each, of 1000. */
static guint pool_below(struct comparison *comparison, const char *way)
{
	static const char *const takers[] = { "take", "look" };

	suspect(comparison, "pool work", 9, 400);
	for (size_t i = 0; i < G_N_ELEMENTS(takers); i++) {
		g_autofree char *wait = g_strdup_printf(
			"%s %s libc.so.6!pthread_cond_wait syscall:futex", way, takers[i]);

		comparison_block(comparison, comparison->suspect[0], wait, 9, 300);
	}
	return count_idle(comparison);
}

static void test_a_pool_has_four_functions_on_its_stack(struct comparison *comparison,
							gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(pool_below(comparison, "pool a b"), ==, 2);
	g_assert_cmpuint(pool_below(comparison, "pool a b c"), ==, 0);
}

/* The function at the end of `worker` waits between two jobs, for 300 of 1100. */
static guint wait_between_jobs(struct comparison *comparison, const char *worker)
{
	g_autofree char *wait =
		g_strdup_printf("%s libc.so.6!pthread_cond_wait syscall:futex", worker);
	g_autofree char *job = g_strdup_printf("%s compress", worker);

	comparison_block(comparison, comparison->suspect[0], wait, 9, 300);
	suspect(comparison, job, 9, 800);
	return count_idle(comparison);
}

static void test_a_worker_has_two_functions_on_its_stack(struct comparison *comparison,
							 gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(wait_between_jobs(comparison, "start run"), ==, 1);
	g_assert_cmpuint(wait_between_jobs(comparison, "start run jobs"), ==, 0);
}

/* While another process works 100. */
static guint sleep_and_work(struct comparison *comparison, int64_t work)
{
	comparison_block(comparison, comparison->suspect[0],
			 "sleep: main libc.so.6!nanosleep syscall:clock_nanosleep", 1, 5000);
	suspect(comparison, "sleep: main", 1, work);
	suspect(comparison, "sh: main", 1, 100);
	return count_idle(comparison);
}

static void test_who_sleeps_does_a_tenth_of_the_work(struct comparison *comparison,
						     gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(sleep_and_work(comparison, 8), ==, 1);
	g_assert_cmpuint(sleep_and_work(comparison, 12), ==, 0);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/idle/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("event loops wait for work", test_event_loops_wait_for_work);
	add("the name is enough where nobody is known to wait",
	    test_the_name_is_enough_where_nobody_is_known_to_wait);
	add("waiting that is new is not idle", test_waiting_that_is_new_is_not_idle);
	add("poll is idle where the thread works", test_poll_is_idle_where_the_thread_works);
	add("a thread may wait once in its life", test_a_thread_may_wait_once_in_its_life);
	add("a pool may be too large", test_a_pool_may_be_too_large);
	add("a lock is never waited for by design", test_a_lock_is_never_waited_for_by_design);
	add("the kernel waits for work of others", test_the_kernel_waits_for_work_of_others);
	add("threads of a machine wait for work", test_threads_of_a_machine_wait_for_work);
	add("who records is no cause", test_who_records_is_no_cause);
	add("who looks after others waits by design", test_who_looks_after_others_waits_by_design);
	add("a disk is not waited for by design", test_a_disk_is_not_waited_for_by_design);
	add("who only sleeps is idle", test_who_only_sleeps_is_idle);
	add("a process that sleeps is idle unless wanted",
	    test_a_process_that_sleeps_is_idle_unless_wanted);
	add("who records wants nothing", test_who_records_wants_nothing);
	add("what time ends beside work is idle", test_what_time_ends_beside_work_is_idle);
	add("a sleep in the thread that works counts",
	    test_a_sleep_in_the_thread_that_works_counts);
	add("who reads from a pipe waits for work", test_who_reads_from_a_pipe_waits_for_work);
	add("a reader alone is all there is", test_a_reader_alone_is_all_there_is);
	add("a wait of the resolver is not idle", test_a_wait_of_the_resolver_is_not_idle);
	add("a pool waits most of the time", test_a_pool_waits_most_of_the_time);
	add("a worker waits between jobs", test_a_worker_waits_between_jobs);
	add("a loop is six functions above", test_a_loop_is_six_functions_above);
	add("a loop goes on eight times", test_a_loop_goes_on_eight_times);
	add("a wait has two wrappers", test_a_wait_has_two_wrappers);
	add("a pool has four functions on its stack", test_a_pool_has_four_functions_on_its_stack);
	add("a worker has two functions on its stack",
	    test_a_worker_has_two_functions_on_its_stack);
	add("who sleeps does a tenth of the work", test_who_sleeps_does_a_tenth_of_the_work);
	return g_test_run();
}
