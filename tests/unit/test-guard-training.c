/* SPDX-License-Identifier: MIT */
/* Guards from types of units: their limits, and where units end. */
#include "common/base/function-table.h"
#include "common/guard/training.h"
#include "common/unit/types.h"
#include "tests/unit/unit-program.h"

#define LISTENER 3
#define CLIENT 5

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

/* A connection for each request, which the client is to close. */
static void serve(struct program *program, int64_t at)
{
	make(program, "p main take", "accept", at, at + 10, 10, LISTENER, CLIENT);
	make(program, "p main fill", "read", at + 12, at + 13, 0, CLIENT, 4);
	make(program, "p main answer", "write", at + 38, at + 40, 0, CLIENT, 4);
	make(program, "p main linger", "poll", at + 41, at + 80, 39, CLIENT, 1);
	make(program, "p main linger", "read", at + 81, at + 82, 0, CLIENT, 0);
}

/* No unit was in the poll, which ends all. */
static void test_where_clients_linger(struct program *program)
{
	struct itp_guard_training training = { .functions = program->functions,
					       .finder = program->finder };
	struct itp_guard_file *file = itp_guard_file_new();
	struct itp_guard_left_out left_out = { 0 };
	const struct itp_guard_loop *loop;

	itp_unit_finder_keep_turns(program->finder);
	for (int64_t at = 0; at < 2000; at += 100) {
		serve(program, at);
	}
	itp_unit_finder_finish(program->finder);
	training.tree = itp_unit_finder_tree(program->finder);
	training.types = itp_unit_types_find(program->types, ITP_UNIT_CUT_CALLS);
	itp_guard_file_train(file, &training, &left_out);
	g_assert_cmpuint(file->loops->len, ==, 1);
	loop = itp_guard_loop_at(file, 0);
	for (guint i = 0; i < loop->contexts->len; i++) {
		const struct itp_guard_context *context = itp_guard_context_at(loop, i);

		g_assert_true(context->is_look ==
			      g_str_equal(itp_guard_path_call(context->path), "poll"));
	}
	g_assert_true(itp_guard_context_at(loop, 0)->is_look);
	g_assert_cmpuint(itp_guard_type_at(loop, 0)->in_context[0], ==, 0);
	g_assert_cmpuint(loop->waits->len, ==, 1);
	itp_guard_file_free(file);
}

int main(int argc, char **argv)
{
	static const struct test_on_program on_program[] = {
		{ "/guard training/a unit ends where its client is waited for",
		  test_where_clients_linger },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/guard training/a type of few units has the largest limit of the others",
			test_few_units);
	g_test_add_func("/guard training/or of all, where each has few", test_few_units_of_each);
	program_add_tests(on_program, G_N_ELEMENTS(on_program));
	return g_test_run();
}
