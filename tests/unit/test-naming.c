/* SPDX-License-Identifier: MIT */
/* The function that names a hop. */
#include "common/through/naming.h"
#include "tests/unit/support.h"

#define TID 7

static uint32_t child(struct itp_context_tree *tree, struct itp_function_table *functions,
		      uint32_t parent, const char *name)
{
	return itp_context_tree_child(tree, parent, test_function(functions, name));
}

static void run(struct itp_history *history, uint32_t node, int64_t begin_ns, int64_t end_ns)
{
	const struct itp_stretch stretch = { .kind = ITP_STRETCH_RUN,
					     .tid = TID,
					     .begin_ns = begin_ns,
					     .end_ns = end_ns,
					     .node = node };

	itp_history_add(history, &stretch);
}

/* Below main(), a() has 55 of 100, and b() has 45. */
static void test_a_hop_is_named_by_who_has_half(void)
{
	const struct itp_hop hop = { .tid = TID, .end_ns = 100 };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_context_tree *tree = itp_context_tree_new();
	struct itp_history *history = itp_history_new();
	const struct itp_recall recall = { .history = history,
					   .tree = tree,
					   .functions = functions };
	struct itp_hops hops = { .list = g_array_new(FALSE, FALSE, sizeof(struct itp_hop)),
				 .asks = g_array_new(FALSE, FALSE, sizeof(struct itp_ask)) };
	struct itp_time_use use = { 0 };
	struct itp_naming naming;
	const uint32_t process = itp_context_tree_child(
		tree, ITP_CONTEXT_ROOT,
		itp_function_table_intern_stand_in(functions, "p", ITP_LAYER_PROCESS));
	const uint32_t main_node = child(tree, functions, process, "p!main");
	const uint32_t a = child(tree, functions, main_node, "p!a");
	const uint32_t b = child(tree, functions, main_node, "p!b");
	int64_t ns;

	run(history, a, 0, 55);
	run(history, b, 55, 100);
	g_array_append_val(hops.list, hop);
	itp_naming_init(&naming, &recall);
	itp_naming_add(&naming, &hops, 0, &use);
	g_assert_cmpuint(itp_naming_node(&naming, &ns), ==, a);
	g_assert_cmpint(ns, ==, 55);
	g_assert_cmpint(use.cpu_ns, ==, 100);
	itp_naming_release(&naming);
	g_array_unref(hops.list);
	g_array_unref(hops.asks);
	itp_history_free(history);
	itp_context_tree_free(tree);
	itp_function_table_free(functions);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/naming/a hop is named by who has half",
			test_a_hop_is_named_by_who_has_half);
	return g_test_run();
}
