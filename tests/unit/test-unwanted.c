/* SPDX-License-Identifier: MIT */
/* Waits that nobody loses time by are taken out, on trees that were worked out by hand. */
#include "common/base/watched.h"
#include "tests/unit/comparison.h"

static const struct itp_ranking_options folded = { .folds = true };

#define WITHOUT_WAKEUPS (ITP_WATCHED_TOLD | ITP_WATCHED_SWITCHES)
#define WITH_WAKEUPS (WITHOUT_WAKEUPS | ITP_WATCHED_WAKEUPS)
#define LOOP "proxy: main loop libc.so.6!epoll_wait syscall:epoll_wait k:schedule"

/* What tells: wakeups and units of work were seen. */
static void know(struct itp_profile *profile)
{
	profile->workload.counts.watched = WITH_WAKEUPS;
	profile->workload.counts.units = 1;
	profile->workload.counts.threads = 2;
}

static void block(struct comparison *comparison, struct itp_profile *profile, const char *stack,
		  int64_t blocked_ns, struct itp_node_demand demand)
{
	comparison_block(comparison, profile, stack, 9, blocked_ns);
	itp_profile_node(profile, comparison_node_id(comparison, stack))->demand = demand;
}

static void block_suspect(struct comparison *comparison, const char *stack, int64_t blocked_ns,
			  struct itp_node_demand demand)
{
	block(comparison, comparison->suspect[0], stack, blocked_ns, demand);
}

static void assert_own(struct comparison *comparison, int64_t own_ns, int64_t idle_ns)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &folded, false);

	g_assert_false(ranking->guesses_idle);
	g_assert_cmpint(ranking->suspect_own_ns, ==, own_ns);
	g_assert_cmpuint(ranking->idle->len, ==, idle_ns > 0);
	if (ranking->idle->len > 0) {
		g_assert_cmpint(g_array_index(ranking->idle, struct itp_idle_wait, 0).suspect_ns,
				==, idle_ns);
	}
	itp_ranking_free(ranking);
}

/* Of 900 in one call, 300 were wanted, as by a client of a service that waits for its database. */
static void test_a_wait_may_be_wanted_in_part(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	know(comparison->suspect[0]);
	comparison_set(comparison, comparison->suspect[0], "proxy: main loop handle", 9, 10);
	block_suspect(comparison, LOOP, 900, (struct itp_node_demand){ .wanted_ns = 300 });
	assert_own(comparison, 10 + 300, 600);
}

/* Of nine equal waits, three were wanted, and which ones they were varies no more than that. */
static void test_what_is_left_varies_by_what_is_left(struct comparison *comparison,
						     gconstpointer data)
{
	const char *wait = "proxy: main loop libc.so.6!epoll_wait syscall:epoll_wait k:schedule";
	struct itp_ranking *ranking;

	(void)data;
	know(comparison->suspect[0]);
	comparison_set(comparison, comparison->suspect[0], "proxy: main loop handle", 9, 10);
	block_suspect(comparison, wait, 900, (struct itp_node_demand){ .wanted_ns = 300 });
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpuint(itp_profile_peek(ranking->suspect, comparison_node_id(comparison, wait))
				 ->square_sum_low,
			 ==, 3 * 100 * 100);
	itp_ranking_free(ranking);
}

/* Time for which threads waited for a CPU behind waits in a call, of which so much of 1000 was
 * wanted: where most of it was for work, it is the caller's. Begins anew. */
static int64_t waited_by_caller(struct comparison *comparison, int64_t wanted_ns)
{
	struct itp_ranking *ranking;
	int64_t waited_ns;

	know(comparison->suspect[0]);
	comparison_set(comparison, comparison->suspect[0], "proxy: main loop handle", 9, 10);
	block_suspect(comparison, LOOP, 1000, (struct itp_node_demand){ .wanted_ns = wanted_ns });
	comparison_wait_for_cpu(comparison, comparison->suspect[0], LOOP, 400, "backupd");
	ranking = comparison_rank(comparison, &folded, false);
	waited_ns = itp_profile_peek(
			    ranking->suspect,
			    comparison_node_id(comparison, "proxy: main loop libc.so.6!epoll_wait"))
			    ->own_use.runnable_ns;
	itp_ranking_free(ranking);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return waited_ns;
}

static void test_most_of_a_call_waits_for_work(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(waited_by_caller(comparison, 450), ==, 400);
	g_assert_cmpint(waited_by_caller(comparison, 550), ==, 0);
}

static void test_a_call_may_wait_and_compute(struct comparison *comparison, gconstpointer data)
{
	const char *call = "proxy: main loop libc.so.6!epoll_wait syscall:epoll_wait";

	(void)data;
	know(comparison->suspect[0]);
	comparison_set(comparison, comparison->suspect[0], call, 1, 10);
	itp_profile_node(comparison->suspect[0], comparison_node_id(comparison, call))
		->own_use.cpu_ns = 10;
	block_suspect(comparison, LOOP, 900, (struct itp_node_demand){ 0 });
	assert_own(comparison, 10, 900);
}

static void test_no_name_is_needed_for_an_idle_wait(struct comparison *comparison,
						    gconstpointer data)
{
	(void)data;
	know(comparison->suspect[0]);
	block_suspect(comparison, "pool: main look mine.so!sleep syscall:unheard_of k:schedule",
		      900, (struct itp_node_demand){ 0 });
	assert_own(comparison, 0, 900);
}

static void test_no_name_makes_a_wanted_wait_idle(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	know(comparison->suspect[0]);
	comparison_set(comparison, comparison->suspect[0], "proxy: main loop handle", 9, 10);
	block_suspect(comparison, LOOP, 900, (struct itp_node_demand){ .wanted_ns = 900 });
	assert_own(comparison, 10 + 900, 0);
}

/* The loop goes on nine times in one call, and what it calls does all the work: a window's. */
static void test_a_window_may_wait_all_its_life(struct comparison *comparison, gconstpointer data)
{
	const char *handle = "proxy: main loop handle";
	const char *wait = "proxy: main loop libc.so.6!epoll_wait syscall:epoll_wait";

	(void)data;
	know(comparison->suspect[0]);
	comparison_set(comparison, comparison->suspect[0], "proxy: main loop", 1, 0);
	comparison_set(comparison, comparison->suspect[0], handle, 9, 100);
	itp_profile_node(comparison->suspect[0], comparison_node_id(comparison, handle))
		->own_use.cpu_ns = 100;
	block_suspect(comparison, wait, 900, (struct itp_node_demand){ .life_ns = 900 });
	assert_own(comparison, 100, 900);
}

static void test_other_waits_of_the_command_are_its_loss(struct comparison *comparison,
							 gconstpointer data)
{
	(void)data;
	know(comparison->suspect[0]);
	block_suspect(comparison, "p: main ask libc.so.6!read syscall:read k:schedule", 900,
		      (struct itp_node_demand){ .life_ns = 850 });
	assert_own(comparison, 850, 50);
}

/* Of 40 that were wanted in nap(), 10 lie there, 20 with its caller, and the rest with another
 * function of the process; what is waited for elsewhere in a system call stays idle. */
static void test_what_was_wanted_may_lie_with_others(struct comparison *comparison,
						     gconstpointer data)
{
	(void)data;
	know(comparison->suspect[0]);
	block_suspect(comparison, "p: main work nap", 10,
		      (struct itp_node_demand){ .life_ns = 40 });
	block_suspect(comparison, "p: main work", 20, (struct itp_node_demand){ 0 });
	block_suspect(comparison, "p: main close", 10, (struct itp_node_demand){ 0 });
	block_suspect(comparison, "p: pool libc.so.6!read syscall:read k:schedule", 900,
		      (struct itp_node_demand){ 0 });
	assert_own(comparison, 40, 900);
}

static void test_a_new_wait_may_be_idle(struct comparison *comparison, gconstpointer data)
{
	const char *nap = "server: watch nap libc.so.6!nanosleep syscall:nanosleep k:schedule";
	const char *fetch = "server: work fetch libc.so.6!read syscall:read k:schedule";
	struct itp_ranking *ranking;

	(void)data;
	know(comparison->suspect[0]);
	know(comparison->base[0]);
	comparison_set(comparison, comparison->base[0], "server: work", 9, 10);
	comparison_set(comparison, comparison->suspect[0], "server: work", 9, 10);
	block_suspect(comparison, nap, 5000, (struct itp_node_demand){ 0 });
	block_suspect(comparison, fetch, 900, (struct itp_node_demand){ .wanted_ns = 900 });
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "fetch");
	g_assert_cmpint(comparison_path(ranking, 0)->cost, ==, 900);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 10 + 900);
	itp_ranking_free(ranking);
}

/* 1000 of the client are the service's 400 and what the network took. */
static void test_who_passes_on_comes_behind(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	know(comparison->suspect[0]);
	block_suspect(comparison, "client: main ask libc.so.6!read syscall:read k:schedule", 1000,
		      (struct itp_node_demand){ .life_ns = 1000, .passed_ns = 700 });
	block_suspect(comparison, "service: main nap libc.so.6!sleep syscall:nanosleep k:schedule",
		      400, (struct itp_node_demand){ .wanted_ns = 400 });
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_cmpstr(comparison_culprit(ranking, 0), ==, "nap");
	g_assert_cmpint(comparison_path(ranking, 0)->ranked_value, ==, 400);
	g_assert_cmpstr(comparison_culprit(ranking, 1), ==, "ask");
	g_assert_cmpint(comparison_path(ranking, 1)->cost, ==, 1000);
	g_assert_cmpint(comparison_path(ranking, 1)->ranked_value, ==, 300);
	itp_ranking_free(ranking);
}

static void test_without_units_it_is_a_guess(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	know(comparison->suspect[0]);
	comparison->suspect[0]->workload.counts.units = 0;
	block_suspect(comparison, LOOP, 900, (struct itp_node_demand){ .wanted_ns = 900 });
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_true(ranking->guesses_idle);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 0);
	itp_ranking_free(ranking);
}

/* In a short one nobody may have been woken. */
static void test_a_base_may_lack_wakeups(struct comparison *comparison, gconstpointer data)
{
	struct itp_ranking *ranking;

	(void)data;
	know(comparison->suspect[0]);
	know(comparison->base[0]);
	comparison->base[0]->workload.counts.watched = WITHOUT_WAKEUPS;
	comparison_set(comparison, comparison->base[0], "proxy: main loop", 9, 10);
	block_suspect(comparison, LOOP, 900, (struct itp_node_demand){ .wanted_ns = 300 });
	ranking = comparison_rank(comparison, &folded, true);
	g_assert_false(ranking->guesses_idle);
	g_assert_cmpint(ranking->suspect_own_ns, ==, 300);
	itp_ranking_free(ranking);
}

/* Where there is one thread, nobody wakes it. */
static void test_without_wakeups_it_is_a_guess_unless_there_is_one_thread(
	struct comparison *comparison, gconstpointer data)
{
	struct itp_infer_counts *counts = &comparison->suspect[0]->workload.counts;
	struct itp_ranking *ranking;

	(void)data;
	know(comparison->suspect[0]);
	counts->watched = WITHOUT_WAKEUPS;
	block_suspect(comparison, LOOP, 900, (struct itp_node_demand){ .wanted_ns = 900 });
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_true(ranking->guesses_idle);
	itp_ranking_free(ranking);
	counts->threads = 1;
	ranking = comparison_rank(comparison, &folded, false);
	g_assert_false(ranking->guesses_idle);
	itp_ranking_free(ranking);
}

/* Own time of the suspect, a window's command that took `longer_ns` longer than the 1000 of the
 * base: `waited_ns` more in its loop, and `worked_ns` more at work. */
static int64_t own_of_longer(struct comparison *comparison, int64_t longer_ns, int64_t waited_ns,
			     int64_t worked_ns)
{
	struct itp_profile *const profiles[] = { comparison->base[0], comparison->suspect[0] };
	const char *handle = "proxy: main loop handle";
	const char *wait = "proxy: main loop libc.so.6!epoll_wait syscall:epoll_wait";
	struct itp_ranking *ranking;
	int64_t own_ns;

	for (int64_t i = 0; i < 2; i++) {
		struct itp_infer_counts *counts = &profiles[i]->workload.counts;

		know(profiles[i]);
		counts->commands = 1;
		counts->end_ns = 1000 + i * longer_ns;
		comparison_set(comparison, profiles[i], "proxy: main loop", 1, 0);
		comparison_set(comparison, profiles[i], handle, 9, 100 + i * worked_ns);
		itp_profile_node(profiles[i], comparison_node_id(comparison, handle))
			->own_use.cpu_ns = 100 + i * worked_ns;
		block(comparison, profiles[i], wait, 100 + i * waited_ns,
		      (struct itp_node_demand){ .life_ns = 100 + i * waited_ns });
	}
	ranking = comparison_rank(comparison, &folded, true);
	own_ns = ranking->suspect_own_ns;
	itp_ranking_free(ranking);
	return own_ns;
}

/* Longer by 300 of 1300, more than a fifth. */
static void test_who_waited_for_a_command_lost_it(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(own_of_longer(comparison, 300, 300, 0), ==, 100 + 400);
}

/* By 200 of 1200. */
static void test_a_little_longer_is_none(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(own_of_longer(comparison, 200, 200, 0), ==, 100);
}

/* Six tenths of 300, and four tenths at work. */
static void test_most_of_it_is_waiting(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(own_of_longer(comparison, 300, 180, 120), ==, 220 + 280);
}

static void test_most_of_it_is_work(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(own_of_longer(comparison, 300, 120, 180), ==, 280);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/unwanted/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("a wait may be wanted in part", test_a_wait_may_be_wanted_in_part);
	add("what is left varies by what is left", test_what_is_left_varies_by_what_is_left);
	add("most of a call waits for work", test_most_of_a_call_waits_for_work);
	add("a call may wait and compute", test_a_call_may_wait_and_compute);
	add("no name is needed for an idle wait", test_no_name_is_needed_for_an_idle_wait);
	add("no name makes a wanted wait idle", test_no_name_makes_a_wanted_wait_idle);
	add("a window may wait all its life", test_a_window_may_wait_all_its_life);
	add("who waited for a command lost it", test_who_waited_for_a_command_lost_it);
	add("a little longer is none", test_a_little_longer_is_none);
	add("most of it is waiting", test_most_of_it_is_waiting);
	add("most of it is work", test_most_of_it_is_work);
	add("other waits of the command are its loss",
	    test_other_waits_of_the_command_are_its_loss);
	add("what was wanted may lie with others", test_what_was_wanted_may_lie_with_others);
	add("a new wait may be idle", test_a_new_wait_may_be_idle);
	add("who passes on comes behind", test_who_passes_on_comes_behind);
	add("without units it is a guess", test_without_units_it_is_a_guess);
	add("a base may lack wakeups", test_a_base_may_lack_wakeups);
	add("without wakeups it is a guess, unless there is one thread",
	    test_without_wakeups_it_is_a_guess_unless_there_is_one_thread);
	return g_test_run();
}
