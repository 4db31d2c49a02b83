/* SPDX-License-Identifier: MIT */
/*
 * The graph of top: what comes through standard input, ranked period by period.
 *
 *     source.introperf.perf ─▶ filter.introperf.infer ─▶ filter.introperf.normalize ─▶
 * sink.introperf.rank
 */
#ifndef ITP_PERF_COMMAND_LIVE_GRAPH_H
#define ITP_PERF_COMMAND_LIVE_GRAPH_H

#include "plugins/perf/host/graph.h"
#include "plugins/perf/host/params.h"

/* Makes the graph. `values` are the parameters of its components; errors are about these, and about
 * what cannot be read. To be released, also after an error. */
bool itp_live_graph_init(struct itp_graph *graph, bt_value *const *values, GError **error);

/* Runs it to the end of standard input. */
bool itp_live_graph_run(struct itp_graph *graph, GError **error);

#endif
