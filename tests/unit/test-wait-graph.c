/* SPDX-License-Identifier: MIT */
/*
 * Critical paths and wait graphs: by hand, from stack events on; and on seeded random lives against
 * a second way of telling what holds up a thread at an instant.
 */
#include "common/base/context-function.h"
#include "common/wait/chain.h"
#include "common/wait/graph.h"
#include "tests/unit/support.h"

#define SCHEDULES 10000
#define THREADS 5
#define SPAN 60

static void block(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack)
{
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, time_ns, tid, stack, 1);
}

static void get_on(struct test_run *run, int64_t time_ns, int32_t tid)
{
	test_push(run, ITP_EVENT_SWITCH_IN, time_ns, tid, "");
}

/* `tid` is woken and has a CPU at once. */
static void wake(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		 int64_t waker)
{
	test_push_argument(run, ITP_EVENT_WAKEUP, time_ns, tid, stack, waker);
	get_on(run, time_ns, tid);
}

static void sample(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack)
{
	test_push(run, ITP_EVENT_SAMPLE, time_ns, tid, stack);
}

static struct itp_history *history_of(struct test_run *run)
{
	struct itp_history *history = itp_history_new();

	itp_infer_finish(run->infer);
	for (guint i = 0; i < run->stretches->len; i++) {
		itp_history_add(history, &g_array_index(run->stretches, struct itp_stretch, i));
	}
	return history;
}

static const char *leaf_name(const struct test_run *run, uint32_t node)
{
	return node == ITP_CONTEXT_ROOT ?
		       "-" :
		       itp_context_function(run->tree, run->functions, node)->name;
}

static void append_stretch(const struct test_run *run, const struct itp_stretch *stretch,
			   GString *text)
{
	static const char *const kinds[] = { "run", "ready", "wait", "unknown" };

	g_string_append_printf(text, "%d %s %s %d %d", stretch->tid, kinds[stretch->kind],
			       leaf_name(run, stretch->node), (int)stretch->begin_ns,
			       (int)stretch->end_ns);
}

/* A line for each link, as deep as that: "TID KIND FUNCTION BEGIN END", and "…" where it goes on
 * below. */
static void assert_path(struct test_run *run, int32_t tid, int64_t begin_ns, int64_t end_ns,
			const char *wanted)
{
	const struct itp_symptom symptom = { .tid = tid, .begin_ns = begin_ns, .end_ns = end_ns };
	struct itp_history *history = history_of(run);
	g_autoptr(GArray) links = itp_critical_path(history, &symptom);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < links->len; i++) {
		const struct itp_link *link = &g_array_index(links, struct itp_link, i);

		g_string_append_printf(text, "%*s", (int)link->depth, "");
		append_stretch(run, &link->stretch, text);
		g_string_append(text, link->is_followed ? " …\n" : "\n");
	}
	g_assert_cmpstr(text->str, ==, wanted);
	itp_history_free(history);
}

/* Three threads take a lock one after the other; the last waits for both others. */
static void test_lock_convoy(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "A held");
	sample(run, 1, 2, "A");
	sample(run, 1, 3, "A");
	block(run, 10, 2, "A lock");
	block(run, 12, 3, "A lock");
	sample(run, 29, 1, "A held");
	wake(run, 30, 2, "A held unlock", 1);
	sample(run, 49, 2, "A held");
	wake(run, 50, 3, "A held unlock", 2);
	sample(run, 60, 3, "A");
	assert_path(run, 3, 12, 60,
		    "3 wait lock 12 50 …\n"
		    " 2 wait lock 12 30 …\n"
		    "  1 run held 12 30\n"
		    " 2 run held 30 50\n"
		    "3 run A 50 60\n");
}

/* The consumer waits for the producer, which waits for a disk. */
static void test_producer_and_consumer(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "P make");
	sample(run, 1, 2, "C");
	block(run, 10, 2, "C take");
	block(run, 15, 1, "P make read");
	wake(run, 35, 1, "k:blk_complete_reqs", 0);
	sample(run, 39, 1, "P make");
	wake(run, 40, 2, "P put", 1);
	sample(run, 45, 2, "C");
	assert_path(run, 2, 10, 45,
		    "2 wait take 10 40 …\n"
		    " 1 run make 10 15\n"
		    " 1 wait read 15 35\n"
		    " 1 run make 35 39\n"
		    " 1 run P 39 40\n"
		    "2 run C 40 45\n");
}

/* A pipe through three processes: the last one waits for the first, through the one between. */
static void test_pipe_chain(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "gen");
	sample(run, 1, 2, "sort");
	sample(run, 1, 3, "head");
	block(run, 5, 3, "head read");
	block(run, 6, 2, "sort read");
	sample(run, 20, 1, "gen");
	wake(run, 30, 2, "gen write", 1);
	sample(run, 40, 2, "sort merge");
	wake(run, 50, 3, "sort write", 2);
	sample(run, 51, 3, "head");
	assert_path(run, 3, 5, 51,
		    "3 wait read 5 50 …\n"
		    " 2 run sort 5 6\n"
		    " 2 wait read 6 30 …\n"
		    "  1 run gen 6 30\n"
		    " 2 run merge 30 40\n"
		    " 2 run sort 40 50\n"
		    "3 run head 50 51\n");
}

/* Thread 2 waits for a lock that 1 holds, and holds one that 3 waits for. */
static void test_nested_locks(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "A in");
	sample(run, 1, 2, "B");
	sample(run, 1, 3, "C");
	block(run, 10, 2, "B out lock");
	block(run, 20, 3, "C lock");
	sample(run, 39, 1, "A in");
	wake(run, 40, 2, "A in", 1);
	sample(run, 44, 2, "B out");
	wake(run, 45, 3, "B out", 2);
	sample(run, 46, 3, "C");
	assert_path(run, 3, 0, 46,
		    "3 unknown - 0 1\n"
		    "3 run C 1 20\n"
		    "3 wait lock 20 45 …\n"
		    " 2 wait lock 20 40 …\n"
		    "  1 run in 20 40\n"
		    " 2 run out 40 45\n"
		    "3 run C 45 46\n");
}

/* Nobody did it: time passed, an interrupt came, or a thread that was not recorded. */
static void test_no_thread_did_it(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 2);
	sample(run, 1, 2, "X");
	sample(run, 1, 1, "A");
	block(run, 10, 1, "A sleep");
	wake(run, 20, 1, "k:hrtimer_wakeup", 0);
	block(run, 30, 1, "A recv");
	wake(run, 40, 1, "X k:asm_common_interrupt k:net_rx_action", 2);
	block(run, 50, 1, "A get");
	wake(run, 60, 1, "V", 7);
	block(run, 70, 1, "A poll");
	get_on(run, 80, 1);
	assert_path(run, 1, 10, 80,
		    "1 wait sleep 10 20\n"
		    "1 run A 20 30\n"
		    "1 wait recv 30 40\n"
		    "1 run A 40 50\n"
		    "1 wait get 50 60\n"
		    "1 run A 60 70\n"
		    "1 wait poll 70 80\n");
}

/* What the waker did before events were lost is not known, and the wait was cut. */
static void test_lost_events(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "W");
	sample(run, 1, 2, "A");
	block(run, 10, 2, "A lock");
	test_push_argument(run, ITP_EVENT_LOSS, 20, -1, "", 5);
	sample(run, 25, 2, "A");
	block(run, 30, 2, "A lock");
	sample(run, 39, 1, "W");
	wake(run, 40, 2, "W", 1);
	assert_path(run, 2, 5, 40,
		    "2 run A 5 10\n"
		    "2 wait lock 10 20\n"
		    "2 unknown A 20 25\n"
		    "2 run A 25 30\n"
		    "2 wait lock 30 40 …\n"
		    " 1 unknown W 30 39\n"
		    " 1 run W 39 40\n");
}

static void test_by_the_figure(struct test_run *run, gconstpointer data)
{
	const struct itp_symptom symptom = { .tid = 2, .begin_ns = 9, .end_ns = 45 };
	struct itp_history *history;
	struct itp_wait_graph *graph;
	g_autoptr(GString) text = g_string_new(NULL);

	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "P make");
	sample(run, 1, 2, "C");
	block(run, 10, 2, "C take");
	block(run, 15, 1, "P make read");
	wake(run, 35, 1, "k:blk_complete_reqs", 0);
	wake(run, 40, 2, "P put", 1);
	block(run, 45, 2, "C take");
	block(run, 46, 1, "P make read");
	history = history_of(run);
	graph = itp_wait_graph_new(history, &symptom, 0);
	for (guint i = 0; i < graph->vertices->len; i++) {
		append_stretch(run, &g_array_index(graph->vertices, struct itp_stretch, i), text);
		g_string_append_c(text, '\n');
	}
	for (guint i = 0; i < graph->edges->len; i++) {
		const struct itp_wait_edge *edge =
			&g_array_index(graph->edges, struct itp_wait_edge, i);

		g_string_append_printf(text, "%u %u\n", edge->wait, edge->meanwhile);
	}
	/* What began before the wait and ended in it counts whole; the running of 2 that began
	 * before the span does not count. */
	g_assert_cmpstr(text->str, ==,
			"2 wait take 10 40\n"
			"2 run take 40 45\n"
			"1 run make 1 15\n"
			"1 wait read 15 35\n"
			"1 run P 35 40\n"
			"0 2\n0 3\n0 4\n");
	itp_wait_graph_free(graph);
	graph = itp_wait_graph_new(history, &symptom, 3);
	g_assert_true(graph->is_cut);
	g_assert_cmpuint(graph->vertices->len, ==, 3);
	itp_wait_graph_free(graph);
	itp_history_free(history);
}

static const char *name_or_dash(const struct itp_function *function)
{
	return function ? function->name : "-";
}

/* A line for each step of the chain of one symptom: "FUNCTION < CALLER tid TID INSIDE of SPAN: RUN
 * READY BLOCKED in PLACE, END END_NS REASON". */
static void assert_chain(struct test_run *run, int32_t tid, int64_t begin_ns, int64_t end_ns,
			 const char *wanted)
{
	static const char *const ends[] = { "ran", "followed", "kernel", "time", "unseen" };
	const struct itp_symptom symptom = { .tid = tid, .begin_ns = begin_ns, .end_ns = end_ns };
	g_autoptr(GArray) symptoms = g_array_new(FALSE, FALSE, sizeof(symptom));
	struct itp_history *history = history_of(run);
	const struct itp_recall recall = { .history = history,
					   .tree = run->tree,
					   .functions = run->functions };
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GArray) steps = NULL;

	g_array_append_val(symptoms, symptom);
	steps = itp_chain(&recall, symptoms);
	for (guint i = 0; i < steps->len; i++) {
		const struct itp_chain_step *step = &g_array_index(steps, struct itp_chain_step, i);

		g_string_append_printf(text, "%s < %s tid %d %d of %d: %d %d %d in %s, %s %d %s\n",
				       name_or_dash(step->function), name_or_dash(step->caller),
				       step->tid, (int)step->inside_ns, (int)step->span_ns,
				       (int)step->use.cpu_ns, (int)step->use.runnable_ns,
				       (int)step->use.blocked_ns, name_or_dash(step->blocked_in),
				       ends[step->end], (int)step->end_ns,
				       name_or_dash(step->reason));
	}
	g_assert_cmpstr(text->str, ==, wanted);
	itp_history_free(history);
}

/* Who waits for a lock is told what its holder did: most of it in a function, and that for a disk.
 */
static void test_chain_to_a_disk(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "p!work p!rebuild");
	sample(run, 1, 2, "p!serve p!handle");
	block(run, 10, 2, "p!serve p!handle libc.so.6!lock");
	sample(run, 20, 1, "p!work p!rebuild p!index");
	block(run, 22, 1, "p!work p!rebuild p!log libc.so.6!fsync");
	wake(run, 92, 1, "k:blk_complete_reqs", 0);
	sample(run, 96, 1, "p!work p!rebuild");
	wake(run, 100, 2, "p!work p!rebuild libc.so.6!unlock", 1);
	sample(run, 110, 2, "p!serve p!handle");
	/* Of 90 ns the waker was in rebuild for all, in log for 70. */
	assert_chain(run, 2, 10, 110,
		     "handle < serve tid 2 100 of 100: 10 0 90 in handle, followed 90 -\n"
		     "log < rebuild tid 1 70 of 90: 0 0 70 in log, kernel 70 kernel:disk\n");
}

/* Where no function has most of the time, it is the one with most of it, even of another process;
 * the chain ends with who ran. */
static void test_chain_of_several(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "p!main");
	sample(run, 1, 2, "p!ask");
	block(run, 10, 2, "p!ask");
	sample(run, 30, 1, "p!main p!a");
	sample(run, 55, 1, "p!main p!b");
	sample(run, 75, 1, "p!main p!c");
	wake(run, 75, 2, "p!main p!c", 1);
	sample(run, 80, 2, "p!ask");
	assert_chain(run, 2, 10, 80,
		     "ask < - tid 2 70 of 70: 5 0 65 in ask, followed 65 -\n"
		     "b < main tid 1 25 of 65: 25 0 0 in -, ran 0 -\n");
}

static void test_chain_nobody_knows(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "p!main");
	block(run, 10, 1, "p!main p!ask");
	get_on(run, 50, 1);
	sample(run, 51, 1, "p!main");
	assert_chain(run, 1, 10, 51, "ask < main tid 1 40 of 41: 0 0 40 in ask, unseen 40 -\n");
	assert_chain(run, 9, 10, 51, "");
}

/* A random life: stretches and gaps, waits for anybody. */
static void live(struct itp_history *history, GArray *all, int32_t tid, GRand *random)
{
	struct itp_stretch stretch = { .tid = tid };

	while (stretch.end_ns < SPAN) {
		stretch.begin_ns = stretch.end_ns + (g_rand_int_range(random, 0, 5) == 0 ? 2 : 0);
		stretch.end_ns = stretch.begin_ns + g_rand_int_range(random, 1, 15);
		stretch.kind = g_rand_int_range(random, 0, 4);
		stretch.node = (uint32_t)g_rand_int_range(random, 1, 4);
		stretch.ticks = stretch.kind == ITP_STRETCH_RUN ?
					(guint32)g_rand_int_range(random, 0, 3) :
					0;
		stretch.end = stretch.kind == ITP_STRETCH_WAIT ? g_rand_int_range(random, 0, 3) : 0;
		stretch.waker_tid = stretch.kind == ITP_STRETCH_WAIT &&
						    stretch.end == ITP_WAIT_WOKEN ?
					    g_rand_int_range(random, 0, THREADS + 2) :
					    0;
		itp_history_add(history, &stretch);
		g_array_append_val(all, stretch);
	}
}

/* The stretch of `tid` at the instant between `time_ns` and the next, or NULL. */
static const struct itp_stretch *stretch_at(const GArray *all, int32_t tid, int64_t time_ns)
{
	for (guint i = 0; i < all->len; i++) {
		const struct itp_stretch *stretch = &g_array_index(all, struct itp_stretch, i);

		if (stretch->tid == tid && stretch->begin_ns <= time_ns &&
		    time_ns < stretch->end_ns) {
			return stretch;
		}
	}
	return NULL;
}

static bool is_seen_within(const GArray *all, int32_t tid, int64_t begin_ns, int64_t end_ns)
{
	for (int64_t at = begin_ns; at < end_ns; at++) {
		if (stretch_at(all, tid, at)) {
			return true;
		}
	}
	return false;
}

/* Who holds up `tid` at an instant, of which those in `waiting` wait: the thread and its context.
 */
static struct itp_stretch holder_at(const GArray *all, int32_t tid, int64_t time_ns,
				    int64_t begin_ns, int64_t end_ns, guint waiting)
{
	const struct itp_stretch *found = stretch_at(all, tid, time_ns);
	struct itp_stretch stretch =
		found ? *found : (struct itp_stretch){ .kind = ITP_STRETCH_UNKNOWN, .tid = tid };

	waiting |= 1u << tid;
	if (!found || stretch.waker_tid == 0 || (waiting & 1u << stretch.waker_tid) != 0) {
		return stretch;
	}
	begin_ns = MAX(begin_ns, stretch.begin_ns);
	end_ns = MIN(end_ns, stretch.end_ns);
	return is_seen_within(all, stretch.waker_tid, begin_ns, end_ns) ?
		       holder_at(all, stretch.waker_tid, time_ns, begin_ns, end_ns, waiting) :
		       stretch;
}

static void assert_equal_at_each_instant(const GArray *links, const GArray *all,
					 const struct itp_symptom *symptom)
{
	int64_t until_ns = symptom->begin_ns;
	int64_t cost_ns = 0;

	for (guint i = 0; i < links->len; i++) {
		const struct itp_link *link = &g_array_index(links, struct itp_link, i);

		if (link->is_followed) {
			continue;
		}
		cost_ns += link->cost_ns;
		g_assert_cmpint(link->stretch.begin_ns, ==, until_ns);
		for (; until_ns < link->stretch.end_ns; until_ns++) {
			const struct itp_stretch holder = holder_at(
				all, symptom->tid, until_ns, symptom->begin_ns, symptom->end_ns, 0);

			g_assert_cmpint(link->stretch.tid, ==, holder.tid);
			g_assert_cmpint(link->stretch.kind, ==, holder.kind);
			g_assert_cmpuint(link->stretch.node, ==, holder.node);
		}
	}
	g_assert_cmpint(until_ns, ==, symptom->end_ns);
	g_assert_cmpint(cost_ns, ==, symptom->end_ns - symptom->begin_ns);
}

static void test_critical_paths_fill_their_span(void)
{
	for (guint32 seed = 0; seed < SCHEDULES; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct itp_stretch));
		struct itp_history *history = itp_history_new();
		struct itp_symptom symptom = { .tid = g_rand_int_range(random, 1, THREADS + 1) };
		g_autoptr(GArray) links = NULL;

		for (int32_t tid = 1; tid <= THREADS; tid++) {
			live(history, all, tid, random);
		}
		symptom.begin_ns = g_rand_int_range(random, -3, SPAN);
		symptom.end_ns = symptom.begin_ns + g_rand_int_range(random, 0, SPAN);
		links = itp_critical_path(history, &symptom);
		assert_equal_at_each_instant(links, all, &symptom);
		itp_history_free(history);
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
			return;
		}
	}
}

static void call(struct test_run *run, int64_t begin_ns, int64_t end_ns, const char *stack)
{
	test_push(run, ITP_EVENT_SYSCALL_ENTER, begin_ns, 1, stack);
	test_push(run, ITP_EVENT_SYSCALL_EXIT, end_ns, 1, "");
}

static void tick(struct test_run *run, int64_t time_ns, const char *stack)
{
	test_push_argument(run, ITP_EVENT_SAMPLE, time_ns, 1, stack, 1);
}

/* Where a thread was seen to make system calls says little about where it computed: ticks do. */
static void test_ticks_divide_what_ran(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "p!main");
	call(run, 10, 11, "p!main p!clock");
	call(run, 90, 91, "p!main p!clock");
	tick(run, 95, "p!main p!work");
	tick(run, 101, "p!main p!work");
	/* The calls took 2 of the 100 ns. Of the others, clock was seen for 79, main for 9 and work
	 * for 10, which has both ticks here, and these are all that there are anywhere. As much as
	 * half of one of all counts what was seen, and as much as two of these count all. Work has
	 * (2 + 2 × (2 + 0.5 × 10 / 98) / 2.5) / 4 = 0.910 of 98 ns. */
	assert_chain(run, 1, 1, 101, "work < main tid 1 89 of 100: 89 0 0 in -, ran 0 -\n");
}

/* One tick in a short time may hit anything: others elsewhere say what is likely. */
static void test_few_ticks_decide_little(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	for (int64_t time_ns = 10; time_ns <= 60; time_ns += 10) {
		tick(run, time_ns, "p!main p!work");
	}
	tick(run, 80, "p!main p!look");
	sample(run, 100, 1, "p!main p!work");
	/* Of 6 ticks anywhere 5 are work's: (0 + 2 × (5 + 0.25) / 6.5) / 3 = 0.538 of 40 ns. */
	assert_chain(run, 1, 60, 100, "work < main tid 1 22 of 40: 22 0 0 in -, ran 0 -\n");
	/* Where there are many, they decide: (5 + 2 × (5 + 0.5 × 50 / 70) / 6.5) / 8 = 0.831. */
	assert_chain(run, 1, 10, 80, "work < main tid 1 58 of 70: 58 0 0 in -, ran 0 -\n");
}

/* A thread is mostly at the end of a system call when another one takes its CPU. */
static void test_kept_where_it_ran(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	tick(run, 10, "p!main p!work");
	tick(run, 20, "p!main p!work");
	call(run, 25, 27, "p!main p!clock");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 28, 1, "p!main p!clock", 0);
	get_on(run, 88, 1);
	tick(run, 98, "p!main p!work");
	/* Outside of the call, 26 ns ran, 10 + 10 of them in work, which has all ticks: 13 + 13 of
	 * them after rounding, 2 the call. Of the 60 ns behind, these have 28, 28 and 4. */
	assert_chain(run, 1, 10, 98, "work < main tid 1 82 of 88: 26 56 0 in -, ran 0 -\n");
}

/* It had not run before, but waited: that is what the time belongs to. */
static void test_not_kept_but_woken(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	tick(run, 10, "p!main p!work");
	block(run, 20, 1, "p!main p!ask");
	test_push_argument(run, ITP_EVENT_WAKEUP, 30, 1, "k:blk_complete_reqs", 0);
	get_on(run, 90, 1);
	tick(run, 100, "p!main p!work");
	assert_chain(run, 1, 10, 100, "ask < main tid 1 70 of 90: 0 60 10 in ask, ran 0 -\n");
}

static const struct test_on_run tests[] = {
	{ "a lock convoy", test_lock_convoy },
	{ "producer and consumer", test_producer_and_consumer },
	{ "a pipe chain", test_pipe_chain },
	{ "nested locks", test_nested_locks },
	{ "no thread did it", test_no_thread_did_it },
	{ "lost events", test_lost_events },
	{ "by the figure", test_by_the_figure },
	{ "a chain to a disk", test_chain_to_a_disk },
	{ "a chain of several", test_chain_of_several },
	{ "ticks divide what ran", test_ticks_divide_what_ran },
	{ "few ticks decide little", test_few_ticks_decide_little },
	{ "kept from a CPU where it ran", test_kept_where_it_ran },
	{ "not kept from a CPU but woken", test_not_kept_but_woken },
	{ "a chain that nobody knows", test_chain_nobody_knows },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("wait-graph", ITP_CONTINUITY_CALL_SITE, tests, G_N_ELEMENTS(tests));
	g_test_add_func("/wait-graph/critical paths fill their span",
			test_critical_paths_fill_their_span);
	return g_test_run();
}
