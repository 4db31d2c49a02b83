/* SPDX-License-Identifier: MIT */
/*
 * See traces.h.
 */
#include "plugins/perf/host/traces.h"

#include "messages/failure.h"
#include "plugins/perf/host/trial.h"
#include "sinks/profiles/component.h"

/* What all inputs are made with. */
struct classes {
	/* Weak. */
	const bt_component_class_filter *muxer;
	/* Owned by this. */
	bt_component_class_filter *infer;
	bt_component_class_filter *normalize;
};

static bool classes_init(struct classes *classes, struct itp_graph *graph, GError **error)
{
	*classes = (struct classes){ .infer = itp_infer_class_new(),
				     .normalize = itp_normalize_class_new() };
	classes->muxer = itp_graph_muxer(graph, error);
	return classes->muxer;
}

static void classes_release(struct classes *classes)
{
	bt_component_class_filter_put_ref(classes->infer);
	bt_component_class_filter_put_ref(classes->normalize);
}

bool itp_traces_add_one(struct itp_graph *graph, const char *directory,
			const bt_component_filter *muxer, GError **error)
{
	return itp_trial_read(graph, directory, error) &&
	       itp_graph_add_trace(graph, directory, muxer, error);
}

/* The names of components differ by `index`. NULL after an error. */
static const bt_component_filter *add_filter(struct itp_graph *graph,
					     const bt_component_class_filter *class,
					     const char *name, guint index, const bt_value *params,
					     GError **error)
{
	g_autofree char *full_name = g_strdup_printf("%s %u", name, index + 1);

	return itp_graph_add_filter(graph, class, full_name, params, NULL, error);
}

/* The parameters of `infer`: its own, and the source's that it has for stacks of others. NULL after
 * an error. */
static bt_value *infer_params(bt_value *const *values, GError **error)
{
	static const char *const shared[] = { "fill", "symfs", "kallsyms" };
	bt_value *params = NULL;
	bool done = bt_value_copy(values[ITP_STAGE_INFER], &params) == BT_VALUE_COPY_STATUS_OK;

	for (size_t i = 0; done && i < G_N_ELEMENTS(shared); i++) {
		const bt_value *value =
			bt_value_map_borrow_entry_value_const(values[ITP_STAGE_SOURCE], shared[i]);

		done = !value || bt_value_map_insert_entry(params, shared[i], (bt_value *)value) ==
					 BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	}
	if (!done) {
		BT_VALUE_PUT_REF_AND_RESET(params);
		itp_failure_set_memory(error);
	}
	return params;
}

/* The chain of one input. Returns its end; NULL after an error. */
static const bt_component_filter *add_input(struct itp_graph *graph, const struct classes *classes,
					    const GPtrArray *directories, guint index,
					    bt_value *const *values, GError **error)
{
	bt_value *params = infer_params(values, error);
	const bt_component_filter *muxer =
		params ? add_filter(graph, classes->muxer, "muxer", index, NULL, error) : NULL;
	const bt_component_filter *infer =
		muxer ? add_filter(graph, classes->infer, "infer", index, params, error) : NULL;
	const bt_component_filter *normalize =
		infer ? add_filter(graph, classes->normalize, "normalize", index,
				   values[ITP_STAGE_NORMALIZE], error) :
			NULL;
	bool done = normalize != NULL;

	bt_value_put_ref(params);
	for (guint i = 0; done && i < directories->len; i++) {
		done = itp_traces_add_one(graph, g_ptr_array_index(directories, i), muxer, error);
	}
	return done && itp_graph_connect_filters(graph, muxer, infer, error) &&
			       itp_graph_connect_filters(graph, infer, normalize, error) ?
		       normalize :
		       NULL;
}

bool itp_traces_add(struct itp_graph *graph, const GPtrArray *traces, bt_value *const *values,
		    GPtrArray *ends, GError **error)
{
	struct classes classes;
	bool done = traces->len == 0;

	if (done) {
		return true;
	}
	done = classes_init(&classes, graph, error);
	for (guint i = 0; done && i < traces->len; i++) {
		const bt_component_filter *end =
			add_input(graph, &classes, g_ptr_array_index(traces, i), i, values, error);

		g_ptr_array_add(ends, (gpointer)end);
		done = end != NULL;
	}
	classes_release(&classes);
	return done;
}

static void graph_free(struct itp_graph *graph)
{
	itp_graph_release(graph);
	g_free(graph);
}

static bool add_sink(struct itp_graph *graph, const bt_component_filter *end,
		     struct itp_rank_sink *sink, GError **error)
{
	bt_component_class_sink *class = itp_sink_class_new("profiles", itp_rank_sink_init_hosted);
	const bt_component_sink *component =
		itp_graph_add_sink(graph, class, "profiles", NULL, sink, error);

	bt_component_class_sink_put_ref(class);
	return component &&
	       itp_graph_connect(
		       graph, bt_component_filter_borrow_output_port_by_index_const(end, 0),
		       bt_component_sink_borrow_input_port_by_index_const(component, 0), error);
}

/* The graph of one input. NULL after an error. */
static struct itp_graph *graph_new(const GPtrArray *directories, guint index,
				   bt_value *const *values, struct itp_rank_sink *sink,
				   GError **error)
{
	struct itp_graph *graph = g_new0(struct itp_graph, 1);
	struct classes classes = { .muxer = NULL };
	const bt_component_filter *end = NULL;

	if (itp_graph_init(graph, error) && classes_init(&classes, graph, error)) {
		end = add_input(graph, &classes, directories, index, values, error);
	}
	classes_release(&classes);
	if (!end || !add_sink(graph, end, sink, error)) {
		g_clear_pointer(&graph, graph_free);
	}
	return graph;
}

GPtrArray *itp_traces_new(const GPtrArray *traces, bt_value *const *values,
			  struct itp_rank_sink *sink, GError **error)
{
	g_autoptr(GPtrArray) graphs = g_ptr_array_new_with_free_func((GDestroyNotify)graph_free);

	for (guint i = 0; i < traces->len; i++) {
		struct itp_graph *graph =
			graph_new(g_ptr_array_index(traces, i), i, values, sink, error);

		if (!graph) {
			return NULL;
		}
		g_ptr_array_add(graphs, graph);
	}
	return g_steal_pointer(&graphs);
}

bool itp_traces_read(GPtrArray *graphs, const struct itp_interrupt *interrupt, GError **error)
{
	bt_graph_run_status status = BT_GRAPH_RUN_STATUS_OK;

	while (graphs->len > 0 && status == BT_GRAPH_RUN_STATUS_OK) {
		struct itp_graph *graph = g_ptr_array_index(graphs, 0);

		if (interrupt) {
			bt_graph_add_interrupter(graph->graph, interrupt->flag);
		}
		status = bt_graph_run(graph->graph);
		if (status != BT_GRAPH_RUN_STATUS_OK && status != BT_GRAPH_RUN_STATUS_AGAIN) {
			itp_graph_take_error(error);
		}
		g_ptr_array_remove_index(graphs, 0);
	}
	return status == BT_GRAPH_RUN_STATUS_OK;
}
