/* SPDX-License-Identifier: MIT */
/* What profiles hold of units: sums by hand, and that sums of two are those of all units. */
#include "common/compare/unit-work.h"
#include "common/compare/workload-set.h"
#include "common/infer/unit-sums.h"

#define ROUNDS 200
#define TYPES 5

static const struct itp_unit_sum answer = { .process = "p",
					    .loop = "serve",
					    .wait = "poll",
					    .telling = "answer(int, char); look",
					    .count = 3,
					    .total_ns = 60,
					    .min_ns = 10,
					    .max_ns = 30,
					    .use = { 50, 6, 4 } };

static struct itp_unit_sum with(struct itp_unit_sum sum, const char *loop, const char *telling)
{
	sum.loop = loop;
	sum.telling = telling;
	return sum;
}

static void test_sums(void)
{
	struct itp_unit_sums *sums = itp_unit_sums_new();
	struct itp_unit_sum more = answer;
	const struct itp_unit_sum other = with(answer, "serve", "");
	const struct itp_unit_sum *sum;

	more.min_ns = 5;
	more.max_ns = 20;
	g_assert_cmpuint(itp_unit_sums_add(sums, &answer), ==, 0);
	g_assert_cmpuint(itp_unit_sums_add(sums, &other), ==, 1);
	g_assert_cmpuint(itp_unit_sums_add(sums, &more), ==, 0);
	sum = itp_unit_sums_get(sums, 0);
	g_assert_cmpuint(sum->count, ==, 6);
	g_assert_cmpint(sum->total_ns, ==, 120);
	g_assert_cmpint(sum->min_ns, ==, 5);
	g_assert_cmpint(sum->max_ns, ==, 30);
	g_assert_cmpint(sum->use.blocked_ns, ==, 12);
	g_assert_cmpuint(itp_unit_sums_get(sums, 1)->count, ==, 3);
	g_assert_null(itp_unit_sums_get(sums, 2));
	itp_unit_sums_free(sums);
}

static void add_random(struct itp_unit_sums *sums, GRand *random)
{
	static const char *const names[TYPES] = { "", "a", "b", "a; b", "c" };
	const int64_t length_ns = g_rand_int_range(random, 0, 100000);
	struct itp_unit_sum unit = with(answer, "serve", names[g_rand_int_range(random, 0, TYPES)]);

	unit.count = 1;
	unit.total_ns = unit.min_ns = unit.max_ns = length_ns;
	itp_latencies_add(itp_unit_sums_latencies(sums), itp_unit_sums_add(sums, &unit), length_ns,
			  1);
}

static void assert_same_type(const struct itp_unit_sums *a, const struct itp_unit_sums *b,
			     guint number)
{
	const struct itp_unit_sum *sum = itp_unit_sums_get(a, number);
	guint other = 0;

	while (g_strcmp0(itp_unit_sums_get(b, other)->telling, sum->telling) != 0) {
		other++;
	}
	g_assert_cmpuint(itp_unit_sums_get(b, other)->count, ==, sum->count);
	g_assert_cmpint(itp_unit_sums_get(b, other)->total_ns, ==, sum->total_ns);
	g_assert_cmpint(itp_unit_sums_get(b, other)->min_ns, ==, sum->min_ns);
	g_assert_cmpint(itp_unit_sums_get(b, other)->max_ns, ==, sum->max_ns);
	for (uint64_t i = 0; i < sum->count; i++) {
		g_assert_cmpint(itp_latencies_nth(itp_unit_sums_latencies(b), other, i), ==,
				itp_latencies_nth(itp_unit_sums_latencies(a), number, i));
	}
}

/* Two workloads in either order are one with all units. */
static void test_merging(void)
{
	GRand *random = g_rand_new_with_seed((guint32)g_test_rand_int());

	for (int round = 0; round < ROUNDS; round++) {
		struct itp_unit_sums *one = itp_unit_sums_new();
		struct itp_unit_sums *other = itp_unit_sums_new();
		struct itp_unit_sums *copy = itp_unit_sums_new();

		for (int i = g_rand_int_range(random, 0, 30); i > 0; i--) {
			add_random(one, random);
			add_random(other, random);
		}
		itp_unit_sums_merge(copy, one);
		itp_unit_sums_merge(one, other);
		itp_unit_sums_merge(other, copy);
		for (guint i = 0; itp_unit_sums_get(one, i); i++) {
			assert_same_type(one, other, i);
		}
		itp_unit_sums_free(one);
		itp_unit_sums_free(other);
		itp_unit_sums_free(copy);
	}
	g_rand_free(random);
}

/* ---- Work counted by units ---- */

static void add_workload(GPtrArray *workloads, struct itp_workload_set *set, const char *name)
{
	const struct itp_clock clock = { .has_epoch = false };

	g_ptr_array_add(workloads, itp_workload_set_add(set, name, &clock, NULL));
}

static void add_units(const GPtrArray *workloads, guint workload, const char *loop,
		      const char *telling, uint64_t count, int64_t total_ns)
{
	const struct itp_set_workload *one = g_ptr_array_index(workloads, workload);
	struct itp_unit_sum sum = with(answer, loop, telling);

	sum.count = count;
	sum.total_ns = total_ns;
	itp_unit_sums_add(one->profile->units, &sum);
}

static void assert_work(const GPtrArray *workloads, const char *type, const char *wanted)
{
	g_autoptr(GString) counts = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct itp_unit_work work;

	if (!itp_unit_work_init(&work, type, workloads, &error)) {
		g_assert_cmpstr(error->message, ==, wanted);
		return;
	}
	for (guint i = 0; i < workloads->len; i++) {
		const struct itp_set_workload *one = g_ptr_array_index(workloads, i);

		g_string_append_printf(counts, "%s%u", i > 0 ? " " : "",
				       (unsigned int)itp_unit_work_count(&work, one->profile));
	}
	g_assert_cmpstr(counts->str, ==, wanted);
}

/* The loop that both have and that took most; types by what tells them, or by their loop. */
static void test_work(void)
{
	struct itp_workload_set *set = itp_workload_set_new();
	g_autoptr(GPtrArray) workloads = g_ptr_array_new();

	add_workload(workloads, set, "good");
	assert_work(
		workloads, "",
		"parameter \"per\": no units of work are known of \"good\": no loop that waits "
		"for events was seen to come round, or nobody looked for one when it was saved");
	add_workload(workloads, set, "slow");
	add_units(workloads, 0, "serve", "answer(int, char); look", 10, 500);
	add_units(workloads, 0, "serve", "hand_over", 5, 300);
	add_units(workloads, 0, "only_here", "", 1, 9000);
	add_units(workloads, 1, "serve", "answer(int, char); look", 30, 1500);
	add_units(workloads, 1, "sweep", "", 2, 100);
	assert_work(workloads, "", "15 30");
	assert_work(workloads, "answer", "10 30");
	assert_work(workloads, "answer(int, char)", "10 30");
	assert_work(workloads, "serve", "15 30");
	assert_work(workloads, "hand_over",
		    "parameter \"per\": \"slow\" has no units of hand_over; there are those of "
		    "serve (answer(int, char); look), sweep");
	itp_workload_set_free(set);
}

/* Loops of two builds have other names where there are no symbols. */
static void test_work_of_other_builds(void)
{
	struct itp_workload_set *set = itp_workload_set_new();
	g_autoptr(GPtrArray) workloads = g_ptr_array_new();

	add_workload(workloads, set, "good");
	add_workload(workloads, set, "slow");
	add_units(workloads, 0, "p+0x100", "", 10, 500);
	add_units(workloads, 1, "p+0x200", "", 20, 900);
	assert_work(workloads, "", "10 20");
	itp_workload_set_free(set);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/unit sums/sums", test_sums);
	g_test_add_func("/unit sums/merging", test_merging);
	g_test_add_func("/unit sums/work", test_work);
	g_test_add_func("/unit sums/work of other builds", test_work_of_other_builds);
	return g_test_run();
}
