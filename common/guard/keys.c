/* SPDX-License-Identifier: MIT */
/*
 * Functions as guard files name them: by module and name, system calls by name alone.
 */
#include "common/guard/guard.h"

#include <string.h>

char *itp_guard_function_key(const struct itp_function *function)
{
	g_autofree char *key = function->layer == ITP_LAYER_SYSCALL ?
				       g_strdup(function->name) :
				       g_strdup_printf("%s!%s", function->module, function->name);

	return g_utf8_make_valid(key, -1);
}

guint itp_guard_loop_in(const struct itp_guard_loop *loop,
			const struct itp_function_table *functions, const GArray *stack)
{
	for (guint i = 0; i < stack->len; i++) {
		g_autofree char *key = itp_guard_function_key(
			itp_function_table_get(functions, g_array_index(stack, uint32_t, i)));

		if (g_str_equal(key, loop->function)) {
			return i;
		}
	}
	return stack->len;
}

const char *itp_guard_path_call(char *const *path)
{
	return path[g_strv_length((char **)path) - 1] + strlen(ITP_SYSCALL_PREFIX);
}
