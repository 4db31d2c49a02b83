/* SPDX-License-Identifier: MIT */
/* Symptoms: how they are asked for, which calls and processes are slow, and what held them up. */
#include "common/wait/interest.h"
#include "common/wait/symptom.h"
#include "tests/unit/support.h"

struct calls {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_recall recall;
	struct itp_symptom_wish wish;
	struct itp_symptoms *symptoms;
};

static void calls_init(struct calls *calls, const char *wish)
{
	*calls = (struct calls){ .functions = itp_function_table_new(),
				 .tree = itp_context_tree_new() };
	calls->recall.functions = calls->functions;
	calls->recall.tree = calls->tree;
	g_assert_true(itp_symptom_wish_parse(&calls->wish, wish, NULL));
	calls->symptoms = itp_symptoms_new(&calls->wish, &calls->recall);
}

static void calls_release(struct calls *calls)
{
	itp_symptoms_free(calls->symptoms);
	itp_symptom_wish_release(&calls->wish);
	itp_context_tree_free(calls->tree);
	itp_function_table_free(calls->functions);
}

static void add_flagged(struct calls *calls, const char *name, int32_t tid, int64_t begin_ns,
			int64_t end_ns, uint32_t flags)
{
	const struct itp_function function = { .name = name, .module = "m", .build_id = "" };
	uint32_t id = itp_function_table_intern(calls->functions, &function);
	const struct itp_instance instance = {
		.node = itp_context_tree_child(calls->tree, ITP_CONTEXT_ROOT, id),
		.pid = 10,
		.tid = tid,
		.depth = g_str_equal(name, "process") ? 0 : 3,
		.best_begin_ns = begin_ns,
		.best_ns = end_ns - begin_ns,
		.flags = flags,
	};

	itp_symptoms_add(calls->symptoms, &instance);
}

static void add(struct calls *calls, const char *name, int32_t tid, int64_t begin_ns,
		int64_t end_ns)
{
	add_flagged(calls, name, tid, begin_ns, end_ns, 0);
}

/* "TID BEGIN END", a line for each, and of how many. */
static void assert_slow(const struct calls *calls, guint of, const char *wanted)
{
	guint count;
	g_autoptr(GArray) slow = itp_symptoms_finish(calls->symptoms, &count);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < slow->len; i++) {
		const struct itp_symptom *symptom = &g_array_index(slow, struct itp_symptom, i);

		g_string_append_printf(text, "%d %d %d\n", symptom->tid, (int)symptom->begin_ns,
				       (int)symptom->end_ns);
	}
	g_assert_cmpstr(text->str, ==, wanted);
	g_assert_cmpuint(count, ==, of);
}

static void test_wishes(void)
{
	static const char *const wrong[] = { "",         "call:",     "calls:f", "call:f>2parsecs",
					     "process:", "processes", "f>2ms",   "unit:",
					     "call" };
	struct itp_symptom_wish wish;

	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_false(itp_symptom_wish_parse(&wish, wrong[i], &error));
		g_assert_nonnull(error);
		itp_symptom_wish_release(&wish);
	}
	g_assert_true(itp_symptom_wish_parse(&wish, "call:operator>", NULL));
	g_assert_cmpstr(wish.name, ==, "operator>");
	g_assert_cmpint(wish.limit_ns, ==, -1);
	itp_symptom_wish_release(&wish);
	g_assert_true(itp_symptom_wish_parse(&wish, "call:f<g>>1.5ms", NULL));
	g_assert_cmpstr(wish.name, ==, "f<g>");
	g_assert_cmpint(wish.limit_ns, ==, 1500000);
	itp_symptom_wish_release(&wish);
	g_assert_true(itp_symptom_wish_parse(&wish, "unit>2ms", NULL));
	g_assert_cmpint(wish.kind, ==, ITP_SYMPTOM_UNIT);
	g_assert_null(wish.name);
	itp_symptom_wish_release(&wish);
}

static void test_calls_above_a_limit(void)
{
	struct calls calls;

	calls_init(&calls, "call:f>10ns");
	add(&calls, "f", 2, 50, 61);
	add(&calls, "f", 1, 0, 30);
	add(&calls, "g", 1, 0, 90);
	add(&calls, "f", 1, 40, 50);
	/* Within the first one: a part of it. */
	add(&calls, "f", 1, 5, 29);
	add_flagged(&calls, "f", 3, 0, 99, ITP_INSTANCE_BEGIN_UNKNOWN);
	add_flagged(&calls, "f", 4, 0, 99, ITP_INSTANCE_LOST);
	assert_slow(&calls, 3, "1 0 30\n2 50 61\n");
	calls_release(&calls);
}

static void test_the_slowest_hundredth(void)
{
	struct calls calls;

	calls_init(&calls, "call:f");
	for (int i = 0; i < 250; i++) {
		add(&calls, "f", 1, 1000 * i, 1000 * i + i);
	}
	assert_slow(&calls, 250, "1 247000 247247\n1 248000 248248\n1 249000 249249\n");
	calls_release(&calls);
}

/* Until the first call of f, whichever ends first; a program without one has no such symptom. */
static void test_starting_up(void)
{
	struct calls calls;

	calls_init(&calls, "process:f>0ns");
	add(&calls, "f", 11, 70, 75);
	add(&calls, "f", 10, 40, 90);
	add(&calls, "process", 10, 5, 100);
	add(&calls, "process", 10, 100, 200);
	assert_slow(&calls, 1, "10 5 40\n");
	calls_release(&calls);
}

static void add_at(struct calls *calls, const char *path, int64_t begin_ns, int64_t end_ns)
{
	g_auto(GStrv) names = g_strsplit(path, " ", -1);
	struct itp_instance instance = {
		.pid = 1, .tid = 1, .best_begin_ns = begin_ns, .best_ns = end_ns - begin_ns
	};

	for (guint i = 0; names[i]; i++) {
		const struct itp_function function = {
			.name = names[i],
			.module = "m",
			.build_id = "",
			.layer = g_str_has_prefix(names[i], ITP_SYSCALL_PREFIX) ?
					 ITP_LAYER_SYSCALL :
					 ITP_LAYER_USER,
		};

		instance.node = itp_context_tree_child(
			calls->tree, instance.node,
			itp_function_table_intern(calls->functions, &function));
		instance.depth = i;
	}
	itp_symptoms_add(calls->symptoms, &instance);
}

/* Units of `count` iterations: every other one answers, the i-th for 10 + i ns, the others look for
 * 500. */
static void serve(struct calls *calls, int count)
{
	for (int i = 0; i < count; i++) {
		const int64_t at = 1000 * i;
		const int64_t end_ns = at + (i % 2 == 0 ? 110 + i : 600);

		add_at(calls, "p serve wait syscall:epoll_wait", at - 50, at + 100);
		add_at(calls, "p serve wait", at - 50, at + 100);
		add_at(calls,
		       i % 2 == 0 ? "p serve answer syscall:write" : "p serve look syscall:stat",
		       at + 101, end_ns - 1);
		add_at(calls, i % 2 == 0 ? "p serve answer" : "p serve look", at + 101, end_ns - 1);
		add_at(calls, "p serve wait syscall:epoll_wait", end_ns, at + 940);
		add_at(calls, "p serve wait", end_ns, at + 940);
	}
}

static void assert_slow_units(const char *wish, int count, guint of, const char *wanted)
{
	struct calls calls;

	calls_init(&calls, wish);
	serve(&calls, count);
	assert_slow(&calls, of, wanted);
	calls_release(&calls);
}

/* The waits between two requests, which find nothing to do, are no units of the wished types. */
static void test_units(void)
{
	assert_slow_units("unit:answer>15ns", 10, 5, "1 6100 6116\n1 8100 8118\n");
	assert_slow_units("unit:answer", 300, 150, "1 296100 296406\n1 298100 298408\n");
	assert_slow_units("unit:look>500ns", 10, 5, "");
	assert_slow_units("unit:sort", 10, 0, "");
}

static void add_stretch(struct itp_history *history, int32_t tid, enum itp_stretch_kind kind,
			uint32_t node, int64_t begin_ns, int64_t end_ns, int32_t waker)
{
	itp_history_add(history,
			&(struct itp_stretch){ .kind = kind,
					       .tid = tid,
					       .node = node,
					       .begin_ns = begin_ns,
					       .end_ns = end_ns,
					       .end = waker > 0 ? ITP_WAIT_WOKEN : ITP_WAIT_UNSEEN,
					       .waker_tid = waker });
}

/* By the path, who waits stands before whom it waits for, and all costs sum to the symptom; by the
 * graph, each stretch stands for itself, whole. */
static void test_interest(void)
{
	const struct itp_symptom symptom = { .tid = 1, .begin_ns = 10, .end_ns = 100 };
	struct itp_history *history = itp_history_new();
	struct itp_interest interest;
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const struct itp_interest_stack *stacks;

	add_stretch(history, 2, ITP_STRETCH_RUN, 5, 0, 80, 0);
	add_stretch(history, 1, ITP_STRETCH_RUN, 3, 10, 20, 0);
	add_stretch(history, 1, ITP_STRETCH_WAIT, 4, 20, 80, 2);
	add_stretch(history, 1, ITP_STRETCH_WAIT, 4, 80, 100, 0);
	itp_interest_init(&interest);
	itp_interest_add(&interest, history, &symptom, ITP_INTEREST_PATH);
	stacks = (const struct itp_interest_stack *)(const void *)interest.stacks->data;
	g_assert_cmpuint(interest.stacks->len, ==, 3);
	g_assert_cmpint(stacks[0].cost_ns, ==, 10);
	g_assert_cmpint(stacks[1].cost_ns, ==, 60);
	g_assert_false(stacks[1].is_wait);
	itp_context_tree_path(interest.chains, stacks[1].chain, nodes);
	g_assert_cmpuint(nodes->len, ==, 2);
	g_assert_cmpuint(g_array_index(nodes, uint32_t, 0), ==, 4);
	g_assert_cmpuint(g_array_index(nodes, uint32_t, 1), ==, 5);
	g_assert_cmpint(stacks[2].cost_ns, ==, 20);
	g_assert_true(stacks[2].is_wait);
	itp_interest_release(&interest);
	itp_interest_init(&interest);
	itp_interest_add(&interest, history, &symptom, ITP_INTEREST_GRAPH);
	stacks = (const struct itp_interest_stack *)(const void *)interest.stacks->data;
	g_assert_cmpuint(interest.stacks->len, ==, 3);
	g_assert_cmpint(stacks[0].cost_ns + stacks[1].cost_ns + stacks[2].cost_ns, ==,
			10 + 80 + 80);
	itp_interest_release(&interest);
	itp_history_free(history);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/symptoms/wishes", test_wishes);
	g_test_add_func("/symptoms/calls above a limit", test_calls_above_a_limit);
	g_test_add_func("/symptoms/the slowest hundredth", test_the_slowest_hundredth);
	g_test_add_func("/symptoms/starting up", test_starting_up);
	g_test_add_func("/symptoms/units", test_units);
	g_test_add_func("/symptoms/interest", test_interest);
	return g_test_run();
}
