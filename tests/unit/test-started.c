/* SPDX-License-Identifier: MIT */
/* Programs that were started: who made their processes, and who pays when these become more. */
#include "common/base/error.h"
#include "tests/unit/comparison.h"
#include "tests/unit/support.h"

#define MS INT64_C(1000000)
#define FORK "syscall:56 k:copy_process"

/* ---- Who made them ---- */

/* An event of a process's first thread. */
static void push_life(struct test_run *run, enum itp_event_kind kind, int64_t time_ns, int32_t pid,
		      const char *comm, int64_t maker)
{
	const struct itp_stack_event event = {
		.kind = kind,
		.time_ns = time_ns,
		.pid = pid,
		.tid = pid,
		.cpu = -1,
		.comm = comm,
		.argument = maker,
	};

	g_assert_cmpint(itp_infer_push(run->infer, &event), ==, ITP_OK);
}

/* "PATH: PROGRAM count time". */
static void assert_started(const struct test_run *run, const char *expected)
{
	const struct itp_wakers *wakers = itp_infer_wakers(run->infer);
	g_autoptr(GString) text = g_string_new(NULL);

	for (uint32_t node = 0; node < itp_wakers_node_count(wakers); node++) {
		g_autoptr(GArray) started =
			itp_wakers_of_nodes(wakers, ITP_WAKER_STARTED, &node, 1, run->functions);
		g_autofree char *path = test_path(run, node);

		for (guint i = 0; i < started->len; i++) {
			const struct itp_waker *one = &g_array_index(started, struct itp_waker, i);

			g_assert_cmpuint(one->function, ==, ITP_FUNCTION_UNKNOWN);
			g_string_append_printf(
				text, "%s: %s %d %d\n", path,
				itp_function_table_get(run->functions, one->process)->name,
				(int)one->count, (int)one->blocked_ns);
		}
	}
	g_assert_cmpstr(text->str, ==, expected);
}

/* Thread 1 is in a call that makes a process from `time_ns` on, for 5. */
static void make(struct test_run *run, int64_t time_ns, const char *caller, int32_t pid)
{
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, time_ns, 1, caller, 56);
	push_life(run, ITP_EVENT_START, time_ns + 2, pid, "p", 1);
	test_push_exit(run, time_ns + 5, 1, caller, 56, pid);
}

static void test_a_context_makes_processes(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 1, 1, "A");
	make(run, 10, "A B", 20);
	push_life(run, ITP_EVENT_EXEC, 16, 20, "sed", 0);
	make(run, 30, "A B", 21);
	push_life(run, ITP_EVENT_EXEC, 36, 21, "sed", 0);
	push_life(run, ITP_EVENT_END, 40, 20, "sed", 0);
	push_life(run, ITP_EVENT_END, 50, 21, "sed", 0);
	assert_started(run, "p A B syscall:56: sed 2 38\n");
}

/* What a process was before it ran a program is not told, but what it became on the way is: "env
 * sed". One that never runs another is what made it. */
static void test_a_process_is_what_it_runs(struct test_run *run, gconstpointer data)
{
	(void)data;
	make(run, 10, "A B", 20);
	make(run, 20, "A C", 21);
	push_life(run, ITP_EVENT_EXEC, 26, 20, "env", 0);
	push_life(run, ITP_EVENT_EXEC, 30, 20, "sed", 0);
	push_life(run, ITP_EVENT_END, 42, 21, "p", 0);
	push_life(run, ITP_EVENT_END, 50, 20, "sed", 0);
	assert_started(run, "p A B syscall:56: sed 1 20\n"
			    "p A B syscall:56: env 1 4\n"
			    "p A C syscall:56: p 1 20\n");
}

/* Threads are none, nor is anything known of what was there before, of what a thread makes that was
 * not seen to be in a system call, or of whom nobody knows. */
static void test_others_are_nobodys(struct test_run *run, gconstpointer data)
{
	const struct itp_stack_event thread = { .kind = ITP_EVENT_START,
						.time_ns = 11,
						.pid = 1,
						.tid = 30,
						.comm = "p",
						.argument = 1 };

	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A", 56);
	g_assert_cmpint(itp_infer_push(run->infer, &thread), ==, ITP_OK);
	push_life(run, ITP_EVENT_START, 12, 20, "p", ITP_START_UNKNOWN);
	push_life(run, ITP_EVENT_START, 13, 21, "p", 77);
	test_push_exit(run, 15, 1, "A", 56, 0);
	push_life(run, ITP_EVENT_START, 16, 22, "p", 1);
	itp_infer_finish(run->infer);
	assert_started(run, "");
}

static void test_those_that_go_on_are_counted(struct test_run *run, gconstpointer data)
{
	(void)data;
	make(run, 10, "A", 20);
	push_life(run, ITP_EVENT_EXEC, 16, 20, "sed", 0);
	test_push(run, ITP_EVENT_SAMPLE, 60, 1, "A");
	itp_infer_finish(run->infer);
	assert_started(run, "p A syscall:56: sed 1 44\n");
}

/* ---- Who pays ---- */

static const struct itp_ranking_options options = { .folds = true };

static uint32_t process_of(struct comparison *comparison, const char *name)
{
	return itp_function_table_intern_stand_in(comparison->functions, name, ITP_LAYER_PROCESS);
}

/* `maker` makes so many processes that run `program`, in `profile`. */
static void start(struct comparison *comparison, struct itp_profile *profile, const char *maker,
		  const char *program, uint64_t count)
{
	const struct itp_waker started = {
		.node = comparison_node_id(comparison, maker),
		.role = ITP_WAKER_STARTED,
		.process = process_of(comparison, program),
		.count = count,
	};

	itp_wakers_add(profile->wakers, &started);
}

/* A script that runs sed once, and then for each line. */
static void run_for_each(struct comparison *comparison, uint64_t count)
{
	const char *fork = "sh: main each fork " FORK;
	const char *load = "sed: _start load";
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_profile *base = comparison->base[0];

	comparison_set(comparison, base, fork, 1, 1 * MS);
	comparison_set(comparison, suspect, fork, count, (int64_t)count * MS);
	comparison_set(comparison, base, load, 1, 3 * MS);
	comparison_set(comparison, suspect, load, count, (int64_t)count * 3 * MS);
	comparison_set(comparison, base, "sed: main edit", 900, 500 * MS);
	comparison_set(comparison, suspect, "sed: main edit", 900, 500 * MS);
	start(comparison, base, fork, "sed", 1);
	start(comparison, suspect, fork, "sed", count);
}

static void assert_first(const struct itp_ranking *ranking, const char *culprit, int64_t cost_ms)
{
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, culprit);
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, cost_ms * MS);
}

static void test_who_started_it_pays(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;
	const struct itp_started *started;

	(void)data;
	run_for_each(comparison, 200);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "fork", 4 * 199);
	g_assert_cmpuint(comparison_path(ranking, 0)->started->len, ==, 1);
	started = &g_array_index(comparison_path(ranking, 0)->started, struct itp_started, 0);
	g_assert_cmpuint(started->process, ==, process_of(comparison, "sed"));
	g_assert_cmpuint(started->count, ==, 200);
	g_assert_cmpuint(started->base_count, ==, 1);
	g_assert_cmpint(started->cost, ==, 3 * 199 * MS);
	/* What is left of sed: the work, as before. */
	g_assert_cmpuint(ranking->entry_count, ==, 2);
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 0);
	itp_ranking_free(ranking);
}

/* What sed does 900 times in both runs has nothing to do with how often it is started. */
static void test_work_that_became_slow_stays(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	run_for_each(comparison, 200);
	comparison_set(comparison, comparison->suspect[0], "sed: main edit", 900, 2000 * MS);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "edit", 1500);
	g_assert_cmpuint(comparison_path(ranking, 0)->started->len, ==, 0);
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 4 * 199 * MS);
	itp_ranking_free(ranking);
}

/* Each start takes ten times as long as more starts explain. */
static void test_starts_that_became_slow_stay(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	run_for_each(comparison, 20);
	comparison_set(comparison, comparison->suspect[0], "sed: _start load", 20, 2000 * MS);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "load", 1997);
	itp_ranking_free(ranking);
}

static void test_a_few_more_starts_are_nothing(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	run_for_each(comparison, 4);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "load", 3 * 3);
	itp_ranking_free(ranking);
}

/* make starts more compilers, and these start more assemblers. */
static void test_the_first_of_a_chain_pays(struct comparison *comparison, gconstpointer data)
{
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_ranking *ranking;

	(void)data;
	run_for_each(comparison, 200);
	comparison_set(comparison, suspect, "sed: main ask " FORK, 200, 100 * MS);
	comparison_set(comparison, suspect, "as: main parse", 200, 900 * MS);
	start(comparison, suspect, "sed: main ask " FORK, "as", 200);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "fork", 4 * 199 + 1000);
	g_assert_cmpuint(comparison_path(ranking, 0)->started->len, ==, 2);
	g_assert_cmpint(
		g_array_index(comparison_path(ranking, 0)->started, struct itp_started, 0).cost, ==,
		900 * MS);
	itp_ranking_free(ranking);
}

/* Two programs that start each other, more often both. */
static void test_a_circle_has_no_first(struct comparison *comparison, gconstpointer data)
{
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->base[0], "c: main", 1, 0);
	comparison_set(comparison, suspect, "a: main one " FORK, 50, 500 * MS);
	comparison_set(comparison, suspect, "b: main two " FORK, 50, 400 * MS);
	start(comparison, suspect, "a: main one " FORK, "b", 50);
	start(comparison, suspect, "b: main two " FORK, "a", 50);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "one", 500);
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 400 * MS);
	itp_ranking_free(ranking);
}

/* make, of which there is one anyway, starts shells, and these start make. */
static void test_a_circle_ends_where_all_begins(struct comparison *comparison, gconstpointer data)
{
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->base[0], "make: main", 1, 1 * MS);
	comparison_set(comparison, suspect, "make: main", 41, 41 * MS);
	comparison_set(comparison, suspect, "make: main job " FORK, 40, 300 * MS);
	comparison_set(comparison, suspect, "sh: main eval " FORK, 40, 400 * MS);
	start(comparison, suspect, "make: main job " FORK, "sh", 40);
	start(comparison, suspect, "sh: main eval " FORK, "make", 40);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "job", 40 + 300 + 400);
	g_assert_cmpuint(comparison_path(ranking, 0)->started->len, ==, 2);
	g_assert_cmpuint(ranking->entry_count, ==, 1);
	itp_ranking_free(ranking);
}

/* A base did 17 times as much: of its ten processes of make, shells have started so many, that is
 * 0.06 of one each. Returns who pays. Begins anew. */
static const char *payer_of_circle(struct comparison *comparison, uint64_t started)
{
	struct itp_profile *suspect = comparison->suspect[0];
	uint32_t main_node = comparison_node_id(comparison, "make: main");
	struct itp_ranking *ranking;
	const char *payer;

	comparison->suspect_units[0] = 6;
	comparison->base_units[0] = 100;
	comparison_set(comparison, comparison->base[0], "make: main", 10, 1 * MS);
	itp_profile_node(comparison->base[0],
			 itp_context_tree_get(comparison->tree, main_node)->parent)
		->count = 10;
	start(comparison, comparison->base[0], "sh: main eval " FORK, "make", started);
	comparison_set(comparison, suspect, "make: main", 41, 41 * MS);
	comparison_set(comparison, suspect, "make: main job " FORK, 40, 60 * MS);
	comparison_set(comparison, suspect, "sh: main eval " FORK, 40, 400 * MS);
	start(comparison, suspect, "make: main job " FORK, "sh", 40);
	start(comparison, suspect, "sh: main eval " FORK, "make", 40);
	ranking = comparison_rank(comparison, &options, true);
	payer = g_intern_string(comparison_culprit(ranking, 0));
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return payer;
}

static void test_half_a_process_is_the_first(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpstr(payer_of_circle(comparison, 7), ==, "job");
	g_assert_cmpstr(payer_of_circle(comparison, 9), ==, "eval");
}

/* A server that makes a process of its own for each connection: what these do is its work. */
static void test_a_program_does_not_pay_for_itself(struct comparison *comparison,
						   gconstpointer data)
{
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->base[0], "d: main serve", 9, 9 * MS);
	comparison_set(comparison, suspect, "d: main accept " FORK, 90, 9 * MS);
	comparison_set(comparison, suspect, "d: main serve", 90, 900 * MS);
	start(comparison, suspect, "d: main accept " FORK, "d", 90);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "serve", 891);
	itp_ranking_free(ranking);
}

/* What one waits for is what another has started. */
static void test_who_waits_for_what_is_started(struct comparison *comparison, gconstpointer data)
{
	const char *wait = "sh: main substitute libc.so.6!read syscall:read";
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_waker ran = { .role = ITP_WAKER_RAN, .count = 200, .blocked_ns = 900 * MS };
	struct itp_ranking *ranking;

	(void)data;
	run_for_each(comparison, 200);
	comparison_block(comparison, suspect, wait, 200, 1000 * MS);
	ran.node = comparison_node_id(comparison, wait);
	ran.process = process_of(comparison, "sed");
	itp_wakers_add(suspect->wakers, &ran);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "fork", 4 * 199);
	g_assert_true(comparison_path(ranking, 0)->is_waited_for);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "substitute");
	g_assert_cmpuint(comparison_path(ranking, 1)->waits_for, ==, 1);
	itp_ranking_free(ranking);
}

/* A recording of the machine, in which another perf introperf starts the loader more often: the
 * recorder is left out of the ranking, so its entry has no path that could be shown. */
static void test_a_maker_that_is_left_out_pays_nothing(struct comparison *comparison,
						       gconstpointer data)
{
	const char *fork = "perf-introperf: main target " FORK;
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->base[0], "kworker: k:kthread k:work", 1, 1 * MS);
	comparison_set(comparison, comparison->base[0], "ld.so: main list", 1, 5 * MS);
	comparison_set(comparison, suspect, "kworker: k:kthread k:work", 1, 1 * MS);
	comparison_set(comparison, suspect, "ld.so: main list", 80, 400 * MS);
	comparison_set(comparison, suspect, fork, 80, 160 * MS);
	start(comparison, suspect, fork, "ld.so", 80);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "list", 395);
	g_assert_cmpuint(comparison_path(ranking, 0)->started->len, ==, 0);
	g_assert_cmpuint(ranking->entry_count, ==, 2);
	itp_ranking_free(ranking);
}

/* The shell is known to have started sed, but no workload has a call in that context: one that was
 * entered before a loss. It has no path either. */
static void test_a_maker_without_calls_pays_nothing(struct comparison *comparison,
						    gconstpointer data)
{
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_ranking *ranking;

	(void)data;
	comparison_set(comparison, comparison->base[0], "sed: main edit", 1, 5 * MS);
	comparison_set(comparison, suspect, "sed: main edit", 80, 400 * MS);
	start(comparison, suspect, "sh: main fork " FORK, "sed", 80);
	ranking = comparison_rank(comparison, &options, true);
	assert_first(ranking, "edit", 395);
	g_assert_cmpuint(comparison_path(ranking, 0)->started->len, ==, 0);
	g_assert_cmpuint(ranking->entry_count, ==, 1);
	itp_ranking_free(ranking);
}

/* A shell that runs sed `base_count` times, and then `count` times: for a millisecond of its own
 * and for so much of sed each, in microseconds. Begins anew. Returns the first culprit's cost. */
static int64_t cost_of_starts(struct comparison *comparison, uint64_t base_count, uint64_t count,
			      int64_t base_us, int64_t load_us)
{
	const char *fork = "sh: main each fork " FORK;
	const char *load = "sed: _start load";
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_profile *base = comparison->base[0];
	struct itp_ranking *ranking;
	int64_t cost_ns;

	comparison_set(comparison, base, fork, base_count, (int64_t)base_count * MS);
	comparison_set(comparison, suspect, fork, count, (int64_t)count * MS);
	comparison_set(comparison, base, load, base_count, (int64_t)base_count * base_us * 1000);
	comparison_set(comparison, suspect, load, count, (int64_t)count * load_us * 1000);
	start(comparison, base, fork, "sed", base_count);
	start(comparison, suspect, fork, "sed", count);
	ranking = comparison_rank(comparison, &options, true);
	cost_ns = comparison_path(ranking, 0)->cost;
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return cost_ns / MS;
}

static void test_four_more_starts_are_told(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(cost_of_starts(comparison, 1, 6, 3000, 3000), ==, 5 + 15);
	g_assert_cmpint(cost_of_starts(comparison, 1, 4, 3000, 3000), ==, 9);
}

static void test_twice_as_many_starts_are_told(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(cost_of_starts(comparison, 20, 50, 3000, 3000), ==, 30 + 90);
	g_assert_cmpint(cost_of_starts(comparison, 20, 36, 3000, 3000), ==, 48);
}

/* With 2 ms that a timer missed, one start of 1 ms explains 9 · 3 ms of nine more: more than half
 * of 45 ms, and less than half of 63. */
static void test_a_timer_has_missed_two_ticks(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(cost_of_starts(comparison, 1, 10, 1000, 4600), ==, 9 + 45);
	g_assert_cmpint(cost_of_starts(comparison, 1, 10, 1000, 6400), ==, 63);
}

/* A hundred starts become 300. A hundred calls may have been 80 by chance: 120 are half of three
 * times as many. */
static int64_t cost_of_calls(struct comparison *comparison, uint64_t calls)
{
	comparison_set(comparison, comparison->base[0], "sed: _start edit", 100, 300 * MS);
	comparison_set(comparison, comparison->suspect[0], "sed: _start edit", calls, 900 * MS);
	return cost_of_starts(comparison, 100, 300, 0, 0);
}

static void test_calls_grow_half_as_much(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(cost_of_calls(comparison, 130), ==, 200 + 600);
	g_assert_cmpint(cost_of_calls(comparison, 110), ==, 600);
}

/* Of a hundred more starts of sed, `most` are one function's, and the rest two others'. */
static int64_t cost_of_makers(struct comparison *comparison, uint64_t most)
{
	static const char *const makers[] = { "sh: main one " FORK, "sh: main two " FORK,
					      "sh: main three " FORK };
	const uint64_t counts[] = { most, (100 - most) / 2, (100 - most) / 2 };
	struct itp_profile *suspect = comparison->suspect[0];
	struct itp_ranking *ranking;
	int64_t cost_ns;

	comparison_set(comparison, comparison->base[0], "sed: _start load", 1, 3 * MS);
	comparison_set(comparison, suspect, "sed: _start load", 100, 300 * MS);
	for (size_t i = 0; i < G_N_ELEMENTS(makers); i++) {
		comparison_set(comparison, suspect, makers[i], counts[i], (int64_t)counts[i] * MS);
		start(comparison, suspect, makers[i], "sed", counts[i]);
	}
	start(comparison, comparison->base[0], makers[0], "sed", 1);
	ranking = comparison_rank(comparison, &options, true);
	cost_ns = comparison_path(ranking, 0)->cost;
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return cost_ns / MS;
}

static void test_who_made_half_of_them_pays(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(cost_of_makers(comparison, 60), ==, 60 + 297);
	g_assert_cmpint(cost_of_makers(comparison, 40), ==, 297);
}

static void set_up(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_run_init(run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
}

static void tear_down(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_run_release(run, NULL);
}

static void add_run(const char *name, void (*test)(struct test_run *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/started/", name, NULL);

	g_test_add(path, struct test_run, NULL, set_up, test, tear_down);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/started/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add_run("a context makes processes", test_a_context_makes_processes);
	add_run("a process is what it runs", test_a_process_is_what_it_runs);
	add_run("others are nobody's", test_others_are_nobodys);
	add_run("those that go on are counted", test_those_that_go_on_are_counted);
	add("who started it pays", test_who_started_it_pays);
	add("work that became slow stays", test_work_that_became_slow_stays);
	add("starts that became slow stay", test_starts_that_became_slow_stay);
	add("a few more starts are nothing", test_a_few_more_starts_are_nothing);
	add("four more starts are told", test_four_more_starts_are_told);
	add("twice as many starts are told", test_twice_as_many_starts_are_told);
	add("a timer has missed two ticks", test_a_timer_has_missed_two_ticks);
	add("calls grow half as much", test_calls_grow_half_as_much);
	add("who made half of them pays", test_who_made_half_of_them_pays);
	add("the first of a chain pays", test_the_first_of_a_chain_pays);
	add("a circle has no first", test_a_circle_has_no_first);
	add("a circle ends where all begins", test_a_circle_ends_where_all_begins);
	add("half a process is the first", test_half_a_process_is_the_first);
	add("a program does not pay for itself", test_a_program_does_not_pay_for_itself);
	add("who waits for what is started", test_who_waits_for_what_is_started);
	add("a maker that is left out pays nothing", test_a_maker_that_is_left_out_pays_nothing);
	add("a maker without calls pays nothing", test_a_maker_without_calls_pays_nothing);
	return g_test_run();
}
