/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: annotate. The recording is read once to find the culprit, unless a function is
 * named, and once more for the addresses in it, which common/source makes lines of.
 */
#include "common/compare/first-path.h"
#include "common/render/source/source.h"
#include "common/render/table.h"
#include "messages/failure.h"
#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/command/source-reading.h"
#include "plugins/perf/command/words.h"
#include "plugins/perf/host/memory-profile.h"
#include "sinks/profiles/write.h"
#include "terminal/terminal.h"

/* Default recording, perf's. */
#define RECORDING "perf.data"
#define MIN_WIDTH 60

#define EXAMPLES                                          \
	"Examples:\n"                                     \
	"  perf introperf annotate\n"                     \
	"  perf introperf annotate -s handle slow.data\n" \
	"  perf introperf annotate -i slow.data handle     (as in perf)\n"

struct request {
	struct itp_options options;
	/* Words behind the options: the recording, or with -i, as in perf, the function. Owned by
	 * this. */
	char **files;
	/* NULL: the culprit. Owned by this. */
	char *name;
	/* NULL: in any. Owned by this. */
	char *module;
	/* NULL: text. Owned by this. */
	char *format;
	/* Names of functions over changed builds. Owned by this. */
	struct itp_names *names;
};

static const char *path_of(const struct request *request)
{
	const char *input = request->options.familiar.input;

	return input ? input : request->files ? request->files[0] : RECORDING;
}

/* First word that is too many; NULL for none. */
static const char *rest_of(const struct request *request)
{
	const guint used = request->options.familiar.input && request->name ? 0 : 1;
	const guint count = request->files ? g_strv_length(request->files) : 0;

	return count > used ? request->files[used] : NULL;
}

/* The word behind the options is the function's name when -i names the file. */
static void take_name(struct request *request)
{
	if (request->options.familiar.input && request->files && !request->name &&
	    !request->files[1]) {
		request->name = request->files[0];
		g_clear_pointer(&request->files, g_free);
	}
}

static bool check(const struct request *request, GError **error)
{
	if (request->format && !g_str_equal(request->format, "text") &&
	    !g_str_equal(request->format, "jsonl")) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--format: text or jsonl");
		return false;
	}
	if (rest_of(request)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "one recording at a time; leave out \"%s\"", rest_of(request));
		return false;
	}
	if (!request->name && g_str_equal(path_of(request), ITP_PERF_STANDARD_INPUT)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "standard input is read once: name a function with -s");
		return false;
	}
	return true;
}

static bool parse(struct request *request, char **arguments, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("[RECORDING]");
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &request->options, NULL);
	const GOptionEntry own[] = {
		{ "symbol", 's', 0, G_OPTION_ARG_STRING, &request->name,
		  "of this function, not of the culprit", "FUNCTION" },
		{ "format", 0, 0, G_OPTION_ARG_STRING, &request->format, "text or jsonl", "HOW" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->files, NULL,
		  NULL },
		{ .long_name = NULL },
	};

	itp_options_init(&request->options, arguments);
	g_option_group_add_entries(group, own);
	itp_options_add_reading_entries(group);
	request->options.familiar.command = ITP_PERF_COMMAND_ANNOTATE;
	itp_familiar_add_entries(group, ITP_PERF_COMMAND_ANNOTATE);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(
		context, "Show the source lines of a function, and what each costs: of the culprit "
			 "of path 1,\nor of another one (perf.data).");
	g_option_context_set_description(context, EXAMPLES);
	g_set_prgname("perf introperf annotate");
	if (!itp_words_parse(context, arguments, error)) {
		return false;
	}
	take_name(request);
	return check(request, error);
}

/* ---- The culprit ---- */

static bool take_culprit(struct request *request, const struct itp_recordings *recordings,
			 GError **error)
{
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	struct itp_first_path_culprit culprit;

	itp_recordings_add_profiles(recordings, profiles);
	if (!itp_first_path_culprit(&g_array_index(profiles, struct itp_memory_profile, 0).source,
				    &culprit, error)) {
		return false;
	}
	if (!culprit.name) {
		itp_failure_set(error, "%s: no path was found in it; name a function with -s",
				path_of(request));
		return false;
	}
	request->name = culprit.name;
	request->module = culprit.module;
	return true;
}

/* Flaws of the recording are told when it is read for the lines, unless they are why there is no
 * culprit. */
static bool find_culprit(struct request *request, const struct itp_host_params *params,
			 struct itp_progress_line *line, GError **error)
{
	struct itp_recordings_watch watch = itp_reading_watch(line);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	struct itp_recordings *recordings;
	GError *reason = NULL;
	GError *refusal = NULL;
	bool done;

	watch.tell = itp_reading_watch(NULL).tell;
	g_ptr_array_add(paths, (char *)path_of(request));
	recordings = itp_recordings_new(paths, params, error);
	if (!recordings) {
		return false;
	}
	done = (itp_recordings_read(recordings, &watch, &reason) || reason) &&
	       take_culprit(request, recordings, &refusal);
	itp_progress_line_end(line);
	if (!done) {
		g_propagate_error(error,
				  reason ? itp_failure_of_part(g_steal_pointer(&reason), refusal) :
					   refusal);
	}
	g_clear_error(&reason);
	itp_recordings_free(recordings);
	return done;
}

/* ---- Lines of a function ---- */

/* Gets the request. */
static bool is_meant(const struct itp_function *function, void *data)
{
	const struct request *request = data;

	return itp_source_is_meant(request->names, function, request->name, request->module);
}

static void append_text(const GPtrArray *pages, const struct itp_source_looks *looks, bool is_ascii,
			GString *shown)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < pages->len; i++) {
		g_string_append(text, i > 0 ? "\n" : "");
		itp_render_source_text(g_ptr_array_index(pages, i), looks, text);
	}
	itp_style_append(shown, text->str, false, is_ascii);
}

static void append_jsonl(const GPtrArray *pages, const struct itp_source_looks *looks,
			 GString *shown)
{
	for (guint i = 0; i < pages->len; i++) {
		itp_render_source_jsonl(g_ptr_array_index(pages, i), looks, shown);
	}
}

static bool show(const struct request *request, const struct itp_source_request *of, GError **error)
{
	const struct itp_terminal terminal = itp_terminal_of_output(true, ITP_COLOR_NEVER);
	const struct itp_source_looks looks = { .costs = of->costs,
						.functions = of->functions,
						.width = MAX(terminal.columns, MIN_WIDTH) };
	g_autoptr(GPtrArray) pages = itp_source_pages(of);
	g_autoptr(GString) shown = g_string_new(NULL);

	if (pages->len == 0) {
		itp_failure_set(error, "%s: no stack has a function \"%s\" of a program or library",
				path_of(request), request->name);
		return false;
	}
	if (request->format && g_str_equal(request->format, "jsonl")) {
		append_jsonl(pages, &looks, shown);
	} else {
		append_text(pages, &looks, terminal.ascii, shown);
	}
	return itp_write(NULL, shown, error);
}

/* Undamaged parts of a damaged recording are shown. */
static bool annotate(struct request *request, const struct itp_host_params *params,
		     struct itp_perf_session *session, const struct itp_perf_input *input,
		     struct itp_progress_line *line, GError **error)
{
	struct itp_source_costs *costs =
		itp_source_costs_new(session->functions, is_meant, request);
	const struct itp_source_request of = { .costs = costs,
					       .functions = session->functions,
					       .symfs = params->symbols.symfs,
					       .debuginfod = params->symbols.debuginfod };
	int result = itp_source_read_events(session->reader, costs, line, NULL);
	GError *refusal = NULL;
	bool done;

	itp_perf_warnings_tell(session->reader, input, itp_reading_warn, line);
	done = show(request, &of, &refusal) && result == 0;
	if (result < 0) {
		refusal = itp_failure_of_part(itp_perf_session_failure(session, input, result),
					      refusal);
	}
	if (refusal) {
		g_propagate_error(error, refusal);
	}
	itp_source_costs_free(costs);
	return done;
}

static bool read_lines(struct request *request, const struct itp_host_params *params,
		       struct itp_progress_line *line, GError **error)
{
	const struct itp_perf_options options = itp_symbol_params_options(&params->symbols);
	struct itp_perf_input *input = itp_perf_input_new(path_of(request), &options, error);
	bool done = input && annotate(request, params, input->opened, input, line, error);

	if (input) {
		itp_perf_input_free(input);
	}
	return done;
}

static enum itp_exit run(struct request *request, GError **error)
{
	struct itp_host_params params;
	struct itp_progress_line line;
	bool done;

	itp_progress_line_init(&line);
	done = itp_host_params_init(&params, request->options.values, error) &&
	       (request->name || find_culprit(request, &params, &line, error)) &&
	       read_lines(request, &params, &line, error);
	itp_host_params_release(&params);
	itp_progress_line_release(&line);
	return done ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

int itp_annotate_run(char **arguments)
{
	struct request request = { .names = itp_names_new(true) };
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	if (parse(&request, arguments, &error)) {
		code = run(&request, &error);
	}
	itp_complain_of(error);
	itp_options_release(&request.options);
	itp_names_free(request.names);
	g_strfreev(request.files);
	g_free(request.format);
	g_free(request.name);
	g_free(request.module);
	return code;
}
