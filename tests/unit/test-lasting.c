/* SPDX-License-Identifier: MIT */
/* What goes on beside the command as long as the recording, on trees that were worked out by hand.
 */
#include "common/base/watched.h"
#include "tests/unit/comparison.h"

static const struct itp_ranking_options folded = { .folds = true };

#define JOB "job: main compute"
#define NS_PER_S INT64_C(1000000000)

/* The job went on before, and takes `own_ns` in a recording of so many seconds. */
static void record(struct comparison *comparison, struct itp_profile *profile, int64_t seconds,
		   int64_t own_ns)
{
	struct itp_infer_counts *counts = &profile->workload.counts;

	counts->watched = ITP_WATCHED_TOLD | ITP_WATCHED_SWITCHES | ITP_WATCHED_WAKEUPS;
	counts->units = 1;
	counts->commands = 1;
	counts->threads = 2;
	counts->begin_ns = NS_PER_S;
	counts->end_ns = (1 + seconds) * NS_PER_S;
	comparison_set(comparison, profile, JOB, 9, own_ns);
	itp_profile_node(profile, comparison_node_id(comparison, "job: main"))->part_count = 1;
	comparison_set(comparison, profile, "p: main work", 1, 10);
}

static void record_both(struct comparison *comparison)
{
	record(comparison, comparison->base[0], 2, 100);
	record(comparison, comparison->suspect[0], 6, 300);
}

/* What the base has of the job, brought to the suspect's length or not. */
static void assert_base(struct comparison *comparison, int64_t own_ns)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &folded, true);

	g_assert_cmpint(
		itp_profile_peek(ranking->base, comparison_node_id(comparison, JOB))->own_ns, ==,
		own_ns);
	g_assert_cmpint(
		itp_profile_peek(ranking->base, comparison_node_id(comparison, "p: main work"))
			->own_ns,
		==, 10);
	itp_ranking_free(ranking);
}

static void test_what_lasts_is_compared_by_its_share(struct comparison *comparison,
						     gconstpointer data)
{
	(void)data;
	record_both(comparison);
	assert_base(comparison, 300);
}

static void test_what_began_in_a_recording_does_not_last(struct comparison *comparison,
							 gconstpointer data)
{
	(void)data;
	record_both(comparison);
	itp_profile_node(comparison->base[0], comparison_node_id(comparison, "job: main"))
		->part_count = 0;
	assert_base(comparison, 100);
}

static void test_who_is_waited_for_is_not_beside(struct comparison *comparison, gconstpointer data)
{
	const char *ask = "p: main ask libc.so.6!read syscall:read";
	const struct itp_waker waker = {
		.node = comparison_node_id(comparison, ask),
		.role = ITP_WAKER_WOKE,
		.process = itp_function_table_intern_stand_in(comparison->functions, "job",
							      ITP_LAYER_PROCESS),
		.count = 1,
		.blocked_ns = 7,
	};

	(void)data;
	record_both(comparison);
	comparison_block(comparison, comparison->suspect[0], ask, 1, 7);
	itp_wakers_add(comparison->suspect[0]->wakers, &waker);
	assert_base(comparison, 300);
	itp_profile_node(comparison->suspect[0], waker.node)->demand.life_ns = 7;
	assert_base(comparison, 100);
}

static void test_without_a_command_nothing_is_beside(struct comparison *comparison,
						     gconstpointer data)
{
	(void)data;
	record_both(comparison);
	comparison->base[0]->workload.counts.commands = 0;
	assert_base(comparison, 100);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/lasting/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("what lasts is compared by its share", test_what_lasts_is_compared_by_its_share);
	add("what began in a recording does not last",
	    test_what_began_in_a_recording_does_not_last);
	add("who is waited for is not beside", test_who_is_waited_for_is_not_beside);
	add("without a command nothing is beside", test_without_a_command_nothing_is_beside);
	return g_test_run();
}
