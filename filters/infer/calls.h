/* SPDX-License-Identifier: MIT */
/*
 * Entries and exits of inferred calls, as the core tells them, to a trace beside the instances.
 *
 * A call enters at its first sight, and exits when first seen gone: entries and exits can be told
 * as they come, in the order of time and nested. Likelier times in between are those of the
 * instances.
 */
#ifndef ITP_FILTERS_INFER_CALLS_H
#define ITP_FILTERS_INFER_CALLS_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/instance.h"
#include "messages/filter.h"

struct itp_calls;

/* All weak, and must outlive the result. */
struct itp_calls *itp_calls_new(struct itp_filter_trace *trace,
				const struct itp_function_table *functions,
				const struct itp_context_tree *tree);
void itp_calls_free(struct itp_calls *calls);

/* Each emits a message at the time of the message being handled; the first one begins the trace.
 * Instances of processes are nothing here. */
bool itp_calls_enter(struct itp_calls *calls, const struct itp_call *call, GError **error);
bool itp_calls_leave(struct itp_calls *calls, const struct itp_instance *instance, GError **error);

/* No more calls come. */
bool itp_calls_end(struct itp_calls *calls, GError **error);

#endif
