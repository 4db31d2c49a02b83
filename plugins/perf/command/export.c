/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: export, the graph of `babeltrace2 FILE…` with the filters and
 * sink.introperf.export behind it, as its messages are the content of the export:
 *
 *     source.introperf.perf, source.ctf.fs … ─▶ muxer ─▶ infer ─▶ normalize ─▶ export
 *
 * Single calls go without normalize, and units of work are found among them.
 */
#include <stdio.h>
#include <string.h>

#include "common/engine/inputs.h"
#include "common/render/export/export.h"
#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/command/words.h"
#include "plugins/perf/host/chain.h"
#include "plugins/perf/host/interrupt.h"
#include "plugins/perf/host/traces.h"
#include "sinks/export/export.h"
#include "sources/perf/source.h"

/* Default recording, perf's. */
#define RECORDING "perf.data"

#define EXAMPLES                                                                          \
	"Examples:\n"                                                                     \
	"  perf introperf export --format svg --base good.data -o slow.svg slow.data\n"   \
	"  perf introperf export slow.data | flamegraph.pl --countname=ns >slow.svg\n"    \
	"  perf introperf export --format speedscope -o slow.speedscope.json slow.data\n" \
	"  perf introperf export --format chrome -o slow.json slow.data\n"                \
	"  perf introperf export --format pprof --base good.data -o slow.pprof slow.data\n"

static const struct itp_export_words words = {
	.format_is = "--format %s",
	.begin = "--begin",
	.calls_came =
		"it is for profiles, and --timeline shows single calls; leave out one of them",
	.profile_came =
		"it is for single calls, which --timeline shows of a recording; a profile has no "
		"time",
	.no_calls_came =
		"and there are none in a saved profile; name the recording that it was made "
		"of",
	.shows_time = "chrome, firefox and speedscope do",
};

/* Parsed arguments. */
struct request {
	struct itp_options options;
	/* Single calls are wanted. */
	gboolean timeline;
	/* char *; the base first. Weak. */
	GPtrArray *paths;
	/* Owned by this. */
	char **files;
};

static const char *format_of(const struct request *request)
{
	const char *format = itp_values_text(request->options.values[ITP_STAGE_RANK], "format");

	return format ? format : itp_export_format_names[0];
}

/* Unknown formats are refused by the component. */
static bool choose_calls(struct request *request, GError **error)
{
	const char *name = format_of(request);
	enum itp_export_format format = 0;

	while (itp_export_format_names[format] &&
	       !g_str_equal(itp_export_format_names[format], name)) {
		format++;
	}
	if (!itp_export_format_names[format]) {
		return true;
	}
	if (request->timeline && !itp_export_shows_timeline(format)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--timeline: \"%s\" does not show single calls", name);
		return false;
	}
	request->timeline |= !itp_export_shows_tree(format);
	return true;
}

static void collect_paths(struct request *request)
{
	g_autoptr(GPtrArray) base =
		itp_values_texts(request->options.values[ITP_STAGE_RANK], "base");

	g_ptr_array_extend(request->paths, base, NULL, NULL);
	for (guint i = 0; request->files && request->files[i]; i++) {
		g_ptr_array_add(request->paths, request->files[i]);
	}
	if (!request->files) {
		g_ptr_array_add(request->paths, RECORDING);
	}
}

static bool parse(struct request *request, char **arguments, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("[FILE…]");
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &request->options, NULL);
	const GOptionEntry own[] = {
		{ "timeline", 0, 0, G_OPTION_ARG_NONE, &request->timeline,
		  "single calls, where a format can show sums, too", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->files, NULL,
		  NULL },
		{ .long_name = NULL },
	};

	itp_options_add_export_entries(group);
	g_option_group_add_entries(group, own);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(
		context, "Write a recording or a saved profile (perf.data) for another program.");
	g_option_context_set_description(context, EXAMPLES);
	g_set_prgname("perf introperf export");
	if (!itp_words_parse(context, arguments, error) || !choose_calls(request, error)) {
		return false;
	}
	collect_paths(request);
	return true;
}

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

static bool add_sources(struct itp_graph *graph, const struct request *request,
			const bt_component_filter *muxer, GError **error)
{
	bt_component_class_source *class = itp_perf_source_class_new();
	struct itp_perf_source_host host = { .tell = itp_reading_warn };
	struct itp_inputs inputs;
	bool done = true;

	itp_inputs_init(&inputs);
	for (guint i = 0; done && i < request->paths->len; i++) {
		done = itp_inputs_add(&inputs, g_ptr_array_index(request->paths, i), error);
	}
	done = done &&
	       itp_stage_check_output(request->options.values[ITP_STAGE_RANK], inputs.paths, error);
	if (done && inputs.recordings->len > 0) {
		done = add_source(graph, class, &host, inputs.recordings,
				  request->options.values[ITP_STAGE_SOURCE], muxer, error);
	}
	for (guint i = 0; done && i < inputs.traces->len; i++) {
		done = itp_traces_add_all(graph, g_ptr_array_index(inputs.traces, i), muxer, error);
	}
	itp_inputs_release(&inputs);
	bt_component_class_source_put_ref(class);
	return done;
}

static bool add_sink(struct itp_graph *graph, const struct request *request,
		     const bt_component_filter *end, GError **error)
{
	bt_component_class_sink *class = itp_sink_class_new("export", itp_export_init);
	const bt_component_sink *sink = itp_graph_add_sink(graph, class, "export",
							   request->options.values[ITP_STAGE_RANK],
							   (void *)&words, error);

	bt_component_class_sink_put_ref(class);
	return sink && itp_graph_connect(
			       graph, bt_component_filter_borrow_output_port_by_index_const(end, 0),
			       bt_component_sink_borrow_input_port_by_index_const(sink, 0), error);
}

static bool build(struct itp_graph *graph, const struct request *request, GError **error)
{
	struct itp_chain chain;

	return (request->timeline ?
			itp_chain_add_units(graph, request->options.values, 1, &chain, error) :
			itp_chain_add(graph, request->options.values, 1, true, &chain, error)) &&
	       add_sources(graph, request, chain.muxer, error) &&
	       add_sink(graph, request, chain.end, error);
}

static enum itp_exit run(struct itp_graph *graph, GError **error)
{
	struct itp_interrupt interrupt;
	bt_graph_run_status status;
	bool is_interrupted;

	itp_interrupt_init(&interrupt);
	bt_graph_add_interrupter(graph->graph, interrupt.flag);
	status = bt_graph_run(graph->graph);
	is_interrupted = itp_interrupt_take(&interrupt);
	itp_interrupt_release(&interrupt);
	if (status == BT_GRAPH_RUN_STATUS_OK) {
		return ITP_EXIT_FINE;
	}
	if (is_interrupted) {
		return ITP_EXIT_INTERRUPTED;
	}
	itp_graph_take_run_error(graph, error);
	return ITP_EXIT_ERROR;
}

int itp_export_run(char **arguments)
{
	struct request request = { .paths = g_ptr_array_new() };
	struct itp_graph graph = { .graph = NULL };
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	itp_options_init(&request.options, arguments);
	if (parse(&request, arguments, &error) && itp_graph_init(&graph, &error) &&
	    build(&graph, &request, &error)) {
		code = run(&graph, &error);
	}
	itp_graph_release(&graph);
	itp_complain_of(error);
	itp_options_release(&request.options);
	g_strfreev(request.files);
	g_ptr_array_unref(request.paths);
	return code;
}
