/* SPDX-License-Identifier: MIT */
/*
 * See graph.h.
 */
#include "plugins/babeltrace/graphs/graph.h"

#include "common/base/failure.h"
#include "messages/failure.h"
#include "messages/param-maps.h"
#include "messages/refusal.h"
#include "plugins/babeltrace/graphs/trace-look.h"

/* Version for Babeltrace 2.1, too, whose reader of CTF 2 knows it: it puts messages in order whose
 * clocks have nothing in common, as those of two saved profiles. */
#define OLDEST_MIP_VERSION 0

/* First cause; NULL without any. */
static const bt_error_cause *first_cause(const bt_error *error)
{
	return error && bt_error_get_cause_count(error) > 0 ?
		       bt_error_borrow_cause_by_index(error, 0) :
		       NULL;
}

/* First cause told by one of our components. NULL without any. */
static const bt_error_cause *our_cause(const bt_error *error)
{
	for (uint64_t i = 0; error && i < bt_error_get_cause_count(error); i++) {
		const bt_error_cause *cause = bt_error_borrow_cause_by_index(error, i);

		if (itp_refusal_is_ours(cause)) {
			return cause;
		}
	}
	return NULL;
}

/* Message for a person: by one of our components, or about a refusal, or the first words at all.
 * NULL without any. Owned by the caller. */
static char *text_of(const bt_error *error)
{
	const bt_error_cause *ours = our_cause(error);
	char *text = ours ? g_strdup(itp_failure_text(ours)) : itp_refusal_text(error);

	if (!text && first_cause(error)) {
		text = g_strdup(itp_failure_text(first_cause(error)));
	}
	return text;
}

/* Takes the error of libbabeltrace2's current thread; its first cause knows most. *ret_is_theirs,
 * if not NULL: something else than our components failed first. */
static void take_error(bool *ret_is_theirs, GError **error)
{
	const bt_error *taken = bt_current_thread_take_error();
	const bt_error_cause *cause = first_cause(taken);
	g_autofree char *text = text_of(taken);

	if (ret_is_theirs) {
		*ret_is_theirs = cause && !itp_refusal_is_ours(cause);
	}
	if (text) {
		itp_failure_set(error, "%s", text);
	} else {
		itp_failure_set_memory(error);
	}
	if (taken) {
		bt_error_release(taken);
	}
}

void itp_graph_take_run_error(const struct itp_graph *graph, GError **error)
{
	bool is_theirs;

	take_error(&is_theirs, error);
	if (is_theirs && graph->traces && !g_str_has_prefix((*error)->message, graph->traces)) {
		g_prefix_error(error, "%s: ", graph->traces);
	}
}

bool itp_graph_init(struct itp_graph *graph, GError **error)
{
	*graph = (struct itp_graph){ .graph = bt_graph_create(OLDEST_MIP_VERSION) };
	if (!graph->graph) {
		take_error(NULL, error);
	}
	return graph->graph;
}

static void note_interrupt(void *interrupter)
{
	bt_interrupter_set(interrupter);
}

bt_graph_run_status itp_graph_run(struct itp_graph *graph, struct itp_interrupt *interrupt)
{
	bt_graph_run_status status;

	if (!interrupt) {
		return bt_graph_run(graph->graph);
	}
	itp_interrupt_listen(interrupt, note_interrupt,
			     bt_graph_borrow_default_interrupter(graph->graph));
	status = bt_graph_run(graph->graph);
	itp_interrupt_listen(interrupt, NULL, NULL);
	if (status == BT_GRAPH_RUN_STATUS_AGAIN) {
		(void)itp_interrupt_take(interrupt);
	}
	return status;
}

void itp_graph_release(struct itp_graph *graph)
{
	BT_GRAPH_PUT_REF_AND_RESET(graph->graph);
	BT_PLUGIN_PUT_REF_AND_RESET(graph->ctf);
	BT_PLUGIN_PUT_REF_AND_RESET(graph->utils);
	g_clear_pointer(&graph->traces, g_free);
}

/* Looks for a plugin unless already found. */
static bool find_plugin(const char *name, const bt_plugin **plugin, GError **error)
{
	if (!*plugin && bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE,
				       plugin) != BT_PLUGIN_FIND_STATUS_OK) {
		bt_current_thread_clear_error();
		*plugin = NULL;
		itp_failure_set(error,
				"Babeltrace's own plugin \"%s\" is not installed (package "
				"babeltrace2 has it)",
				name);
	}
	return *plugin;
}

const bt_component_class_source *itp_graph_ctf_source(struct itp_graph *graph, GError **error)
{
	return find_plugin("ctf", &graph->ctf, error) ?
		       bt_plugin_borrow_source_component_class_by_name_const(graph->ctf, "fs") :
		       NULL;
}

const bt_component_class_filter *itp_graph_muxer(struct itp_graph *graph, GError **error)
{
	return find_plugin("utils", &graph->utils, error) ?
		       bt_plugin_borrow_filter_component_class_by_name_const(graph->utils,
									     "muxer") :
		       NULL;
}

const bt_component_class_sink *itp_graph_dummy(struct itp_graph *graph, GError **error)
{
	return find_plugin("utils", &graph->utils, error) ?
		       bt_plugin_borrow_sink_component_class_by_name_const(graph->utils, "dummy") :
		       NULL;
}

/* Map with the values; NULL in `ret_map` for no values. False with an error without memory. */
static bool make_map(GHashTable *values, bt_value **ret_map, GError **error)
{
	*ret_map = values ? itp_map_of_values(values, error) : NULL;
	return !values || *ret_map;
}

const bt_component_source *itp_graph_add_source(struct itp_graph *graph,
						const bt_component_class_source *class,
						const char *name, GHashTable *values, void *data,
						GError **error)
{
	const bt_component_source *component = NULL;
	bt_value *map;

	if (make_map(values, &map, error) &&
	    bt_graph_add_source_component_with_initialize_method_data(
		    graph->graph, class, name, map, data, BT_LOGGING_LEVEL_NONE, &component) !=
		    BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(NULL, error);
	}
	bt_value_put_ref(map);
	return component;
}

const bt_component_filter *itp_graph_add_filter(struct itp_graph *graph,
						const bt_component_class_filter *class,
						const char *name, GHashTable *values, void *data,
						GError **error)
{
	const bt_component_filter *component = NULL;
	bt_value *map;

	if (make_map(values, &map, error) &&
	    bt_graph_add_filter_component_with_initialize_method_data(
		    graph->graph, class, name, map, data, BT_LOGGING_LEVEL_NONE, &component) !=
		    BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(NULL, error);
	}
	bt_value_put_ref(map);
	return component;
}

const bt_component_sink *itp_graph_add_sink(struct itp_graph *graph,
					    const bt_component_class_sink *class, const char *name,
					    GHashTable *values, void *data, GError **error)
{
	const bt_component_sink *component = NULL;
	bt_value *map;

	if (make_map(values, &map, error) &&
	    bt_graph_add_sink_component_with_initialize_method_data(
		    graph->graph, class, name, map, data, BT_LOGGING_LEVEL_NONE, &component) !=
		    BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(NULL, error);
	}
	bt_value_put_ref(map);
	return component;
}

bool itp_graph_connect(struct itp_graph *graph, const bt_port_output *from, const bt_port_input *to,
		       GError **error)
{
	bool done = bt_graph_connect_ports(graph->graph, from, to, NULL) ==
		    BT_GRAPH_CONNECT_PORTS_STATUS_OK;

	if (!done) {
		take_error(NULL, error);
	}
	return done;
}

bool itp_graph_connect_source(struct itp_graph *graph, const bt_component_source *source,
			      const bt_component_filter *muxer, GError **error)
{
	bool done = true;

	for (uint64_t i = 0; done && i < bt_component_source_get_output_port_count(source); i++) {
		uint64_t last = bt_component_filter_get_input_port_count(muxer) - 1;

		done = itp_graph_connect(
			graph, bt_component_source_borrow_output_port_by_index_const(source, i),
			bt_component_filter_borrow_input_port_by_index_const(muxer, last), error);
	}
	return done;
}

static void note_trace(struct itp_graph *graph, const char *directory)
{
	char *traces = graph->traces ? g_strdup_printf("%s, %s", graph->traces, directory) :
				       g_strdup(directory);

	g_free(graph->traces);
	graph->traces = traces;
}

/* The reader did not begin with the trace, for the reason in `error`; the trace's files may tell a
 * better one. */
static void explain_trace(const char *directory, GError **error)
{
	g_autofree char *problem = itp_trace_look(directory);

	if (problem) {
		g_clear_error(error);
		itp_failure_set(error, "%s: %s", directory, problem);
	} else if (!g_str_has_prefix((*error)->message, directory)) {
		g_prefix_error(error, "%s: ", directory);
	}
}

bool itp_graph_add_trace(struct itp_graph *graph, const char *directory,
			 const bt_component_filter *muxer, GError **error)
{
	const bt_component_class_source *class = itp_graph_ctf_source(graph, error);
	g_autofree char *name = g_strdup_printf("source of %s", directory);
	const bt_component_source *source = NULL;

	if (class) {
		g_autoptr(GHashTable) values = itp_values_new();

		itp_values_append(values, "inputs", directory);
		source = itp_graph_add_source(graph, class, name, values, NULL, error);
		if (!source && error && *error) {
			explain_trace(directory, error);
		}
	}
	note_trace(graph, directory);
	return source && itp_graph_connect_source(graph, source, muxer, error);
}

bool itp_graph_connect_filters(struct itp_graph *graph, const bt_component_filter *from,
			       const bt_component_filter *to, GError **error)
{
	return itp_graph_connect(
		graph, bt_component_filter_borrow_output_port_by_index_const(from, 0),
		bt_component_filter_borrow_input_port_by_index_const(to, 0), error);
}
