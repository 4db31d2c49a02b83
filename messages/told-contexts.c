/* SPDX-License-Identifier: MIT */
/*
 * See told-contexts.h.
 */
#include "messages/told-contexts.h"

#include "common/base/error.h"
#include "common/base/failure.h"

void itp_told_contexts_init(struct itp_told_contexts *told, const char *name,
			    const struct itp_id_map *function_ids)
{
	told->name = name;
	told->function_ids = function_ids;
	told->tree = itp_context_tree_new();
}

void itp_told_contexts_release(struct itp_told_contexts *told)
{
	itp_context_tree_free(told->tree);
}

bool itp_told_contexts_check(const struct itp_told_contexts *told, uint32_t node, GError **error)
{
	if (node >= itp_context_tree_size(told->tree)) {
		itp_failure_set(error, "%s: context %u: %s", told->name, node,
				itp_error_text(ITP_ERROR_UNKNOWN_ID));
		return false;
	}
	return true;
}

bool itp_told_contexts_add(struct itp_told_contexts *told, const struct itp_context_record *record,
			   GError **error)
{
	uint32_t function;

	return itp_told_contexts_check(told, record->parent, error) &&
	       itp_id_map_get(told->function_ids, record->function, &function, error) &&
	       (itp_context_tree_child(told->tree, record->parent, function) == record->id ||
		itp_told_contexts_check(told, UINT32_MAX, error));
}

bool itp_told_contexts_map(const struct itp_told_contexts *told, const struct itp_stretch *input,
			   struct itp_stretch *ret_stretch, GError **error)
{
	*ret_stretch = *input;
	return itp_told_contexts_check(told, input->node, error) &&
	       itp_told_contexts_check(told, input->waker_node, error) &&
	       itp_id_map_get(told->function_ids, input->waker_process, &ret_stretch->waker_process,
			      error) &&
	       itp_id_map_get(told->function_ids, input->waker_function,
			      &ret_stretch->waker_function, error);
}
