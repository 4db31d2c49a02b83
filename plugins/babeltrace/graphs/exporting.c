/* SPDX-License-Identifier: MIT */
/*
 * See exporting.h.
 */
#include "plugins/babeltrace/graphs/exporting.h"

#include "plugins/babeltrace/graphs/chain.h"
#include "plugins/babeltrace/graphs/traces.h"
#include "sinks/export/export.h"
#include "sources/perf/source.h"

struct run {
	/* Weak. */
	const struct itp_exporting *exporting;
	/* Owned by this. */
	struct itp_inputs inputs;
	struct itp_graph graph;
};

/* Reads `paths` (char *, at least one) by a source of `class`, made for `host`. */
static bool add_source(struct itp_graph *graph, const bt_component_class_source *class,
		       struct itp_perf_source_host *host, const GPtrArray *paths,
		       GHashTable *values, const bt_component_filter *muxer, GError **error)
{
	g_autofree char *name =
		g_strdup_printf("source of %s", (char *)g_ptr_array_index(paths, 0));
	const bt_component_source *source;

	for (guint i = 0; i < paths->len; i++) {
		itp_values_append(values, "inputs", g_ptr_array_index(paths, i));
	}
	source = itp_graph_add_source(graph, class, name, values, host, error);
	return source && itp_graph_connect_source(graph, source, muxer, error);
}

static bool find_inputs(struct run *run, GError **error)
{
	const struct itp_exporting *exporting = run->exporting;
	bool done = true;

	for (guint i = 0; done && i < exporting->paths->len; i++) {
		done = itp_inputs_add(&run->inputs, g_ptr_array_index(exporting->paths, i), error);
	}
	return done &&
	       itp_stage_check_output(exporting->values[ITP_STAGE_RANK], run->inputs.paths, error);
}

static bool add_sources(struct run *run, const bt_component_filter *muxer, GError **error)
{
	const struct itp_exporting *exporting = run->exporting;
	bt_component_class_source *class = itp_perf_source_class_new();
	struct itp_perf_source_host host = { .tell = exporting->tell };
	const struct itp_inputs *inputs = &run->inputs;
	bool done = true;

	if (inputs->recordings->len > 0) {
		done = add_source(&run->graph, class, &host, inputs->recordings,
				  exporting->values[ITP_STAGE_SOURCE], muxer, error);
	}
	for (guint i = 0; done && i < inputs->traces->len; i++) {
		done = itp_traces_add_all(&run->graph, g_ptr_array_index(inputs->traces, i), muxer,
					  error);
	}
	bt_component_class_source_put_ref(class);
	return done;
}

static bool add_sink(struct run *run, const bt_component_filter *end, GError **error)
{
	const struct itp_exporting *exporting = run->exporting;
	struct itp_export_host host = { .words = exporting->words, .inputs = &run->inputs };
	bt_component_class_sink *class = itp_sink_class_new("export", itp_export_init);
	const bt_component_sink *sink = itp_graph_add_sink(
		&run->graph, class, "export", exporting->values[ITP_STAGE_RANK], &host, error);

	bt_component_class_sink_put_ref(class);
	return sink &&
	       itp_graph_connect(
		       &run->graph, bt_component_filter_borrow_output_port_by_index_const(end, 0),
		       bt_component_sink_borrow_input_port_by_index_const(sink, 0), error);
}

static bool build(struct run *run, GError **error)
{
	const struct itp_exporting *exporting = run->exporting;
	struct itp_chain chain;

	return itp_graph_init(&run->graph, error) &&
	       (exporting->is_timeline ?
			itp_chain_add_units(&run->graph, exporting->values, 1, &chain, error) :
			itp_chain_add(&run->graph, exporting->values, 1, true, &chain, error)) &&
	       add_sources(run, chain.muxer, error) && add_sink(run, chain.end, error);
}

static enum itp_outcome run_graph(struct itp_graph *graph, GError **error)
{
	struct itp_interrupt interrupt;
	bt_graph_run_status status;
	bool is_interrupted;

	itp_interrupt_init(&interrupt);
	status = itp_graph_run(graph, &interrupt);
	is_interrupted = itp_interrupt_take(&interrupt) ||
			 itp_interrupt_has_ended_early(&interrupt);
	itp_interrupt_release(&interrupt);
	if (status == BT_GRAPH_RUN_STATUS_OK) {
		return ITP_OUTCOME_DONE;
	}
	if (is_interrupted) {
		return ITP_OUTCOME_INTERRUPTED;
	}
	itp_graph_take_run_error(graph, error);
	return ITP_OUTCOME_FAILED;
}

/* Saved profiles alone need no graph. */
static enum itp_outcome export_profiles(const struct run *run, GError **error)
{
	const struct itp_exporting *exporting = run->exporting;
	struct itp_export_job *job =
		itp_export_job_new(exporting->values[ITP_STAGE_RANK], exporting->words, error);
	bool done = job && itp_inputs_read_profiles(&run->inputs, job->job.workloads, error) &&
		    itp_export_job_finish(job, NULL, ITP_RANK_ENDED, error);

	if (job) {
		job->job.free(&job->job);
	}
	return done ? ITP_OUTCOME_DONE : ITP_OUTCOME_FAILED;
}

static enum itp_outcome export_all(struct run *run, GError **error)
{
	enum itp_outcome outcome = ITP_OUTCOME_FAILED;

	if (run->inputs.recordings->len + run->inputs.traces->len == 0) {
		return export_profiles(run, error);
	}
	if (build(run, error)) {
		outcome = run_graph(&run->graph, error);
	}
	itp_graph_release(&run->graph);
	return outcome;
}

enum itp_outcome itp_exporting_run(const struct itp_exporting *exporting, GError **error)
{
	struct run run = { .exporting = exporting };
	enum itp_outcome outcome = ITP_OUTCOME_FAILED;

	itp_inputs_init(&run.inputs);
	if (find_inputs(&run, error)) {
		outcome = export_all(&run, error);
	}
	itp_inputs_release(&run.inputs);
	return outcome;
}
