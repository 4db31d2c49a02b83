/* SPDX-License-Identifier: MIT */
/*
 * Trial reading of a trace, in a process of its own with limits, before this process reads it.
 *
 * Babeltrace's own reader crashes on some damaged traces, asks for any amount of memory for others,
 * and comes to no end with a third kind. Only the child suffers from it.
 */
#ifndef ITP_GRAPHS_TRIAL_H
#define ITP_GRAPHS_TRIAL_H

#include "plugins/babeltrace/graphs/graph.h"

/* False when the reader cannot be trusted with the trace in `directory`; true for a trace that it
 * refuses by itself. `graph` is asked for Babeltrace's classes only, which are slow to find. */
bool itp_trial_read(struct itp_graph *graph, const char *directory, GError **error);

/* Likewise for all of `traces`, as in struct itp_inputs. */
bool itp_trial_read_all(const GPtrArray *traces, GError **error);

#endif
