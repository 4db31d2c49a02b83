/* SPDX-License-Identifier: MIT */
/*
 * See waits.h.
 */
#include "common/unit/waits.h"

#include <string.h>

#include "common/base/context-function.h"
#include "common/known/kernel-waits.h"
#include "common/known/locks.h"
#include "common/known/syscalls.h"

/* Most callers of a futex looked at: the C library's, and at most the program's caller of these;
 * inlined functions are part of the others. */
#define CALLERS_LOOKED_AT 4
/* Most callers between a loop's wait and a near function that looks for the same events. */
#define CALLERS_THAT_LOOK 4

/* True when a function of which `is_so` holds has called the futex. */
static bool is_called_by(const struct itp_context_tree *tree,
			 const struct itp_function_table *functions, uint32_t node,
			 bool (*is_so)(const char *name))
{
	uint32_t at = itp_context_tree_get(tree, node)->parent;

	for (int i = 0; i < CALLERS_LOOKED_AT && at != ITP_CONTEXT_ROOT;) {
		const struct itp_function *caller = itp_context_function(tree, functions, at);

		if (is_so(caller->name)) {
			return true;
		}
		i += !caller->is_inlined;
		at = itp_context_tree_get(tree, at)->parent;
	}
	return false;
}

static bool is_no_event(const struct itp_context_tree *tree,
			const struct itp_function_table *functions, uint32_t node)
{
	return is_called_by(tree, functions, node, itp_lock_is_used_by) ||
	       is_called_by(tree, functions, node, itp_lock_is_no_event);
}

bool itp_wait_is_interruption(int64_t result)
{
	return result == -4 || (result <= -512 && result >= -516);
}

bool itp_wait_is_incidental(const struct itp_context_tree *tree,
			    const struct itp_function_table *functions, uint32_t node)
{
	const char *name = itp_context_function(tree, functions, node)->name;

	if (!g_str_has_prefix(name, ITP_SYSCALL_PREFIX)) {
		return itp_lock_is_used_by(name);
	}
	name += strlen(ITP_SYSCALL_PREFIX);
	return itp_syscall_is_for_heap(name) || itp_syscall_ends_handler(name) ||
	       (g_str_equal(name, "futex") &&
		is_called_by(tree, functions, node, itp_lock_is_used_by));
}

enum itp_wait_class itp_wait_class_of(const struct itp_context_tree *tree,
				      const struct itp_function_table *functions, uint32_t node)
{
	const struct itp_function *function = itp_context_function(tree, functions, node);
	enum itp_wait_class class;

	if (function->layer != ITP_LAYER_SYSCALL) {
		return ITP_WAIT_CLASS_NONE;
	}
	class = itp_wait_class_by_name(function->name + strlen(ITP_SYSCALL_PREFIX));
	return class == ITP_WAIT_CLASS_SIGNAL && is_no_event(tree, functions, node) ?
		       ITP_WAIT_CLASS_NONE :
		       class;
}

bool itp_wait_class_needs_proof(enum itp_wait_class class)
{
	return class == ITP_WAIT_CLASS_DATA || class == ITP_WAIT_CLASS_SIGNAL;
}

bool itp_wait_is_for_data(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_KERNEL && itp_kernel_wait_is_for_data(function->name);
}

bool itp_wait_is_below(const struct itp_context_tree *tree, uint32_t node, uint32_t above)
{
	const uint32_t depth = itp_context_tree_get(tree, above)->depth;

	while (itp_context_tree_get(tree, node)->depth > depth) {
		node = itp_context_tree_get(tree, node)->parent;
	}
	return node == above;
}

bool itp_wait_looks_for_events(const struct itp_context_tree *tree, uint32_t loop, uint32_t wait,
			       uint32_t node, enum itp_wait_class class)
{
	const uint32_t least_depth = itp_context_tree_get(tree, loop)->depth + 1;
	uint32_t near = wait;

	for (int i = 0;
	     i < CALLERS_THAT_LOOK && itp_context_tree_get(tree, near)->depth > least_depth; i++) {
		near = itp_context_tree_get(tree, near)->parent;
	}
	return class == ITP_WAIT_CLASS_DATA && itp_wait_is_below(tree, node, near);
}
