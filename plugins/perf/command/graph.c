/* SPDX-License-Identifier: MIT */
/*
 * See graph.h. All functions here that return false leave their reason in the error of
 * libbabeltrace2's current thread, or in `error`.
 */
#include "plugins/perf/command/graph.h"

#include <signal.h>

#include "plugins/perf/command/graph-error.h"
#include "plugins/perf/command/plugins.h"

#define INPUTS_PARAM "inputs"

struct graph {
	struct itp_plugins plugins;
	/* Owned by this. */
	bt_graph *graph;
	/* Weak, all below. */
	const struct itp_options *options;
	const bt_component_filter *muxer;
	const bt_component_filter *infer;
	const bt_component_filter *normalize;
	const bt_component_sink *rank;
};

/* A signal handler has no other way to it. */
static bt_interrupter *running_interrupter;

static void interrupt(int number)
{
	(void)number;
	bt_interrupter_set(running_interrupter);
}

/* As babeltrace2 does: the newest that all can. */
static uint64_t find_mip_version(const struct itp_plugins *plugins,
				 const struct itp_options *options)
{
	const bt_component_class *const classes[] = {
		[ITP_STAGE_SOURCE] =
			bt_component_class_source_as_component_class_const(plugins->perf_source),
		[ITP_STAGE_INFER] =
			bt_component_class_filter_as_component_class_const(plugins->infer),
		[ITP_STAGE_NORMALIZE] =
			bt_component_class_filter_as_component_class_const(plugins->normalize),
		[ITP_STAGE_RANK] = bt_component_class_sink_as_component_class_const(plugins->rank),
	};
	bt_component_descriptor_set *set = bt_component_descriptor_set_create();
	uint64_t version = 0;

	for (size_t i = 0; i < ITP_STAGE_COUNT; i++) {
		bt_component_descriptor_set_add_descriptor(set, classes[i], options->values[i]);
	}
	bt_component_descriptor_set_add_descriptor(
		set, bt_component_class_filter_as_component_class_const(plugins->muxer), NULL);
	bt_component_descriptor_set_add_descriptor(
		set, bt_component_class_source_as_component_class_const(plugins->ctf_source), NULL);
	if (bt_get_greatest_operative_mip_version(set, BT_LOGGING_LEVEL_NONE, &version) !=
	    BT_GET_GREATEST_OPERATIVE_MIP_VERSION_STATUS_OK) {
		bt_current_thread_clear_error();
		version = 0;
	}
	bt_component_descriptor_set_put_ref(set);
	return version;
}

static bool connect_ports(struct graph *graph, const bt_port_output *from, const bt_port_input *to)
{
	return bt_graph_connect_ports(graph->graph, from, to, NULL) ==
	       BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

static bool add_filter(struct graph *graph, const bt_component_class_filter *class,
		       const char *name, const bt_value *params, const bt_component_filter **ret)
{
	return bt_graph_add_filter_component(graph->graph, class, name, params,
					     BT_LOGGING_LEVEL_NONE,
					     ret) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
}

/* Everything but the sources. */
static bool add_chain(struct graph *graph)
{
	bt_value *const *params = graph->options->values;

	return add_filter(graph, graph->plugins.muxer, "muxer", NULL, &graph->muxer) &&
	       add_filter(graph, graph->plugins.infer, "infer", params[ITP_STAGE_INFER],
			  &graph->infer) &&
	       add_filter(graph, graph->plugins.normalize, "normalize", params[ITP_STAGE_NORMALIZE],
			  &graph->normalize) &&
	       bt_graph_add_sink_component_with_initialize_method_data(
		       graph->graph, graph->plugins.rank, "rank", params[ITP_STAGE_RANK],
		       graph->options->next, BT_LOGGING_LEVEL_NONE,
		       &graph->rank) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
}

static bool connect_filters(struct graph *graph, const bt_component_filter *from,
			    const bt_component_filter *to)
{
	return connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(from, 0),
			     bt_component_filter_borrow_input_port_by_index_const(to, 0));
}

static bool connect_chain(struct graph *graph)
{
	return connect_filters(graph, graph->muxer, graph->infer) &&
	       connect_filters(graph, graph->infer, graph->normalize) &&
	       connect_ports(
		       graph,
		       bt_component_filter_borrow_output_port_by_index_const(graph->normalize, 0),
		       bt_component_sink_borrow_input_port_by_index_const(graph->rank, 0));
}

/* The muxer always has one free port, its last. */
static bool connect_source(struct graph *graph, const bt_component_source *source)
{
	uint64_t count = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < count; i++) {
		uint64_t last = bt_component_filter_get_input_port_count(graph->muxer) - 1;

		if (!connect_ports(graph,
				   bt_component_source_borrow_output_port_by_index_const(source, i),
				   bt_component_filter_borrow_input_port_by_index_const(
					   graph->muxer, last))) {
			return false;
		}
	}
	return true;
}

/* `params` is the caller's. */
static bool add_source(struct graph *graph, const bt_component_class_source *class,
		       const char *name, const bt_value *params)
{
	const bt_component_source *source;

	return bt_graph_add_source_component(graph->graph, class, name, params,
					     BT_LOGGING_LEVEL_NONE,
					     &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK &&
	       connect_source(graph, source);
}

/* One component for all recordings, which can choose a clock that fits them all. */
static bool add_recordings(struct graph *graph, const GPtrArray *paths)
{
	bt_value *params = graph->options->values[ITP_STAGE_SOURCE];

	if (paths->len == 0) {
		return true;
	}
	bt_value_map_insert_empty_array_entry(params, INPUTS_PARAM, NULL);
	for (guint i = 0; i < paths->len; i++) {
		itp_options_append(params, INPUTS_PARAM, g_ptr_array_index(paths, i));
	}
	return add_source(graph, graph->plugins.perf_source, "recordings", params);
}

static bool add_traces(struct graph *graph, const GPtrArray *paths)
{
	bool done = true;

	for (guint i = 0; done && i < paths->len; i++) {
		g_autofree char *name = g_strdup_printf("trace %u", i + 1);
		bt_value *params = bt_value_map_create();

		itp_options_append(params, INPUTS_PARAM, g_ptr_array_index(paths, i));
		done = add_source(graph, graph->plugins.ctf_source, name, params);
		bt_value_put_ref(params);
	}
	return done;
}

static bool build(struct graph *graph, const struct itp_inputs *inputs, GError **error)
{
	if (!itp_plugins_init(&graph->plugins, error)) {
		return false;
	}
	graph->graph = bt_graph_create(find_mip_version(&graph->plugins, graph->options));
	return graph->graph && add_chain(graph) && add_recordings(graph, inputs->recordings) &&
	       add_traces(graph, inputs->traces) && connect_chain(graph);
}

/* SIGINT ends the graph, as in babeltrace2. */
static bt_graph_run_status run(bt_graph *graph)
{
	const struct sigaction action = { .sa_handler = interrupt };
	struct sigaction before;
	bt_graph_run_status status;

	running_interrupter = bt_graph_borrow_default_interrupter(graph);
	sigaction(SIGINT, &action, &before);
	status = bt_graph_run(graph);
	sigaction(SIGINT, &before, NULL);
	running_interrupter = NULL;
	return status;
}

static void release(struct graph *graph)
{
	BT_GRAPH_PUT_REF_AND_RESET(graph->graph);
	itp_plugins_release(&graph->plugins);
}

enum itp_exit itp_graph_run(const struct itp_inputs *inputs, const struct itp_options *options)
{
	struct graph graph = { .options = options };
	g_autoptr(GError) error = NULL;
	bt_graph_run_status status = BT_GRAPH_RUN_STATUS_ERROR;
	enum itp_exit code = ITP_EXIT_FINE;

	if (build(&graph, inputs, &error)) {
		status = run(graph.graph);
	}
	if (error) {
		itp_complain("%s", error->message);
		code = ITP_EXIT_ERROR;
	} else if (status == BT_GRAPH_RUN_STATUS_AGAIN) {
		itp_complain("interrupted before all was read");
		code = ITP_EXIT_INTERRUPTED;
	} else if (status != BT_GRAPH_RUN_STATUS_OK) {
		code = itp_graph_error_print();
	}
	/* Writes what there is after an error or an interrupt. */
	release(&graph);
	return code;
}
