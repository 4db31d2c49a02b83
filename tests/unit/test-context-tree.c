/* SPDX-License-Identifier: MIT */
/* Algorithm 1: contexts and functions as numbers. */
#include "common/base/context-tree.h"
#include "common/base/function-table.h"

static uint32_t node_of(struct itp_context_tree *tree, const uint32_t *functions, size_t count)
{
	uint32_t node = ITP_CONTEXT_ROOT;

	for (size_t i = 0; i < count; i++) {
		node = itp_context_tree_child(tree, node, functions[i]);
	}
	return node;
}

static void test_equal_stacks_get_equal_ids(void)
{
	struct itp_context_tree *tree = itp_context_tree_new();
	const uint32_t stack[] = { 7, 3, 7, 7, 1 };
	uint32_t first = node_of(tree, stack, G_N_ELEMENTS(stack));

	g_assert_cmpuint(node_of(tree, stack, G_N_ELEMENTS(stack)), ==, first);
	g_assert_cmpuint(itp_context_tree_size(tree), ==, 6);
	itp_context_tree_free(tree);
}

static void test_a_function_in_two_contexts_is_two_nodes(void)
{
	struct itp_context_tree *tree = itp_context_tree_new();
	const uint32_t left[] = { 1, 2, 4 };
	const uint32_t right[] = { 1, 3, 4 };

	g_assert_cmpuint(node_of(tree, left, 3), !=, node_of(tree, right, 3));
	itp_context_tree_free(tree);
}

/* 20 000 random stacks: many more nodes than the table starts with. */
static void test_an_id_gives_its_path_back(void)
{
	struct itp_context_tree *tree = itp_context_tree_new();
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	for (int i = 0; i < 20000; i++) {
		uint32_t stack[12];
		uint32_t depth = (uint32_t)g_rand_int_range(random, 1, 13);

		for (uint32_t d = 0; d < depth; d++) {
			stack[d] = (uint32_t)g_rand_int_range(random, 0, 50);
		}
		itp_context_tree_path(tree, node_of(tree, stack, depth), path);
		g_assert_cmpmem(stack, (int)(depth * sizeof(stack[0])), path->data,
				(int)(path->len * sizeof(uint32_t)));
	}
	itp_context_tree_free(tree);
}

static void test_parents_have_smaller_ids(void)
{
	struct itp_context_tree *tree = itp_context_tree_new();
	const uint32_t stack[] = { 5, 6, 7, 8 };

	node_of(tree, stack, 4);
	for (uint32_t node = 1; node < itp_context_tree_size(tree); node++) {
		g_assert_cmpuint(itp_context_tree_get(tree, node)->parent, <, node);
		g_assert_cmpuint(itp_context_tree_get(tree, node)->depth, ==, node);
	}
	itp_context_tree_free(tree);
}

static void test_functions_differ_by_module_and_layer(void)
{
	struct itp_function_table *table = itp_function_table_new();
	struct itp_function function = { .name = "read", .module = "libc.so.6", .build_id = "" };
	uint32_t library = itp_function_table_intern(table, &function);
	uint32_t program;

	function.module = "program";
	program = itp_function_table_intern(table, &function);
	g_assert_cmpuint(program, !=, library);
	function.layer = ITP_LAYER_KERNEL;
	g_assert_cmpuint(itp_function_table_intern(table, &function), !=, program);
	function.layer = ITP_LAYER_USER;
	g_assert_cmpuint(itp_function_table_intern(table, &function), ==, program);
	g_assert_cmpstr(itp_function_table_get(table, library)->module, ==, "libc.so.6");
	g_assert_cmpstr(itp_function_table_get(table, ITP_FUNCTION_UNKNOWN)->name, ==, "[unknown]");
	itp_function_table_free(table);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/context-tree/equal stacks get equal ids",
			test_equal_stacks_get_equal_ids);
	g_test_add_func("/context-tree/a function in two contexts is two nodes",
			test_a_function_in_two_contexts_is_two_nodes);
	g_test_add_func("/context-tree/an id gives its path back", test_an_id_gives_its_path_back);
	g_test_add_func("/context-tree/parents have smaller ids", test_parents_have_smaller_ids);
	g_test_add_func("/function-table/functions differ by module and layer",
			test_functions_differ_by_module_and_layer);
	return g_test_run();
}
