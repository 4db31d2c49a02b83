/* SPDX-License-Identifier: MIT */
/*
 * What holds up others, over whole lives, by hand. test-redistribution-random.c compares it with a
 * simulation.
 */
#include <string.h>

#include "common/wait/face.h"
#include "common/wait/knots.h"
#include "common/wait/redistribution.h"
#include "tests/unit/redistribution.h"

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

/* A thread is there from the beginning on. */
static void start(struct test_run *run, int32_t tid, const char *stack)
{
	sample(run, 0, tid, stack);
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

/* Each function that can name what is done is a place. */
static uint32_t *places_of(const struct itp_recall *recall)
{
	uint32_t count = itp_context_tree_size(recall->tree);
	uint32_t *places = g_new0(uint32_t, count);

	for (uint32_t node = 1; node < count; node++) {
		uint32_t face = itp_face_of(recall->tree, recall->functions, node);

		places[node] = itp_context_tree_get(recall->tree, face)->function;
	}
	return places;
}

/* By the names of functions: "idle…" waits for work, "join…" for an end. */
static uint8_t *purposes_of(const struct itp_recall *recall, const uint32_t *places)
{
	uint32_t count = itp_context_tree_size(recall->tree);
	uint8_t *purposes = g_new0(uint8_t, count);

	for (uint32_t node = 1; node < count; node++) {
		const char *name = redistribution_name(recall, places[node]);

		purposes[node] = g_str_has_prefix(name, "idle") ? ITP_WAIT_FOR_WORK :
				 g_str_has_prefix(name, "join") ? ITP_WAIT_FOR_AN_END :
								  ITP_WAIT_FOR_ANYTHING;
	}
	return purposes;
}

/* "PLACE waits NS, holds up COUNT for NS" for each place. */
static char *places_text(const struct itp_recall *recall, const struct itp_redistribution *result)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < result->places->len; i++) {
		const struct itp_held_place *place =
			&g_array_index(result->places, struct itp_held_place, i);

		g_string_append_printf(text, "%s waits %d, holds up %u for %d\n",
				       redistribution_name(recall, place->place),
				       (int)place->wait_ns, place->held_threads,
				       (int)place->held_ns);
	}
	return g_string_free(text, FALSE);
}

/* "PLACE (VERTEX) HOW REASON: NS in PLACE" for each part. */
static char *parts_text(const struct itp_recall *recall, const struct itp_redistribution *result)
{
	static const char *const hows[] = { "ran",   "ready",  "waited", "kernel",
					    "slept", "unseen", "unknown" };
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < result->parts->len; i++) {
		const struct itp_held_part *part =
			&g_array_index(result->parts, struct itp_held_part, i);

		g_string_append_printf(
			text, "%s (%s) %s %s: %d in %s\n", redistribution_name(recall, part->place),
			redistribution_vertex_name(recall, result, part->vertex), hows[part->how],
			redistribution_name(recall, part->reason), (int)part->held_ns,
			redistribution_name(recall, part->waiting_in));
	}
	return g_string_free(text, FALSE);
}

/* "FROM > TO NS" for each edge, and "knot NS: VERTEX VERTEX …" for each knot. */
static char *graph_text(const struct itp_recall *recall, const struct itp_redistribution *result)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < result->edges->len; i++) {
		const struct itp_wait_for *edge =
			&g_array_index(result->edges, struct itp_wait_for, i);

		g_string_append_printf(text, "%s > %s %d\n",
				       redistribution_vertex_name(recall, result, edge->from),
				       redistribution_vertex_name(recall, result, edge->to),
				       (int)edge->wait_ns);
	}
	for (guint i = 0; i < result->knots->len; i++) {
		g_string_append_printf(
			text, "knot %d:",
			(int)g_array_index(result->knots, struct itp_wait_knot, i).held_ns);
		for (uint32_t v = 0; v < result->vertices->len; v++) {
			if (g_array_index(result->vertices, struct itp_wait_vertex, v).knot ==
			    i + 1) {
				g_string_append_printf(
					text, " %s", redistribution_vertex_name(recall, result, v));
			}
		}
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

/* What is wanted of places, parts and graph; NULL: not looked at. */
static void assert_result(struct test_run *run, struct itp_history *history, const char *places,
			  const char *parts, const char *graph)
{
	const struct itp_recall recall = { .history = history,
					   .tree = run->tree,
					   .functions = run->functions };
	g_autofree uint32_t *place_numbers = places_of(&recall);
	g_autofree uint8_t *purposes = purposes_of(&recall, place_numbers);
	const struct itp_redistribution_input input = { .recall = &recall,
							.places = place_numbers,
							.purposes = purposes };
	struct itp_redistribution *result = itp_redistribution_new(&input);
	g_autofree char *got_places = places_text(&recall, result);
	g_autofree char *got_parts = parts_text(&recall, result);
	g_autofree char *got_graph = graph_text(&recall, result);

	g_assert_cmpstr(got_places, ==, places);
	g_assert_cmpstr(got_parts, ==, parts ? parts : got_parts);
	g_assert_cmpstr(got_graph, ==, graph ? graph : got_graph);
	itp_redistribution_free(result);
	itp_history_free(history);
}

/* Three threads take a lock one after the other; the last waits for both others. The first holds it
 * until 30 and holds up the second for 20 ns and the third for 18; the second until 50, and the
 * third for 20. While the second waits itself it is on the third one's chain for 18. */
static void test_lock_convoy(struct test_run *run, gconstpointer data)
{
	(void)data;
	get_on(run, 0, 1);
	sample(run, 1, 1, "p!w p!held");
	sample(run, 1, 2, "p!w");
	sample(run, 1, 3, "p!w");
	block(run, 10, 2, "p!w p!take libc.so.6!lock");
	block(run, 12, 3, "p!w p!take libc.so.6!lock");
	sample(run, 29, 1, "p!w p!held");
	wake(run, 30, 2, "p!w p!held", 1);
	sample(run, 49, 2, "p!w p!held");
	wake(run, 50, 3, "p!w p!held", 2);
	sample(run, 60, 3, "p!w");
	assert_result(run, history_of(run),
		      "held waits 0, holds up 2 for 58\n"
		      "take waits 58, holds up 1 for 18\n",
		      "held (w) ran -: 58 in take\n"
		      "take (w) waited -: 18 in take\n",
		      /* 20 + 38, and of the latter 18 once more for the second's wait. */
		      "w > w 76\n"
		      "knot 76: w\n");
}

/* A lock that one logger after the other holds while it waits for the disk. The first holds up the
 * second from 15 to 45, and the third from 20 to 45; the second the third until 80. All of that is
 * in log_line, and the second's wait for the lock is no second cause of the third one's. */
static void test_logging_lock(struct test_run *run, gconstpointer data)
{
	(void)data;
	start(run, 1, "p!w p!log_line");
	start(run, 2, "p!w");
	start(run, 3, "p!w");
	block(run, 10, 1, "p!w p!log_line libc.so.6!fsync");
	block(run, 15, 2, "p!w p!log_line libc.so.6!lock");
	block(run, 20, 3, "p!w p!log_line libc.so.6!lock");
	wake(run, 40, 1, "k:blk_complete_reqs", 0);
	sample(run, 42, 1, "p!w p!log_line");
	wake(run, 45, 2, "p!w p!log_line", 1);
	sample(run, 45, 2, "p!w p!log_line");
	block(run, 46, 2, "p!w p!log_line libc.so.6!fsync");
	wake(run, 76, 2, "k:blk_complete_reqs", 0);
	sample(run, 78, 2, "p!w p!log_line");
	wake(run, 80, 3, "p!w p!log_line", 2);
	sample(run, 90, 3, "p!w");
	assert_result(run, history_of(run), "log_line waits 150, holds up 2 for 90\n",
		      /* 25 + 20 + 30, and 5 + 5 + 1 + 4. */
		      "log_line (w) kernel kernel:disk: 75 in log_line\n"
		      "log_line (w) ran -: 15 in log_line\n",
		      /* 30 + 60 + 25; 60 waits of its own and 75 of others; and the disk had
		       * nothing to do from 0 to 10, and from 40 to 46. */
		      "w > kernel:disk 135\n"
		      "w > w 115\n"
		      "kernel:disk > w 16\n"
		      "knot 190: w kernel:disk\n");
}

/* Three writers wait for what a single thread makes durable. */
static void test_single_flusher(struct test_run *run, gconstpointer data)
{
	(void)data;
	start(run, 9, "p!flusher p!flush");
	start(run, 1, "p!writer");
	start(run, 2, "p!writer");
	start(run, 3, "p!writer");
	block(run, 10, 9, "p!flusher p!flush libc.so.6!fsync");
	block(run, 12, 1, "p!writer p!commit libc.so.6!wait");
	block(run, 14, 2, "p!writer p!commit libc.so.6!wait");
	block(run, 16, 3, "p!writer p!commit libc.so.6!wait");
	wake(run, 50, 9, "k:blk_complete_reqs", 0);
	sample(run, 50, 9, "p!flusher p!flush");
	wake(run, 51, 1, "p!flusher p!flush", 9);
	wake(run, 52, 2, "p!flusher p!flush", 9);
	wake(run, 53, 3, "p!flusher p!flush", 9);
	sample(run, 60, 9, "p!flusher p!flush");
	sample(run, 60, 1, "p!writer");
	assert_result(run, history_of(run),
		      /* 39 + 38 + 37. */
		      "flush waits 40, holds up 3 for 114\n"
		      "commit waits 114, holds up 0 for 0\n",
		      "flush (flusher) kernel kernel:disk: 108 in commit\n"
		      "flush (flusher) ran -: 6 in commit\n",
		      "flusher > kernel:disk 148\n"
		      "writer > flusher 114\n"
		      "kernel:disk > flusher 10\n"
		      "knot 222: flusher kernel:disk\n");
}

/* A client asks a relay, which asks two backends in turn: the first from 12 to 40, the second from
 * 42 to 70. The relay is on the client's chain all the time, and works for 4 of it. */
static void test_relay(struct test_run *run, gconstpointer data)
{
	(void)data;
	for (int32_t tid = 1; tid <= 4; tid++) {
		get_on(run, 0, tid);
	}
	sample(run, 1, 1, "p!client");
	sample(run, 1, 2, "p!relay");
	sample(run, 1, 3, "p!thinker p!think");
	sample(run, 1, 4, "p!burner p!burn");
	block(run, 10, 1, "p!client p!ask libc.so.6!read");
	block(run, 12, 2, "p!relay p!pass libc.so.6!read");
	sample(run, 39, 3, "p!thinker p!think");
	wake(run, 40, 2, "p!thinker p!think", 3);
	sample(run, 41, 2, "p!relay p!pass");
	block(run, 42, 2, "p!relay p!pass libc.so.6!read");
	sample(run, 69, 4, "p!burner p!burn");
	wake(run, 70, 2, "p!burner p!burn", 4);
	sample(run, 70, 2, "p!relay p!pass");
	wake(run, 70, 1, "p!relay p!pass", 2);
	sample(run, 80, 1, "p!client");
	assert_result(run, history_of(run),
		      /* 28 for the client and 28 for the relay, each. */
		      "think waits 0, holds up 2 for 56\n"
		      "burn waits 0, holds up 2 for 56\n"
		      "pass waits 56, holds up 1 for 58\n"
		      "relay waits 0, holds up 1 for 2\n"
		      "ask waits 60, holds up 0 for 0\n",
		      "relay (relay) ran -: 2 in ask\n"
		      "think (thinker) ran -: 28 in ask\n"
		      "think (thinker) ran -: 28 in pass\n"
		      "burn (burner) ran -: 28 in ask\n"
		      "burn (burner) ran -: 28 in pass\n"
		      "pass (relay) waited -: 56 in ask\n"
		      "pass (relay) ran -: 2 in ask\n",
		      NULL);
}

/* A queue of one item: each thread waits for the other in turn. */
static void test_short_queue(struct test_run *run, gconstpointer data)
{
	(void)data;
	start(run, 1, "p!producer p!make");
	start(run, 2, "p!consumer");
	block(run, 5, 2, "p!consumer p!take libc.so.6!wait");
	sample(run, 29, 1, "p!producer p!make");
	wake(run, 30, 2, "p!producer p!make", 1);
	sample(run, 30, 2, "p!consumer p!use");
	block(run, 32, 1, "p!producer p!put libc.so.6!wait");
	sample(run, 69, 2, "p!consumer p!use");
	wake(run, 70, 1, "p!consumer p!use", 2);
	sample(run, 70, 1, "p!producer p!make");
	sample(run, 80, 2, "p!consumer p!use");
	sample(run, 80, 1, "p!producer p!make");
	assert_result(run, history_of(run),
		      "use waits 0, holds up 1 for 38\n"
		      "make waits 0, holds up 1 for 25\n"
		      "put waits 38, holds up 0 for 0\n"
		      "take waits 25, holds up 0 for 0\n",
		      NULL,
		      "producer > consumer 38\n"
		      "consumer > producer 25\n"
		      "knot 63: producer consumer\n");
}

/* What waits longest holds up nobody, and comes last, also among the knots. */
static void test_wait_that_holds_up_nobody(struct test_run *run, gconstpointer data)
{
	(void)data;
	start(run, 7, "p!compactor p!compact");
	start(run, 1, "p!w p!held");
	start(run, 2, "p!w");
	block(run, 2, 7, "p!compactor p!compact libc.so.6!fsync");
	block(run, 10, 2, "p!w p!take libc.so.6!lock");
	sample(run, 14, 1, "p!w p!held");
	wake(run, 15, 2, "p!w p!held", 1);
	block(run, 20, 2, "p!w p!nap libc.so.6!nanosleep");
	wake(run, 40, 2, "k:hrtimer_wakeup", 0);
	sample(run, 100, 1, "p!w");
	sample(run, 100, 2, "p!w");
	wake(run, 100, 7, "k:blk_complete_reqs", 0);
	sample(run, 101, 7, "p!compactor");
	assert_result(run, history_of(run),
		      "held waits 0, holds up 1 for 5\n"
		      "compact waits 98, holds up 0 for 0\n"
		      "nap waits 20, holds up 0 for 0\n"
		      "take waits 5, holds up 0 for 0\n",
		      NULL,
		      "compactor > kernel:disk 98\n"
		      "w > time 20\n"
		      "w > w 5\n"
		      "kernel:disk > compactor 2\n"
		      "knot 5: w\n");
}

/* Who waits for work is not held up by those that have none, or by nobody; who waits for an end
 * never is. */
static void test_waits_for_work(struct test_run *run, gconstpointer data)
{
	(void)data;
	start(run, 1, "p!main");
	start(run, 2, "p!dispatcher p!dispatch");
	start(run, 3, "p!worker");
	block(run, 1, 1, "p!main p!join");
	block(run, 2, 3, "p!worker p!idle_worker");
	sample(run, 9, 2, "p!dispatcher p!dispatch");
	block(run, 10, 2, "p!dispatcher p!idle_loop");
	wake(run, 60, 2, "k:net_rx_action", 0);
	sample(run, 60, 2, "p!dispatcher p!dispatch");
	wake(run, 64, 3, "p!dispatcher p!dispatch", 2);
	sample(run, 64, 3, "p!worker p!work");
	sample(run, 70, 2, "p!dispatcher p!dispatch");
	sample(run, 90, 3, "p!worker p!work");
	wake(run, 90, 1, "p!worker p!work", 3);
	sample(run, 91, 1, "p!main");
	assert_result(run, history_of(run),
		      /* From 2 to 9, from 60 to 64; and from 9 to 10. */
		      "dispatch waits 0, holds up 1 for 11\n"
		      "dispatcher waits 0, holds up 1 for 1\n"
		      "join waits 89, holds up 0 for 0\n"
		      "idle_worker waits 62, holds up 0 for 0\n"
		      "idle_loop waits 50, holds up 0 for 0\n",
		      NULL, NULL);
}

/* Of a thread that was never seen nothing is known but its process; nobody knows who ended the
 * other wait. */
static void test_thread_never_seen(struct test_run *run, gconstpointer data)
{
	(void)data;
	start(run, 1, "p!w");
	block(run, 10, 1, "p!w p!ask");
	wake(run, 40, 1, "V", 77);
	sample(run, 40, 1, "p!w");
	block(run, 50, 1, "p!w p!ask");
	get_on(run, 60, 1);
	sample(run, 61, 1, "p!w");
	assert_result(run, history_of(run), "ask waits 40, holds up 0 for 0\n", "",
		      "w > - 30\n"
		      "knot 0: -\n");
}

static void add(struct itp_history *history, enum itp_stretch_kind kind, int32_t tid, uint32_t node,
		int64_t begin_ns, int64_t end_ns, int32_t waker)
{
	const struct itp_stretch stretch = { .kind = kind,
					     .pid = 1,
					     .tid = tid,
					     .node = node,
					     .begin_ns = begin_ns,
					     .end_ns = end_ns,
					     .end = waker != 0 ? ITP_WAIT_WOKEN : ITP_WAIT_UNSEEN,
					     .waker_tid = waker };

	itp_history_add(history, &stretch);
}

/* From 15 to 30 each of two threads waits for the other: each chain ends with the other one. */
static void test_cycle(struct test_run *run, gconstpointer data)
{
	struct itp_history *history = itp_history_new();
	uint32_t process = redistribution_node(run, ITP_CONTEXT_ROOT, "process");
	uint32_t a = redistribution_node(run, process, "a");
	uint32_t b = redistribution_node(run, process, "b");

	(void)data;
	add(history, ITP_STRETCH_WAIT, 1, a, 10, 30, 2);
	add(history, ITP_STRETCH_RUN, 1, a, 30, 50, 0);
	add(history, ITP_STRETCH_RUN, 2, b, 5, 15, 0);
	add(history, ITP_STRETCH_WAIT, 2, b, 15, 40, 1);
	add(history, ITP_STRETCH_RUN, 2, b, 40, 50, 0);
	assert_result(run, history,
		      "a waits 20, holds up 1 for 25\n"
		      "b waits 25, holds up 1 for 20\n",
		      "a (a) waited -: 15 in b\n"
		      "a (a) ran -: 10 in b\n"
		      "b (b) waited -: 15 in a\n"
		      "b (b) ran -: 5 in a\n",
		      "b > a 25\n"
		      "a > b 20\n"
		      "knot 45: a b\n");
}

/* Of 100 ns a thread was seen for 90 in one function, in which no tick found it, and for 10 in
 * another, which had 12 of them. With 4 more where the stacks say, these are 3.6 and 12.4 of 16. */
static void test_ticks(struct test_run *run, gconstpointer data)
{
	struct itp_history *history = itp_history_new();
	uint32_t process = redistribution_node(run, ITP_CONTEXT_ROOT, "process");
	const struct itp_stretch computes = { .kind = ITP_STRETCH_RUN,
					      .pid = 1,
					      .tid = 2,
					      .node = redistribution_node(run, process, "compute"),
					      .begin_ns = 100,
					      .end_ns = 110,
					      .ticks = 12 };

	(void)data;
	add(history, ITP_STRETCH_WAIT, 1, redistribution_node(run, process, "take"), 10, 110, 2);
	add(history, ITP_STRETCH_RUN, 2, redistribution_node(run, process, "clock"), 10, 100, 0);
	itp_history_add(history, &computes);
	assert_result(run, history,
		      "compute waits 0, holds up 1 for 78\n"
		      "clock waits 0, holds up 1 for 22\n"
		      "take waits 100, holds up 0 for 0\n",
		      NULL, NULL);
}

static const struct test_on_run tests[] = {
	{ "a lock convoy", test_lock_convoy },
	{ "a logging lock held across a wait for the disk", test_logging_lock },
	{ "a single flusher that three writers wait for", test_single_flusher },
	{ "a relay comes behind what it waits for", test_relay },
	{ "a queue of one item", test_short_queue },
	{ "a long wait that holds up nobody comes last", test_wait_that_holds_up_nobody },
	{ "waits for work", test_waits_for_work },
	{ "a thread that was never seen", test_thread_never_seen },
	{ "two threads that wait for each other", test_cycle },
	{ "ticks divide what ran", test_ticks },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("redistribution", ITP_CONTINUITY_CALL_SITE, tests, G_N_ELEMENTS(tests));
	return g_test_run();
}
