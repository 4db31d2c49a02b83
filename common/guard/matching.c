/* SPDX-License-Identifier: MIT */
/*
 * See matching.h.
 */
#include "common/guard/matching.h"

/* True when `stack` is `path` with `more` further functions. */
static bool is_path(char *const *stack, char *const *path, guint more)
{
	const guint length = g_strv_length((char **)stack);
	guint skipped = 0;

	if (length != g_strv_length((char **)path) + more) {
		return false;
	}
	for (guint i = 0; i < length; i++) {
		const char *wanted = path[i - skipped];

		if (wanted && g_str_equal(stack[i], wanted)) {
			continue;
		}
		if (++skipped > more) {
			return false;
		}
	}
	return true;
}

/* True when a call of `function` in the stack has led to the stack's end by `path`. */
static bool leads_to(char *const *stack, const char *function, char *const *path, guint more)
{
	for (guint i = 0; stack[i]; i++) {
		if (g_str_equal(stack[i], function) && is_path(stack + i + 1, path, more)) {
			return true;
		}
	}
	return false;
}

static bool waits_at(const struct itp_guard_loop *loop, char *const *stack, guint more)
{
	for (guint i = 0; i < loop->waits->len; i++) {
		if (leads_to(stack, loop->function, g_ptr_array_index(loop->waits, i), more)) {
			return true;
		}
	}
	return false;
}

int itp_guard_match_wait(const struct itp_guard_file *file, char *const *stack)
{
	for (guint more = 0; more <= 1; more++) {
		for (guint i = 0; i < file->loops->len; i++) {
			if (waits_at(itp_guard_loop_at(file, i), stack, more)) {
				return (int)i;
			}
		}
	}
	return -1;
}

int itp_guard_match_context(const struct itp_guard_loop *loop, char *const *stack)
{
	for (guint more = 0; more <= 1; more++) {
		for (guint i = 0; i < loop->contexts->len; i++) {
			if (leads_to(stack, loop->function, itp_guard_context_at(loop, i)->path,
				     more)) {
				return (int)i;
			}
		}
	}
	return -1;
}
