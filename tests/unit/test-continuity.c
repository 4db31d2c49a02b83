/* SPDX-License-Identifier: MIT */
/*
 * Algorithm 2 of the paper, call sites (rule 2), when calls began and ended, and what is done when
 * there are too many contexts, on traces short enough to work out by hand. Rule 3 is in
 * test-flow.c.
 */
#include "common/infer/match.h"
#include "tests/unit/support.h"

/* Figure 3: A B D at t1 and t2, A C D at t3, A C at t4; t1..t4 = 10, 20, 30, 40. */
static void test_figure_3(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B D");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B D");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A C D");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A C");
	test_assert_instances(run, "p A B D 10 10 20\n"
				   "p A B 10 10 20\n"
				   "p A C D 30 0 10\n"
				   "p A C 30 10 10\n"
				   "p A 10 30 30\n"
				   "p 10 30 30\n");
}

/* Table 1, column R: (begin, last seen, function) of every register. */
static void assert_registers(const struct itp_open_stack *stack, const int64_t (*wanted)[2],
			     const uint32_t *functions, guint count)
{
	g_assert_cmpuint(stack->frames->len, ==, count + 1);
	for (guint d = 0; d < count; d++) {
		const struct itp_open_frame *open = itp_open_stack_frame(stack, d + 1);

		g_assert_cmpint(open->begin.time_ns, ==, wanted[d][0]);
		g_assert_cmpint(stack->seen.time_ns, ==, wanted[d][1]);
		g_assert_cmpuint(open->frame.function, ==, functions[d]);
	}
}

static void ignore_instance(const struct itp_instance *instance, void *data)
{
	(void)instance;
	(void)data;
}

static void show(struct itp_open_stack *stack, const struct itp_continuity_rules *rules,
		 const uint32_t *functions, guint count, int64_t time_ns)
{
	const struct itp_moment now = { .time_ns = time_ns };
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	struct itp_frame frame = { .function = 9 };
	struct itp_transition transition = { 0 };

	g_array_append_val(frames, frame);
	for (guint i = 0; i < count; i++) {
		frame.function = functions[i];
		g_array_append_val(frames, frame);
	}
	transition.keep = itp_open_stack_prefix(stack, rules, frames);
	transition.sure = transition.keep;
	itp_open_stack_replace(stack, rules, frames, &transition, &now);
}

static void test_table_1(void)
{
	enum {
		A = 1,
		B,
		C,
		D
	};
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_context_tree *tree = itp_context_tree_new();
	const struct itp_continuity_rules rules = {
		.continuity = ITP_CONTINUITY_FUNCTION,
		.tree = tree,
		.max_contexts = ITP_MAX_CONTEXTS,
		.gap = itp_gap_new(),
		.strata = itp_strata_new(functions, tree),
		.nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.counted = g_array_new(FALSE, TRUE, sizeof(bool)),
		.on_instance = ignore_instance,
	};
	const struct itp_moment start = { .time_ns = 1 };
	struct itp_open_stack stack;

	itp_open_stack_init(&stack, 1, 1);
	itp_open_stack_begin(&stack, &rules, 9, &start, true);
	show(&stack, &rules, (uint32_t[]){ A, B, D }, 3, 1);
	assert_registers(&stack, (int64_t[][2]){ { 1, 1 }, { 1, 1 }, { 1, 1 } },
			 (uint32_t[]){ A, B, D }, 3);
	show(&stack, &rules, (uint32_t[]){ A, B, D }, 3, 2);
	assert_registers(&stack, (int64_t[][2]){ { 1, 2 }, { 1, 2 }, { 1, 2 } },
			 (uint32_t[]){ A, B, D }, 3);
	show(&stack, &rules, (uint32_t[]){ A, C, D }, 3, 3);
	assert_registers(&stack, (int64_t[][2]){ { 1, 3 }, { 3, 3 }, { 3, 3 } },
			 (uint32_t[]){ A, C, D }, 3);
	show(&stack, &rules, (uint32_t[]){ A, C }, 2, 4);
	assert_registers(&stack, (int64_t[][2]){ { 1, 4 }, { 3, 4 } }, (uint32_t[]){ A, C }, 2);
	itp_open_stack_release(&stack);
	itp_gap_free(rules.gap);
	itp_strata_free(rules.strata);
	g_array_free(rules.nodes, TRUE);
	g_array_free(rules.counted, TRUE);
	itp_context_tree_free(tree);
	itp_function_table_free(functions);
}

static void test_function_rule_ignores_call_sites(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A@1 B");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A@2 B");
	test_assert_instances(run, "p A B 10 10 10\np A 10 10 10\np 10 10 10\n");
}

static void test_another_call_site_is_another_call(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A@1 B@5 C@7");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A@1 B@6 C@7");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A@2 B@6 C@7");
	test_assert_instances(run, "p A B C 10 0 10\n"
				   "p A B C 20 0 10\n"
				   "p A B 10 10 20\n"
				   "p A B C 30 0 0\n"
				   "p A B 30 0 0\n"
				   "p A 10 20 20\n"
				   "p 10 20 20\n");
}

static void test_bounds_reach_from_absent_to_gone(struct test_run *run, gconstpointer data)
{
	const struct itp_instance *instance;

	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 35, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 50, 1, "A");
	instance = test_instance(run, "p A B");
	/* Without code it may be two calls. */
	g_assert_cmpint(instance->lower_ns, ==, 0);
	g_assert_cmpuint(instance->max_calls, ==, 2);
	g_assert_cmpint(instance->conservative_ns, ==, 15);
	g_assert_cmpint(instance->aggressive_ns, ==, 30);
	g_assert_cmpint(instance->upper_ns, ==, 40);
	g_assert_cmpuint(instance->flags, ==, 0);
}

static void assert_best(const struct test_run *run, const char *path, int64_t begin_ns,
			int64_t best_ns)
{
	const struct itp_instance *instance = test_instance(run, path);

	g_assert_cmpint(instance->best_begin_ns, ==, begin_ns);
	g_assert_cmpint(instance->best_ns, ==, best_ns);
}

/* Between 20 and 60 D and C return and E and F are called: at 28, 36, 44 and 52. */
static void test_the_best_estimate_spreads_changes_over_the_gap(struct test_run *run,
								gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A C D");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A C D");
	test_push_argument(run, ITP_EVENT_SWITCH_OUT, 60, 1, "A E F", 1);
	itp_infer_finish(run->infer);
	assert_best(run, "p A C D", 10, 18);
	assert_best(run, "p A C", 10, 26);
	assert_best(run, "p A E", 44, 16);
	assert_best(run, "p A E F", 52, 8);
	assert_best(run, "p A", 10, 50);
}

/* Between 20 and 76, D, C, A, E and F are innermost, in that order. D has been seen so twice, and
 * in one gap: it gets (2 + 1) / (1 + 1) parts where the others get one. */
static void test_the_best_estimate_knows_where_time_is_spent(struct test_run *run,
							     gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SAMPLE, 10, 1, "A C D", 1);
	test_push_argument(run, ITP_EVENT_SAMPLE, 20, 1, "A C D", 1);
	test_push_argument(run, ITP_EVENT_SAMPLE, 76, 1, "A E F", 1);
	itp_infer_finish(run->infer);
	assert_best(run, "p A C D", 10, 10 + 15);
	assert_best(run, "p A C", 10, 10 + 25);
	assert_best(run, "p A E", 20 + 35, 21);
	assert_best(run, "p A E F", 20 + 45, 11);
	assert_best(run, "p A", 10, 66);
}

/* What makes a system call begins and ends with it: only the others are spread over 20 to 50. From
 * one call to the next it then takes the tracer up to 30, which are less of 70 to 130. */
static void test_the_best_estimate_knows_what_makes_system_calls(struct test_run *run,
								 gconstpointer data)
{
	(void)data;
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 10, 1, "A B read", 7);
	test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, 20, 1, "A B read", 7);
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 50, 1, "A C write", 8);
	test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, 70, 1, "A C write", 8);
	test_push_argument(run, ITP_EVENT_SYSCALL_ENTER, 130, 1, "A D send", 9);
	test_push_argument(run, ITP_EVENT_SYSCALL_EXIT, 140, 1, "A D send", 9);
	itp_infer_finish(run->infer);
	assert_best(run, "p A D", 120, 20);
	assert_best(run, "p A B read", 10, 10);
	assert_best(run, "p A B", 10, 20);
	/* Until 100 the tracer is at work; the call that was made returns then, its caller at 110.
	 */
	assert_best(run, "p A C", 40, 70);
	assert_best(run, "p A C write", 50, 50);
	assert_best(run, "p A C write syscall:8", 50, 20);
}

static void test_what_is_there_first_and_last_has_unknown_ends(struct test_run *run,
							       gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B");
	itp_infer_finish(run->infer);
	g_assert_cmpuint(test_instance(run, "p A")->flags, ==,
			 ITP_INSTANCE_BEGIN_UNKNOWN | ITP_INSTANCE_END_UNKNOWN);
	g_assert_cmpuint(test_instance(run, "p A B")->flags, ==, ITP_INSTANCE_END_UNKNOWN);
}

/* The root of all, p, A and B are as many contexts as there may be. */
static void test_too_many_contexts_count_as_their_callers(struct test_run *run, gconstpointer data)
{
	test_run_set_limit(run, (enum itp_continuity)GPOINTER_TO_INT(data), 4);
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A B C A B");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B C A D");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A C");
	test_push(run, ITP_EVENT_SAMPLE, 50, 1, "A B");
	test_push(run, ITP_EVENT_SAMPLE, 60, 1, "A");
	g_assert_cmpuint(itp_infer_counts(run->infer)->unfollowed_stacks, ==, 3);
	test_assert_instances(run, "p A B 10 20 30\n"
				   "p A B 50 0 10\n"
				   "p A 10 50 50\n"
				   "p 10 50 50\n");
	g_assert_cmpuint(itp_context_tree_size(run->tree), ==, 4);
	g_assert_cmpint(test_stats(run, "p A B")->own_ns, ==, 20);
	g_assert_cmpint(test_stats(run, "p A")->own_ns, ==, 30);
	g_assert_cmpint(test_stats(run, "p")->own_ns, ==, 0);
}

static void test_too_many_entered_functions_count_as_their_callers(struct test_run *run,
								   gconstpointer data)
{
	(void)data;
	test_run_set_limit(run, ITP_CONTINUITY_CONTROL_FLOW, 3);
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 10, 1, "A");
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 20, 1, "B");
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 30, 1, "A");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 40, 1, "A");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 50, 1, "B");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 60, 1, "A");
	test_push(run, ITP_EVENT_FUNCTION_ENTRY, 70, 1, "A");
	test_push(run, ITP_EVENT_FUNCTION_EXIT, 80, 1, "A");
	g_assert_cmpuint(itp_infer_counts(run->infer)->unfollowed_stacks, ==, 2);
	test_assert_instances(run, "p A 10 50 50\n"
				   "p A 70 10 10\n"
				   "p 10 70 70\n");
}

/* Processes have their context all the same, and what they lose. */
static void test_too_many_processes_are_told_apart(struct test_run *run, gconstpointer data)
{
	(void)data;
	test_run_set_limit(run, ITP_CONTINUITY_CONTROL_FLOW, 1);
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A B");
	test_push_argument(run, ITP_EVENT_LOSS, 20, 1, "", 5);
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A B");
	test_assert_instances(run, "p [lost] 20 0 10\n"
				   "p 10 20 20\n");
}

/* Place of a call, in a caller, of a function inlined there: 2⁶³ + 5, and others. */
#define INLINED_5 "9223372036854775813"
#define INLINED_6 "9223372036854775814"

/* Code goes on from place to place within the inlined function. */
static void test_an_inlined_function_lives_as_long_as_its_code(struct test_run *run,
							       gconstpointer data)
{
	(void)data;
	test_push(run, ITP_EVENT_SAMPLE, 10, 1, "A@" INLINED_5 " B@" INLINED_6 " C@6");
	test_push(run, ITP_EVENT_SAMPLE, 20, 1, "A@" INLINED_5 " B@" INLINED_6 " C@7");
	test_push(run, ITP_EVENT_SAMPLE, 30, 1, "A@" INLINED_5 " B@8");
	test_push(run, ITP_EVENT_SAMPLE, 40, 1, "A@" INLINED_5 " B@9 D@1");
	test_push(run, ITP_EVENT_SAMPLE, 50, 1, "A@10");
	test_assert_instances(run, "p A B C 10 10 20\n"
				   "p A B D 40 0 10\n"
				   "p A B 10 30 40\n"
				   "p A 10 40 40\n"
				   "p 10 40 40\n");
}

static const struct test_on_run by_functions[] = {
	{ "figure 3 of the paper gives both estimates", test_figure_3 },
	{ "the function rule ignores call sites", test_function_rule_ignores_call_sites },
};

static const struct test_on_run by_call_sites[] = {
	{ "another call site is another call", test_another_call_site_is_another_call },
	{ "an inlined function lives as long as its code",
	  test_an_inlined_function_lives_as_long_as_its_code },
	{ "bounds reach from absent to gone", test_bounds_reach_from_absent_to_gone },
	{ "the best estimate spreads changes over the gap",
	  test_the_best_estimate_spreads_changes_over_the_gap },
	{ "the best estimate knows where time is spent",
	  test_the_best_estimate_knows_where_time_is_spent },
	{ "the best estimate knows what makes system calls",
	  test_the_best_estimate_knows_what_makes_system_calls },
	{ "what is there first and last has unknown ends",
	  test_what_is_there_first_and_last_has_unknown_ends },
	{ "too many contexts count as their callers",
	  test_too_many_contexts_count_as_their_callers },
	{ "too many entered functions count as their callers",
	  test_too_many_entered_functions_count_as_their_callers },
	{ "too many processes are told apart", test_too_many_processes_are_told_apart },
};

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	test_add_on_runs("continuity", ITP_CONTINUITY_FUNCTION, by_functions,
			 G_N_ELEMENTS(by_functions));
	test_add_on_runs("continuity", ITP_CONTINUITY_CALL_SITE, by_call_sites,
			 G_N_ELEMENTS(by_call_sites));
	g_test_add_func("/continuity/table 1 of the paper gives its registers", test_table_1);
	return g_test_run();
}
