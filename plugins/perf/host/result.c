/* SPDX-License-Identifier: MIT */
/*
 * See result.h.
 */
#include "plugins/perf/host/result.h"

#include "messages/failure.h"
#include "plugins/perf/host/params.h"
#include "plugins/perf/host/save.h"
#include "plugins/perf/host/traces.h"
#include "sinks/rank/rank.h"

struct itp_result {
	struct itp_graph graph;
	struct itp_profiles_input input;
	/* Where the profiles come from. Weak. */
	const bt_component_filter *profiles;
	/* NULL when a ranking is asked for. Owned by this. */
	struct itp_save *save;
	bool is_above;
};

/* Weak; NULL after an error. */
static const bt_component_sink *add_rank(struct itp_result *result,
					 const struct itp_result_options *options, GError **error)
{
	bt_component_class_sink *class = itp_rank_class_new();
	struct itp_rank_host host = { .next = options->next, .ret_is_above = &result->is_above };
	const bt_component_sink *rank = itp_graph_add_sink(
		&result->graph, class, "rank", options->values[ITP_STAGE_RANK], &host, error);

	bt_component_class_sink_put_ref(class);
	return rank;
}

/* Weak; NULL after an error. */
static const bt_component_sink *add_sink(struct itp_result *result,
					 const struct itp_result_options *options, GError **error)
{
	if (options->drawer) {
		return itp_graph_add_sink(&result->graph, options->drawer, "report",
					  options->values[ITP_STAGE_RANK], NULL, error);
	}
	return add_rank(result, options, error);
}

static bool connect_sink(struct itp_result *result, const bt_component_sink *sink, GError **error)
{
	return sink &&
	       itp_graph_connect(
		       &result->graph,
		       bt_component_filter_borrow_output_port_by_index_const(result->profiles, 0),
		       bt_component_sink_borrow_input_port_by_index_const(sink, 0), error);
}

/* Behind `ends` (const bt_component_filter *). */
static bool add_profiles(struct itp_result *result, const GPtrArray *ends, GError **error)
{
	bt_component_class_filter *class = itp_profiles_filter_class_new();
	bool done;

	result->input.upstream_count = ends->len;
	result->profiles = itp_graph_add_filter(&result->graph, class, "profiles", NULL,
						&result->input, error);
	bt_component_class_filter_put_ref(class);
	done = result->profiles != NULL;
	for (guint i = 0; done && i < ends->len; i++) {
		done = itp_graph_connect(
			&result->graph,
			bt_component_filter_borrow_output_port_by_index_const(
				g_ptr_array_index(ends, i), 0),
			bt_component_filter_borrow_input_port_by_index_const(result->profiles, i),
			error);
	}
	return done;
}

/* A sink that saves makes its directory at once, so it comes when there is something to save. */
static bool prepare(struct itp_result *result, const struct itp_result_options *options,
		    const bt_component_sink **ret_sink, GError **error)
{
	const GPtrArray *inputs = options->inputs->paths;

	if (options->save) {
		result->save = itp_save_new(options->save, inputs, error);
		return result->save && itp_graph_ctf_sink(&result->graph, error);
	}
	if (itp_host_check_output(options->values[ITP_STAGE_RANK], inputs, error)) {
		*ret_sink = add_sink(result, options, error);
	}
	return *ret_sink;
}

static bool build(struct itp_result *result, const struct itp_result_options *options,
		  GError **error)
{
	g_autoptr(GPtrArray) ends = g_ptr_array_new();
	const bt_component_sink *sink = NULL;

	return itp_graph_init(&result->graph, error) && prepare(result, options, &sink, error) &&
	       itp_traces_add(&result->graph, options->inputs->traces, options->values, ends,
			      error) &&
	       add_profiles(result, ends, error) && (!sink || connect_sink(result, sink, error));
}

struct itp_result *itp_result_new(const struct itp_result_options *options, GError **error)
{
	struct itp_result *result = g_new0(struct itp_result, 1);

	if (!build(result, options, error)) {
		g_clear_pointer(&result, itp_result_free);
	}
	return result;
}

bool itp_result_is_above(const struct itp_result *result)
{
	return result->is_above;
}

void itp_result_free(struct itp_result *result)
{
	if (!result) {
		return;
	}
	itp_graph_release(&result->graph);
	itp_save_free(result->save);
	g_free(result);
}

/* The graph could not save the profile. */
static void fail_to_save(struct itp_result *result, GError **error)
{
	if (!itp_graph_take_error(error)) {
		g_clear_error(error);
		itp_save_fail(result->save, error);
	}
	/* When the disk is full, sink.ctf.fs of Babeltrace 2.0 is left with freed memory, which it
	 * must not come to free again. */
	result->graph.graph = NULL;
}

/* Makes the sinks write what they hold back. False when the graph did not reach its end. */
static bool run_graph(struct itp_result *result, const struct itp_interrupt *interrupt,
		      GError **error)
{
	bt_graph_run_status status;

	bt_graph_add_interrupter(result->graph.graph, interrupt->flag);
	status = bt_graph_run(result->graph.graph);
	if (status != BT_GRAPH_RUN_STATUS_OK && status != BT_GRAPH_RUN_STATUS_AGAIN) {
		if (result->save) {
			fail_to_save(result, error);
		} else {
			itp_graph_take_error(error);
		}
	}
	itp_graph_release(&result->graph);
	return status == BT_GRAPH_RUN_STATUS_OK;
}

/* A ranking tells what has happened; a profile is saved as it is, and tells that it is not
 * complete. */
static void set_input(struct itp_result *result, const struct itp_result_input *input,
		      const struct itp_interrupt *interrupt)
{
	result->input.profiles = input->profiles;
	if (!result->save) {
		result->input.failure = input->failure;
		result->input.interrupter = input->is_interrupted ? interrupt->flag : NULL;
	}
}

/* What is half saved is removed, also when somebody wants the process to end. */
static bool run_and_save(struct itp_result *result, struct itp_interrupt *interrupt, GError **error)
{
	bool done;

	itp_interrupt_hold_end(interrupt);
	done = itp_save_begin(result->save, error) &&
	       connect_sink(result, itp_save_add_sink(result->save, &result->graph, error),
			    error) &&
	       run_graph(result, interrupt, error) && itp_save_finish(result->save, error);
	g_clear_pointer(&result->save, itp_save_free);
	itp_interrupt_let_end(interrupt);
	return done;
}

bool itp_result_run(struct itp_result *result, const struct itp_result_input *input,
		    struct itp_interrupt *interrupt, GError **error)
{
	set_input(result, input, interrupt);
	if (result->save ? !run_and_save(result, interrupt, error) :
			   !run_graph(result, interrupt, error)) {
		return false;
	}
	if (input->failure) {
		itp_failure_set(error, "%s", input->failure);
	}
	return !input->failure && !input->is_interrupted;
}
