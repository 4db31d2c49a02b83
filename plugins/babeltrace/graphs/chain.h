/* SPDX-License-Identifier: MIT */
/*
 * Filters of an input's traces in a graph.
 *
 *     muxer ─▶ filter.introperf.infer ─▶ filter.introperf.normalize, .wait or .unit
 */
#ifndef ITP_GRAPHS_CHAIN_H
#define ITP_GRAPHS_CHAIN_H

#include "common/engine/stages.h"
#include "plugins/babeltrace/graphs/graph.h"

struct itp_chain {
	/* Component for the input's sources, and the last one. Weak. */
	const bt_component_filter *muxer;
	const bt_component_filter *end;
};

/* `values` are the parameters by stage. Names of components end with `number`. Unless `is_summed`,
 * the chain ends with single calls. */
bool itp_chain_add(struct itp_graph *graph, GHashTable *const *values, guint number, bool is_summed,
		   struct itp_chain *ret_chain, GError **error);

/* Single calls, and behind them filter.introperf.unit tells units of work, each for itself. */
bool itp_chain_add_units(struct itp_graph *graph, GHashTable *const *values, guint number,
			 struct itp_chain *ret_chain, GError **error);

/* Adds the chain with filter.introperf.wait, of parameters `wait`, at its end. */
bool itp_chain_add_wait(struct itp_graph *graph, GHashTable *const *values, GHashTable *wait,
			guint number, struct itp_chain *ret_chain, GError **error);

#endif
