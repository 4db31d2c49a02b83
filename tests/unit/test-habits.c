/* SPDX-License-Identifier: MIT */
/* What functions do elsewhere, in gaps of two contexts of one function, worked out by hand. */
#include "common/infer/strata.h"

struct fixture {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_strata *strata;
	struct itp_gap_log log;
	/* p A F, p A F G, p B F and p B F G. */
	uint32_t af;
	uint32_t ag;
	uint32_t bf;
	uint32_t bg;
	/* int64_t: corrections by node. */
	GArray *told_ns;
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

static uint32_t add_f(struct fixture *fixture, uint32_t process, const char *caller)
{
	return add_node(fixture, add_node(fixture, process, caller, ITP_LAYER_USER), "F",
			ITP_LAYER_USER);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	uint32_t process;

	(void)data;
	fixture->functions = itp_function_table_new();
	fixture->tree = itp_context_tree_new();
	fixture->strata = itp_strata_new(fixture->functions, fixture->tree);
	itp_gap_log_init(&fixture->log);
	process = add_node(fixture, ITP_CONTEXT_ROOT, "p", ITP_LAYER_PROCESS);
	fixture->af = add_f(fixture, process, "A");
	fixture->ag = add_node(fixture, fixture->af, "G", ITP_LAYER_USER);
	fixture->bf = add_f(fixture, process, "B");
	fixture->bg = add_node(fixture, fixture->bf, "G", ITP_LAYER_USER);
	fixture->told_ns = g_array_new(FALSE, TRUE, sizeof(int64_t));
	g_array_set_size(fixture->told_ns, itp_context_tree_size(fixture->tree));
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_gap_log_release(&fixture->log);
	itp_strata_free(fixture->strata);
	itp_context_tree_free(fixture->tree);
	itp_function_table_free(fixture->functions);
	g_array_free(fixture->told_ns, TRUE);
}

/* A gap between two system calls of F, at `f`, with so many ticks in it and in G, at `g`. */
static void add_gap(struct fixture *fixture, int64_t cpu_ns, uint32_t f, int f_ticks, uint32_t g,
		    int g_ticks)
{
	itp_gap_log_begin(&fixture->log, f, ITP_GAP_EDGE_EXIT);
	itp_gap_log_give(&fixture->log, f, cpu_ns);
	while (f_ticks-- > 0) {
		itp_strata_tick(fixture->strata, &fixture->log, f, 1);
	}
	while (g_ticks-- > 0) {
		itp_strata_tick(fixture->strata, &fixture->log, g, 1);
	}
	itp_strata_end_gap(fixture->strata, &fixture->log, f, ITP_GAP_EDGE_ENTER);
}

static void take(const struct itp_share *share, void *data)
{
	struct fixture *fixture = data;

	g_array_index(fixture->told_ns, int64_t, share->node) += share->cpu_ns;
}

static int64_t told_ns(const struct fixture *fixture, uint32_t node)
{
	return g_array_index(fixture->told_ns, int64_t, node);
}

static void test_few_ticks_are_helped_by_those_elsewhere(struct fixture *fixture,
							 gconstpointer data)
{
	(void)data;
	add_gap(fixture, 900000, fixture->af, 2, fixture->ag, 6);
	add_gap(fixture, 40000, fixture->bf, 3, fixture->bg, 1);
	/* So that both kinds have enough. */
	add_gap(fixture, 860000, fixture->bf, 0, fixture->bg, 0);
	itp_strata_tell(fixture->strata, take, fixture);
	/* With the prior F has 3.5 of 4.5 ticks in B. Elsewhere F has 2 of 8: of half a tick 1/8.
	 */
	g_assert_cmpint(told_ns(fixture, fixture->bg), ==, 900000 * 11 / 40);
	g_assert_cmpint(told_ns(fixture, fixture->bf), ==, -900000 * 11 / 40);
	/* In A 2.5 of 8.5, and elsewhere 3 of 4. */
	g_assert_cmpint(told_ns(fixture, fixture->ag), ==, 900000 * 49 / 72);
	g_assert_cmpint(told_ns(fixture, fixture->af), ==, -900000 * 49 / 72);
}

static void test_many_ticks_outweigh_those_elsewhere(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add_gap(fixture, 201000, fixture->af, 2, fixture->ag, 6);
	add_gap(fixture, 201000, fixture->bf, 150, fixture->bg, 50);
	itp_strata_tell(fixture->strata, take, fixture);
	/* 50 and 3/8 of 201. */
	g_assert_cmpint(told_ns(fixture, fixture->bg), ==, 50375);
	g_assert_cmpint(told_ns(fixture, fixture->bf), ==, -50375);
}

static void test_nothing_goes_where_a_kind_has_nothing(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add_gap(fixture, 40000, fixture->af, 2, fixture->ag, 6);
	add_gap(fixture, 40000, fixture->bf, 4, fixture->bg, 0);
	itp_strata_tell(fixture->strata, take, fixture);
	g_assert_cmpint(told_ns(fixture, fixture->bg), ==, 0);
	g_assert_cmpint(told_ns(fixture, fixture->bf), ==, 0);
}

static void test_other_kinds_of_one_context_are_elsewhere_too(struct fixture *fixture,
							      gconstpointer data)
{
	(void)data;
	add_gap(fixture, 900000, fixture->af, 2, fixture->ag, 6);
	itp_gap_log_begin(&fixture->log, fixture->af, ITP_GAP_EDGE_SWITCH);
	itp_gap_log_give(&fixture->log, fixture->af, 900000);
	for (int i = 0; i < 3; i++) {
		itp_strata_tick(fixture->strata, &fixture->log, fixture->af, 1);
	}
	itp_strata_tick(fixture->strata, &fixture->log, fixture->ag, 1);
	itp_strata_end_gap(fixture->strata, &fixture->log, fixture->af, ITP_GAP_EDGE_ENTER);
	itp_strata_tell(fixture->strata, take, fixture);
	/* The two kinds are those of the first test. */
	g_assert_cmpint(told_ns(fixture, fixture->ag), ==, 900000 * 11 / 40 + 900000 * 49 / 72);
}

static void test_what_was_told_is_no_habit(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	add_gap(fixture, 40000, fixture->af, 2, fixture->ag, 6);
	itp_strata_tell(fixture->strata, take, fixture);
	add_gap(fixture, 90000, fixture->bf, 3, fixture->bg, 1);
	itp_strata_tell(fixture->strata, take, fixture);
	/* 1 of 4.5. */
	g_assert_cmpint(told_ns(fixture, fixture->bg), ==, 20000);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *sentence;
		void (*check)(struct fixture *fixture, gconstpointer data);
	} tests[] = {
		{ "few ticks are helped by those elsewhere",
		  test_few_ticks_are_helped_by_those_elsewhere },
		{ "many ticks outweigh those elsewhere", test_many_ticks_outweigh_those_elsewhere },
		{ "nothing goes where a kind has nothing",
		  test_nothing_goes_where_a_kind_has_nothing },
		{ "other kinds of one context are elsewhere, too",
		  test_other_kinds_of_one_context_are_elsewhere_too },
		{ "what was told is no habit", test_what_was_told_is_no_habit },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
		g_autofree char *path = g_strconcat("/habits/", tests[i].sentence, NULL);

		g_test_add(path, struct fixture, NULL, set_up, tests[i].check, tear_down);
	}
	return g_test_run();
}
