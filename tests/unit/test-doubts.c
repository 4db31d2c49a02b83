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
	add("other programs", test_other_programs);
	add("events that were lost", test_events_that_were_lost);
	return g_test_run();
}
