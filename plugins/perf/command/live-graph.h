/* SPDX-License-Identifier: MIT */
/*
 * The graph of top: what comes through standard input, ranked period by period, behind what it is
 * compared with, if that is there.
 *
 *     recordings in memory, traces.h ──────────────────────────────────┐
 *     source.introperf.perf ─▶ filter.introperf.infer ─▶ …normalize ─▶ sink.introperf.rank
 */
#ifndef ITP_PERF_COMMAND_LIVE_GRAPH_H
#define ITP_PERF_COMMAND_LIVE_GRAPH_H

#include "plugins/perf/command/live-base.h"
#include "plugins/perf/host/graph.h"
#include "terminal/screen.h"

/* All is weak; the base and the screen must outlive the graph. */
struct itp_live_options {
	/* Maps by enum itp_stage: the parameters of the components. */
	bt_value *const *values;
	/* As filter.introperf.infer takes it. */
	const char *period;
	/* Processes whose doing is not shown; 0 ends them. */
	const int *excluded_pids;
	const struct itp_live_base *base;
	/* NULL for none. */
	struct itp_screen *screen;
};

struct itp_live_graph {
	struct itp_graph graph;
	/* Of the components that put one behind the other: what is in memory behind the traces of
	 * the base, and what is live behind that. */
	struct itp_profiles_input base;
	struct itp_profiles_input all;
	/* Owned by this. */
	GArray *no_profiles;
	/* Nothing was recorded, an error as others are. */
	bool is_empty;
};

/* Makes the graph. Errors are about the parameters, and about what cannot be read. To be released,
 * also after an error. */
bool itp_live_graph_init(struct itp_live_graph *graph, const struct itp_live_options *options,
			 GError **error);
void itp_live_graph_release(struct itp_live_graph *graph);

/* Runs it to the end of standard input. */
bool itp_live_graph_run(struct itp_live_graph *graph, GError **error);

#endif
