/* SPDX-License-Identifier: MIT */
/* Statistics of a node, and how profiles merge. */
#include "common/infer/profile.h"

static void test_statistics_of_a_few_latencies(void)
{
	struct itp_node_stats stats = { 0 };

	itp_node_stats_add(&stats, 0, 0, 5);
	itp_node_stats_add(&stats, 3, 2, 8);
	itp_node_stats_add(&stats, 4, 4, 4);
	g_assert_cmpuint(stats.count, ==, 3);
	g_assert_cmpint(stats.total_ns, ==, 7);
	g_assert_cmpint(stats.lower_ns, ==, 6);
	g_assert_cmpint(stats.upper_ns, ==, 17);
	g_assert_cmpint(stats.min_ns, ==, 0);
	g_assert_cmpint(stats.max_ns, ==, 4);
	g_assert_cmpuint(stats.square_sum_low, ==, 25);
	g_assert_cmpuint(stats.histogram[0], ==, 1);
	g_assert_cmpuint(stats.histogram[2], ==, 1);
	g_assert_cmpuint(stats.histogram[3], ==, 1);
}

static void test_squares_carry_into_the_high_half(void)
{
	struct itp_node_stats stats = { 0 };

	/* Two calls of 100 minutes: 2 × 3.6e25 ns². */
	itp_node_stats_add(&stats, INT64_C(6000000000000), 0, 0);
	itp_node_stats_add(&stats, INT64_C(6000000000000), 0, 0);
	g_assert_cmpuint(stats.square_sum_high, ==, 3903127);
	g_assert_cmpuint(stats.histogram[43], ==, 2);
}

static void test_a_full_bucket_stays_full(void)
{
	struct itp_node_stats stats = { .histogram[1] = UINT32_MAX - 1 };
	const struct itp_node_stats other = { .histogram[1] = 5 };

	itp_node_stats_merge(&stats, &other);
	g_assert_cmpuint(stats.histogram[1], ==, UINT32_MAX);
}

static void test_extremes_ignore_a_side_without_calls(void)
{
	struct itp_node_stats stats = { 0 };
	const struct itp_node_stats none = { .lost_count = 2 };

	itp_node_stats_add(&stats, 7, 7, 7);
	itp_node_stats_merge(&stats, &none);
	g_assert_cmpint(stats.min_ns, ==, 7);
	g_assert_cmpuint(stats.lost_count, ==, 2);
}

static void test_merging_adds_what_was_seen_and_what_is_missing(void)
{
	struct itp_profile *profile = itp_profile_new("a");
	struct itp_profile *other = itp_profile_new("b");

	profile->workload.counts = (struct itp_infer_counts){
		.begin_ns = 50,
		.end_ns = 90,
		.threads = 1,
		.events = 10,
		.broken_stacks = 3,
		.deep_stacks = 1,
		.deep_chains = 1,
		.short_copies = 7,
		.unfollowed_stacks = 2,
		.completed_stacks = 4,
		.filled_frames = 5,
		.unwind_failures = 2,
		.found_by = { [ITP_FOUND_BY_EXPRESSION] = 4 },
	};
	profile->workload.complete = true;
	other->workload.counts = (struct itp_infer_counts){ .begin_ns = 20,
							    .end_ns = 60,
							    .threads = 2,
							    .events = 5,
							    .deep_stacks = 4,
							    .deep_chains = 2,
							    .short_copies = 1,
							    .unfollowed_stacks = 3,
							    .completed_stacks = 1,
							    .filled_frames = 2,
							    .found_by = { 1, 2, 3, 4 },
							    .lost_events = 3,
							    .cut = true };
	itp_profile_node(other, 4)->count = 6;
	itp_profile_merge(profile, other);
	g_assert_cmpint(profile->workload.counts.begin_ns, ==, 20);
	g_assert_cmpint(profile->workload.counts.end_ns, ==, 90);
	g_assert_cmpuint(profile->workload.counts.threads, ==, 3);
	g_assert_cmpuint(profile->workload.counts.events, ==, 15);
	g_assert_cmpuint(profile->workload.counts.broken_stacks, ==, 3);
	g_assert_cmpuint(profile->workload.counts.deep_stacks, ==, 5);
	g_assert_cmpuint(profile->workload.counts.deep_chains, ==, 3);
	g_assert_cmpuint(profile->workload.counts.short_copies, ==, 8);
	g_assert_cmpuint(profile->workload.counts.unfollowed_stacks, ==, 5);
	g_assert_cmpuint(profile->workload.counts.completed_stacks, ==, 5);
	g_assert_cmpuint(profile->workload.counts.filled_frames, ==, 7);
	g_assert_cmpuint(profile->workload.counts.unwind_failures, ==, 2);
	g_assert_cmpuint(profile->workload.counts.found_by[ITP_FOUND_BY_EXPRESSION], ==, 7);
	g_assert_cmpuint(profile->workload.counts.found_by[ITP_FOUND_BY_RULE], ==, 2);
	g_assert_cmpuint(profile->workload.counts.lost_events, ==, 3);
	g_assert_true(profile->workload.counts.cut);
	g_assert_false(profile->workload.complete);
	g_assert_cmpuint(itp_profile_peek(profile, 4)->count, ==, 6);
	itp_profile_free(profile);
	itp_profile_free(other);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/profile/statistics of a few latencies",
			test_statistics_of_a_few_latencies);
	g_test_add_func("/profile/squares carry into the high half",
			test_squares_carry_into_the_high_half);
	g_test_add_func("/profile/a full bucket stays full", test_a_full_bucket_stays_full);
	g_test_add_func("/profile/extremes ignore a side without calls",
			test_extremes_ignore_a_side_without_calls);
	g_test_add_func("/profile/merging adds what was seen and what is missing",
			test_merging_adds_what_was_seen_and_what_is_missing);
	return g_test_run();
}
