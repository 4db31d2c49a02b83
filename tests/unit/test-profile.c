/* SPDX-License-Identifier: MIT */
/* Statistics of a node, and how profiles merge. */
#include <malloc.h>

#include "common/infer/node-fields.h"
#include "common/infer/profile.h"
#include "tests/unit/latencies.h"

static void test_statistics_of_a_few_latencies(void)
{
	struct itp_node_stats stats = { 0 };

	test_add_latency(&stats, 0, 0, 5);
	test_add_latency(&stats, 3, 2, 8);
	test_add_latency(&stats, 4, 4, 4);
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
	test_add_latency(&stats, INT64_C(6000000000000), 0, 0);
	test_add_latency(&stats, INT64_C(6000000000000), 0, 0);
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

	test_add_latency(&stats, 7, 7, 7);
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

/* Numbers of nodes that come in any order: many equal the plain array that they stand for. */
#define MODEL_NODES 400

static void assert_like_model(const struct itp_profile *profile, const uint64_t *model)
{
	for (uint32_t node = 0; node < MODEL_NODES; node++) {
		g_assert_cmpuint(itp_profile_peek(profile, node)->count, ==, model[node]);
	}
}

static void change(GRand *rand, struct itp_profile *profile, uint64_t *model)
{
	uint32_t node = (uint32_t)g_rand_int_range(rand, 0, MODEL_NODES);

	switch (g_rand_int_range(rand, 0, 20)) {
	case 0:
		itp_profile_clear_node(profile, node);
		model[node] = 0;
		break;
	case 1:
		/* Mostly behind the last. */
		node = MODEL_NODES - (MODEL_NODES - node) / 8;
		itp_profile_truncate(profile, node);
		memset(model + node, 0, (MODEL_NODES - node) * sizeof(*model));
		break;
	default:
		itp_profile_node(profile, node)->count += node + 1;
		model[node] += node + 1;
	}
}

static void test_a_sparse_profile_is_like_an_array(void)
{
	for (guint32 seed = 1; seed <= 30; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		struct itp_profile *profiles[] = { itp_profile_new("a"), itp_profile_new("b") };
		uint64_t models[2][MODEL_NODES] = { { 0 } };

		for (int step = 0; step < 300; step++) {
			int which = g_rand_int_range(rand, 0, 2);

			change(rand, profiles[which], models[which]);
		}
		assert_like_model(profiles[0], models[0]);
		itp_profile_merge(profiles[0], profiles[1]);
		for (uint32_t node = 0; node < MODEL_NODES; node++) {
			models[0][node] += models[1][node];
		}
		assert_like_model(profiles[0], models[0]);
		assert_like_model(profiles[1], models[1]);
		itp_profile_free(profiles[0]);
		itp_profile_free(profiles[1]);
	}
}

static void test_statistics_stay_where_they_are(void)
{
	struct itp_profile *profile = itp_profile_new("p");
	struct itp_node_stats *first = itp_profile_node(profile, 7);

	first->count = 1;
	for (uint32_t node = 0; node < 5000; node++) {
		itp_profile_node(profile, node)->count += 1;
	}
	g_assert_true(itp_profile_node(profile, 7) == first);
	g_assert_cmpuint(first->count, ==, 2);
	itp_profile_free(profile);
}

static void test_nodes_without_statistics_take_hardly_any_room(void)
{
	struct itp_profile *profile = itp_profile_new("p");
	struct mallinfo2 before = mallinfo2();
	struct mallinfo2 after;

	g_assert_true(itp_profile_is_empty(profile));
	itp_profile_node(profile, 1000000)->count = 1;
	g_assert_false(itp_profile_is_empty(profile));
	g_assert_cmpuint(itp_profile_peek(profile, 999999)->count, ==, 0);
	after = mallinfo2();
	/* What was allocated, mapped regions included: arrays grow to powers of two. */
	g_assert_cmpuint(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd, <,
			 (size_t)10000000);
	itp_profile_free(profile);
}

static struct itp_node_stats random_stats(GRand *rand)
{
	struct itp_node_stats stats = { 0 };

	for (guint i = 0; i < (guint)g_rand_int_range(rand, 0, 5); i++) {
		test_add_latency(&stats, g_rand_int_range(rand, 0, 1000000), 1, 2000000);
	}
	stats.own_ns = g_rand_int_range(rand, -1000, 1000);
	stats.use.blocked_ns = g_rand_int_range(rand, 0, 1000);
	stats.own_use.cpu_ns = g_rand_int_range(rand, -1000, 1000);
	stats.shown_count = g_rand_int(rand);
	return stats;
}

static void test_merging_in_any_order_is_the_same(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (int i = 0; i < 200; i++) {
		const struct itp_node_stats a = random_stats(rand);
		const struct itp_node_stats b = random_stats(rand);
		const struct itp_node_stats c = random_stats(rand);
		struct itp_node_stats left = a;
		struct itp_node_stats right = c;
		struct itp_node_stats both = b;

		itp_node_stats_merge(&left, &b);
		itp_node_stats_merge(&left, &c);
		itp_node_stats_merge(&both, &a);
		itp_node_stats_merge(&right, &both);
		g_assert_cmpmem(&left, sizeof(left), &right, sizeof(right));
		g_assert_cmpint(left.own_ns, ==, a.own_ns + b.own_ns + c.own_ns);
		g_assert_cmpuint(left.count, ==, a.count + b.count + c.count);
	}
}

static void test_numbers_have_the_names_of_messages(void)
{
	struct itp_node_stats stats = { .count = 0, .min_ns = 7, .own_use.blocked_ns = -3 };

	g_assert_cmpstr(itp_node_field_name(ITP_NODE_own_blocked_ns), ==, "own_blocked_ns");
	g_assert_true(itp_node_field_is_signed(ITP_NODE_own_blocked_ns));
	g_assert_cmpint((int64_t)itp_node_field_value(&stats, ITP_NODE_own_blocked_ns), ==, -3);
	g_assert_false(itp_node_field_is_signed(ITP_NODE_shown_count));
	g_assert_cmpuint(itp_node_field_value(&stats, ITP_NODE_min_ns), ==, 0);
	stats.count = 1;
	g_assert_cmpuint(itp_node_field_value(&stats, ITP_NODE_min_ns), ==, 7);
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
	g_test_add_func("/profile/merging in any order is the same",
			test_merging_in_any_order_is_the_same);
	g_test_add_func("/profile/a sparse profile is like an array",
			test_a_sparse_profile_is_like_an_array);
	g_test_add_func("/profile/statistics stay where they are",
			test_statistics_stay_where_they_are);
	g_test_add_func("/profile/nodes without statistics take hardly any room",
			test_nodes_without_statistics_take_hardly_any_room);
	g_test_add_func("/profile/numbers have the names of messages",
			test_numbers_have_the_names_of_messages);
	return g_test_run();
}
