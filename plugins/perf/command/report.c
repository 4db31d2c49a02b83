/* SPDX-License-Identifier: MIT */
/*
 * See program.h: report and diff, which differ in the role of the first file.
 */
#include <stdio.h>

#include "common/engine/conclude.h"
#include "common/engine/ranking-params.h"
#include "common/render/browser/browser.h"
#include "plugins/babeltrace/graphs/graphs.h"
#include "plugins/perf/command/browse.h"
#include "plugins/perf/command/familiar.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/page-requests.h"
#include "plugins/perf/command/page-source.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/command/words.h"

/* Default recordings, perf's. */
#define RECORDING "perf.data"
#define RECORDING_BEFORE "perf.data.old"

struct subcommand {
	const char *usage;
	const char *summary;
	const char *examples;
	bool compares;
};

static const struct subcommand report = {
	.usage = "[FILE…]",
	.summary = "Rank where the time of a recording or a saved profile went (perf.data).",
	.examples =
		"Examples:\n"
		"  perf introperf report slow.data\n"
		"  perf introperf report --path 1 slow.data\n"
		"  perf introperf report --tui slow.data\n"
		"  perf introperf report --html slow.html slow.data\n"
		"  perf introperf report --by function --top 20 slow.data\n"
		"  perf introperf report --by wait slow.data\n"
		"  perf introperf report --focus '^handle_' --hide '^libc[.]so[.]6!' slow.data\n"
		"  perf introperf report --format jsonl --top 0 --output slow.jsonl slow.data\n",
	.compares = false,
};

static const struct subcommand diff = {
	.usage = "[GOOD SLOW…]",
	.summary = "Rank what makes a recording slower than a good one (perf.data.old perf.data).",
	.examples = "Examples:\n"
		    "  perf introperf diff good.data slow.data\n"
		    "  perf introperf diff --html slow.html good.data slow.data\n"
		    "  perf introperf diff --path 1 good.data slow.data\n"
		    "  perf introperf diff --tui good.data slow.data\n"
		    "  perf introperf diff --base good1.data --base good2.data slow.data\n"
		    "  perf introperf diff --per call:handle_request good.data slow.data\n"
		    "  perf introperf diff --fail-above 5% good.profile new.data || exit\n\n"
		    "The exit status is 3 when --fail-above tells that it is too slow.\n",
	.compares = true,
};

/* The page is the output of another component than the ranking. */
static bool name_page(const struct itp_options *options, GError **error)
{
	GHashTable *values = options->values[ITP_STAGE_RANK];

	if (options->html && (options->save || itp_values_has(values, "output"))) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--html: the page is all that is written; leave out --%s",
			    options->save ? "save" : "output");
		return false;
	}
	if (options->html) {
		itp_values_set_text(values, "output", options->html);
	}
	return true;
}

/* File of -i, if any, and files behind the options; to be freed with g_strfreev(). */
static char **join_files(const char *input, char **files)
{
	g_autoptr(GStrvBuilder) all = g_strv_builder_new();

	if (input) {
		g_strv_builder_add(all, input);
	}
	if (files) {
		g_strv_builder_addv(all, (const char **)files);
	}
	return g_strv_builder_end(all);
}

/* Written output goes to no terminal, and output shown there is not written. */
static bool check_tui(const struct itp_options *options, GError **error)
{
	GHashTable *values = options->values[ITP_STAGE_RANK];
	const char *other = options->html                    ? "html" :
			    options->save                    ? "save" :
			    itp_values_has(values, "output") ? "output" :
			    itp_values_has(values, "format") ? "format" :
							       NULL;

	if (options->tui && other) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--tui: the ranking is shown, and not written; leave out --%s", other);
		return false;
	}
	return !options->tui || itp_browse_check(error);
}

/* Options into `options`; the remaining files into *ret_files, to be freed with g_strfreev(). */
static bool parse_subcommand(const struct subcommand *subcommand, char **arguments,
			     struct itp_options *options, char ***ret_files, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new(subcommand->usage);
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, options, NULL);
	g_auto(GStrv) files = NULL;
	const GOptionEntry rest[] = {
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
		{ .long_name = NULL },
	};
	g_autofree char *name = g_strdup_printf("perf introperf %s", arguments[0]);

	g_option_group_add_entries(group, rest);
	itp_options_add_entries(group, options,
				subcommand->compares ? ITP_OPTIONS_COMPARISON :
						       ITP_OPTIONS_RECORDING);
	options->familiar.command = subcommand->compares ? ITP_PERF_COMMAND_DIFF :
							   ITP_PERF_COMMAND_REPORT;
	itp_familiar_add_entries(group, options->familiar.command);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(context, subcommand->summary);
	g_option_context_set_description(context, subcommand->examples);
	g_set_prgname(name);
	if (!itp_words_parse(context, arguments, error)) {
		return false;
	}
	if (!check_tui(options, error) || !name_page(options, error) ||
	    !itp_familiar_apply(options, error)) {
		return false;
	}
	*ret_files = join_files(options->familiar.input, files);
	return true;
}

/* Takes `error`. */
static enum itp_exit exit_of_error(GError *error)
{
	itp_complain_of(error);
	return ITP_EXIT_ERROR;
}

static enum itp_exit conclude_report(struct itp_result *result, struct itp_recordings *recordings,
				     struct itp_page_source *source, bool is_quiet)
{
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	struct itp_interrupt interrupt;
	struct itp_progress_line line;
	struct itp_conclusion conclusion = { .result = result,
					     .recordings = recordings,
					     .interrupt = &interrupt,
					     .watch = itp_reading_watch(is_quiet ? NULL : &line),
					     .profiles = profiles };
	GError *error = NULL;
	enum itp_outcome outcome;
	enum itp_exit code;

	itp_progress_line_init(&line);
	itp_interrupt_init(&interrupt);
	source->interrupt = &interrupt;
	source->line = is_quiet ? NULL : &line;
	outcome = itp_conclude(&conclusion, &error);
	itp_interrupt_release(&interrupt);
	itp_progress_line_release(&line);
	code = error ? exit_of_error(error) : ITP_EXIT_FINE;
	if (itp_result_is_above(result)) {
		code = ITP_EXIT_ABOVE_LIMIT;
	}
	return outcome == ITP_OUTCOME_INTERRUPTED ? ITP_EXIT_INTERRUPTED : code;
}

static enum itp_exit rank_inputs(const struct itp_inputs *inputs, const struct itp_options *options,
				 struct itp_browser_series *series)
{
	struct itp_reading_params params;
	struct itp_result *result = NULL;
	struct itp_recordings *recordings = NULL;
	g_autoptr(GPtrArray) base = itp_values_texts(options->values[ITP_STAGE_RANK], "base");
	struct itp_page_source source = {
		.inputs = inputs, .params = &params, .base = base, .is_left_out = options->no_source
	};
	const struct itp_page_host page = { .find_source = itp_page_source_find,
					    .find_requests = itp_page_requests_find,
					    .data = &source };
	const bool per_unit = itp_rank_is_per_unit(options->values[ITP_STAGE_RANK]);
	const struct itp_result_options result_options = {
		.graphs = &itp_babeltrace_graphs,
		.values = options->values,
		.inputs = inputs,
		.save = options->save,
		.host = { .next = options->next,
			  .has_options = true,
			  .show = options->tui ? itp_browse : NULL,
			  .show_data = series,
			  .tell_more = per_unit ? itp_page_requests_tell : NULL,
			  .tell_data = &source },
		.page = options->html ? &page : NULL
	};
	GError *error = NULL;
	enum itp_exit code;

	if (itp_reading_params_init(&params, options->values, &error)) {
		params.analysis.remembers |= options->html != NULL;
		params.analysis.finds_units |= options->html != NULL;
		params.analysis.follows |= options->html != NULL || per_unit;
		params.analysis.remembers |= per_unit;
		result = itp_result_new(&result_options, &error);
	}
	if (result) {
		recordings = itp_recordings_new(inputs->recordings, &params, &error);
		source.recordings = recordings;
	}
	code = recordings ?
		       conclude_report(result, recordings, &source, options->familiar.is_quiet) :
		       exit_of_error(error);
	itp_result_free(result);
	itp_recordings_free(recordings);
	itp_reading_params_release(&params);
	return code;
}

/* `series` is walked through with --tui. */
static enum itp_exit rank_paths(const GPtrArray *paths, const struct itp_options *options,
				struct itp_browser_series *series)
{
	struct itp_inputs inputs;
	enum itp_exit code = ITP_EXIT_FINE;
	GError *error = NULL;

	itp_inputs_init(&inputs);
	for (guint i = 0; !error && i < paths->len; i++) {
		itp_inputs_add(&inputs, g_ptr_array_index(paths, i), &error);
	}
	code = error ? exit_of_error(error) : rank_inputs(&inputs, options, series);
	itp_inputs_release(&inputs);
	return code;
}

/* Rankings one after the other; with --tui, as the user wants to see them. */
static enum itp_exit rank_each(char **files, const struct itp_options *options)
{
	struct itp_browser_series series = { .count = g_strv_length(files) };
	enum itp_exit code = ITP_EXIT_FINE;
	int step = 1;

	for (int i = 0; step != 0 && i < (int)series.count && code == ITP_EXIT_FINE; i += step) {
		g_autoptr(GPtrArray) path = g_ptr_array_new();

		g_ptr_array_add(path, files[i]);
		if (i > 0 && !options->tui && itp_options_has_text(options)) {
			putchar('\n');
		}
		series.number = (unsigned int)i + 1;
		code = rank_paths(path, options, &series);
		step = options->tui ? series.step : 1;
	}
	return code;
}

int itp_report_run(char **arguments)
{
	g_auto(GStrv) files = NULL;
	struct itp_options options;
	enum itp_exit code;
	GError *error = NULL;

	itp_options_init(&options, arguments);
	if (!parse_subcommand(&report, arguments, &options, &files, &error)) {
		code = exit_of_error(error);
	} else if (g_strv_length(files) > 1 && options.save) {
		itp_complain("--save: one file cannot take the profiles of several");
		code = ITP_EXIT_ERROR;
	} else if (g_strv_length(files) > 1 &&
		   itp_values_has(options.values[ITP_STAGE_RANK], "output")) {
		itp_complain("--%s: one file cannot take the rankings of several",
			     options.html ? "html" : "output");
		code = ITP_EXIT_ERROR;
	} else if (files[0]) {
		code = rank_each(files, &options);
	} else {
		code = rank_each((char *[]){ RECORDING, NULL }, &options);
	}
	itp_options_release(&options);
	return code;
}

/* Files named by --base, or the first file, or perf record's previous file. */
static GPtrArray *paths_to_compare(char **files, GHashTable *values, GError **error)
{
	g_autoptr(GPtrArray) paths = itp_values_texts(values, "base");
	const bool has_base = paths->len > 0;

	if (!has_base && !files[0]) {
		g_ptr_array_add(paths, RECORDING_BEFORE);
		g_ptr_array_add(paths, RECORDING);
	}
	for (guint i = 0; files[i]; i++) {
		g_ptr_array_add(paths, files[i]);
	}
	if (paths->len < 2 || (has_base && !files[0])) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "name a good recording and a slow one: perf introperf diff GOOD SLOW");
		return NULL;
	}
	if (!has_base) {
		itp_values_append(values, "base", g_ptr_array_index(paths, 0));
	}
	return g_steal_pointer(&paths);
}

int itp_diff_run(char **arguments)
{
	g_autoptr(GPtrArray) paths = NULL;
	g_auto(GStrv) files = NULL;
	struct itp_browser_series series = { .number = 1, .count = 1 };
	struct itp_options options;
	enum itp_exit code;
	GError *error = NULL;

	itp_options_init(&options, arguments);
	if (parse_subcommand(&diff, arguments, &options, &files, &error)) {
		paths = paths_to_compare(files, options.values[ITP_STAGE_RANK], &error);
	}
	code = paths ? rank_paths(paths, &options, &series) : exit_of_error(error);
	itp_options_release(&options);
	return code;
}
