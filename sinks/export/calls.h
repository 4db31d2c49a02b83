/* SPDX-License-Identifier: MIT */
/*
 * The function instances that arrive at sink.introperf.export, on their way to a timeline.
 */
#ifndef ITP_SINKS_EXPORT_CALLS_H
#define ITP_SINKS_EXPORT_CALLS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/export-job/export-job.h"
#include "common/view/names.h"

struct itp_export_calls;

/* `names` and the members of `options` are weak and must outlive the result. NULL when there is no
 * room for the calls. */
struct itp_export_calls *itp_export_calls_new(const struct itp_timeline_options *options,
					      const struct itp_names *names, GError **error);
void itp_export_calls_free(struct itp_export_calls *calls);

/* Takes useful parts of `message`. Calls of two inputs are an error. */
bool itp_export_calls_add(struct itp_export_calls *calls, const bt_message *message,
			  GError **error);

/* After the last message: what has come, weak. False when no call has arrived, inside the timeline
 * or not. */
bool itp_export_calls_finish(struct itp_export_calls *calls,
			     struct itp_export_timeline *ret_timeline);

#endif
