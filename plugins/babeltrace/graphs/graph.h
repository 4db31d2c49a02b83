/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the files that build the graph of a result: the graph, and the component classes:
 * ours are linked, and Babeltrace's own are looked for in its directories.
 */
#ifndef ITP_GRAPHS_GRAPH_H
#define ITP_GRAPHS_GRAPH_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/engine/interrupt.h"

struct itp_graph {
	/* Owned by this. */
	bt_graph *graph;
	/* Plugins of Babeltrace, NULL until something of them is needed. Owned by this. */
	const bt_plugin *ctf;
	const bt_plugin *utils;
	/* The names of the traces that the graph reads: "a, b"; NULL before the first. Owned by
	 * this. */
	char *traces;
};

bool itp_graph_init(struct itp_graph *graph, GError **error);
void itp_graph_release(struct itp_graph *graph);

/* Of Babeltrace's own plugins; weak. NULL after an error. */
const bt_component_class_source *itp_graph_ctf_source(struct itp_graph *graph, GError **error);
const bt_component_class_filter *itp_graph_muxer(struct itp_graph *graph, GError **error);
/* Takes messages and does nothing with them. */
const bt_component_class_sink *itp_graph_dummy(struct itp_graph *graph, GError **error);

/* Components; weak. NULL after an error. `params` may be NULL, `data` goes to the initialization.
 */
const bt_component_source *itp_graph_add_source(struct itp_graph *graph,
						const bt_component_class_source *class,
						const char *name, GHashTable *values, void *data,
						GError **error);
const bt_component_filter *itp_graph_add_filter(struct itp_graph *graph,
						const bt_component_class_filter *class,
						const char *name, GHashTable *values, void *data,
						GError **error);
const bt_component_sink *itp_graph_add_sink(struct itp_graph *graph,
					    const bt_component_class_sink *class, const char *name,
					    GHashTable *values, void *data, GError **error);

bool itp_graph_connect(struct itp_graph *graph, const bt_port_output *from, const bt_port_input *to,
		       GError **error);
/* Connects all ports of `source` to `muxer`, whose last port is always free. */
bool itp_graph_connect_source(struct itp_graph *graph, const bt_component_source *source,
			      const bt_component_filter *muxer, GError **error);
/* Reads the trace in `directory`, in CTF, into `muxer`. */
bool itp_graph_add_trace(struct itp_graph *graph, const char *directory,
			 const bt_component_filter *muxer, GError **error);
/* The only port of each. */
bool itp_graph_connect_filters(struct itp_graph *graph, const bt_component_filter *from,
			       const bt_component_filter *to, GError **error);

/* Runs the graph to its end, until an error, or until the interrupt (BT_GRAPH_RUN_STATUS_AGAIN),
 * which is taken then. `interrupt` may be NULL. */
bt_graph_run_status itp_graph_run(struct itp_graph *graph, struct itp_interrupt *interrupt);

/* Takes the error of a graph that ran, with its inputs in front where other components than ours
 * failed. */
void itp_graph_take_run_error(const struct itp_graph *graph, GError **error);

/* Linked classes. The caller puts the reference. */
bt_component_class_source *itp_perf_source_class_new(void);
bt_component_class_filter *itp_infer_class_new(void);
bt_component_class_filter *itp_normalize_class_new(void);
bt_component_class_filter *itp_unit_class_new(void);
bt_component_class_filter *itp_wait_class_new(void);
/* With the methods of sinks/profiles/component.h. */
bt_component_class_sink *itp_sink_class_new(const char *name,
					    bt_component_class_sink_initialize_method initialize);

#endif
