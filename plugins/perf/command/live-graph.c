/* SPDX-License-Identifier: MIT */
/*
 * See live-graph.h. A source waits until something comes, so it is made last.
 */
#include "plugins/perf/command/live-graph.h"

#include "plugins/perf/command/options.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/host/traces.h"
#include "sinks/rank/rank.h"
#include "sources/perf/source.h"

#define STANDARD_STREAM "-"

static const bt_port_output *output_of(const bt_component_filter *filter)
{
	return bt_component_filter_borrow_output_port_by_index_const(filter, 0);
}

/* Weak; NULL after an error. Here and below. */
static const bt_component_sink *add_rank(struct itp_live_graph *graph,
					 const struct itp_live_options *options, GError **error)
{
	bt_component_class_sink *class = itp_rank_class_new();
	/* What was live cannot be looked at again. */
	struct itp_rank_host host = { .next = "", .screen = options->screen };
	const bt_component_sink *rank = itp_graph_add_sink(
		&graph->graph, class, "rank", options->values[ITP_STAGE_RANK], &host, error);

	bt_component_class_sink_put_ref(class);
	return rank;
}

/* One behind the other, and `input` behind them. */
static const bt_component_filter *add_row(struct itp_live_graph *graph, const char *name,
					  struct itp_profiles_input *input, const GPtrArray *ends,
					  GError **error)
{
	bt_component_class_filter *class = itp_profiles_filter_class_new();
	const bt_component_filter *row;

	input->upstream_count = ends->len;
	row = itp_graph_add_filter(&graph->graph, class, name, NULL, input, error);
	bt_component_class_filter_put_ref(class);
	for (guint i = 0; row && i < ends->len; i++) {
		if (!itp_graph_connect(&graph->graph, output_of(g_ptr_array_index(ends, i)),
				       bt_component_filter_borrow_input_port_by_index_const(row, i),
				       error)) {
			row = NULL;
		}
	}
	return row;
}

static const bt_component_filter *add_base(struct itp_live_graph *graph,
					   const struct itp_live_options *options, GError **error)
{
	const struct itp_live_base *base = options->base;
	g_autoptr(GPtrArray) ends = g_ptr_array_new();

	graph->base.profiles = base->profiles;
	return itp_traces_add(&graph->graph, base->inputs.traces, options->values, ends, error) ?
		       add_row(graph, "base", &graph->base, ends, error) :
		       NULL;
}

/* A copy of the parameters of infer with those of what is live. Owned by the caller. */
static bt_value *infer_params(const struct itp_live_options *options)
{
	bt_value *params = NULL;

	(void)bt_value_copy(options->values[ITP_STAGE_INFER], &params);
	bt_value_map_insert_string_entry(params, "period", options->period);
	for (const int *pid = options->excluded_pids; *pid > 0; pid++) {
		g_autofree char *text = g_strdup_printf("%d", *pid);

		itp_options_append(params, "exclude-pid", text);
	}
	return params;
}

static const bt_component_filter *add_infer(struct itp_live_graph *graph,
					    const struct itp_live_options *options, GError **error)
{
	bt_component_class_filter *class = itp_infer_class_new();
	bt_value *params = infer_params(options);
	const bt_component_filter *infer = itp_graph_add_filter(&graph->graph, class, "infer",
								params, &graph->is_empty, error);

	bt_value_put_ref(params);
	bt_component_class_filter_put_ref(class);
	return infer;
}

static const bt_component_filter *add_normalize(struct itp_live_graph *graph,
						const struct itp_live_options *options,
						GError **error)
{
	bt_component_class_filter *class = itp_normalize_class_new();
	const bt_component_filter *normalize =
		itp_graph_add_filter(&graph->graph, class, "normalize",
				     options->values[ITP_STAGE_NORMALIZE], NULL, error);

	bt_component_class_filter_put_ref(class);
	return normalize;
}

/* Waits for perf. */
static const bt_component_source *add_source(struct itp_live_graph *graph,
					     const struct itp_live_options *options, GError **error)
{
	bt_component_class_source *class = itp_perf_source_class_new();
	struct itp_perf_source_host host = { .tell = itp_reading_warn };
	bt_value *params = NULL;
	const bt_component_source *source;

	(void)bt_value_copy(options->values[ITP_STAGE_SOURCE], &params);
	itp_options_append(params, "inputs", STANDARD_STREAM);
	bt_value_map_insert_bool_entry(params, "live", BT_TRUE);
	source = itp_graph_add_source(&graph->graph, class, "perf", params, &host, error);
	bt_value_put_ref(params);
	bt_component_class_source_put_ref(class);
	return source;
}

/* What is live behind its base, into `rank`. */
static bool add_all(struct itp_live_graph *graph, const struct itp_live_options *options,
		    const bt_component_filter *normalize, const bt_component_sink *rank,
		    GError **error)
{
	g_autoptr(GPtrArray) ends = g_ptr_array_new();
	const bt_component_filter *base = add_base(graph, options, error);
	const bt_component_filter *all;

	graph->all.profiles = graph->no_profiles;
	g_ptr_array_add(ends, (gpointer)base);
	g_ptr_array_add(ends, (gpointer)normalize);
	all = base ? add_row(graph, "all", &graph->all, ends, error) : NULL;
	return all && itp_graph_connect(&graph->graph, output_of(all),
					bt_component_sink_borrow_input_port_by_index_const(rank, 0),
					error);
}

static bool build(struct itp_live_graph *graph, const struct itp_live_options *options,
		  GError **error)
{
	const bt_component_sink *rank = add_rank(graph, options, error);
	const bt_component_filter *normalize = rank ? add_normalize(graph, options, error) : NULL;
	const bt_component_filter *infer = normalize ? add_infer(graph, options, error) : NULL;
	const bt_component_source *source;

	if (!infer || !itp_graph_connect_filters(&graph->graph, infer, normalize, error) ||
	    !add_all(graph, options, normalize, rank, error)) {
		return false;
	}
	source = add_source(graph, options, error);
	return source &&
	       itp_graph_connect(&graph->graph,
				 bt_component_source_borrow_output_port_by_index_const(source, 0),
				 bt_component_filter_borrow_input_port_by_index_const(infer, 0),
				 error);
}

bool itp_live_graph_init(struct itp_live_graph *graph, const struct itp_live_options *options,
			 GError **error)
{
	*graph = (struct itp_live_graph){
		.no_profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile)),
	};
	return itp_graph_init(&graph->graph, error) && build(graph, options, error);
}

void itp_live_graph_release(struct itp_live_graph *graph)
{
	itp_graph_release(&graph->graph);
	g_array_unref(graph->no_profiles);
}

bool itp_live_graph_run(struct itp_live_graph *graph, GError **error)
{
	bool done = bt_graph_run(graph->graph.graph) == BT_GRAPH_RUN_STATUS_OK;

	if (!done) {
		itp_graph_take_error(error);
	}
	return done;
}
