/* SPDX-License-Identifier: MIT */
/*
 * Arrivals at a sink of profiles: messages, which become a set of workloads, one of each input
 * trace.
 */
#ifndef ITP_SINKS_PROFILES_ARRIVALS_H
#define ITP_SINKS_PROFILES_ARRIVALS_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/compare/workload-set.h"

struct itp_arrivals;

/* Adds the stream's file to `paths` (char *): source.ctf.fs names a stream by its absolute path. */
void itp_stream_note_file(const bt_stream *stream, GPtrArray *paths);

/* Arrivals go into `set`, which must outlive it. */
struct itp_arrivals *itp_arrivals_new(struct itp_workload_set *set);
void itp_arrivals_free(struct itp_arrivals *arrivals);

/* Takes useful parts of `message`. At a period's end, *ret_period is its workload, weak, and NULL
 * otherwise. */
bool itp_arrivals_add(struct itp_arrivals *arrivals, const bt_message *message,
		      struct itp_set_workload **ret_period, GError **error);

#endif
