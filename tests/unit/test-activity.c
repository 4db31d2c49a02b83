/* SPDX-License-Identifier: MIT */
/* What went on while a thread waited: for whom its waker waited in turn, and bounded memory. */
#include "common/infer/activity.h"

#include "tests/unit/support.h"

#define TIMES 4000
#define FUNCTIONS 5

/* "PROCESS FUNCTION time" in `role` while threads waited in the node with `path`. */
static void assert_role(const struct test_run *run, enum itp_waker_role role, const char *path,
			const char *expected)
{
	const struct itp_wakers *wakers = itp_infer_wakers(run->infer);
	g_autoptr(GString) text = g_string_new(NULL);

	for (uint32_t node = 1; node < itp_wakers_node_count(wakers); node++) {
		g_autofree char *name = test_path(run, node);
		g_autoptr(GArray) ran = itp_wakers_of_nodes(wakers, role, &node, 1, run->functions);

		for (guint i = 0; g_str_equal(name, path) && i < ran->len; i++) {
			const struct itp_waker *one = &g_array_index(ran, struct itp_waker, i);

			g_string_append_printf(
				text, "%s %s %d\n",
				itp_function_table_get(run->functions, one->process)->name,
				itp_function_table_get(run->functions, one->function)->name,
				(int)one->blocked_ns);
		}
	}
	g_assert_cmpstr(text->str, ==, expected);
}

static void assert_ran(const struct test_run *run, const char *path, const char *expected)
{
	assert_role(run, ITP_WAKER_RAN, path, expected);
}

static void assert_queued(const struct test_run *run, const char *path, const char *expected)
{
	assert_role(run, ITP_WAKER_QUEUED, path, expected);
}

static void assert_kept(const struct test_run *run, const char *path, const char *expected)
{
	assert_role(run, ITP_WAKER_KEPT, path, expected);
}

/* From 20 to 100 thread 1 waits for thread 2, which reads until 30, thinks until 90 and replies
 * from 94 on; what it did in between is not shown, but that it was in S. */
static void read_and_reply(struct test_run *run, const char *exit_stack)
{
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 10, 2, "S read");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1, "A B", 1);
	test_push(run, ITP_EVENT_SYSCALL_EXIT, 30, 2, exit_stack);
	test_push(run, ITP_EVENT_SAMPLE, 60, 2, "S think");
	test_push(run, ITP_EVENT_SAMPLE, 90, 2, "S think");
	test_push(run, ITP_EVENT_SYSCALL_ENTER, 94, 2, "S reply");
	test_push_argument(run, ITP_EVENT_WAKEUP, 100, 1, "S reply", 2);
	assert_ran(run, "p A B", "p think 60\np read 10\np reply 6\np S 4\n");
}

static void test_a_wait_is_what_its_waker_did(struct test_run *run, gconstpointer data)
{
	(void)data;
	read_and_reply(run, "S read");
}

/* Where recordings leave the stack out, it is the one with which the system call began. */
static void test_a_system_call_ends_where_it_began(struct test_run *run, gconstpointer data)
{
	(void)data;
	read_and_reply(run, "");
}

/* Thread 2 waits from 30 to 80 for thread 3, and that from 40 to 60 for the disk, which is what
 * load does; then both wait for a CPU, which is nobody's doing. */
static void test_a_chain_of_waits_ends_at_its_cause(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "S");
	test_push(run, ITP_EVENT_SAMPLE, 10, 3, "T");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1, "A B", 1);
	test_push(run, ITP_EVENT_SAMPLE, 25, 2, "S ask");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 2, "S ask", 1);
	test_push(run, ITP_EVENT_SAMPLE, 30, 3, "T load");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 40, 3, "T load", 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, 60, 3, "k:blk_done_softirq", 0);
	test_push(run, ITP_EVENT_SWITCH_IN, 62, 3, "");
	test_push(run, ITP_EVENT_SAMPLE, 75, 3, "T answer");
	test_push_argument(run, ITP_EVENT_WAKEUP, 80, 2, "T answer", 3);
	test_push(run, ITP_EVENT_SWITCH_IN, 81, 2, "");
	test_push(run, ITP_EVENT_SAMPLE, 95, 2, "S reply");
	test_push_argument(run, ITP_EVENT_WAKEUP, 100, 1, "S reply", 2);
	assert_ran(run, "p T load", "kernel:disk blk_done_softirq 20\n");
	assert_ran(run, "p S ask", "p load 30\np answer 18\n");
	assert_ran(run, "p A B", "p load 30\np reply 19\np answer 18\np ask 10\n");
	assert_queued(run, "p S ask", "p [unknown] 2\n");
	assert_queued(run, "p A B", "p [unknown] 3\n");
}

/* From 30 to 70 nobody knows for whom thread 2 waited in ask. */
static void test_a_wait_that_nobody_ended_is_where_it_was(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "S");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1, "A B", 1);
	test_push(run, ITP_EVENT_SAMPLE, 25, 2, "S ask");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 2, "S ask", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 70, 2, "");
	test_push(run, ITP_EVENT_SAMPLE, 90, 2, "S reply");
	test_push_argument(run, ITP_EVENT_WAKEUP, 100, 1, "S reply", 2);
	assert_ran(run, "p A B", "p ask 50\np reply 30\n");
}

/* publish holds a lock from before 20, for which edit waits; it has come back from render when it
 * lets go. Before that it did something else. */
static void test_a_wait_is_for_who_was_there_to_the_end(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "T tidy");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1, "E edit libc.so.6!lock", 1);
	test_push(run, ITP_EVENT_SAMPLE, 30, 2, "T tidy sweep");
	test_push(run, ITP_EVENT_SAMPLE, 50, 2, "T publish render");
	test_push(run, ITP_EVENT_SAMPLE, 80, 2, "T publish render index");
	test_push_argument(run, ITP_EVENT_WAKEUP, 90, 1, "T publish libc.so.6!unlock", 2);
	assert_ran(run, "p E edit lock", "p index 30\np render 20\np publish 10\np sweep 10\n");
	assert_kept(run, "p E edit lock", "p publish 60\np T 10\n");
}

/* The last one in a queue for a lock waits for the one that held it long, whoever wakes it. */
static void test_whom_others_waited_for_stays_known(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "E");
	test_push(run, ITP_EVENT_SAMPLE, 10, 3, "T publish");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1, "E edit", 1);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 2, "E edit", 1);
	test_push(run, ITP_EVENT_SAMPLE, 80, 3, "T publish render");
	test_push_argument(run, ITP_EVENT_WAKEUP, 90, 2, "T publish", 3);
	test_push(run, ITP_EVENT_SWITCH_IN, 90, 2, "");
	test_push(run, ITP_EVENT_SAMPLE, 95, 2, "E edit");
	test_push_argument(run, ITP_EVENT_WAKEUP, 98, 1, "E edit", 2);
	assert_kept(run, "p E edit", "p publish 140\np edit 8\n");
}

/* A queue for a lock with a function of its own, which the second one leaves before it wakes. */
static void test_who_was_in_the_queue_kept_nobody(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "E");
	test_push(run, ITP_EVENT_SAMPLE, 10, 3, "T publish");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1, "E edit take", 1);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 2, "E edit take", 1);
	test_push(run, ITP_EVENT_SAMPLE, 80, 3, "T publish render");
	test_push_argument(run, ITP_EVENT_WAKEUP, 90, 2, "T publish release", 3);
	test_push(run, ITP_EVENT_SWITCH_IN, 90, 2, "");
	test_push(run, ITP_EVENT_SAMPLE, 95, 2, "E edit");
	test_push_argument(run, ITP_EVENT_WAKEUP, 98, 1, "E edit release", 2);
	assert_kept(run, "p E edit take", "p publish 140\np edit 8\n");
}

/* publish holds a connection for which edit waits, while thread 3 prints for it from 30 to 80. */
static void test_a_holder_that_waits_itself_keeps_others(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "T publish");
	test_push(run, ITP_EVENT_SAMPLE, 10, 3, "U");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 20, 1, "E edit take", 1);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 2, "T publish ask", 1);
	test_push(run, ITP_EVENT_SAMPLE, 35, 3, "U print");
	test_push(run, ITP_EVENT_SAMPLE, 75, 3, "U print");
	test_push_argument(run, ITP_EVENT_WAKEUP, 80, 2, "U print", 3);
	test_push(run, ITP_EVENT_SWITCH_IN, 80, 2, "");
	test_push_argument(run, ITP_EVENT_WAKEUP, 90, 1, "T publish release", 2);
	assert_ran(run, "p E edit take", "p print 50\np publish 20\n");
	assert_kept(run, "p E edit take", "p publish 70\n");
	assert_kept(run, "p T publish ask", "p print 50\n");
}

/* Thread 1 waits for thread 2, which holds a lock while it sorts, and looks at 50 and at 70 whether
 * it must wait on; the second time its CPU is idle, and nobody is seen to wake it. `between` is
 * what it calls at 72, if anything. */
static void look_from_time_to_time(struct test_run *run, const char *between)
{
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "T sort");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 1, "A take", 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, 50, 1, "k:hrtimer_wakeup", 0);
	test_push(run, ITP_EVENT_SWITCH_IN, 50, 1, "");
	assert_ran(run, "p A take", "kernel:timer hrtimer_wakeup 20\n");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 52, 1, "A take", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 70, 1, "");
	if (between) {
		test_push(run, ITP_EVENT_SAMPLE, 72, 1, between);
	}
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 74, 1, "A take", 1);
	test_push(run, ITP_EVENT_SAMPLE, 90, 2, "T sort");
	test_push_argument(run, ITP_EVENT_WAKEUP, 94, 1, "T release", 2);
}

static void test_a_wait_that_is_taken_up_again_is_one(struct test_run *run, gconstpointer data)
{
	(void)data;
	look_from_time_to_time(run, NULL);
	assert_ran(run, "p A take", "p sort 60\np T 4\n");
	assert_kept(run, "p A take", "p T 64\n");
}

static void test_who_was_elsewhere_waits_anew(struct test_run *run, gconstpointer data)
{
	(void)data;
	look_from_time_to_time(run, "A tidy");
	assert_ran(run, "p A take", "kernel:timer hrtimer_wakeup 20\np sort 16\np T 4\n");
}

/* Both wait for thread 2; thread 3 is woken by thread 1, which waits on. */
static void test_who_waits_itself_does_not_tell_for_whom(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "T sort");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 30, 1, "A take", 1);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 40, 3, "A take", 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, 50, 1, "k:hrtimer_wakeup", 0);
	test_push(run, ITP_EVENT_SWITCH_IN, 50, 1, "");
	test_push_argument(run, ITP_EVENT_WAKEUP, 60, 3, "A take", 1);
	test_push(run, ITP_EVENT_SWITCH_IN, 60, 3, "");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 61, 1, "A take", 1);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 62, 3, "A take", 1);
	test_push(run, ITP_EVENT_SAMPLE, 90, 2, "T sort");
	test_push_argument(run, ITP_EVENT_WAKEUP, 90, 3, "T sort", 2);
	assert_ran(run, "p A take", "p sort 50\nkernel:timer hrtimer_wakeup 20\n");
}

static void test_nothing_is_known_of_before_a_loss(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 2, "S");
	test_push(run, ITP_EVENT_SAMPLE, 30, 2, "S think");
	test_push_argument(run, ITP_EVENT_LOSS, 40, 0, "", 3);
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 50, 1, "A B", 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, 60, 1, "S reply", 2);
	assert_ran(run, "p A B", "p reply 10\n");
	/* A waker that was never seen before, and one that nobody knows. */
	test_push(run, ITP_EVENT_SWITCH_IN, 62, 1, "");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 70, 1, "A C", 1);
	test_push_argument(run, ITP_EVENT_WAKEUP, 80, 1, "V", 9);
	assert_ran(run, "p A C", "[unknown] V 10\n");
}

/* ---- Against a list of every nanosecond ---- */

struct sums {
	int64_t ns[FUNCTIONS];
	int64_t last_ns;
};

static void add_up(int64_t end_ns, int64_t ns, const struct itp_doing *doing, void *data)
{
	struct sums *sums = data;

	g_assert_cmpuint(doing->process, ==, 7);
	g_assert_cmpint(ns, >, 0);
	g_assert_cmpint(end_ns - ns, >=, sums->last_ns);
	sums->ns[doing->function] += ns;
	sums->last_ns = end_ns;
}

/* Function 0 stands for what is not known. */
static void add(struct itp_activity *activity, int64_t end_ns, uint32_t function)
{
	const struct itp_doing doing = { .process = function > 0 ? 7 : ITP_FUNCTION_UNKNOWN,
					 .function = function,
					 .keeper = function };

	itp_activity_add(activity, end_ns, &doing);
}

static void fill(struct itp_activity *activity, GRand *random, int stretches, uint32_t *each_ns)
{
	int time_ns = 0;

	for (int i = 0; i < stretches; i++) {
		int end_ns = time_ns + g_rand_int_range(random, 0, 2 * TIMES / stretches);
		uint32_t function = (uint32_t)g_rand_int_range(random, 0, FUNCTIONS);

		add(activity, end_ns, function);
		for (; time_ns < MIN(end_ns, TIMES); time_ns++) {
			each_ns[time_ns] = function;
		}
	}
}

static struct sums sums_of(const struct itp_activity *activity, int begin_ns, int end_ns)
{
	struct sums sums = { .last_ns = begin_ns };

	itp_activity_each(activity, begin_ns, end_ns, add_up, &sums);
	return sums;
}

static void test_few_stretches_are_told_exactly(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(20140616);

	for (int round = 0; round < 200; round++) {
		struct itp_activity *activity = itp_activity_new(0);
		g_autofree uint32_t *each_ns = g_new0(uint32_t, TIMES);
		int begin_ns = g_rand_int_range(random, -10, TIMES);
		int end_ns = g_rand_int_range(random, begin_ns, TIMES);
		struct sums expected = { .last_ns = 0 };
		struct sums sums;

		fill(activity, random, 60, each_ns);
		sums = sums_of(activity, begin_ns, end_ns);
		for (int time_ns = MAX(begin_ns, 0); time_ns < end_ns; time_ns++) {
			expected.ns[each_ns[time_ns]]++;
		}
		for (size_t i = 1; i < FUNCTIONS; i++) {
			g_assert_cmpint(sums.ns[i], ==, expected.ns[i]);
		}
		itp_activity_free(activity);
	}
}

/* One function has nine tenths of each of a thousand rounds. Few are told one by one: the latest.
 */
static void test_of_many_the_shares_stay(void)
{
	struct itp_activity *activity = itp_activity_new(0);
	struct sums all;
	struct sums latest;

	for (int i = 0; i < 1000; i++) {
		add(activity, 100 * i + 90, 1);
		add(activity, 100 * i + 100, 2);
	}
	all = sums_of(activity, 0, 100000);
	latest = sums_of(activity, 99000, 100000);
	g_assert_cmpint(all.ns[1] + all.ns[2], ==, 100000);
	g_assert_cmpint(all.ns[1], >, 70000);
	g_assert_cmpint(latest.ns[1], ==, 900);
	g_assert_cmpint(latest.ns[2], ==, 100);
	itp_activity_free(activity);
}

static const struct test_on_run tests[] = {
	{ "a wait is what its waker did", test_a_wait_is_what_its_waker_did },
	{ "a system call ends where it began", test_a_system_call_ends_where_it_began },
	{ "a chain of waits ends at its cause", test_a_chain_of_waits_ends_at_its_cause },
	{ "a wait that nobody ended is where it was",
	  test_a_wait_that_nobody_ended_is_where_it_was },
	{ "a wait is for who was there to the end", test_a_wait_is_for_who_was_there_to_the_end },
	{ "whom others waited for stays known", test_whom_others_waited_for_stays_known },
	{ "who was in the queue kept nobody", test_who_was_in_the_queue_kept_nobody },
	{ "a holder that waits itself keeps others", test_a_holder_that_waits_itself_keeps_others },
	{ "a wait that is taken up again is one", test_a_wait_that_is_taken_up_again_is_one },
	{ "who was elsewhere waits anew", test_who_was_elsewhere_waits_anew },
	{ "who waits itself does not tell for whom", test_who_waits_itself_does_not_tell_for_whom },
	{ "nothing is known of before a loss", test_nothing_is_known_of_before_a_loss },
};

/* ---- Who had a CPU ---- */

static void add_run(uint32_t process, int64_t run_ns, void *data)
{
	GString *text = data;

	g_string_append_printf(text, " %u:%d", process, (int)run_ns);
}

/* "PROCESS:NS", the last one first. Owned by the caller. */
static char *runs_between(const struct itp_cpu_runs *runs, int64_t begin_ns, int64_t end_ns)
{
	GString *text = g_string_new("");

	itp_cpu_runs_tell(runs, 0, begin_ns, end_ns, add_run, text);
	return g_string_free(text, FALSE);
}

/* A recorded process is 5, others are 7 and 8. 5 had the CPU from 0 to 10, 7 got it then; who had
 * it when 5 gets it again, at 30, is told. */
static char *runs_corrected_by(uint32_t process, bool is_next_known)
{
	struct itp_cpu_runs *runs = itp_cpu_runs_new();
	char *text;

	itp_cpu_runs_begin(runs, 0, 5, 0);
	itp_cpu_runs_end(runs, 0, 10);
	if (is_next_known) {
		itp_cpu_runs_begin(runs, 0, 7, 10);
	}
	itp_cpu_runs_correct(runs, 0, process, 15);
	text = runs_between(runs, 15, 30);
	itp_cpu_runs_free(runs);
	return text;
}

static void check_runs(char *runs, const char *wanted)
{
	g_assert_cmpstr(runs, ==, wanted);
	g_free(runs);
}

static void test_last_one_had_the_cpu(void)
{
	check_runs(runs_corrected_by(7, true), " 7:15");
	check_runs(runs_corrected_by(8, true), " 8:15");
	check_runs(runs_corrected_by(8, false), " 8:15");
	check_runs(runs_corrected_by(ITP_FUNCTION_UNKNOWN, true), "");
	check_runs(runs_corrected_by(ITP_FUNCTION_UNKNOWN, false), "");
}

static void test_no_cpu_is_no_mistake(void)
{
	struct itp_cpu_runs *runs = itp_cpu_runs_new();

	itp_cpu_runs_correct(runs, -1, 8, 15);
	itp_cpu_runs_correct(runs, 3, ITP_FUNCTION_UNKNOWN, 15);
	itp_cpu_runs_correct(runs, 0, 8, 15);
	check_runs(runs_between(runs, 10, 30), " 8:15");
	itp_cpu_runs_free(runs);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("activity", ITP_CONTINUITY_CALL_SITE, tests, G_N_ELEMENTS(tests));
	g_test_add_func("/activity/few stretches are told exactly",
			test_few_stretches_are_told_exactly);
	g_test_add_func("/activity/of many the shares stay", test_of_many_the_shares_stay);
	g_test_add_func("/activity/who had the CPU last had it", test_last_one_had_the_cpu);
	g_test_add_func("/activity/a CPU may be unknown", test_no_cpu_is_no_mistake);
	return g_test_run();
}
