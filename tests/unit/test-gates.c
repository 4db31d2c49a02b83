/* SPDX-License-Identifier: MIT */
/* Gates to the kernel, which paths are compared without. */
#include <glib.h>
#include <string.h>

#include "common/unit/gates.h"

/* "FUNCTION": of a C library unless it is one of the program's, in capitals, or a system call. */
static uint32_t intern(struct itp_function_table *functions, const char *name)
{
	const struct itp_function function = {
		.name = name,
		.module = g_ascii_isupper(name[0]) ? "program" : "libc.so.6",
		.build_id = "",
		.layer = ITP_LAYER_USER,
	};

	return g_str_has_prefix(name, "sys:") ?
		       itp_function_table_intern_syscall(functions, name + strlen("sys:")) :
		       itp_function_table_intern(functions, &function);
}

static GArray *make_path(struct itp_function_table *functions, const char *text)
{
	g_auto(GStrv) names = g_strsplit(text, " ", -1);
	GArray *path = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (char **name = names; *name; name++) {
		uint32_t id = intern(functions, *name);

		g_array_append_val(path, id);
	}
	return path;
}

/* What is left of `count` paths, one a line. */
static void assert_left(const char *const *texts, guint count, const char *expected)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	struct itp_function_table *functions = itp_function_table_new();
	g_autoptr(GString) left = g_string_new(NULL);

	for (guint i = 0; i < count; i++) {
		g_ptr_array_add(paths, make_path(functions, texts[i]));
	}
	itp_gates_remove(functions, paths);
	for (guint i = 0; i < paths->len; i++) {
		const GArray *path = g_ptr_array_index(paths, i);

		for (guint k = 0; k < path->len; k++) {
			g_string_append_printf(
				left, "%s%s", k > 0 ? " " : "",
				itp_function_table_get(functions, g_array_index(path, uint32_t, k))
					->name);
		}
		g_string_append_c(left, '\n');
	}
	g_assert_cmpstr(left->str, ==, expected);
	itp_function_table_free(functions);
}

/* As in glibc 2.41: one in front of the kernel, and one in front of that. */
static void test_gates_go(void)
{
	static const char *const paths[] = {
		"Handle Answer write cancel arch sys:write",
		"Handle read cancel arch sys:read",
		"Handle getpid sys:getpid",
	};

	assert_left(paths, G_N_ELEMENTS(paths),
		    "Handle Answer write syscall:write\nHandle read syscall:read\n"
		    "Handle getpid syscall:getpid\n");
}

/* Which one of the program's own functions it is, matters. */
static void test_functions_of_programs_stay(void)
{
	static const char *const paths[] = { "Handle Ask sys:write", "Handle Ask sys:read" };

	assert_left(paths, G_N_ELEMENTS(paths),
		    "Handle Ask syscall:write\nHandle Ask syscall:read\n");
}

static void test_one_system_call_is_no_gate(void)
{
	static const char *const paths[] = { "Handle cancel sys:read", "Serve cancel sys:read" };

	assert_left(paths, G_N_ELEMENTS(paths),
		    "Handle cancel syscall:read\nServe cancel syscall:read\n");
}

/* What else it calls is not told by the system call. */
static void test_who_calls_others_is_no_gate(void)
{
	static const char *const paths[] = {
		"Handle puts sys:write",
		"Handle puts sys:mmap",
		"Handle puts malloc sys:brk",
	};

	assert_left(paths, G_N_ELEMENTS(paths),
		    "Handle puts syscall:write\nHandle puts syscall:mmap\n"
		    "Handle puts malloc syscall:brk\n");
}

static void test_a_path_may_be_all_gates(void)
{
	static const char *const paths[] = { "syscall sys:futex", "syscall sys:getrandom",
					     "sys:read" };

	assert_left(paths, G_N_ELEMENTS(paths), "syscall:futex\nsyscall:getrandom\nsyscall:read\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/gates/gates go", test_gates_go);
	g_test_add_func("/gates/functions of programs stay", test_functions_of_programs_stay);
	g_test_add_func("/gates/one system call is no gate", test_one_system_call_is_no_gate);
	g_test_add_func("/gates/who calls others is no gate", test_who_calls_others_is_no_gate);
	g_test_add_func("/gates/a path may be all gates", test_a_path_may_be_all_gates);
	return g_test_run();
}
