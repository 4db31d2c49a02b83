/* SPDX-License-Identifier: MIT */
/*
 * See program.h: export, by a graph, as its messages are the content of the export.
 */
#include <stdio.h>
#include <string.h>

#include "common/export-job/export-job.h"
#include "plugins/babeltrace/graphs/exporting.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/command/words.h"

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

static bool parse_export(struct request *request, char **arguments, GError **error)
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

static enum itp_exit run_export(const struct request *request, GError **error)
{
	const struct itp_exporting exporting = { .paths = request->paths,
						 .values = request->options.values,
						 .is_timeline = request->timeline,
						 .words = &words,
						 .tell = itp_reading_warn };

	switch (itp_exporting_run(&exporting, error)) {
	case ITP_OUTCOME_DONE:
		return ITP_EXIT_FINE;
	case ITP_OUTCOME_INTERRUPTED:
		return ITP_EXIT_INTERRUPTED;
	default:
		return ITP_EXIT_ERROR;
	}
}

int itp_export_run(char **arguments)
{
	struct request request = { .paths = g_ptr_array_new() };
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	itp_options_init(&request.options, arguments);
	if (parse_export(&request, arguments, &error)) {
		code = run_export(&request, &error);
	}
	itp_complain_of(error);
	itp_options_release(&request.options);
	g_strfreev(request.files);
	g_ptr_array_unref(request.paths);
	return code;
}
