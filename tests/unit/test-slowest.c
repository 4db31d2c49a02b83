/* SPDX-License-Identifier: MIT */
/* The slowest calls of a context: which are kept, in which order, and how they merge. */
#include "tests/unit/support.h"

#define NODE_COUNT 3
#define CALL_COUNT 200
#define PART_COUNT 5
#define ROUNDS 100

struct fixture {
	struct test_run run;
};

static void set_up(struct fixture *fixture, gconstpointer estimate)
{
	test_run_init(&fixture->run, ITP_CONTINUITY_CALL_SITE, GPOINTER_TO_INT(estimate), NULL);
}

static void tear_down(struct fixture *fixture, gconstpointer estimate)
{
	(void)estimate;
	test_run_release(&fixture->run, NULL);
}

/* "latency@begin" of the calls of `node`. */
static char *calls_text(const struct itp_slowest *slowest, uint32_t node)
{
	GString *text = g_string_new(NULL);
	size_t count;
	const struct itp_slow_call *calls = itp_slowest_of_node(slowest, node, &count);

	for (size_t i = 0; i < count; i++) {
		g_string_append_printf(text, "%s%d@%d", i == 0 ? "" : " ", (int)calls[i].latency_ns,
				       (int)calls[i].begin_ns);
	}
	return g_string_free(text, FALSE);
}

static void assert_calls(const struct itp_slowest *slowest, uint32_t node, const char *expected)
{
	g_autofree char *text = calls_text(slowest, node);

	g_assert_cmpstr(text, ==, expected);
}

static void assert_calls_of_path(const struct fixture *fixture, const char *path,
				 const char *expected)
{
	const struct test_run *run = &fixture->run;

	for (uint32_t node = 1; node < itp_context_tree_size(run->tree); node++) {
		g_autofree char *name = test_path(run, node);

		if (g_str_equal(name, path)) {
			assert_calls(run->profile->slowest, node, expected);
			return;
		}
	}
	g_assert_not_reached();
}

static void test_the_slowest_eight_of_many_are_kept(void)
{
	struct itp_slowest *slowest = itp_slowest_new();

	for (int i = 1; i <= 20; i++) {
		const struct itp_slow_call call = { .node = 2,
						    .begin_ns = 100 * i,
						    .latency_ns = i * 7 % 20 };

		itp_slowest_add(slowest, &call);
	}
	assert_calls(slowest, 2, "19@1700 18@1400 17@1100 16@800 15@500 14@200 13@1900 12@1600");
	assert_calls(slowest, 1, "");
	assert_calls(slowest, 3, "");
	itp_slowest_free(slowest);
}

static void test_of_equal_calls_the_earliest_come_first(void)
{
	struct itp_slowest *slowest = itp_slowest_new();

	for (int i = 12; i > 0; i--) {
		const struct itp_slow_call call = { .begin_ns = i, .latency_ns = 5 };

		itp_slowest_add(slowest, &call);
	}
	assert_calls(slowest, 0, "5@1 5@2 5@3 5@4 5@5 5@6 5@7 5@8");
	itp_slowest_free(slowest);
}

/* Few values, so that calls often agree in some of them. */
static struct itp_slow_call random_call(void)
{
	return (struct itp_slow_call){
		.node = (uint32_t)g_test_rand_int_range(0, NODE_COUNT),
		.pid = g_test_rand_int_range(0, 2),
		.tid = g_test_rand_int_range(0, 2),
		.flags = (uint32_t)g_test_rand_int_range(0, 3),
		.begin_ns = g_test_rand_int_range(0, 3),
		.latency_ns = g_test_rand_int_range(-2, 40),
		.lower_ns = g_test_rand_int_range(0, 2),
		.upper_ns = g_test_rand_int_range(0, 2),
	};
}

#define COMPARE(a, b, member, sign)                                   \
	if ((a)->member != (b)->member) {                             \
		return ((a)->member < (b)->member ? -1 : 1) * (sign); \
	}

static gint compare_calls(gconstpointer a, gconstpointer b)
{
	const struct itp_slow_call *left = a;
	const struct itp_slow_call *right = b;

	COMPARE(left, right, latency_ns, -1)
	COMPARE(left, right, begin_ns, 1)
	COMPARE(left, right, pid, 1)
	COMPARE(left, right, tid, 1)
	COMPARE(left, right, lower_ns, 1)
	COMPARE(left, right, upper_ns, 1)
	COMPARE(left, right, flags, 1)
	return 0;
}

/* All calls of `node`, sorted. The caller unrefs it. */
static GArray *sort_all(const GArray *calls, uint32_t node)
{
	GArray *sorted = g_array_new(FALSE, FALSE, sizeof(struct itp_slow_call));

	for (guint i = 0; i < calls->len; i++) {
		if (g_array_index(calls, struct itp_slow_call, i).node == node) {
			g_array_append_val(sorted, g_array_index(calls, struct itp_slow_call, i));
		}
	}
	g_array_sort(sorted, compare_calls);
	return sorted;
}

static void assert_first_of_all(const struct itp_slowest *slowest, const GArray *calls)
{
	for (uint32_t node = 0; node < NODE_COUNT; node++) {
		g_autoptr(GArray) sorted = sort_all(calls, node);
		size_t count;
		const struct itp_slow_call *kept = itp_slowest_of_node(slowest, node, &count);

		g_assert_cmpuint(count, ==, MIN(sorted->len, ITP_SLOWEST_COUNT));
		for (size_t i = 0; i < count; i++) {
			g_assert_cmpint(
				compare_calls(&kept[i],
					      &g_array_index(sorted, struct itp_slow_call, i)),
				==, 0);
		}
	}
}

/* Merges all of `parts` into the first, always two chosen at random. */
static void merge_at_random(struct itp_slowest **parts)
{
	for (guint left = PART_COUNT; left > 1; left--) {
		guint into = (guint)g_test_rand_int_range(0, (gint)left);
		guint last = left - 1;

		if (into == last) {
			itp_slowest_merge(parts[last], parts[0]);
			itp_slowest_free(parts[0]);
			parts[0] = parts[last];
		} else {
			itp_slowest_merge(parts[into], parts[last]);
			itp_slowest_free(parts[last]);
		}
		parts[last] = NULL;
	}
}

static void test_merged_in_any_order_they_are_the_first_of_all(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(struct itp_slow_call));
		struct itp_slowest *parts[PART_COUNT];

		for (size_t i = 0; i < PART_COUNT; i++) {
			parts[i] = itp_slowest_new();
		}
		for (int i = g_test_rand_int_range(0, CALL_COUNT); i > 0; i--) {
			struct itp_slow_call call = random_call();

			g_array_append_val(calls, call);
			itp_slowest_add(parts[g_test_rand_int_range(0, PART_COUNT)], &call);
		}
		merge_at_random(parts);
		assert_first_of_all(parts[0], calls);
		itp_slowest_free(parts[0]);
	}
}

static void test_calls_say_when_by_the_chosen_estimate(struct fixture *fixture,
						       gconstpointer estimate)
{
	static const char *const expected[] = {
		[ITP_ESTIMATE_CONSERVATIVE] = "10@20 0@50",
		[ITP_ESTIMATE_AGGRESSIVE] = "20@20 10@50",
		[ITP_ESTIMATE_BEST] = "20@15 10@45",
	};

	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 40, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 50, 1, "A B");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 60, 1, "A");
	itp_infer_finish(fixture->run.infer);
	assert_calls_of_path(fixture, "p A B", expected[GPOINTER_TO_INT(estimate)]);
}

static void test_processes_have_none(struct fixture *fixture, gconstpointer estimate)
{
	(void)estimate;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A k:page_fault");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 20, 1, "A k:page_fault");
	itp_infer_finish(fixture->run.infer);
	assert_calls_of_path(fixture, "p", "");
	assert_calls_of_path(fixture, "p A", "10@10");
	assert_calls_of_path(fixture, "p A page_fault", "10@10");
}

static void test_lost_calls_are_not_among_them(struct fixture *fixture, gconstpointer estimate)
{
	(void)estimate;
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 90, 1, "A");
	test_push(&fixture->run, ITP_EVENT_LOSS, 95, 1, "");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 100, 1, "A");
	test_push(&fixture->run, ITP_EVENT_SAMPLE, 105, 1, "A");
	itp_infer_finish(fixture->run.infer);
	assert_calls_of_path(fixture, "p A", "5@100");
}

#define ADD(name, estimate, test)                                                             \
	g_test_add("/slowest/" name, struct fixture, GINT_TO_POINTER(estimate), set_up, test, \
		   tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/slowest/the slowest eight of many are kept",
			test_the_slowest_eight_of_many_are_kept);
	g_test_add_func("/slowest/of equal calls the earliest come first",
			test_of_equal_calls_the_earliest_come_first);
	g_test_add_func("/slowest/merged in any order they are the first of all",
			test_merged_in_any_order_they_are_the_first_of_all);
	ADD("calls say when by the conservative estimate", ITP_ESTIMATE_CONSERVATIVE,
	    test_calls_say_when_by_the_chosen_estimate);
	ADD("calls say when by the aggressive estimate", ITP_ESTIMATE_AGGRESSIVE,
	    test_calls_say_when_by_the_chosen_estimate);
	ADD("calls say when by the best estimate", ITP_ESTIMATE_BEST,
	    test_calls_say_when_by_the_chosen_estimate);
	ADD("processes have none, the kernel has", ITP_ESTIMATE_CONSERVATIVE,
	    test_processes_have_none);
	ADD("lost calls are not among them", ITP_ESTIMATE_CONSERVATIVE,
	    test_lost_calls_are_not_among_them);
	return g_test_run();
}
