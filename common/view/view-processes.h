/* SPDX-License-Identifier: MIT */
/*
 * Processes of a view: chosen by names, as results show them, that match a shell pattern:
 * "worker*", or for processes told apart by their numbers "worker/1203".
 */
#ifndef ITP_VIEW_VIEW_PROCESSES_H
#define ITP_VIEW_VIEW_PROCESSES_H

#include "common/view/view-names.h"

/* Nodes of chosen processes, by old node of `tree`, which begins with processes. NULL after an
 * error: one of `patterns` (char *) matches none. The caller frees the result with g_free(). */
bool *itp_view_processes_find(const GPtrArray *patterns, const struct itp_context_tree *tree,
			      const struct itp_function_table *functions,
			      const struct itp_view_names *names, GError **error);

#endif
