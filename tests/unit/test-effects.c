/* SPDX-License-Identifier: MIT */
/* Waits that another entry explains, and those that none does. */
#include <string.h>

#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true };

/* The client waits, and the service works: in the base a tenth of it. */
static void ask(struct comparison *comparison, int64_t waited_ms, int64_t worked_ms)
{
	const char *wait = "client: main ask libc.so.6!read syscall:read";

	comparison_block(comparison, comparison->suspect[0], wait, 9, waited_ms * MS);
	comparison_block(comparison, comparison->base[0], wait, 9, waited_ms * MS / 10);
	comparison_set(comparison, comparison->suspect[0], "service: serve answer load", 9,
		       worked_ms * MS);
	comparison_set(comparison, comparison->base[0], "service: serve answer load", 9,
		       worked_ms * MS / 10);
}

static uint32_t function_of(struct comparison *comparison, const char *stack)
{
	return itp_context_tree_get(comparison->tree, comparison_node_id(comparison, stack))
		->function;
}

static uint32_t process_of(struct comparison *comparison, const char *name)
{
	return itp_function_table_intern_stand_in(comparison->functions, name, ITP_LAYER_PROCESS);
}

static void add_meanwhile(struct comparison *comparison, enum itp_waker_role role,
			  const char *process, const char *stack, int64_t ran_ms)
{
	const char *wait = "client: main ask libc.so.6!read syscall:read";
	const struct itp_waker ran = {
		.node = comparison_node_id(comparison, wait),
		.role = role,
		.process = process_of(comparison, process),
		.function = function_of(comparison, stack),
		.count = 9,
		.blocked_ns = ran_ms * MS,
	};

	itp_wakers_add(comparison->suspect[0]->wakers, &ran);
}

/* While the client waited, `stack` ran. */
static void run_meanwhile(struct comparison *comparison, const char *process, const char *stack,
			  int64_t ran_ms)
{
	add_meanwhile(comparison, ITP_WAKER_RAN, process, stack, ran_ms);
}

static void assert_order(struct comparison *comparison, const char *first, const char *second,
			 uint32_t waits_for)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);

	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, first);
	g_assert_cmpuint(comparison_path(ranking, 0)->rank, ==, 1);
	g_assert_cmpuint(comparison_path(ranking, 0)->waits_for, ==, 0);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, second);
	g_assert_cmpuint(comparison_path(ranking, 1)->rank, ==, 2);
	g_assert_cmpuint(comparison_path(ranking, 1)->waits_for, ==, waits_for);
	itp_ranking_free(ranking);
}

/* By its caller, too: the stacks of the wait need not have shown the innermost function. */
static void test_a_client_waits_for_its_service(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 800);
	run_meanwhile(comparison, "service", "service: serve answer load", 500);
	run_meanwhile(comparison, "service", "service: serve answer", 350);
	assert_order(comparison, "load", "ask", 1);
}

static void test_nobody_knows_for_what(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 800);
	assert_order(comparison, "ask", "load", 0);
}

/* Most of what ran was something else. */
static void test_another_path_explains_nothing(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 800);
	run_meanwhile(comparison, "service", "service: serve answer load", 300);
	run_meanwhile(comparison, "service", "service: serve log", 500);
	run_meanwhile(comparison, "other", "other: serve answer load", 100);
	assert_order(comparison, "ask", "load", 0);
}

/* One part of the service is half of what ran, another a third of it: the first is named. */
static void test_several_explain_a_wait_together(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 400);
	comparison_set(comparison, comparison->suspect[0], "service: serve log", 9, 300 * MS);
	run_meanwhile(comparison, "service", "service: serve answer load", 400);
	run_meanwhile(comparison, "service", "service: serve log", 300);
	run_meanwhile(comparison, "other", "other: main", 200);
	assert_order(comparison, "load", "log", 0);
}

/* What became a little slower does not explain a long wait: the holder of a lock. */
static void test_a_small_difference_explains_nothing(struct comparison *comparison,
						     gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 400);
	comparison_set(comparison, comparison->base[0], "service: serve answer load", 0, 310 * MS);
	run_meanwhile(comparison, "service", "service: serve answer load", 900);
	assert_order(comparison, "ask", "load", 0);
}

/* The holder of a lock does a third more, but it does all of it while others wait, as it did not
 * before. */
static void test_who_keeps_others_waiting_is_the_cause(struct comparison *comparison,
						       gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 400);
	comparison_set(comparison, comparison->base[0], "service: serve answer load", 0, 260 * MS);
	run_meanwhile(comparison, "service", "service: serve answer sort", 850);
	add_meanwhile(comparison, ITP_WAKER_KEPT, "service", "service: serve answer", 850);
	assert_order(comparison, "load", "ask", 1);
}

/* So it is said only where it has become slower at all, and kept them most of the time. */
static void test_others_that_keep_are_none(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 400);
	comparison_set(comparison, comparison->base[0], "service: serve answer load", 0, 370 * MS);
	add_meanwhile(comparison, ITP_WAKER_KEPT, "service", "service: serve answer", 850);
	assert_order(comparison, "ask", "load", 0);

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	ask(comparison, 900, 400);
	add_meanwhile(comparison, ITP_WAKER_KEPT, "service", "service: serve answer", 700);
	add_meanwhile(comparison, ITP_WAKER_KEPT, "other", "other: main", 200);
	assert_order(comparison, "ask", "load", 0);
}

/* Who sleeps for most of it was held up by what waits for it, once: a cause is not its effect's
 * effect. */
static void test_what_kept_for_a_moment_explains_nothing(struct comparison *comparison,
							 gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 400);
	add_meanwhile(comparison, ITP_WAKER_KEPT, "service", "service: serve answer", 8);
	assert_order(comparison, "ask", "load", 0);

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	ask(comparison, 900, 850);
	run_meanwhile(comparison, "service", "service: serve answer load", 8);
	assert_order(comparison, "ask", "load", 0);
}

/* Three threads wait for one, which takes a third of what they do together. */
static void test_several_wait_for_one(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	comparison->suspect[0]->workload.counts.threads = 4;
	ask(comparison, 900, 300);
	run_meanwhile(comparison, "service", "service: serve answer load", 900);
	assert_order(comparison, "load", "ask", 1);
}

/* However many threads there are, they cannot all wait for a millisecond for so long: stacks have
 * shown a caller of what ran. */
static void test_no_more_can_wait_than_there_are(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	comparison->suspect[0]->workload.counts.threads = 4;
	ask(comparison, 900, 100);
	run_meanwhile(comparison, "service", "service: serve answer load", 900);
	assert_order(comparison, "ask", "load", 0);
}

/* The service waits 22 instead of 10 times for 40 ms, which is 480 / (40 √32) = 2.1 standard errors
 * and may be chance among as many others; or not, as the client waits for that. */
static bool is_doubtful(struct comparison *comparison, bool is_waited_for)
{
	static const char *const others[] = { "parse", "check", "print", "clear", "sort" };
	const char *load = "service: serve answer libc.so.6!read syscall:read";
	struct itp_ranking *ranking;
	guint place = is_waited_for ? 0 : 1;
	bool is_noise;

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	ask(comparison, 900, 1);
	comparison_block(comparison, comparison->suspect[0], load, 22, 880 * MS);
	comparison_block(comparison, comparison->base[0], load, 10, 400 * MS);
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		comparison_set(comparison, comparison->suspect[0], others[i], 1, 100 * MS);
		comparison_set(comparison, comparison->base[0], others[i], 1, 100 * MS);
	}
	if (is_waited_for) {
		run_meanwhile(comparison, "service", "service: serve answer", 800);
	}
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, place), ==, "answer");
	g_assert_cmpstr(comparison_culprit(ranking, 1 - place), ==, "ask");
	g_assert_false(
		itp_significance_is_chance(&comparison_path(ranking, 1 - place)->significance));
	is_noise = itp_significance_is_chance(&comparison_path(ranking, place)->significance);
	itp_ranking_free(ranking);
	return is_noise;
}

static void test_what_explains_a_wait_is_no_chance(struct comparison *comparison,
						   gconstpointer data)
{
	(void)data;
	g_assert_true(is_doubtful(comparison, false));
	g_assert_false(is_doubtful(comparison, true));
}

/* As above, of the client as of the service: nobody is told that this is no chance. */
static void test_chance_explains_chance(struct comparison *comparison, gconstpointer data)
{
	const char *wait = "client: main ask libc.so.6!read syscall:read";
	const char *load = "service: serve answer libc.so.6!read syscall:read";
	struct itp_ranking *ranking;
	guint last;

	(void)data;
	comparison_block(comparison, comparison->suspect[0], wait, 22, 880 * MS);
	comparison_block(comparison, comparison->base[0], wait, 10, 400 * MS);
	comparison_block(comparison, comparison->suspect[0], load, 22, 880 * MS);
	comparison_block(comparison, comparison->base[0], load, 10, 400 * MS);
	for (size_t i = 0; i < 5; i++) {
		static const char *const others[] = { "parse", "check", "print", "clear", "sort" };

		comparison_set(comparison, comparison->suspect[0], others[i], 1, 100 * MS);
		comparison_set(comparison, comparison->base[0], others[i], 1, 100 * MS);
	}
	run_meanwhile(comparison, "service", "service: serve answer", 800);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "answer");
	last = ranking->paths->len - 1;
	g_assert_cmpstr(comparison_culprit(ranking, last), ==, "ask");
	g_assert_cmpuint(comparison_path(ranking, last)->waits_for, ==, 1);
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, 0)->significance));
	g_assert_true(itp_significance_is_chance(&comparison_path(ranking, last)->significance));
	itp_ranking_free(ranking);
}

/* All of the client's time was the service's: it is kept as long as its cause is. */
static void test_who_waits_is_kept_with_its_cause(struct comparison *comparison, gconstpointer data)
{
	const char *wait = "client: main ask libc.so.6!read syscall:read";
	struct itp_ranking_options first_alone = options;
	struct itp_ranking *ranking;

	(void)data;
	first_alone.top = 1;
	ask(comparison, 900, 900);
	run_meanwhile(comparison, "service", "service: serve answer load", 800);
	itp_profile_node(comparison->suspect[0], comparison_node_id(comparison, wait))
		->demand.passed_ns = 900 * MS;
	comparison_set(comparison, comparison->suspect[0], "client: main print", 9, 300 * MS);
	comparison_set(comparison, comparison->base[0], "client: main print", 9, 10 * MS);
	ranking = comparison_rank(comparison, &first_alone, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "load");
	g_assert_cmpuint(ranking->paths->len, ==, 2);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "ask");
	g_assert_cmpuint(comparison_path(ranking, 1)->waits_for, ==, 1);
	g_assert_cmpuint(comparison_path(ranking, 1)->rank, ==, 3);
	itp_ranking_free(ranking);
}

/* By how much ask() is ranked, in milliseconds, which waits 900 ms longer for who worked meanwhile,
 * in 450 ms, and so in two threads at once, where those did `grown_ms` more. */
static int64_t ranked_beside_work(struct comparison *comparison, int64_t grown_ms)
{
	const char *wait = "client: main ask libc.so.6!read syscall:read";
	struct itp_ranking *ranking;
	int64_t ranked_ms;
	guint i = 0;

	comparison->suspect[0]->workload.counts.end_ns = 450 * MS;
	comparison_block(comparison, comparison->suspect[0], wait, 9, 1000 * MS);
	comparison_block(comparison, comparison->base[0], wait, 9, 100 * MS);
	itp_profile_node(comparison->suspect[0], comparison_node_id(comparison, wait))
		->demand.passed_ns = 900 * MS;
	comparison_set(comparison, comparison->suspect[0], "service: serve load", 9,
		       (1000 + grown_ms) * MS);
	comparison_set(comparison, comparison->base[0], "service: serve load", 9, 1000 * MS);
	ranking = comparison_rank(comparison, &options, true);
	while (strcmp(comparison_culprit(ranking, i), "ask") != 0) {
		i++;
	}
	ranked_ms = comparison_path(ranking, i)->ranked_value / MS;
	itp_ranking_free(ranking);
	return ranked_ms;
}

/* Two threads can have waited for 225 ms, which are half of it. */
static void test_longer_waits_are_passed_on_to_more_work(struct comparison *comparison,
							 gconstpointer data)
{
	(void)data;
	g_assert_cmpint(ranked_beside_work(comparison, 240), ==, 0);
}

/* Threads that did as much as before have come to wait for one another. */
static void test_longer_waits_for_the_same_work_are_ranked(struct comparison *comparison,
							   gconstpointer data)
{
	(void)data;
	g_assert_cmpint(ranked_beside_work(comparison, 210), ==, 900);
}

/* The service waits itself, for a store: what waits for it waits for that. */
static void test_the_last_of_a_chain_is_the_cause(struct comparison *comparison, gconstpointer data)
{
	const char *fetch = "service: serve answer libc.so.6!recv syscall:recvfrom";
	struct itp_ranking *ranking;
	struct itp_waker scan = { .role = ITP_WAKER_RAN, .count = 9, .blocked_ns = 700 * MS };

	(void)data;
	ask(comparison, 900, 10);
	comparison_block(comparison, comparison->suspect[0], fetch, 9, 800 * MS);
	comparison_set(comparison, comparison->suspect[0], "store: main scan", 9, 700 * MS);
	run_meanwhile(comparison, "service", "service: serve answer", 900);
	scan.node = comparison_node_id(comparison, fetch);
	scan.process = process_of(comparison, "store");
	scan.function = function_of(comparison, "store: main scan");
	itp_wakers_add(comparison->suspect[0]->wakers, &scan);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "scan");
	for (guint i = 1; i < 3; i++) {
		g_assert_cmpuint(comparison_path(ranking, i)->waits_for, ==, 1);
	}
	g_assert_true(comparison_path(ranking, 0)->is_waited_for);
	itp_ranking_free(ranking);
}

/* The order of everything else stays, and an effect is behind all that is told by itself. */
static void test_others_keep_their_order(struct comparison *comparison, gconstpointer data)
{
	static const char *const expected[] = { "first", "load", "second", "third", "ask" };
	struct itp_ranking *ranking;

	(void)data;
	ask(comparison, 900, 600);
	run_meanwhile(comparison, "service", "service: serve answer load", 900);
	comparison_set(comparison, comparison->suspect[0], "p: main first", 9, 2000 * MS);
	comparison_set(comparison, comparison->suspect[0], "p: main second", 9, 700 * MS);
	comparison_set(comparison, comparison->suspect[0], "p: main third", 9, 300 * MS);
	ranking = comparison_rank(comparison, &options, true);
	g_assert_cmpuint(ranking->paths->len, ==, G_N_ELEMENTS(expected));
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
		g_assert_cmpstr(comparison_culprit(ranking, i), ==, expected[i]);
		g_assert_cmpuint(comparison_path(ranking, i)->waits_for, ==, i == 4 ? 2 : 0);
	}
	itp_ranking_free(ranking);
}

static void begin_anew(struct comparison *comparison)
{
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
}

/* Of 810 ms that the client waits longer. */
static void test_a_hundredth_of_a_wait_tells(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 850);
	run_meanwhile(comparison, "service", "service: serve answer load", 10);
	assert_order(comparison, "load", "ask", 1);
}

static void test_half_of_a_wait_explains_it(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	ask(comparison, 900, 800);
	run_meanwhile(comparison, "service", "service: serve answer load", 540);
	run_meanwhile(comparison, "other", "other: main", 360);
	assert_order(comparison, "load", "ask", 1);
}

/* The first part of the service is 44 % of what ran; with another part it may be half. */
static void explain_with(struct comparison *comparison, int64_t log_ms)
{
	begin_anew(comparison);
	ask(comparison, 900, 400);
	comparison_set(comparison, comparison->suspect[0], "service: serve log", 9, 300 * MS);
	run_meanwhile(comparison, "service", "service: serve answer load", 400);
	run_meanwhile(comparison, "service", "service: serve log", log_ms);
	run_meanwhile(comparison, "other", "other: main", 500 - log_ms);
}

static void test_a_tenth_is_one_of_several(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	explain_with(comparison, 108);
	assert_order(comparison, "load", "log", 0);
	explain_with(comparison, 72);
	assert_order(comparison, "ask", "load", 0);
}

/* The holder of a lock does so much more than before. */
static void keep_others(struct comparison *comparison, int64_t more_ms)
{
	begin_anew(comparison);
	ask(comparison, 900, 400);
	comparison_set(comparison, comparison->base[0], "service: serve answer load", 0,
		       (400 - more_ms) * MS);
	add_meanwhile(comparison, ITP_WAKER_KEPT, "service", "service: serve answer", 850);
}

static void test_a_holder_has_grown_by_a_tenth(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	keep_others(comparison, 100);
	assert_order(comparison, "load", "ask", 1);
	keep_others(comparison, 60);
	assert_order(comparison, "ask", "load", 0);
}

/* The service waits 20 instead of 10 times for 40 ms, which is 400 / (40 √30) = 1.83 standard
 * errors: by itself chance in one of 15 cases. */
static void test_chance_of_a_fifteenth_explains_nothing(struct comparison *comparison,
							gconstpointer data)
{
	const char *load = "service: serve answer libc.so.6!read syscall:read";

	(void)data;
	ask(comparison, 800, 1);
	comparison_block(comparison, comparison->suspect[0], load, 20, 800 * MS);
	comparison_block(comparison, comparison->base[0], load, 10, 400 * MS);
	run_meanwhile(comparison, "service", "service: serve answer", 700);
	assert_order(comparison, "ask", "answer", 0);
}

/* Of 900 ms that asking takes longer, 400 are a wait. */
static void test_less_than_half_is_no_wait(struct comparison *comparison, gconstpointer data)
{
	const char *wait = "client: main ask libc.so.6!read syscall:read";

	(void)data;
	comparison_set(comparison, comparison->suspect[0], "service: serve answer load", 9,
		       800 * MS);
	comparison_set(comparison, comparison->base[0], "service: serve answer load", 9, 80 * MS);
	comparison_block(comparison, comparison->suspect[0], wait, 9, 440 * MS);
	comparison_block(comparison, comparison->base[0], wait, 9, 40 * MS);
	comparison_set(comparison, comparison->suspect[0], "client: main ask", 9, 550 * MS);
	comparison_set(comparison, comparison->base[0], "client: main ask", 9, 50 * MS);
	run_meanwhile(comparison, "service", "service: serve answer load", 440);
	assert_order(comparison, "ask", "load", 0);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/effects/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a client waits for its service", test_a_client_waits_for_its_service);
	add("longer waits are passed on to more work",
	    test_longer_waits_are_passed_on_to_more_work);
	add("longer waits for the same work are ranked",
	    test_longer_waits_for_the_same_work_are_ranked);
	add("nobody knows for what", test_nobody_knows_for_what);
	add("another path explains nothing", test_another_path_explains_nothing);
	add("several explain a wait together", test_several_explain_a_wait_together);
	add("a small difference explains nothing", test_a_small_difference_explains_nothing);
	add("who keeps others waiting is the cause", test_who_keeps_others_waiting_is_the_cause);
	add("others that keep are none", test_others_that_keep_are_none);
	add("what kept for a moment explains nothing",
	    test_what_kept_for_a_moment_explains_nothing);
	add("several wait for one", test_several_wait_for_one);
	add("no more can wait than there are", test_no_more_can_wait_than_there_are);
	add("what explains a wait is no chance", test_what_explains_a_wait_is_no_chance);
	add("chance explains chance", test_chance_explains_chance);
	add("who waits is kept with its cause", test_who_waits_is_kept_with_its_cause);
	add("the last of a chain is the cause", test_the_last_of_a_chain_is_the_cause);
	add("others keep their order", test_others_keep_their_order);
	add("a hundredth of a wait tells", test_a_hundredth_of_a_wait_tells);
	add("half of a wait explains it", test_half_of_a_wait_explains_it);
	add("a tenth is one of several", test_a_tenth_is_one_of_several);
	add("a holder has grown by a tenth", test_a_holder_has_grown_by_a_tenth);
	add("chance of a fifteenth explains nothing", test_chance_of_a_fifteenth_explains_nothing);
	add("less than half is no wait", test_less_than_half_is_no_wait);
	return g_test_run();
}
