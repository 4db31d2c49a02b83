/* SPDX-License-Identifier: MIT */
/* Functions that name a step of a chain, and where a chain ends, just on both sides of each limit.
 */
#include "common/wait/chain.h"
#include "tests/unit/support.h"

#define TID 7

/* The life of a thread. */
struct life {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_history *history;
	int64_t until_ns;
};

static void set_up(struct life *life, gconstpointer data)
{
	(void)data;
	*life = (struct life){ .functions = itp_function_table_new(),
			       .tree = itp_context_tree_new(),
			       .history = itp_history_new() };
}

static void tear_down(struct life *life, gconstpointer data)
{
	(void)data;
	itp_history_free(life->history);
	itp_context_tree_free(life->tree);
	itp_function_table_free(life->functions);
}

/* Below process "p". */
static uint32_t node_of(struct life *life, const char *stack)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	uint32_t node = itp_context_tree_child(
		life->tree, ITP_CONTEXT_ROOT,
		itp_function_table_intern_stand_in(life->functions, "p", ITP_LAYER_PROCESS));

	test_frames(life->functions, stack, frames);
	for (guint i = 0; i < frames->len; i++) {
		node = itp_context_tree_child(life->tree, node,
					      g_array_index(frames, struct itp_frame, i).function);
	}
	return node;
}

static void go_on(struct life *life, enum itp_stretch_kind kind, const char *stack, int64_t for_ns)
{
	const struct itp_stretch stretch = {
		.kind = kind,
		.tid = TID,
		.begin_ns = life->until_ns,
		.end_ns = life->until_ns + for_ns,
		.node = node_of(life, stack),
		.end = kind == ITP_STRETCH_WAIT ? ITP_WAIT_UNSEEN : 0,
	};

	itp_history_add(life->history, &stretch);
	life->until_ns += for_ns;
}

static void run(struct life *life, const char *stack, int64_t for_ns)
{
	go_on(life, ITP_STRETCH_RUN, stack, for_ns);
}

/* Name of the first step; its end is that of the chain. Begins anew. */
static const char *name_of(struct life *life, enum itp_chain_end *ret_end)
{
	const struct itp_symptom symptom = { .tid = TID, .end_ns = life->until_ns };
	const struct itp_recall recall = { .history = life->history,
					   .tree = life->tree,
					   .functions = life->functions };
	g_autoptr(GArray) symptoms = g_array_new(FALSE, FALSE, sizeof(symptom));
	g_autoptr(GArray) steps = NULL;
	const struct itp_chain_step *step;
	const char *name;

	g_array_append_val(symptoms, symptom);
	steps = itp_chain(&recall, symptoms);
	g_assert_cmpuint(steps->len, ==, 1);
	step = &g_array_index(steps, struct itp_chain_step, 0);
	*ret_end = step->end;
	name = step->function ? g_intern_string(step->function->name) : "-";
	tear_down(life, NULL);
	set_up(life, NULL);
	return name;
}

static void assert_name(struct life *life, const char *expected)
{
	enum itp_chain_end end;

	g_assert_cmpint(life->until_ns, ==, 100);
	g_assert_cmpstr(name_of(life, &end), ==, expected);
	g_assert_cmpint(end, ==, ITP_CHAIN_END_RAN);
}

/* The caller does more than a third itself. */
static void test_who_has_more_than_half(struct life *life, gconstpointer data)
{
	(void)data;
	run(life, "p!main", 36);
	run(life, "p!main p!a", 56);
	run(life, "p!main p!b", 8);
	assert_name(life, "a");
	run(life, "p!main", 36);
	run(life, "p!main p!a", 40);
	run(life, "p!main p!b", 24);
	assert_name(life, "main");
}

/* A caller with all of the time, which does nothing itself, and with 70 % of it. */
static void test_who_has_nearly_all_tells_little(struct life *life, gconstpointer data)
{
	(void)data;
	run(life, "p!main p!a", 40);
	run(life, "p!main p!b", 35);
	run(life, "p!main p!c", 25);
	assert_name(life, "a");
	run(life, "p!main p!x p!y", 36);
	run(life, "p!main p!x p!z", 34);
	run(life, "p!main p!w", 30);
	assert_name(life, "x");
}

/* A caller that does a quarter itself, while a callee does two fifths. */
static void test_who_has_more_than_a_third(struct life *life, gconstpointer data)
{
	(void)data;
	run(life, "p!main", 25);
	run(life, "p!main p!a", 40);
	run(life, "p!main p!b", 35);
	assert_name(life, "a");
}

static void test_a_fifth_is_a_wait(struct life *life, gconstpointer data)
{
	enum itp_chain_end end;

	(void)data;
	run(life, "p!main", 70);
	go_on(life, ITP_STRETCH_WAIT, "p!main", 30);
	g_assert_cmpstr(name_of(life, &end), ==, "main");
	g_assert_cmpint(end, ==, ITP_CHAIN_END_UNSEEN);
	run(life, "p!main", 85);
	go_on(life, ITP_STRETCH_WAIT, "p!main", 15);
	g_assert_cmpstr(name_of(life, &end), ==, "main");
	g_assert_cmpint(end, ==, ITP_CHAIN_END_RAN);
}

static void add(const char *name, void (*test)(struct life *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/chain/", name, NULL);

	g_test_add(path, struct life, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("who has more than half", test_who_has_more_than_half);
	add("who has nearly all tells little", test_who_has_nearly_all_tells_little);
	add("who has more than a third", test_who_has_more_than_a_third);
	add("a fifth is a wait", test_a_fifth_is_a_wait);
	return g_test_run();
}
