/* SPDX-License-Identifier: MIT */
/* Guards from types of units: their limits. */
#include "common/base/function-table.h"
#include "common/guard/training.h"
#include "common/unit/types.h"

/* Types of one loop, whose units make no system call. */
struct loop {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	uint32_t node;
	/* struct itp_unit_type. */
	GArray *types;
	/* No contexts, for all types. */
	GArray *none;
};

static uint32_t add_context(struct loop *loop, uint32_t parent, const char *name)
{
	const struct itp_function function = { .name = name, .module = "m", .build_id = "" };

	return itp_context_tree_child(loop->tree, parent,
				      itp_function_table_intern(loop->functions, &function));
}

static void loop_init(struct loop *loop)
{
	*loop = (struct loop){ .functions = itp_function_table_new(),
			       .tree = itp_context_tree_new(),
			       .types = g_array_new(FALSE, FALSE, sizeof(struct itp_unit_type)),
			       .none = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
	loop->node = add_context(loop, add_context(loop, ITP_CONTEXT_ROOT, "process"), "serve");
}

static void loop_release(struct loop *loop)
{
	g_array_unref(loop->types);
	g_array_unref(loop->none);
	itp_context_tree_free(loop->tree);
	itp_function_table_free(loop->functions);
}

static void add_type(struct loop *loop, uint64_t count, int64_t mean_limit_ns, int64_t max_ns)
{
	const struct itp_unit_type type = { .loop = loop->node,
					    .wait = loop->node,
					    .count = count,
					    .mean_limit_ns = mean_limit_ns,
					    .max_ns = max_ns,
					    .telling = loop->none,
					    .paths = loop->none };

	g_array_append_val(loop->types, type);
}

static void assert_limits(const struct loop *loop, int64_t first_ns, int64_t second_ns)
{
	const struct itp_guard_training training = { .tree = loop->tree,
						     .functions = loop->functions,
						     .types = loop->types,
						     .limit = ITP_GUARD_LIMIT_LONGEST };
	struct itp_guard_file *file = itp_guard_file_new();
	struct itp_guard_left_out left_out = { 0 };
	const struct itp_guard_loop *trained;

	itp_guard_file_train(file, &training, &left_out);
	g_assert_cmpuint(file->loops->len, ==, 1);
	trained = itp_guard_loop_at(file, 0);
	g_assert_cmpint(itp_guard_type_at(trained, 0)->limit_ns, ==, first_ns);
	g_assert_cmpint(itp_guard_type_at(trained, 1)->limit_ns, ==, second_ns);
	itp_guard_file_free(file);
}

/* Nine units that have waited long for a CPU say nothing of how long others may take. */
static void test_few_units(void)
{
	struct loop loop;

	loop_init(&loop);
	add_type(&loop, 9, 5000, 9000);
	add_type(&loop, 10, 50, 60);
	assert_limits(&loop, 60, 60);
	loop_release(&loop);
}

static void test_few_units_of_each(void)
{
	struct loop loop;

	loop_init(&loop);
	add_type(&loop, 9, 5000, 4000);
	add_type(&loop, 9, 50, 60);
	assert_limits(&loop, 5000, 5000);
	loop_release(&loop);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/guard training/a type of few units has the largest limit of the others",
			test_few_units);
	g_test_add_func("/guard training/or of all, where each has few", test_few_units_of_each);
	return g_test_run();
}
