/* SPDX-License-Identifier: MIT */
/* Distributions of latencies: their buckets by hand, and against all latencies in order. */
#include "common/infer/latencies.h"

#include <glib.h>

#define ROUNDS 300
#define CALLS_MOST 200
#define NODE 3

static gint compare_latencies(gconstpointer a, gconstpointer b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

/* Of one latency, as it is told. */
static int64_t told(int64_t latency_ns)
{
	struct itp_latencies *latencies = itp_latencies_new();
	int64_t found_ns;

	itp_latencies_add(latencies, NODE, latency_ns, 1);
	g_assert_cmpuint(itp_latencies_count(latencies, NODE), ==, 1);
	found_ns = itp_latencies_nth(latencies, NODE, 0);
	itp_latencies_free(latencies);
	return found_ns;
}

/* Up to 63 ns each for itself, then 2, 4, 8 ns a bucket. 1000 = 62.5 · 16: its bucket is 992 to
 * 1007, in the middle of which is 999. */
static void test_buckets_by_hand(void)
{
	for (int64_t latency_ns = 0; latency_ns < 64; latency_ns++) {
		g_assert_cmpint(told(latency_ns), ==, latency_ns);
	}
	g_assert_cmpint(told(-5), ==, 0);
	g_assert_cmpint(told(64), ==, 64);
	g_assert_cmpint(told(65), ==, 64);
	g_assert_cmpint(told(66), ==, 66);
	g_assert_cmpint(told(127), ==, 126);
	g_assert_cmpint(told(128), ==, 129);
	g_assert_cmpint(told(1000), ==, 999);
	g_assert_cmpint(told(1007), ==, 999);
	g_assert_cmpint(told(1008), ==, 1015);
	g_assert_cmpint(told(INT64_MAX), >, INT64_MAX - INT64_MAX / 64);
}

static int64_t random_latency(void)
{
	return (((int64_t)g_test_rand_int() << 31 ^ g_test_rand_int()) & INT64_MAX) >>
	       g_test_rand_int_range(0, 62);
}

static void check_order(const struct itp_latencies *latencies, const GArray *sorted)
{
	g_assert_cmpuint(itp_latencies_count(latencies, NODE), ==, sorted->len);
	for (guint i = 0; i < sorted->len; i++) {
		int64_t true_ns = g_array_index(sorted, int64_t, i);
		int64_t found_ns = itp_latencies_nth(latencies, NODE, i);

		g_assert_cmpint(ABS(found_ns - true_ns), <=, true_ns / 64);
	}
}

/* Some calls are in one distribution, the others in another, of another node. */
static void test_sums_are_of_all_calls(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(int64_t));
		struct itp_latencies *parts[] = { itp_latencies_new(), itp_latencies_new() };

		for (int i = g_test_rand_int_range(1, CALLS_MOST); i > 0; i--) {
			int64_t latency_ns = random_latency();
			int part = g_test_rand_int_range(0, 2);

			itp_latencies_add(parts[part], part == 0 ? NODE : NODE + 4, latency_ns, 1);
			g_array_append_val(sorted, latency_ns);
		}
		g_array_sort(sorted, compare_latencies);
		itp_latencies_add_node(parts[0], NODE, parts[1], NODE + 4);
		check_order(parts[0], sorted);
		itp_latencies_move_node(parts[0], NODE + 1, NODE);
		g_assert_cmpuint(itp_latencies_count(parts[0], NODE), ==, 0);
		itp_latencies_clear_node(parts[1], NODE + 4);
		itp_latencies_merge(parts[1], parts[0]);
		itp_latencies_move_node(parts[1], NODE, NODE + 1);
		itp_latencies_move_node(parts[1], NODE, NODE);
		check_order(parts[1], sorted);
		itp_latencies_free(parts[0]);
		itp_latencies_free(parts[1]);
	}
}

/* Who sends its buckets, and adds what arrives, has the same. */
static void test_buckets_are_sent_whole(void)
{
	struct itp_latencies *latencies = itp_latencies_new();
	struct itp_latencies *arrived = itp_latencies_new();
	struct itp_latency sent;
	struct itp_latency found;
	guint i;

	for (int round = 0; round < ROUNDS; round++) {
		itp_latencies_add(latencies, NODE, random_latency(), 3);
	}
	for (i = 0; itp_latencies_get(latencies, NODE, i, &sent); i++) {
		itp_latencies_add(arrived, NODE, sent.latency_ns, sent.calls);
		g_assert_true(itp_latencies_get(arrived, NODE, i, &found));
		g_assert_cmpint(found.latency_ns, ==, sent.latency_ns);
		g_assert_cmpuint(found.calls, ==, sent.calls);
	}
	g_assert_false(itp_latencies_get(arrived, NODE, i, &found));
	g_assert_cmpuint(itp_latencies_count(arrived, NODE), ==, 3 * ROUNDS);
	itp_latencies_free(latencies);
	itp_latencies_free(arrived);
}

static void test_sums_have_a_limit(void)
{
	struct itp_latencies *latencies = itp_latencies_new();

	itp_latencies_add(latencies, NODE, 7, UINT64_MAX);
	itp_latencies_add(latencies, NODE, 7, 1);
	itp_latencies_add(latencies, NODE, 9, UINT64_MAX);
	g_assert_cmpuint(itp_latencies_count(latencies, NODE), ==, UINT64_MAX);
	g_assert_cmpint(itp_latencies_nth(latencies, NODE, UINT64_MAX - 1), ==, 7);
	itp_latencies_free(latencies);
}

static void test_nodes_are_forgotten(void)
{
	struct itp_latencies *latencies = itp_latencies_new();

	for (uint32_t node = 0; node < 5; node++) {
		itp_latencies_add(latencies, node, node, 1);
	}
	itp_latencies_clear_node(latencies, 1);
	itp_latencies_clear_node(latencies, 9);
	itp_latencies_truncate(latencies, 3);
	itp_latencies_truncate(latencies, 7);
	g_assert_cmpuint(itp_latencies_count(latencies, 0), ==, 1);
	g_assert_cmpuint(itp_latencies_count(latencies, 1), ==, 0);
	g_assert_cmpuint(itp_latencies_count(latencies, 2), ==, 1);
	g_assert_cmpuint(itp_latencies_count(latencies, 3), ==, 0);
	itp_latencies_add(latencies, 3, 50, 1);
	g_assert_cmpint(itp_latencies_nth(latencies, 3, 0), ==, 50);
	itp_latencies_free(latencies);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/latencies/buckets by hand", test_buckets_by_hand);
	g_test_add_func("/latencies/sums are of all calls", test_sums_are_of_all_calls);
	g_test_add_func("/latencies/buckets are sent whole", test_buckets_are_sent_whole);
	g_test_add_func("/latencies/sums have a limit", test_sums_have_a_limit);
	g_test_add_func("/latencies/nodes are forgotten", test_nodes_are_forgotten);
	return g_test_run();
}
