/* SPDX-License-Identifier: MIT */
/*
 * See traces.h.
 */
#include "plugins/babeltrace/graphs/traces.h"

#include "plugins/babeltrace/graphs/chain.h"
#include "plugins/babeltrace/graphs/trial.h"
#include "sinks/profiles/component.h"

/* Adds a trace once a trial has shown that it can be read. */
static bool add_one(struct itp_graph *graph, const char *directory,
		    const bt_component_filter *muxer, GError **error)
{
	return itp_trial_read(graph, directory, error) &&
	       itp_graph_add_trace(graph, directory, muxer, error);
}

bool itp_traces_add_all(struct itp_graph *graph, const GPtrArray *directories,
			const bt_component_filter *muxer, GError **error)
{
	bool done = true;

	for (guint i = 0; done && i < directories->len; i++) {
		done = add_one(graph, g_ptr_array_index(directories, i), muxer, error);
	}
	return done;
}

/* Chain of an input, which ends with filter.introperf.wait where parameters for it are given.
 * Returns its end; NULL after an error. */
static const bt_component_filter *add_input(struct itp_graph *graph, const GPtrArray *directories,
					    guint index, GHashTable *const *values,
					    GHashTable *wait, GError **error)
{
	struct itp_chain chain;
	bool done = wait ? itp_chain_add_wait(graph, values, wait, index + 1, &chain, error) :
			   itp_chain_add(graph, values, index + 1, true, &chain, error);

	return done && itp_traces_add_all(graph, directories, chain.muxer, error) ? chain.end :
										    NULL;
}

static void graph_free(struct itp_graph *graph)
{
	itp_graph_release(graph);
	g_free(graph);
}

/* Sink of an input, with its initialise method and data for it. */
struct end {
	bt_component_class_sink_initialize_method init;
	void *data;
};

static bool add_sink(struct itp_graph *graph, const bt_component_filter *last,
		     const struct end *end, GError **error)
{
	bt_component_class_sink *class = itp_sink_class_new("profiles", end->init);
	const bt_component_sink *component =
		itp_graph_add_sink(graph, class, "profiles", NULL, end->data, error);

	bt_component_class_sink_put_ref(class);
	return component &&
	       itp_graph_connect(
		       graph, bt_component_filter_borrow_output_port_by_index_const(last, 0),
		       bt_component_sink_borrow_input_port_by_index_const(component, 0), error);
}

/* Appends the graph of an input. */
static bool append_graph(GPtrArray *graphs, const GPtrArray *directories, GHashTable *const *values,
			 GHashTable *wait, const struct end *end, GError **error)
{
	struct itp_graph *graph = g_new0(struct itp_graph, 1);
	const bt_component_filter *last = NULL;

	g_ptr_array_add(graphs, graph);
	if (itp_graph_init(graph, error)) {
		last = add_input(graph, directories, graphs->len - 1, values, wait, error);
	}
	return last && add_sink(graph, last, end, error);
}

static GPtrArray *graphs_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)graph_free);
}

GPtrArray *itp_traces_new(const GPtrArray *traces, GHashTable *const *values,
			  struct itp_rank_job *job, GError **error)
{
	const struct end end = { .init = itp_rank_sink_init_of_job, .data = job };
	g_autoptr(GPtrArray) graphs = graphs_new();

	for (guint i = 0; i < traces->len; i++) {
		if (!append_graph(graphs, g_ptr_array_index(traces, i), values, NULL, &end,
				  error)) {
			return NULL;
		}
	}
	return g_steal_pointer(&graphs);
}

GPtrArray *itp_traces_new_interests(const GPtrArray *directories, GHashTable *const *values,
				    GHashTable *wait, struct itp_rank_sink *sink, GError **error)
{
	const struct end end = { .init = itp_rank_sink_init_hosted, .data = sink };
	g_autoptr(GPtrArray) graphs = graphs_new();

	return append_graph(graphs, directories, values, wait, &end, error) ?
		       g_steal_pointer(&graphs) :
		       NULL;
}

bool itp_traces_read(GPtrArray *graphs, struct itp_interrupt *interrupt, GError **error)
{
	bt_graph_run_status status = BT_GRAPH_RUN_STATUS_OK;

	while (graphs->len > 0 && status == BT_GRAPH_RUN_STATUS_OK) {
		struct itp_graph *graph = g_ptr_array_index(graphs, 0);

		status = itp_graph_run(graph, interrupt);
		if (status != BT_GRAPH_RUN_STATUS_OK && status != BT_GRAPH_RUN_STATUS_AGAIN) {
			itp_graph_take_run_error(graph, error);
		}
		g_ptr_array_remove_index(graphs, 0);
	}
	return status == BT_GRAPH_RUN_STATUS_OK;
}
