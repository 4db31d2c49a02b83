/* SPDX-License-Identifier: MIT */
/*
 * See report.h.
 */
#include "plugins/perf/dlfilter/report.h"

#include "plugins/babeltrace/failure.h"
#include "plugins/babeltrace/mip.h"
#include "plugins/perf/dlfilter/profile-filter.h"
#include "sinks/rank/rank.h"

#define MIP_VERSION 0
#define METADATA "metadata"

struct itp_report {
	bt_graph *graph;
	struct itp_profile_input input;
};

/* Takes what libbabeltrace2 or a component said; the first cause knows most. */
static void take_error(GError **error)
{
	const bt_error *taken = bt_current_thread_take_error();

	if (!taken || bt_error_get_cause_count(taken) == 0) {
		itp_failure_set_memory(error);
	} else {
		itp_failure_set(
			error, "%s",
			bt_error_cause_get_message(bt_error_borrow_cause_by_index(taken, 0)));
	}
	if (taken) {
		bt_error_release(taken);
	}
}

/* The directories at or directly below `path` that hold a trace, as char *. */
static GPtrArray *find_traces(const char *path)
{
	GPtrArray *traces = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *metadata = g_build_filename(path, METADATA, NULL);
	g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
	const char *name;

	if (g_file_test(metadata, G_FILE_TEST_IS_REGULAR)) {
		g_ptr_array_add(traces, g_strdup(path));
		return traces;
	}
	while (directory && (name = g_dir_read_name(directory))) {
		g_autofree char *below = g_build_filename(path, name, METADATA, NULL);

		if (g_file_test(below, G_FILE_TEST_IS_REGULAR)) {
			g_ptr_array_add(traces, g_build_filename(path, name, NULL));
		}
	}
	return traces;
}

static const bt_component_class_source *find_ctf_class(const bt_plugin **ret_plugin)
{
	return bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, ret_plugin) ==
			       BT_PLUGIN_FIND_STATUS_OK ?
		       bt_plugin_borrow_source_component_class_by_name_const(*ret_plugin, "fs") :
		       NULL;
}

/* A component that reads the trace in `directory`; weak. */
static const bt_component_source *add_trace(struct itp_report *report,
					    const bt_component_class_source *ctf,
					    const char *directory, GError **error)
{
	const bt_component_source *component = NULL;
	bt_value *params = bt_value_map_create();
	bt_value *inputs = bt_value_array_create();

	bt_value_array_append_string_element(inputs, directory);
	bt_value_map_insert_entry(params, "inputs", inputs);
	if (bt_graph_add_source_component(report->graph, ctf, directory, params,
					  BT_LOGGING_LEVEL_NONE,
					  &component) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(error);
	}
	bt_value_put_ref(inputs);
	bt_value_put_ref(params);
	return component;
}

/* Adds the sources of one saved profile to `sources`. */
static bool add_base(struct itp_report *report, const bt_component_class_source *ctf,
		     const char *path, GPtrArray *sources, GError **error)
{
	g_autoptr(GPtrArray) traces = find_traces(path);

	if (traces->len == 0) {
		itp_failure_set(error,
				"parameter \"base\": %s: no saved profile; inside perf a recording "
				"can only be compared with one of these, which `babeltrace2 %s "
				"-c filter.introperf.infer -c filter.introperf.normalize "
				"-c sink.ctf.fs --params='path=\"good.profile\"'` makes",
				path, path);
		return false;
	}
	for (guint i = 0; i < traces->len; i++) {
		const bt_component_source *source =
			add_trace(report, ctf, g_ptr_array_index(traces, i), error);

		if (!source) {
			return false;
		}
		g_ptr_array_add(sources, (gpointer)source);
	}
	return true;
}

/* Adds the sources (const bt_component_source *, weak) of all that is to be compared with. */
static bool add_bases(struct itp_report *report, const struct itp_dlargs *dlargs,
		      GPtrArray *sources, GError **error)
{
	const bt_plugin *plugin = NULL;
	const bt_component_class_source *ctf;
	bool done;

	if (!dlargs->base) {
		return true;
	}
	ctf = find_ctf_class(&plugin);
	done = ctf != NULL;
	if (!done) {
		itp_failure_set(error, "parameter \"base\": Babeltrace's plugin \"ctf\", which "
				       "reads saved profiles, is not there");
	}
	for (guint i = 0; done && i < dlargs->base->len; i++) {
		done = add_base(report, ctf, g_ptr_array_index(dlargs->base, i), sources, error);
	}
	bt_plugin_put_ref(plugin);
	return done;
}

static bool connect(struct itp_report *report, const bt_port_output *from, const bt_port_input *to,
		    GError **error)
{
	if (bt_graph_connect_ports(report->graph, from, to, NULL) !=
	    BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
		take_error(error);
		return false;
	}
	return true;
}

/* Connects the ports of all `sources` to those of `filter`. */
static bool connect_sources(struct itp_report *report, const GPtrArray *sources,
			    const bt_component_filter *filter, GError **error)
{
	uint64_t next = 0;

	for (guint i = 0; i < sources->len; i++) {
		const bt_component_source *source = g_ptr_array_index(sources, i);

		for (uint64_t k = 0; k < bt_component_source_get_output_port_count(source); k++) {
			if (!connect(report,
				     bt_component_source_borrow_output_port_by_index_const(source,
											   k),
				     bt_component_filter_borrow_input_port_by_index_const(filter,
											  next++),
				     error)) {
				return false;
			}
		}
	}
	return true;
}

static uint64_t count_ports(const GPtrArray *sources)
{
	uint64_t count = 0;

	for (guint i = 0; i < sources->len; i++) {
		count += bt_component_source_get_output_port_count(g_ptr_array_index(sources, i));
	}
	return count;
}

/* Weak; NULL on an error. */
static const bt_component_sink *add_rank(struct itp_report *report, const bt_value *params,
					 GError **error)
{
	bt_component_class_sink *rank = bt_component_class_sink_create("rank", itp_rank_consume);
	const bt_component_sink *component = NULL;
	char next[] = "--dlarg path=1";

	bt_component_class_sink_set_initialize_method(rank, itp_rank_init);
	bt_component_class_sink_set_finalize_method(rank, itp_rank_finalize);
	bt_component_class_sink_set_graph_is_configured_method(rank, itp_rank_graph_is_configured);
	bt_component_class_sink_set_get_supported_mip_versions_method(rank, itp_sink_mip_versions);
	if (bt_graph_add_sink_component_with_initialize_method_data(
		    report->graph, rank, "rank", params, next, BT_LOGGING_LEVEL_NONE, &component) !=
	    BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(error);
	}
	bt_component_class_sink_put_ref(rank);
	return component;
}

/* The parameters of the sink: `base` names its inputs. */
static void name_bases(const struct itp_dlargs *dlargs)
{
	bt_value *bases = bt_value_array_create();

	for (guint i = 0; dlargs->base && i < dlargs->base->len; i++) {
		bt_value_array_append_string_element(bases, g_ptr_array_index(dlargs->base, i));
	}
	if (dlargs->base) {
		bt_value_map_insert_entry(dlargs->rank, "base", bases);
	}
	bt_value_put_ref(bases);
}

static bool build(struct itp_report *report, const struct itp_dlargs *dlargs, GError **error)
{
	g_autoptr(GPtrArray) sources = g_ptr_array_new();
	const bt_component_sink *rank;
	const bt_component_filter *filter = NULL;
	bt_component_class_filter *filter_class;

	name_bases(dlargs);
	rank = add_rank(report, dlargs->rank, error);
	if (!rank || !add_bases(report, dlargs, sources, error)) {
		return false;
	}
	report->input.name = dlargs->name;
	report->input.upstream_count = count_ports(sources);
	filter_class = itp_profile_filter_class_new();
	if (bt_graph_add_filter_component_with_initialize_method_data(
		    report->graph, filter_class, "profile", NULL, &report->input,
		    BT_LOGGING_LEVEL_NONE, &filter) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		take_error(error);
	}
	bt_component_class_filter_put_ref(filter_class);
	return filter && connect_sources(report, sources, filter, error) &&
	       connect(report, bt_component_filter_borrow_output_port_by_index_const(filter, 0),
		       bt_component_sink_borrow_input_port_by_index_const(rank, 0), error);
}

struct itp_report *itp_report_new(const struct itp_dlargs *dlargs, GError **error)
{
	struct itp_report *report = g_new0(struct itp_report, 1);

	report->graph = bt_graph_create(MIP_VERSION);
	if (!report->graph) {
		take_error(error);
	} else if (build(report, dlargs, error)) {
		return report;
	}
	itp_report_free(report);
	return NULL;
}

void itp_report_free(struct itp_report *report)
{
	if (!report) {
		return;
	}
	bt_graph_put_ref(report->graph);
	g_free(report);
}

bool itp_report_run(struct itp_report *report, const struct itp_profile_source *source,
		    GError **error)
{
	report->input.source = *source;
	if (bt_graph_run(report->graph) != BT_GRAPH_RUN_STATUS_OK) {
		take_error(error);
		return false;
	}
	return true;
}
