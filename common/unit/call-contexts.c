/* SPDX-License-Identifier: MIT */
/*
 * See call-contexts.h.
 */
#include "common/unit/call-contexts.h"

#include <glib.h>
#include <string.h>

#include "common/base/context-function.h"

struct itp_call_contexts {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	/* struct itp_call_context by node. Owned by this. */
	GArray *all;
};

struct itp_call_contexts *itp_call_contexts_new(const struct itp_context_tree *tree,
						const struct itp_function_table *functions)
{
	struct itp_call_contexts *contexts = g_new0(struct itp_call_contexts, 1);

	contexts->tree = tree;
	contexts->functions = functions;
	contexts->all = g_array_new(FALSE, TRUE, sizeof(struct itp_call_context));
	return contexts;
}

void itp_call_contexts_free(struct itp_call_contexts *contexts)
{
	g_array_unref(contexts->all);
	g_free(contexts);
}

static int timeout_word_of(const char *syscall)
{
	return g_str_equal(syscall, "poll")                                              ? 2 :
	       g_str_equal(syscall, "epoll_wait") || g_str_equal(syscall, "epoll_pwait") ? 3 :
											   0;
}

struct itp_call_context itp_call_context_by_name(const char *syscall)
{
	return (struct itp_call_context){
		.class = itp_wait_class_by_name(syscall),
		.use = itp_descriptor_use_of(syscall),
		.is_of_messages = g_str_has_suffix(syscall, "mmsg"),
		.is_for_signals = g_str_has_prefix(syscall, "rt_sig"),
		.is_poll = g_str_equal(syscall, "poll") || g_str_equal(syscall, "ppoll"),
		.timeout_word = timeout_word_of(syscall),
	};
}

static struct itp_call_context look_up_call(const struct itp_call_contexts *contexts, uint32_t node)
{
	const struct itp_function *function =
		itp_context_function(contexts->tree, contexts->functions, node);
	struct itp_call_context context =
		itp_call_context_by_name(function->name + strlen(ITP_SYSCALL_PREFIX));

	context.class = itp_wait_class_of(contexts->tree, contexts->functions, node);
	context.is_proven = !itp_wait_class_needs_proof(context.class);
	context.is_known = true;
	return context;
}

struct itp_call_context *itp_call_contexts_at(struct itp_call_contexts *contexts, uint32_t node)
{
	struct itp_call_context *context;

	if (node >= contexts->all->len) {
		g_array_set_size(contexts->all, MAX(2 * contexts->all->len, node + 1));
	}
	context = &g_array_index(contexts->all, struct itp_call_context, node);
	if (!context->is_known) {
		*context = look_up_call(contexts, node);
	}
	return context;
}
