/* SPDX-License-Identifier: MIT */
/* What is known of code that virtual machines make and interpret. */
#include "common/known/modules.h"

#include <glib.h>

static void add(struct itp_machine_code *code, const char *module, const char *name,
		bool is_unnamed, uint64_t count)
{
	const struct itp_function function = { .name = name,
					       .module = module,
					       .build_id = "",
					       .layer = ITP_LAYER_USER,
					       .is_unnamed = is_unnamed };

	itp_machine_code_add(code, &function, count);
}

static void test_made_code_is_its_machines(void)
{
	struct itp_machine_code code = { .named = 0 };

	add(&code, "[anon]", "[anon]+0x7f00", true, 3);
	g_assert_null(itp_machine_code_main(&code));
	g_assert_false(itp_machine_code_is_mute(&code));
	add(&code, "libjvm.so", "JavaCalls::call", false, 1);
	g_assert_cmpstr(itp_machine_code_main(&code)->name, ==, "Java");
	g_assert_nonnull(itp_machine_code_main(&code)->for_frames);
	g_assert_true(itp_machine_code_is_mute(&code));
	/* Some stubs never have names. */
	add(&code, "[anon]", "void Shop.serve()", false, 4);
	g_assert_cmpuint(code.unnamed, ==, 3);
	g_assert_cmpuint(code.named, ==, 4);
	g_assert_false(itp_machine_code_is_mute(&code));
}

static void lose(struct itp_machine_code *code, const char *module, uint64_t count)
{
	const struct itp_function function = { .name = "f", .module = module, .build_id = "" };

	itp_machine_code_lose(code, &function, count);
}

/* Java that was started as it should be loses none of the stacks that libraries lose. */
static void test_stacks_get_lost_where_their_callers_are_missing(void)
{
	struct itp_machine_code code = { .named = 0 };

	lose(&code, "[anon]", 1);
	g_assert_null(itp_machine_code_loser(&code));
	add(&code, "libjvm.so", "JavaCalls::call", false, 1);
	g_assert_cmpstr(itp_machine_code_loser(&code)->name, ==, "Java");
	lose(&code, "libc.so.6", 2);
	g_assert_null(itp_machine_code_loser(&code));
	lose(&code, "[anon]", 1);
	g_assert_cmpstr(itp_machine_code_loser(&code)->name, ==, "Java");
}

static void test_an_interpreter_names_nothing(void)
{
	struct itp_machine_code code = { .named = 0 };

	add(&code, "libpython3.12.so.1.0", "PyLong_Add", false, 9);
	g_assert_cmpstr(itp_machine_code_main(&code)->name, ==, "Python");
	g_assert_false(itp_machine_code_is_mute(&code));
	add(&code, "libpython3.12.so.1.0", "_PyEval_EvalFrameDefault", false, 2);
	g_assert_true(itp_machine_code_is_mute(&code));
	add(&code, "[anon]", "py::serve:shop.py", false, 1);
	g_assert_false(itp_machine_code_is_mute(&code));
}

static void test_the_one_that_runs_most_counts(void)
{
	struct itp_machine_code code = { .named = 0 };

	add(&code, "python3.11", "_PyEval_EvalFrameDefault", false, 2);
	add(&code, "node", "node::Start", false, 3);
	add(&code, "[anon]", "[anon]+0x7f00", true, 3);
	g_assert_cmpstr(itp_machine_code_main(&code)->name, ==, "Node.js");
}

static void test_other_programs_have_none(void)
{
	struct itp_machine_code code = { .named = 0 };
	const struct itp_function call = {
		.name = "syscall:read", .module = "node", .build_id = "", .layer = ITP_LAYER_SYSCALL
	};

	add(&code, "nodelay", "main", false, 1);
	add(&code, "python", "main", false, 1);
	add(&code, "libjvm.so.1", "main", false, 1);
	add(&code, "node", "main", false, 0);
	itp_machine_code_add(&code, &call, 1);
	g_assert_null(itp_machine_code_main(&code));
}

static bool is_own(const char *module, const char *name, bool is_unnamed)
{
	const struct itp_function function = { .name = name,
					       .module = module,
					       .build_id = "",
					       .layer = ITP_LAYER_USER,
					       .is_unnamed = is_unnamed };

	return itp_module_kind_is_own(itp_module_kind_of(NULL, &function));
}

static void test_made_code_is_the_programs(void)
{
	g_assert_true(is_own("[anon]", "JS:*price /srv/shop.js:2:15", false));
	g_assert_true(is_own("[anon]", "void Shop.serve(int, java.io.RandomAccessFile)", false));
	g_assert_true(is_own("[jit]", "price", false));
	g_assert_true(is_own("[anon]", "py::price:/srv/shop.py", false));
	g_assert_true(is_own("[anon]", "Orders:Queue (List`1<Order>,Order,bool)", false));
	g_assert_false(is_own("[anon]", "System.Array:Copy (System.Array,int)", false));
	g_assert_false(
		is_own("[anon]", "(wrapper managed-to-native) System.Array:FastCopy ()", false));
	g_assert_false(is_own("mono-sgen", "mono_main", false));
	g_assert_true(is_own("[jit]", "till:find_article/2", false));
	g_assert_false(is_own("[jit]", "lists:foldl_1/3", false));
	g_assert_false(is_own("[jit]", "$erl_eval:expr/6", false));
	/* Other languages have functions that begin like that. */
	g_assert_true(is_own("[anon]", "gen_report file:///srv/shop.mjs", false));
	g_assert_true(is_own("[anon]", "fileUpload /srv/shop.js:12:3", false));
	g_assert_true(is_own("[anon]", "System.load file:///srv/shop.mjs", false));
	g_assert_false(is_own("[jit]", "global::process_main", false));
	g_assert_false(is_own("[anon]", "[anon]+0x7f00", true));
	g_assert_false(is_own("[anon]", "Builtin:ArrayForEach", false));
	g_assert_false(is_own("[anon]", "JS:~write node:fs:855:14", false));
	g_assert_false(is_own("[anon]", "int java.util.ArrayList.size()", false));
	g_assert_false(is_own("[anon]", "StubRoutines (1)", false));
	g_assert_false(is_own("[anon]", "_new_array_Java", false));
	g_assert_false(is_own("[anon]", "py::run:/usr/lib/python3.12/runpy.py", false));
	g_assert_false(is_own("[anon]", "py::_find:<frozen importlib._bootstrap>", false));
	g_assert_false(is_own("node", "node::Start(int, char**)", false));
	g_assert_false(is_own("python3.11", "main", false));
	g_assert_false(is_own("", "[unknown callers]", false));
	g_assert_true(is_own("nodelay", "main", false));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/machine/made code is its machine's", test_made_code_is_its_machines);
	g_test_add_func("/machine/stacks get lost where their callers are missing",
			test_stacks_get_lost_where_their_callers_are_missing);
	g_test_add_func("/machine/an interpreter names nothing", test_an_interpreter_names_nothing);
	g_test_add_func("/machine/the one that runs most counts",
			test_the_one_that_runs_most_counts);
	g_test_add_func("/machine/other programs have none", test_other_programs_have_none);
	g_test_add_func("/machine/made code is the program's", test_made_code_is_the_programs);
	return g_test_run();
}
