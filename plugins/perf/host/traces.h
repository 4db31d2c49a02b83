/* SPDX-License-Identifier: MIT */
/*
 * Traces in CTF, saved profiles or those of other tracers, on their way into the graph of a result.
 *
 *     source.ctf.fs … ─▶ muxer ─▶ filter.introperf.infer ─▶ filter.introperf.normalize
 *
 * once for each input, so that inputs with different clocks go together. Saved profiles pass
 * through the filters as they are.
 */
#ifndef ITP_PERF_HOST_TRACES_H
#define ITP_PERF_HOST_TRACES_H

#include "plugins/perf/host/graph.h"
#include "plugins/perf/host/params.h"

/* Reads the trace in `directory` into `muxer`, when a trial has shown that it can be read. */
bool itp_traces_add_one(struct itp_graph *graph, const char *directory,
			const bt_component_filter *muxer, GError **error);

/* `traces` is GPtrArray of char *, directories, by input; `values` are the parameters by stage. The
 * last component (const bt_component_filter *, weak) of each input is appended to `ends`. */
bool itp_traces_add(struct itp_graph *graph, const GPtrArray *traces, bt_value *const *values,
		    GPtrArray *ends, GError **error);

#endif
