/* SPDX-License-Identifier: MIT */
/*
 * See program.h: annotate. A recording, or a good one and a slow one, is read once to find the
 * culprit, unless a function is named, and once more for the addresses in it, which common/source
 * makes lines of.
 */
#include "common/base/failure.h"
#include "common/compare/first-path.h"
#include "common/engine/memory-profile.h"
#include "common/engine/write.h"
#include "common/render/source/source.h"
#include "common/render/table.h"
#include "plugins/perf/command/familiar.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/command/source-reading.h"
#include "plugins/perf/command/words.h"
#include "terminal/terminal.h"

/* Default recording, perf's. */
#define RECORDING "perf.data"
#define MIN_WIDTH 60

#define EXAMPLES                                                            \
	"Examples:\n"                                                       \
	"  perf introperf annotate\n"                                       \
	"  perf introperf annotate -s handle slow.data\n"                   \
	"  perf introperf annotate good.data slow.data    (side by side)\n" \
	"  perf introperf annotate -i slow.data handle     (as in perf)\n"

struct request {
	struct itp_options options;
	/* Words behind the options: the recording, or a good one and a slow one; or with -i, as in
	 * perf, the function. Owned by this. */
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

/* Most recordings: a good one and a slow one. */
#define RECORDINGS 2

static guint word_count(const struct request *request)
{
	return request->files ? g_strv_length(request->files) : 0;
}

/* Number of recordings: with two, the first is the good one. */
static guint recording_count(const struct request *request)
{
	return request->options.familiar.input ? 1 : MAX(word_count(request), 1);
}

static const char *recording_path(const struct request *request, guint i)
{
	const char *input = request->options.familiar.input;

	return input ? input : request->files ? request->files[i] : RECORDING;
}

/* First word that is too many; NULL for none. */
static const char *rest_of(const struct request *request)
{
	const bool has_input = request->options.familiar.input;
	const guint most = !has_input ? RECORDINGS : request->name ? 0 : 1;

	return word_count(request) > most ? request->files[most] : NULL;
}

static bool reads_standard_input(const struct request *request)
{
	for (guint i = 0; i < recording_count(request); i++) {
		if (g_str_equal(recording_path(request, i), ITP_PERF_STANDARD_INPUT)) {
			return true;
		}
	}
	return false;
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

static bool check_annotate(const struct request *request, GError **error)
{
	if (request->format && !g_str_equal(request->format, "text") &&
	    !g_str_equal(request->format, "jsonl")) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--format: text or jsonl");
		return false;
	}
	if (rest_of(request)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    request->options.familiar.input ?
				    "one recording at a time; leave out \"%s\"" :
				    "a recording, or a good one and a slow one; leave out \"%s\"",
			    rest_of(request));
		return false;
	}
	if (!request->name && reads_standard_input(request)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "standard input is read once: name a function with -s");
		return false;
	}
	return true;
}

static bool parse_annotate(struct request *request, char **arguments, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("[[GOOD] RECORDING]");
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
			 "of path 1,\nor of another one (perf.data); with two recordings, what was "
			 "added to each.");
	g_option_context_set_description(context, EXAMPLES);
	g_set_prgname("perf introperf annotate");
	if (!itp_words_parse(context, arguments, error)) {
		return false;
	}
	take_name(request);
	return check_annotate(request, error);
}

/* ---- The culprit ---- */

static bool take_culprit(struct request *request, const struct itp_recordings *recordings,
			 GError **error)
{
	const guint last = recording_count(request) - 1;
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	const struct itp_memory_profile *profile;
	struct itp_first_path_culprit culprit;

	itp_recordings_add_profiles(recordings, profiles);
	profile = &g_array_index(profiles, struct itp_memory_profile, 0);
	if (!itp_first_path_culprit(&profile[last].source, last > 0 ? &profile[0].source : NULL,
				    &culprit, error)) {
		return false;
	}
	if (!culprit.name) {
		itp_failure_set(error, "%s: no path was found in it; name a function with -s",
				recording_path(request, last));
		return false;
	}
	request->name = culprit.name;
	request->module = culprit.module;
	return true;
}

/* Flaws of the recording are told when it is read for the lines, unless they are why there is no
 * culprit. */
static bool find_culprit(struct request *request, const struct itp_reading_params *params,
			 struct itp_progress_line *line, GError **error)
{
	struct itp_recordings_watch watch = itp_reading_watch(line);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	struct itp_recordings *recordings;
	GError *reason = NULL;
	GError *refusal = NULL;
	bool done;

	watch.tell = itp_reading_watch(NULL).tell;
	for (guint i = 0; i < recording_count(request); i++) {
		g_ptr_array_add(paths, (char *)recording_path(request, i));
	}
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

/* A recording, and the pages of the function in it. */
struct reading {
	/* Weak. */
	const struct request *request;
	const char *path;
	/* NULL: in any. A program of another build may have another name. Weak. */
	const char *module;
	/* All owned by this. */
	struct itp_perf_input *input;
	struct itp_source_costs *costs;
	GPtrArray *pages;
};

static void reading_release(struct reading *reading)
{
	itp_source_costs_free(reading->costs);
	g_clear_pointer(&reading->pages, g_ptr_array_unref);
	if (reading->input) {
		itp_perf_input_free(reading->input);
	}
}

/* Gets the reading. */
static bool is_meant_function(const struct itp_function *function, void *data)
{
	const struct reading *reading = data;

	return itp_source_is_meant(reading->request->names, function, reading->request->name,
				   reading->module);
}

/* Sets an error of a damaged recording, of which the pages show undamaged parts; and of one that
 * cannot be read, without pages. */
static void read_pages(struct reading *reading, const struct itp_reading_params *params,
		       struct itp_progress_line *line, GError **error)
{
	const struct itp_perf_options options = itp_symbol_params_options(&params->symbols);
	struct itp_source_request of = { .symfs = params->symbols.symfs,
					 .debuginfod = params->symbols.debuginfod };
	struct itp_perf_session *session;
	int result;

	reading->input = itp_perf_input_new(reading->path, &options, error);
	if (!reading->input) {
		return;
	}
	session = reading->input->opened;
	reading->costs = itp_source_costs_new(session->functions, is_meant_function, reading);
	result = itp_source_read_events(session->reader, reading->costs, line, NULL);
	itp_missing_names_tell(session->reader, reading->input, itp_reading_warn, line);
	of.costs = reading->costs;
	of.functions = session->functions;
	reading->pages = itp_source_pages(&of);
	if (result < 0) {
		g_propagate_error(error, itp_perf_session_failure(session, reading->input, result));
	}
}

static bool is_jsonl(const struct request *request)
{
	return request->format && g_str_equal(request->format, "jsonl");
}

static void append_pages(const struct reading *reading, unsigned int width, GString *output)
{
	const struct itp_source_looks looks = {
		.costs = reading->costs,
		.functions = reading->input->opened->functions,
		.width = width,
	};

	for (guint i = 0; i < reading->pages->len; i++) {
		const struct itp_source_page *page = g_ptr_array_index(reading->pages, i);

		if (is_jsonl(reading->request)) {
			itp_render_source_jsonl(page, &looks, output);
			continue;
		}
		g_string_append(output, i > 0 ? "\n" : "");
		itp_render_source_text(page, &looks, output);
	}
}

/* ---- Two recordings ---- */

static struct itp_source_side side_of(const struct reading *reading,
				      const struct itp_source_page *page)
{
	return (struct itp_source_side){
		.page = page,
		.costs = reading->costs,
		.functions = reading->input->opened->functions,
	};
}

static const struct itp_function *page_function(const struct reading *reading,
						const struct itp_source_page *page)
{
	return itp_function_table_get(reading->input->opened->functions, page->function);
}

/* Page of the good recording for one of the other: of the same function, if possible in a module of
 * the same name. NULL without any. */
static const struct itp_source_page *partner_of(const struct reading *base,
						const struct itp_function *function)
{
	const struct itp_source_page *partner = NULL;

	for (guint i = base->pages->len; i > 0; i--) {
		const struct itp_source_page *page = g_ptr_array_index(base->pages, i - 1);
		const struct itp_function *other = page_function(base, page);
		const bool is_nearer = !partner || g_str_equal(other->module, function->module);

		if (g_str_equal(other->name, function->name) && is_nearer) {
			partner = page;
		}
	}
	return partner;
}

static void append_pair(const struct itp_source_side *base, const struct itp_source_side *now,
			const struct request *request, unsigned int width, GString *output)
{
	if (is_jsonl(request)) {
		itp_render_source_pair_jsonl(base, now, output);
		return;
	}
	g_string_append(output, output->len > 0 ? "\n" : "");
	itp_render_source_pair_text(base, now, width, output);
}

/* Functions of the good recording alone are shown if the other has none. */
static void append_pairs(const struct reading *base, const struct reading *now, unsigned int width,
			 GString *output)
{
	const bool is_gone = now->pages->len == 0;
	const GPtrArray *pages = is_gone ? base->pages : now->pages;

	for (guint i = 0; i < pages->len; i++) {
		const struct itp_source_page *page = g_ptr_array_index(pages, i);
		const struct itp_source_page *partner =
			is_gone ? page : partner_of(base, page_function(now, page));
		const struct itp_source_side base_side = side_of(base, partner);
		const struct itp_source_side now_side = side_of(now, is_gone ? NULL : page);

		append_pair(&base_side, &now_side, now->request, width, output);
	}
}

/* ---- Output ---- */

static bool show_pages(const struct request *request, const struct reading *readings,
		       GError **error)
{
	const struct itp_terminal terminal = itp_terminal_of_output(true, ITP_COLOR_NEVER);
	const unsigned int width = MAX(terminal.columns, MIN_WIDTH);
	const guint last = recording_count(request) - 1;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) shown = g_string_new(NULL);

	if (last > 0) {
		append_pairs(&readings[0], &readings[last], width, text);
	} else {
		append_pages(&readings[last], width, text);
	}
	if (text->len == 0) {
		itp_failure_set(error, "%s: no stack has a function \"%s\" of a program or library",
				recording_path(request, last), request->name);
		return false;
	}
	if (is_jsonl(request)) {
		return itp_write(NULL, text, error);
	}
	itp_style_append(shown, text->str, false, terminal.ascii);
	return itp_write(NULL, shown, error);
}

/* Undamaged parts of a damaged recording are shown. */
static bool annotate(struct request *request, const struct itp_reading_params *params,
		     struct itp_progress_line *line, GError **error)
{
	struct reading readings[RECORDINGS] = { { .request = NULL } };
	const guint count = recording_count(request);
	GError *damage = NULL;
	GError *refusal = NULL;
	bool are_opened = true;
	bool is_shown;

	for (guint i = 0; are_opened && i < count; i++) {
		readings[i] = (struct reading){
			.request = request,
			.path = recording_path(request, i),
			.module = i + 1 == count ? request->module : NULL,
		};
		read_pages(&readings[i], params, line, damage ? NULL : &damage);
		are_opened = readings[i].pages != NULL;
	}
	is_shown = are_opened && show_pages(request, readings, &refusal);
	if (damage) {
		damage = are_opened ? itp_failure_of_part(damage, refusal) : damage;
		g_propagate_error(error, damage);
	} else if (refusal) {
		g_propagate_error(error, refusal);
	}
	for (guint i = 0; i < count; i++) {
		reading_release(&readings[i]);
	}
	return is_shown && !damage;
}

static enum itp_exit run_annotate(struct request *request, GError **error)
{
	struct itp_reading_params params;
	struct itp_progress_line line;
	bool done;

	itp_progress_line_init(&line);
	done = itp_reading_params_init(&params, request->options.values, error) &&
	       (request->name || find_culprit(request, &params, &line, error)) &&
	       annotate(request, &params, &line, error);
	itp_reading_params_release(&params);
	itp_progress_line_release(&line);
	return done ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

int itp_annotate_run(char **arguments)
{
	struct request request = { .names = itp_names_new(true) };
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	if (parse_annotate(&request, arguments, &error)) {
		code = run_annotate(&request, &error);
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
