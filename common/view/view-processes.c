/* SPDX-License-Identifier: MIT */
/*
 * See view-processes.h.
 */
#include "common/view/view-processes.h"

#include "common/base/patterns.h"

/* Most names in an error. */
#define TOLD_NAMES 8

static const char *name_of(const struct itp_function_table *functions,
			   const struct itp_view_names *names, const struct itp_context *context)
{
	uint32_t id = itp_view_names_known(names, context->function)->function;

	return itp_function_table_get(functions, id)->name;
}

/* Names of all processes of the tree, weak. */
static GPtrArray *list_processes(const struct itp_context_tree *tree,
				 const struct itp_function_table *functions,
				 const struct itp_view_names *names)
{
	GPtrArray *processes = g_ptr_array_new();

	for (uint32_t node = 1; node < itp_context_tree_size(tree); node++) {
		const struct itp_context *context = itp_context_tree_get(tree, node);

		if (context->parent == ITP_CONTEXT_ROOT) {
			g_ptr_array_add(processes, (char *)name_of(functions, names, context));
		}
	}
	return processes;
}

static bool is_any(const GPtrArray *processes, const char *pattern)
{
	for (guint i = 0; i < processes->len; i++) {
		if (itp_pattern_matches(pattern, g_ptr_array_index(processes, i))) {
			return true;
		}
	}
	return false;
}

static bool check(const GPtrArray *patterns, GPtrArray *processes, GError **error)
{
	for (guint i = 0; i < patterns->len; i++) {
		const char *pattern = g_ptr_array_index(patterns, i);
		g_autofree char *some = NULL;

		if (is_any(processes, pattern)) {
			continue;
		}
		g_ptr_array_set_size(processes, (gint)MIN(processes->len, TOLD_NAMES));
		g_ptr_array_add(processes, NULL);
		some = g_strjoinv(", ", (char **)processes->pdata);
		g_set_error(error, G_REGEX_ERROR, G_REGEX_ERROR_MATCH,
			    "parameter \"process\": \"%s\" is no process of the inputs; there are "
			    "%s%s",
			    pattern, some, processes->len > TOLD_NAMES ? ", …" : "");
		return false;
	}
	return true;
}

static bool is_chosen(const GPtrArray *patterns, const char *process)
{
	for (guint i = 0; i < patterns->len; i++) {
		if (itp_pattern_matches(g_ptr_array_index(patterns, i), process)) {
			return true;
		}
	}
	return false;
}

bool *itp_view_processes_find(const GPtrArray *patterns, const struct itp_context_tree *tree,
			      const struct itp_function_table *functions,
			      const struct itp_view_names *names, GError **error)
{
	g_autoptr(GPtrArray) processes = list_processes(tree, functions, names);
	uint32_t count = itp_context_tree_size(tree);
	bool *is_of_one;

	if (!check(patterns, processes, error)) {
		return NULL;
	}
	is_of_one = g_new0(bool, count);
	for (uint32_t node = 1; node < count; node++) {
		const struct itp_context *context = itp_context_tree_get(tree, node);

		is_of_one[node] = context->parent == ITP_CONTEXT_ROOT ?
					  is_chosen(patterns, name_of(functions, names, context)) :
					  is_of_one[context->parent];
	}
	return is_of_one;
}
