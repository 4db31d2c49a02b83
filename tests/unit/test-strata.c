/* SPDX-License-Identifier: MIT */
/* Whose the CPU time of gaps was, on gaps few enough to work out by hand. */
#include "common/infer/strata.h"

#include <string.h>

/* What continuity.h said counts as half a tick: of 8 ticks each has two parts of 17. */
#define PART_NS 5000

struct fixture {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_strata *strata;
	struct itp_gap_log log;
	/* p, p A, p A B, p A C and p A syscall:read. */
	uint32_t process;
	uint32_t a;
	uint32_t b;
	uint32_t c;
	uint32_t call;
	/* struct itp_share. */
	GArray *told;
};

static uint32_t add_node(struct fixture *fixture, uint32_t parent, const char *name,
			 enum itp_layer layer)
{
	const struct itp_function function = {
		.name = name, .module = "m", .build_id = "", .layer = layer
	};

	return itp_context_tree_child(fixture->tree, parent,
				      itp_function_table_intern(fixture->functions, &function));
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->functions = itp_function_table_new();
	fixture->tree = itp_context_tree_new();
	fixture->strata = itp_strata_new(fixture->functions, fixture->tree);
	itp_gap_log_init(&fixture->log);
	fixture->process = add_node(fixture, ITP_CONTEXT_ROOT, "p", ITP_LAYER_PROCESS);
	fixture->a = add_node(fixture, fixture->process, "A", ITP_LAYER_USER);
	fixture->b = add_node(fixture, fixture->a, "B", ITP_LAYER_USER);
	fixture->c = add_node(fixture, fixture->a, "C", ITP_LAYER_USER);
	fixture->call = add_node(fixture, fixture->a, "syscall:read", ITP_LAYER_SYSCALL);
	fixture->told = g_array_new(FALSE, FALSE, sizeof(struct itp_share));
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_gap_log_release(&fixture->log);
	itp_strata_free(fixture->strata);
	itp_context_tree_free(fixture->tree);
	itp_function_table_free(fixture->functions);
	g_array_free(fixture->told, TRUE);
}

static void take(const struct itp_share *share, void *data)
{
	g_array_append_vals(data, share, 1);
}

static void tell(struct fixture *fixture)
{
	g_array_set_size(fixture->told, 0);
	itp_strata_tell(fixture->strata, take, fixture->told);
}

/* What was told of a node; all zero when nothing was. */
static struct itp_share told_of(const struct fixture *fixture, uint32_t node)
{
	struct itp_share sum = { .node = node };

	for (guint i = 0; i < fixture->told->len; i++) {
		const struct itp_share *share = &g_array_index(fixture->told, struct itp_share, i);

		if (share->node == node) {
			sum.within = share->within;
			sum.cpu_ns += share->cpu_ns;
			sum.samples += share->samples;
			sum.variance_us2 += share->variance_us2;
		}
	}
	return sum;
}

static void assert_corrections_cancel(const struct fixture *fixture)
{
	int64_t sum_ns = 0;

	for (guint i = 0; i < fixture->told->len; i++) {
		sum_ns += g_array_index(fixture->told, struct itp_share, i).cpu_ns;
	}
	g_assert_cmpint(sum_ns, ==, 0);
}

static void tick(struct fixture *fixture, uint32_t node, int count)
{
	while (count-- > 0) {
		itp_strata_tick(fixture->strata, &fixture->log, node, 1);
	}
}

/* A gap from a system call's exit in A to the next one's enter in `after`. */
static void begin_gap(struct fixture *fixture, int64_t given_ns)
{
	itp_gap_log_begin(&fixture->log, fixture->a, ITP_GAP_EDGE_EXIT);
	itp_gap_log_give(&fixture->log, fixture->a, given_ns);
}

static void end_gap(struct fixture *fixture, uint32_t after)
{
	itp_strata_end_gap(fixture->strata, &fixture->log, after, ITP_GAP_EDGE_ENTER);
}

static void test_ticks_divide_the_time_of_a_kind_of_gaps(struct fixture *fixture,
							 gconstpointer data)
{
	(void)data;
	/* In one gap of many, all of one kind. */
	begin_gap(fixture, 10 * PART_NS);
	end_gap(fixture, fixture->a);
	begin_gap(fixture, 7 * PART_NS);
	tick(fixture, fixture->b, 6);
	tick(fixture, fixture->c, 2);
	end_gap(fixture, fixture->a);
	tell(fixture);
	g_assert_cmpint(told_of(fixture, fixture->a).cpu_ns, ==, (1 - 17) * PART_NS);
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, ==, 12 * PART_NS);
	g_assert_cmpint(told_of(fixture, fixture->c).cpu_ns, ==, 4 * PART_NS);
	g_assert_cmpuint(told_of(fixture, fixture->b).samples, ==, 6);
	/* (85 µs)² · 12/17 · 5/17 / (8 + 1) = 166.7 */
	g_assert_cmpuint(told_of(fixture, fixture->b).variance_us2, ==, 166);
	assert_corrections_cancel(fixture);
}

static void test_a_tick_counts_for_what_it_stands(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	begin_gap(fixture, 17 * PART_NS);
	itp_strata_tick(fixture->strata, &fixture->log, fixture->b, 3 * 1003009.0);
	itp_strata_tick(fixture->strata, &fixture->log, fixture->c, 1003009.0);
	end_gap(fixture, fixture->a);
	tell(fixture);
	/* The mean weight is 2, half of it the prior's: of 5 parts 3, 1 and 1. */
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, ==, 3 * 17 * PART_NS / 5);
	g_assert_cmpint(told_of(fixture, fixture->c).cpu_ns, ==, 17 * PART_NS / 5);
	assert_corrections_cancel(fixture);
}

static void test_kinds_that_are_too_short_are_pooled(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	/* Of 7 ticks less than 4 are expected in each. */
	begin_gap(fixture, 7 * PART_NS);
	tick(fixture, fixture->b, 4);
	end_gap(fixture, fixture->a);
	begin_gap(fixture, 8 * PART_NS);
	tick(fixture, fixture->c, 3);
	end_gap(fixture, fixture->b);
	tell(fixture);
	g_assert_cmpint(told_of(fixture, fixture->a).cpu_ns, ==, (1 - 15) * PART_NS);
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, ==, 8 * PART_NS);
	g_assert_cmpint(told_of(fixture, fixture->c).cpu_ns, ==, 6 * PART_NS);
}

static void test_kinds_that_let_expect_four_ticks_are_not(struct fixture *fixture,
							  gconstpointer data)
{
	(void)data;
	begin_gap(fixture, 18 * PART_NS);
	tick(fixture, fixture->a, 1);
	tick(fixture, fixture->b, 3);
	end_gap(fixture, fixture->a);
	begin_gap(fixture, 18 * PART_NS);
	tick(fixture, fixture->c, 5);
	end_gap(fixture, fixture->b);
	tell(fixture);
	/* 3 of 4.5; 5 of 6, of which A has half for what was said, and half for its tick. */
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, ==, 12 * PART_NS);
	g_assert_cmpint(told_of(fixture, fixture->c).cpu_ns, ==, 15 * PART_NS);
	assert_corrections_cancel(fixture);
}

/* Whether it is pooled follows from how long a kind is: had it followed from the ticks that came,
 * the short kind, which by chance has one, would not count where there was none. */
static void test_chance_does_not_decide_what_is_pooled(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	begin_gap(fixture, 170 * PART_NS);
	tick(fixture, fixture->b, 8);
	end_gap(fixture, fixture->a);
	begin_gap(fixture, PART_NS);
	tick(fixture, fixture->c, 9);
	end_gap(fixture, fixture->b);
	tell(fixture);
	/* The long kind has enough; the short one, alone in its pool, is divided 9 to a half. */
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, ==, 160 * PART_NS);
	g_assert_cmpint(told_of(fixture, fixture->c).cpu_ns, ==, 4737);
}

static void test_time_stays_within_its_system_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	begin_gap(fixture, 17 * PART_NS);
	tick(fixture, fixture->b, 8);
	end_gap(fixture, fixture->a);
	itp_gap_log_begin(&fixture->log, fixture->call, ITP_GAP_EDGE_ENTER);
	itp_gap_log_give(&fixture->log, fixture->call, PART_NS);
	itp_strata_end_gap(fixture->strata, &fixture->log, fixture->call, ITP_GAP_EDGE_EXIT);
	tell(fixture);
	g_assert_cmpint(told_of(fixture, fixture->call).cpu_ns, ==, 0);
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, ==, 16 * PART_NS);
}

static void test_the_recorder_is_told_for_the_whole_process(struct fixture *fixture,
							    gconstpointer data)
{
	uint32_t inside;
	uint32_t recorder;

	(void)data;
	begin_gap(fixture, 17 * PART_NS);
	inside = itp_strata_recorder(fixture->strata, fixture->b);
	tick(fixture, inside, 8);
	end_gap(fixture, fixture->a);
	tell(fixture);
	recorder = itp_strata_recorder(fixture->strata, fixture->process);
	g_assert_cmpint(told_of(fixture, inside).cpu_ns, ==, 0);
	g_assert_cmpint(told_of(fixture, recorder).cpu_ns, ==, 16 * PART_NS);
	g_assert_cmpuint(told_of(fixture, recorder).within, ==, fixture->b);
	assert_corrections_cancel(fixture);
}

/* Most of the gap is summed before it ends, and nothing of it is lost. */
static void test_a_gap_may_have_any_number_of_ticks(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	begin_gap(fixture, 0);
	for (int i = 0; i < 1000; i++) {
		itp_gap_log_give(&fixture->log, fixture->a, PART_NS);
		tick(fixture, fixture->b, 1);
	}
	end_gap(fixture, fixture->a);
	tell(fixture);
	g_assert_cmpuint(told_of(fixture, fixture->b).samples, ==, 1000);
	/* 768 of them are in gaps that come back to A, and 232 in one that ends there: of both, no
	 * more than half a tick is left to A. */
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, >=, 999 * PART_NS);
	assert_corrections_cancel(fixture);
}

static void test_without_ticks_there_is_nothing_to_tell(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	begin_gap(fixture, 17 * PART_NS);
	end_gap(fixture, fixture->a);
	tell(fixture);
	g_assert_cmpuint(fixture->told->len, ==, 0);
}

static void test_what_was_told_is_not_told_again(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	begin_gap(fixture, 17 * PART_NS);
	tick(fixture, fixture->b, 8);
	end_gap(fixture, fixture->a);
	tell(fixture);
	tell(fixture);
	g_assert_cmpuint(fixture->told->len, ==, 0);
	begin_gap(fixture, 17 * PART_NS);
	tick(fixture, fixture->c, 8);
	end_gap(fixture, fixture->a);
	tell(fixture);
	g_assert_cmpint(told_of(fixture, fixture->b).cpu_ns, ==, 0);
	g_assert_cmpint(told_of(fixture, fixture->c).cpu_ns, ==, 16 * PART_NS);
}

/* Ticks said that B, which the stacks around such gaps do not show, is what takes time between A's
 * and C's turn: then A has called it. */
static void test_what_was_learnt_divides_gaps_without_ticks(struct fixture *fixture,
							    gconstpointer data)
{
	(void)data;
	begin_gap(fixture, PART_NS);
	itp_gap_log_give(&fixture->log, fixture->c, PART_NS);
	tick(fixture, fixture->b, 3);
	tick(fixture, fixture->c, 1);
	end_gap(fixture, fixture->c);
	begin_gap(fixture, PART_NS);
	g_assert_true(
		itp_strata_learnt(fixture->strata, &fixture->log, fixture->c, ITP_GAP_EDGE_ENTER));
	/* Half a tick says 1 of both. */
	g_assert_cmpfloat(itp_strata_part(fixture->strata, &fixture->log, fixture->a, 1), ==, 3.5);
	g_assert_cmpfloat(itp_strata_part(fixture->strata, &fixture->log, fixture->c, 1), ==, 1.5);
	g_assert_false(
		itp_strata_learnt(fixture->strata, &fixture->log, fixture->a, ITP_GAP_EDGE_ENTER));
}

int main(int argc, char **argv)
{
	static const struct {
		const char *sentence;
		void (*check)(struct fixture *fixture, gconstpointer data);
	} tests[] = {
		{ "ticks divide the time of a kind of gaps",
		  test_ticks_divide_the_time_of_a_kind_of_gaps },
		{ "a tick counts for what it stands", test_a_tick_counts_for_what_it_stands },
		{ "kinds that are too short are pooled", test_kinds_that_are_too_short_are_pooled },
		{ "kinds that let expect four ticks are not",
		  test_kinds_that_let_expect_four_ticks_are_not },
		{ "chance does not decide what is pooled",
		  test_chance_does_not_decide_what_is_pooled },
		{ "time stays within its system call", test_time_stays_within_its_system_call },
		{ "the recorder is told for the whole process",
		  test_the_recorder_is_told_for_the_whole_process },
		{ "a gap may have any number of ticks", test_a_gap_may_have_any_number_of_ticks },
		{ "without ticks there is nothing to tell",
		  test_without_ticks_there_is_nothing_to_tell },
		{ "what was told is not told again", test_what_was_told_is_not_told_again },
		{ "what was learnt divides gaps without ticks",
		  test_what_was_learnt_divides_gaps_without_ticks },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strconcat("/strata/", tests[i].sentence, NULL);

		g_test_add(path, struct fixture, NULL, set_up, tests[i].check, tear_down);
	}
	return g_test_run();
}
