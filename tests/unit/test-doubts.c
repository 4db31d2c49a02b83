/* SPDX-License-Identifier: MIT */
/* Doubts about comparisons, just on both sides of each limit. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true };

static uint32_t doubts_of(const struct comparison *comparison)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);
	uint32_t doubts = ranking->doubts;

	itp_ranking_free(ranking);
	return doubts;
}

static void handle_in_both(struct comparison *comparison, int64_t own_ms)
{
	comparison_set(comparison, comparison->suspect[0], "main handle", 1, own_ms * MS);
	comparison_set(comparison, comparison->base[0], "main handle", 1, own_ms * MS);
}

static void test_runs_of_other_lengths(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	handle_in_both(comparison, 100);
	comparison->suspect[0]->workload.counts.end_ns = 1000 * MS;
	comparison->base[0]->workload.counts.end_ns = 105 * MS;
	g_assert_cmpuint(doubts_of(comparison), ==, 0);
	comparison->base[0]->workload.counts.end_ns = 95 * MS;
	g_assert_cmpuint(doubts_of(comparison), ==, ITP_DOUBT_LENGTH);
}

/* Runs that differ in length by eleven times, and call write() in a function and at its beginning,
 * in the dynamic linker, so often. */
static uint32_t doubts_of_calls(struct comparison *comparison, uint64_t suspect, uint64_t base,
				uint64_t suspect_beginning)
{
	const char *const work = "main handle libc.so.6!write syscall:write";
	const char *const beginning = "ld-linux-x86-64.so.2!_dl_start syscall:openat";

	comparison->suspect[0]->workload.counts.end_ns = 1100 * MS;
	comparison->base[0]->workload.counts.end_ns = 100 * MS;
	handle_in_both(comparison, 100);
	comparison_set(comparison, comparison->suspect[0], work, suspect, MS);
	comparison_set(comparison, comparison->base[0], work, base, MS);
	comparison_set(comparison, comparison->suspect[0], beginning, suspect_beginning, MS);
	comparison_set(comparison, comparison->base[0], beginning, 30, MS);
	return doubts_of(comparison);
}

/* A run of the same work that takes eleven times as long is a slow run. */
static void test_the_same_calls_are_the_same_work(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_cmpuint(doubts_of_calls(comparison, 20, 20, 30), ==, 0);
	g_assert_cmpuint(doubts_of_calls(comparison, 119, 100, 30), ==, 0);
	g_assert_cmpuint(doubts_of_calls(comparison, 121, 100, 30), ==, ITP_DOUBT_LENGTH);
	g_assert_cmpuint(doubts_of_calls(comparison, 100, 100, 60), ==, ITP_DOUBT_LENGTH);
	/* The beginning alone shows no work, nor do fewer calls. */
	g_assert_cmpuint(doubts_of_calls(comparison, 19, 19, 30), ==, ITP_DOUBT_LENGTH);
}

static void test_other_programs(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	handle_in_both(comparison, 55);
	comparison_set(comparison, comparison->suspect[0], "other: main", 1, 45 * MS);
	g_assert_cmpuint(doubts_of(comparison), ==, 0);
	comparison_set(comparison, comparison->suspect[0], "other: main", 1, 65 * MS);
	g_assert_cmpuint(doubts_of(comparison), ==, ITP_DOUBT_OTHER_PROGRAMS);
}

static void test_events_that_were_lost(struct comparison *comparison, gconstpointer data)
{
	struct itp_infer_counts *counts = &comparison->suspect[0]->workload.counts;

	(void)data;
	handle_in_both(comparison, 100);
	counts->events = 983;
	counts->lost_events = 17;
	g_assert_cmpuint(doubts_of(comparison), ==, 0);
	counts->events = 975;
	counts->lost_events = 25;
	g_assert_cmpuint(doubts_of(comparison), ==, ITP_DOUBT_LOSSES);
}

/* Two commands: the base took 300 ms, of which it waited 200 for work. */
static void run_commands(struct comparison *comparison, int64_t base_ms, int64_t waited_ms,
			 int64_t handled_ms)
{
	static const char wait[] = "main loop libc.so.6!epoll_wait syscall:epoll_wait k:schedule";
	struct itp_infer_counts *suspect = &comparison->suspect[0]->workload.counts;
	struct itp_infer_counts *base = &comparison->base[0]->workload.counts;

	suspect->commands = 1;
	base->commands = 1;
	suspect->end_ns = 1000 * MS;
	base->end_ns = base_ms * MS;
	comparison_set(comparison, comparison->suspect[0], "main loop handle", 9, handled_ms * MS);
	comparison_set(comparison, comparison->base[0], "main loop handle", 9, 100 * MS);
	comparison_block(comparison, comparison->suspect[0], wait, 9, waited_ms * MS);
	comparison_block(comparison, comparison->base[0], wait, 9, 200 * MS);
}

static bool is_wait_doubted(struct comparison *comparison, int64_t base_ms, int64_t waited_ms,
			    int64_t handled_ms)
{
	bool is_doubted;

	run_commands(comparison, base_ms, waited_ms, handled_ms);
	is_doubted = (doubts_of(comparison) & ITP_DOUBT_IDLE) != 0;
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	return is_doubted;
}

static void test_waits_that_nobody_misses(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_true(is_wait_doubted(comparison, 300, 900, 100));
	/* Of 700 ms more, 55 % and 45 % were waited for. */
	g_assert_true(is_wait_doubted(comparison, 300, 200 + 385, 100));
	g_assert_false(is_wait_doubted(comparison, 300, 200 + 315, 100));
	/* Of the suspect's 1000 ms, 55 % and 45 % are more. */
	g_assert_true(is_wait_doubted(comparison, 450, 900, 100));
	g_assert_false(is_wait_doubted(comparison, 550, 900, 100));
	/* Of 700 ms more, 45 % and 55 % are in rows. */
	g_assert_true(is_wait_doubted(comparison, 300, 900, 100 + 315));
	g_assert_false(is_wait_doubted(comparison, 300, 900, 100 + 385));
}

static void test_length_of_what_was_attached_to(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	run_commands(comparison, 300, 900, 100);
	comparison->base[0]->workload.counts.commands = 0;
	g_assert_cmpuint(doubts_of(comparison), ==, 0);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/doubts/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("runs of other lengths", test_runs_of_other_lengths);
	add("the same calls are the same work", test_the_same_calls_are_the_same_work);
	add("other programs", test_other_programs);
	add("events that were lost", test_events_that_were_lost);
	add("waits that nobody misses", test_waits_that_nobody_misses);
	add("the length of what was attached to says nothing", test_length_of_what_was_attached_to);
	return g_test_run();
}
