/* SPDX-License-Identifier: MIT */
/*
 * See saving.h.
 */
#include "plugins/perf/host/saving.h"

#include "messages/failure.h"
#include "plugins/perf/host/save.h"
#include "plugins/perf/host/traces.h"

struct itp_saving {
	/* Owned by this. */
	struct itp_graph graph;
	struct itp_save *save;
	struct itp_profiles_input input;
	/* Where the profiles come from. Weak. */
	const bt_component_filter *profiles;
};

/* Behind `ends` (const bt_component_filter *). */
static bool add_profiles(struct itp_saving *saving, const GPtrArray *ends, GError **error)
{
	bt_component_class_filter *class = itp_profiles_filter_class_new();
	bool done;

	saving->input.upstream_count = ends->len;
	saving->profiles = itp_graph_add_filter(&saving->graph, class, "profiles", NULL,
						&saving->input, error);
	bt_component_class_filter_put_ref(class);
	done = saving->profiles != NULL;
	for (guint i = 0; done && i < ends->len; i++) {
		done = itp_graph_connect(
			&saving->graph,
			bt_component_filter_borrow_output_port_by_index_const(
				g_ptr_array_index(ends, i), 0),
			bt_component_filter_borrow_input_port_by_index_const(saving->profiles, i),
			error);
	}
	return done;
}

static bool build(struct itp_saving *saving, const char *path, const struct itp_inputs *inputs,
		  bt_value *const *values, GError **error)
{
	g_autoptr(GPtrArray) ends = g_ptr_array_new();

	return itp_graph_init(&saving->graph, error) &&
	       (saving->save = itp_save_new(path, inputs->paths, error)) &&
	       itp_graph_ctf_sink(&saving->graph, error) &&
	       itp_traces_add(&saving->graph, inputs->traces, values, ends, error) &&
	       add_profiles(saving, ends, error);
}

struct itp_saving *itp_saving_new(const char *path, const struct itp_inputs *inputs,
				  bt_value *const *values, GError **error)
{
	struct itp_saving *saving = g_new0(struct itp_saving, 1);

	if (!build(saving, path, inputs, values, error)) {
		g_clear_pointer(&saving, itp_saving_free);
	}
	return saving;
}

void itp_saving_free(struct itp_saving *saving)
{
	if (!saving) {
		return;
	}
	itp_graph_release(&saving->graph);
	itp_save_free(saving->save);
	g_free(saving);
}

/* The sink makes its directory at once, so it comes when there is something to save. */
static bool add_sink(struct itp_saving *saving, GError **error)
{
	const bt_component_sink *sink = itp_save_add_sink(saving->save, &saving->graph, error);

	return sink &&
	       itp_graph_connect(
		       &saving->graph,
		       bt_component_filter_borrow_output_port_by_index_const(saving->profiles, 0),
		       bt_component_sink_borrow_input_port_by_index_const(sink, 0), error);
}

static void fail(struct itp_saving *saving, GError **error)
{
	if (!itp_graph_take_error(error)) {
		g_clear_error(error);
		itp_save_fail(saving->save, error);
	}
	/* When the disk is full, sink.ctf.fs of Babeltrace 2.0 is left with freed memory, which it
	 * must not come to free again. */
	saving->graph.graph = NULL;
}

/* Makes the sink write what it holds back. False when the graph did not reach its end. */
static bool run_graph(struct itp_saving *saving, const struct itp_interrupt *interrupt,
		      GError **error)
{
	bt_graph_run_status status;

	bt_graph_add_interrupter(saving->graph.graph, interrupt->flag);
	status = bt_graph_run(saving->graph.graph);
	if (status != BT_GRAPH_RUN_STATUS_OK && status != BT_GRAPH_RUN_STATUS_AGAIN) {
		fail(saving, error);
	}
	itp_graph_release(&saving->graph);
	return status == BT_GRAPH_RUN_STATUS_OK;
}

bool itp_saving_run(struct itp_saving *saving, const GArray *profiles,
		    struct itp_interrupt *interrupt, GError **error)
{
	bool done;

	saving->input.profiles = profiles;
	/* What is half saved is removed, also when somebody wants the process to end. */
	itp_interrupt_hold_end(interrupt);
	done = itp_save_begin(saving->save, error) && add_sink(saving, error) &&
	       run_graph(saving, interrupt, error) && itp_save_finish(saving->save, error);
	g_clear_pointer(&saving->save, itp_save_free);
	itp_interrupt_let_end(interrupt);
	return done;
}
