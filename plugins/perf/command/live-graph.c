/* SPDX-License-Identifier: MIT */
/*
 * See live-graph.h.
 */
#include "plugins/perf/command/live-graph.h"

/* What it is made of. Owned by this. */
struct classes {
	bt_component_class_source *perf;
	bt_component_class_filter *infer;
	bt_component_class_filter *normalize;
	bt_component_class_sink *rank;
};

static bool connect_all(struct itp_graph *graph, const bt_component_source *source,
			const bt_component_filter *infer, const bt_component_filter *normalize,
			const bt_component_sink *rank, GError **error)
{
	return itp_graph_connect(
		       graph, bt_component_source_borrow_output_port_by_index_const(source, 0),
		       bt_component_filter_borrow_input_port_by_index_const(infer, 0), error) &&
	       itp_graph_connect_filters(graph, infer, normalize, error) &&
	       itp_graph_connect(
		       graph, bt_component_filter_borrow_output_port_by_index_const(normalize, 0),
		       bt_component_sink_borrow_input_port_by_index_const(rank, 0), error);
}

/* From the end on: a source waits until something comes. */
static bool build(struct itp_graph *graph, const struct classes *classes, bt_value *const *values,
		  GError **error)
{
	const bt_component_sink *rank = itp_graph_add_sink(graph, classes->rank, "rank",
							   values[ITP_STAGE_RANK], NULL, error);
	const bt_component_filter *normalize =
		rank ? itp_graph_add_filter(graph, classes->normalize, "normalize",
					    values[ITP_STAGE_NORMALIZE], NULL, error) :
		       NULL;
	const bt_component_filter *infer =
		normalize ? itp_graph_add_filter(graph, classes->infer, "infer",
						 values[ITP_STAGE_INFER], NULL, error) :
			    NULL;
	const bt_component_source *source =
		infer ? itp_graph_add_source(graph, classes->perf, "perf", values[ITP_STAGE_SOURCE],
					     error) :
			NULL;

	return source && connect_all(graph, source, infer, normalize, rank, error);
}

bool itp_live_graph_init(struct itp_graph *graph, bt_value *const *values, GError **error)
{
	struct classes classes = { .perf = itp_perf_source_class_new(),
				   .infer = itp_infer_class_new(),
				   .normalize = itp_normalize_class_new(),
				   .rank = itp_rank_class_new() };
	bool done = itp_graph_init(graph, error) && build(graph, &classes, values, error);

	bt_component_class_source_put_ref(classes.perf);
	bt_component_class_filter_put_ref(classes.infer);
	bt_component_class_filter_put_ref(classes.normalize);
	bt_component_class_sink_put_ref(classes.rank);
	return done;
}

bool itp_live_graph_run(struct itp_graph *graph, GError **error)
{
	bool done = bt_graph_run(graph->graph) == BT_GRAPH_RUN_STATUS_OK;

	if (!done) {
		itp_graph_take_error(error);
	}
	return done;
}
