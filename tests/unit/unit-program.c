/* SPDX-License-Identifier: MIT */
/*
 * See unit-program.h.
 */
#include "tests/unit/unit-program.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/base/context-function.h"

static void on_unit(const struct itp_unit *unit, void *data)
{
	struct program *program = data;

	const guint group = itp_unit_types_add(program->types, unit);

	g_array_append_vals(program->units, unit, 1);
	g_array_append_val(program->groups, group);
	g_assert_cmpint(itp_unit_profiles_add_unit(program->profiles, unit, group), ==, 0);
}

void program_init(struct program *program)
{
	*program = (struct program){ .functions = itp_function_table_new(),
				     .tree = itp_context_tree_new(),
				     .units = g_array_new(FALSE, FALSE, sizeof(struct itp_unit)),
				     .groups = g_array_new(FALSE, FALSE, sizeof(guint)),
				     .tid = 1,
				     .pid = 1,
				     .descriptor = -1 };
	program->finder = itp_unit_finder_new(program->tree, program->functions, on_unit, program);
	program->types = itp_unit_types_new(itp_unit_finder_tree(program->finder),
					    program->functions,
					    itp_unit_finder_paths(program->finder));
	program->profiles = itp_unit_profiles_new(program->tree, program->functions, true);
}

void program_release(struct program *program)
{
	itp_unit_profiles_free(program->profiles);
	itp_unit_types_free(program->types);
	itp_unit_finder_free(program->finder);
	g_array_unref(program->units);
	g_array_unref(program->groups);
	itp_context_tree_free(program->tree);
	itp_function_table_free(program->functions);
}

uint32_t function_of(const struct program *program, const char *name)
{
	const struct itp_function function = {
		.name = g_str_equal(name, "?")       ? ITP_UNKNOWN_CALLERS_NAME :
			g_str_has_prefix(name, "k:") ? name + 2 :
						       name,
		.module = g_str_has_prefix(name, "j:") ? ITP_ANONYMOUS_MODULE : "m",
		.is_unnamed = g_str_has_prefix(name, "j:"),
		.build_id = "",
		.layer = g_str_has_prefix(name, ITP_SYSCALL_PREFIX) ? ITP_LAYER_SYSCALL :
			 g_str_has_prefix(name, "k:")               ? ITP_LAYER_KERNEL :
								      ITP_LAYER_USER,
	};

	return itp_function_table_intern(program->functions, &function);
}

uint32_t node_of(const struct program *program, const char *path, uint32_t *ret_depth)
{
	g_auto(GStrv) names = g_strsplit(path, " ", -1);
	uint32_t node = ITP_CONTEXT_ROOT;

	*ret_depth = 0;
	for (guint i = 0; names[i]; i++) {
		node = itp_context_tree_child(program->tree, node, function_of(program, names[i]));
		*ret_depth = i;
	}
	return node;
}

void call(struct program *program, const char *path, int64_t begin_ns, int64_t end_ns,
	  int64_t blocked_ns)
{
	struct itp_instance instance = {
		.pid = program->pid,
		.tid = program->tid,
		.best_begin_ns = begin_ns,
		.best_ns = end_ns - begin_ns,
		.use = { .blocked_ns = blocked_ns },
		.best_use = { .cpu_ns = end_ns - begin_ns - blocked_ns, .blocked_ns = blocked_ns },
		.max_calls = 1,
		.would_block = program->would_block,
		.words = { .words = { (uint64_t)program->descriptor, program->second_word,
				      program->third_word },
			   .are_known = program->descriptor >= 0 },
		.result = program->result,
		.has_result = program->has_result,
		.woke_ns = program->woke_ns,
		.flags = program->flags
	};

	instance.node = node_of(program, path, &instance.depth);
	if (program->within) {
		itp_within_add(program->within, &instance);
	}
	itp_unit_profiles_add(program->profiles, &instance);
	itp_unit_finder_add(program->finder, &instance);
}

void call_on(struct program *program, const char *path, int64_t begin_ns, int64_t end_ns,
	     int64_t blocked_ns, int32_t descriptor, int64_t result)
{
	program->descriptor = descriptor;
	program->result = result;
	program->has_result = true;
	program->would_block = result == -EAGAIN;
	call(program, path, begin_ns, end_ns, blocked_ns);
	program->descriptor = -1;
	program->has_result = false;
	program->would_block = false;
}

void assert_units(struct program *program, const char *wanted)
{
	g_autoptr(GString) text = g_string_new(NULL);

	itp_unit_finder_finish(program->finder);
	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);
		const struct itp_context_tree *tree = itp_unit_finder_tree(program->finder);
		const struct itp_context *loop = itp_context_tree_get(tree, unit->loop);
		const struct itp_context *wait = itp_context_tree_get(tree, unit->wait);

		g_string_append_printf(
			text, "%s %s %" PRId64 " %" PRId64 "\n",
			itp_function_table_get(program->functions, loop->function)->name,
			itp_function_table_get(program->functions, wait->function)->name +
				strlen(ITP_SYSCALL_PREFIX),
			unit->begin_ns, unit->end_ns);
	}
	g_assert_cmpstr(text->str, ==, wanted);
}

void wait_until_signalled(struct program *program, int64_t begin_ns, int64_t end_ns,
			  int32_t signaller)
{
	uint32_t depth;
	const struct itp_stretch wait = { .kind = ITP_STRETCH_WAIT,
					  .tid = program->tid,
					  .node = node_of(program, "p", &depth),
					  .begin_ns = begin_ns,
					  .end_ns = end_ns,
					  .end = ITP_WAIT_WOKEN,
					  .waker_tid = signaller };

	itp_unit_finder_add_stretch(program->finder, &wait);
}

static void add_stretch(struct program *program, const struct itp_stretch *one)
{
	itp_unit_profiles_add_stretch(program->profiles, one);
	itp_unit_finder_add_stretch(program->finder, one);
}

void stretch(struct program *program, enum itp_stretch_kind kind, int64_t begin_ns, int64_t end_ns)
{
	uint32_t depth;
	const struct itp_stretch one = { .kind = kind,
					 .tid = program->tid,
					 .node = node_of(program, "p", &depth),
					 .begin_ns = begin_ns,
					 .end_ns = end_ns };

	add_stretch(program, &one);
}

void tick(struct program *program, const char *path, int64_t begin_ns, int64_t end_ns)
{
	uint32_t depth;
	const struct itp_stretch one = { .kind = ITP_STRETCH_RUN,
					 .tid = program->tid,
					 .node = node_of(program, path, &depth),
					 .begin_ns = begin_ns,
					 .end_ns = end_ns,
					 .ticks = 1 };

	add_stretch(program, &one);
}

const char *node_name(const struct program *program, uint32_t node)
{
	const struct itp_context_tree *tree = itp_unit_finder_tree(program->finder);

	return itp_context_function(tree, program->functions, node)->name;
}

void make(struct program *program, const char *path, const char *syscall, int64_t begin_ns,
	  int64_t end_ns, int64_t blocked_ns, int32_t descriptor, int64_t result)
{
	g_autofree char *inner = g_strdup_printf("%s " ITP_SYSCALL_PREFIX "%s", path, syscall);

	if (blocked_ns > 0) {
		wait_until_signalled(program, begin_ns, begin_ns + blocked_ns, program->waker);
	}
	call_on(program, inner, begin_ns, end_ns, blocked_ns, descriptor, result);
	call(program, path, begin_ns, end_ns, blocked_ns);
}

void make_unplaced(struct program *program, int32_t descriptor, const char *syscall,
		   int64_t begin_ns, int64_t end_ns)
{
	const struct itp_instance call = { .pid = program->pid,
					   .tid = program->tid,
					   .begin_ns = end_ns,
					   .best_begin_ns = begin_ns,
					   .best_ns = end_ns - begin_ns,
					   .words = { .words = { (uint64_t)descriptor },
						      .are_known = true },
					   .result = program->has_result ? program->result : 4,
					   .has_result = true };
	g_autofree char *name = g_strconcat(ITP_SYSCALL_PREFIX, syscall, NULL);

	itp_unit_finder_add_unplaced(program->finder, &call, function_of(program, name));
}

static void run_test(gconstpointer data)
{
	struct program program;

	program_init(&program);
	((const struct test_on_program *)data)->test(&program);
	program_release(&program);
}

void program_add_tests(const struct test_on_program *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		g_test_add_data_func(tests[i].sentence, &tests[i], run_test);
	}
}
