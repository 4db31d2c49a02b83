/* SPDX-License-Identifier: MIT */
/*
 * See program.h: units. Each recording is looked at by itself; what units are is common/unit's.
 */
#include "common/base/failure.h"
#include "common/engine/analysis.h"
#include "common/engine/memory-profile.h"
#include "common/engine/write.h"
#include "common/guard/training.h"
#include "common/render/unit/unit.h"
#include "common/render/units.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/command/through.h"
#include "plugins/perf/command/words.h"
#include "terminal/terminal.h"

/* Default recording, perf's. */
#define RECORDING "perf.data"
#define MIN_WIDTH 60

#define EXAMPLES                                       \
	"Examples:\n"                                  \
	"  perf introperf record -p PID\n"             \
	"  perf introperf units\n"                     \
	"  perf introperf units --top 0 slow.data\n"   \
	"  perf introperf units --through perf.data\n" \
	"  perf introperf units --guards server.guards perf.data\n"

struct request {
	struct itp_options options;
	/* Owned by this. */
	char **files;
	char *format;
	/* Place of the guards, NULL for none; and the rule for their limits. Owned by this. */
	char *guards;
	char *limit;
	int top;
	double cut;
	gboolean trees;
	/* Requests are followed through threads and processes, in place of units. */
	gboolean through;
	/* Units known until now; NULL where no guards are made. Owned by this. */
	struct itp_guard_file *trained;
	struct itp_guard_left_out left_out;
};

/* The number of a kind of limit; -1 for none. */
static int limit_of(const char *name)
{
	int i = ITP_GUARD_LIMIT_LONGEST;

	while (name && i >= 0 && !g_str_equal(itp_guard_limit_names[i], name)) {
		i--;
	}
	return i;
}

static bool is_cut(double cut)
{
	return cut == ITP_UNIT_CUT || (cut >= 0 && cut <= 1);
}

static bool check_units(const struct request *request, GError **error)
{
	const char *wrong =
		request->format && !g_str_equal(request->format, "text") &&
				!g_str_equal(request->format, "jsonl") ?
			"--format: text or jsonl" :
		request->top < 0      ? "--top: 0 is all, and less than none are none" :
		!is_cut(request->cut) ? "--cut: how unlike types are, from 0 to 1" :
		limit_of(request->limit) < 0 ?
					"--limit: mean, median or longest" :
		request->through && request->guards ?
					"--through follows requests: --guards is about units" :
		request->limit && !request->guards ?
					"--limit is one of guards: name a file with --guards" :
					NULL;

	if (wrong) {
		g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, wrong);
	}
	return !wrong;
}

static bool parse_units(struct request *request, char **arguments, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("[RECORDING…]");
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &request->options, NULL);
	const GOptionEntry own[] = {
		{ "format", 0, 0, G_OPTION_ARG_STRING, &request->format, "text or jsonl", "HOW" },
		{ "top", 0, 0, G_OPTION_ARG_INT, &request->top,
		  "how many types of each loop; 0: all", "N" },
		{ "cut", 0, 0, G_OPTION_ARG_DOUBLE, &request->cut,
		  "units of more unlike calls are of other types, 0 to 1", "NUMBER" },
		{ "trees", 0, 0, G_OPTION_ARG_NONE, &request->trees,
		  "tell of each type what its call trees are", NULL },
		{ "through", 0, 0, G_OPTION_ARG_NONE, &request->through,
		  "follow requests through threads and processes", NULL },
		{ "guards", 0, 0, G_OPTION_ARG_FILENAME, &request->guards,
		  "write what `perf introperf guard` is to hold units against", "FILE" },
		{ "limit", 0, 0, G_OPTION_ARG_STRING, &request->limit,
		  "what guards take for too long: mean, median or longest", "KIND" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->files, NULL,
		  NULL },
		{ .long_name = NULL },
	};

	itp_options_init(&request->options, arguments);
	g_option_group_add_entries(group, own);
	itp_options_add_reading_entries(group);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(
		context,
		"Find a program's units of work, such as the requests of a server: the iterations of\n"
		"loops that wait for events; and how long units of each type take (perf.data).");
	g_option_context_set_description(context, EXAMPLES);
	g_set_prgname("perf introperf units");
	return itp_words_parse(context, arguments, error) && check_units(request, error);
}

/* Makes guards of the types that calls alone tell apart: a guard sees system calls, and no ticks.
 * Types told by ticks alone share a limit. `calls` is the tree of the inference. */
static void train(struct request *request, const struct itp_unit_page *page,
		  const struct itp_unit_log *log, const struct itp_context_tree *calls)
{
	struct itp_unit_types *all = itp_unit_log_types(log);
	const struct itp_guard_training training = {
		.tree = page->tree,
		.functions = page->functions,
		.types = itp_unit_types_find(
			all, request->cut == ITP_UNIT_CUT ? ITP_UNIT_CUT_CALLS : request->cut),
		.limit = (enum itp_guard_limit)limit_of(request->limit),
		.profiles = itp_unit_log_profiles(log),
		.all = all,
		.calls = calls,
		.finder = itp_unit_log_finder(log),
	};

	itp_guard_file_train(request->trained, &training, &request->left_out);
}

/* Numbers for page.guard_points. Owned by the caller. */
static guint *count_points(const struct itp_unit_page *page)
{
	const struct itp_guard_training training = { .tree = page->tree,
						     .functions = page->functions,
						     .types = page->types,
						     .limit = ITP_GUARD_LIMIT_LONGEST };
	guint *points = g_new(guint, page->types->len + 1);

	itp_guard_count_points(&training, points);
	return points;
}

/* Reports gaps in the knowledge of the units found; `rests` is the part of the time in which system
 * calls were not watched. */
static void tell_gaps(const struct itp_unit_log *log, double rests, const char *path)
{
	const struct itp_unit_gaps gaps = itp_unit_finder_gaps(itp_unit_log_finder(log));
	g_autofree char *units = itp_units_counted(gaps.open_units, "unit");
	g_autofree char *longest = itp_units_time(gaps.longest_open_ns);
	g_autofree char *unwatched = itp_units_share(rests, 1);

	if (rests > 0) {
		itp_complain("%s: system calls were not watched for %s of the time: units with a "
			     "part there are not counted",
			     path, unwatched);
	}
	if (gaps.open_units > 0) {
		itp_complain("%s: %s had not ended when the recording did, the oldest after %s: "
			     "not counted",
			     path, units, longest);
	}
	if (gaps.has_no_proof) {
		itp_complain("%s: No wakeups were recorded, nor the words of system calls: by the "
			     "kinds of these alone is told which waits are for work",
			     path);
	}
}

/* Fails without any. */
static bool show_units(struct request *request, const struct itp_recordings *recordings,
		       const char *path, GError **error)
{
	const struct itp_terminal terminal = itp_terminal_of_output(true, ITP_COLOR_NEVER);
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	const struct itp_unit_log *log = itp_recordings_units(recordings, 0);
	struct itp_unit_types *types = itp_unit_log_types(log);
	const struct itp_profile_source *source;
	struct itp_unit_page page = { .path = path,
				      .top = (guint)request->top,
				      .width = MAX(terminal.columns, MIN_WIDTH) };
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree guint *guard_points = NULL;

	itp_recordings_add_profiles(recordings, profiles);
	source = &g_array_index(profiles, struct itp_memory_profile, 0).source;
	page.tree = itp_unit_types_tree(types);
	page.functions = source->functions;
	page.types = itp_unit_types_find(types, request->cut);
	page.is_complete = source->profile->workload.complete;
	if (page.types->len == 0) {
		itp_failure_set(error, "%s: no loop that waits for events was seen to come round",
				path);
		return false;
	}
	tell_gaps(log, itp_recordings_rests_part(recordings, 0), path);
	page.shows_trees = request->trees;
	page.took_ns = itp_unit_types_took_ns(types);
	guard_points = count_points(&page);
	page.guard_points = guard_points;
	if (request->format && g_str_equal(request->format, "jsonl")) {
		itp_render_unit_jsonl(&page, text);
	} else {
		itp_render_unit_text(&page, text);
	}
	if (request->trained) {
		train(request, &page, log, source->contexts);
	}
	return itp_write(NULL, text, error);
}

/* True when too many system calls were not watched. Requests are followed through all threads: none
 * of them is known where any call could have been missed. */
static bool lacks_calls(const struct request *request, const struct itp_recordings *recordings)
{
	const double part = itp_recordings_rests_part(recordings, 0);

	return request->through ? part > 0 : !itp_unit_outlives_rests(part);
}

/* Undamaged parts of a damaged recording are shown. */
static bool read_one(struct request *request, const struct itp_reading_params *params,
		     const char *path, struct itp_progress_line *line, GError **error)
{
	const struct itp_recordings_watch watch = itp_reading_watch(line);
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	struct itp_recordings *recordings;
	GError *damage = NULL;
	GError *refusal = NULL;
	bool done;

	g_ptr_array_add(paths, (char *)path);
	recordings = itp_recordings_new(paths, params, error);
	if (!recordings) {
		return false;
	}
	done = itp_recordings_read(recordings, &watch, &damage);
	itp_progress_line_end(line);
	if ((done || damage) && lacks_calls(request, recordings)) {
		itp_failure_set(&refusal, ITP_ANALYSIS_NO_UNITS, path);
		done = false;
	} else if ((done || damage) && request->through) {
		done = itp_through_show(recordings, path, (guint)request->top,
					request->format && g_str_equal(request->format, "jsonl"),
					&refusal) &&
		       !damage;
	} else if (done || damage) {
		done = show_units(request, recordings, path, &refusal) && !damage;
	}
	if (damage) {
		refusal = itp_failure_of_part(damage, refusal);
	}
	if (refusal) {
		g_propagate_error(error, refusal);
	}
	itp_recordings_free(recordings);
	return done;
}

static void tell_left_out(const struct request *request)
{
	const struct itp_guard_left_out *left_out = &request->left_out;

	if (left_out->rare_loops > 0) {
		itp_complain(
			"%s: loops of fewer than %d units have no guards, as nobody knows what is "
			"usual of them: %u",
			request->guards, ITP_GUARD_UNITS_LEAST, left_out->rare_loops);
	}
	if (left_out->coroutine_loops > 0) {
		itp_complain("%s: loops of coroutines, and of threads that run these, have no "
			     "guards, as they cannot be watched: %u",
			     request->guards, left_out->coroutine_loops);
	}
	if (left_out->loops + left_out->types + left_out->contexts > 0) {
		itp_complain("%s: guards have room for %d loops, and for %d types and contexts of "
			     "each: %u loops, %u types and %u contexts are left out",
			     request->guards, ITP_GUARD_LOOPS_MOST, ITP_GUARD_MOST, left_out->loops,
			     left_out->types, left_out->contexts);
	}
}

/* The file is there as a whole, or as before. */
static bool write_guards(const struct request *request, GError **error)
{
	g_autoptr(GString) text = NULL;

	if (request->trained->loops->len == 0) {
		itp_failure_set(error,
				request->left_out.coroutine_loops > 0 ?
					"%s: only loops of coroutines, which cannot be watched, "
					"have as many as %d units" :
					"%s: no loop has as many as %d units: record for longer",
				request->guards, ITP_GUARD_UNITS_LEAST);
		return false;
	}
	tell_left_out(request);
	text = itp_guard_file_output(request->trained, request->guards, error);
	return text && itp_write(request->guards, text, error);
}

/* Refuses a guard file with the name of a recording to be read. */
static bool check_guards(const struct request *request, const char *const *files, GError **error)
{
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();

	for (guint i = 0; files[i]; i++) {
		g_ptr_array_add(inputs, (char *)files[i]);
	}
	return !request->guards || itp_write_check(request->guards, inputs, error);
}

static enum itp_exit run_units(struct request *request, GError **error)
{
	static const char *const usual[] = { RECORDING, NULL };
	const char *const *files = request->files ? (const char *const *)request->files : usual;
	struct itp_reading_params params;
	struct itp_progress_line line;
	bool done;

	itp_progress_line_init(&line);
	done = itp_reading_params_init(&params, request->options.values, error) &&
	       check_guards(request, files, error);
	/* A guard sees no inlined functions. */
	params.symbols.inlines &= !request->guards;
	params.analysis.finds_units = !request->through;
	params.analysis.follows = request->through;
	params.analysis.keeps_unit_profiles = request->guards != NULL;
	params.analysis.is_of_machine_code = request->guards != NULL;
	request->trained = request->guards ? itp_guard_file_new() : NULL;
	for (guint i = 0; done && files[i]; i++) {
		done = read_one(request, &params, files[i], &line, error);
	}
	itp_reading_params_release(&params);
	itp_progress_line_release(&line);
	done = done && (!request->trained || write_guards(request, error));
	return done ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

int itp_units_run(char **arguments)
{
	struct request request = { .top = 10, .cut = ITP_UNIT_CUT };
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	if (parse_units(&request, arguments, &error)) {
		code = run_units(&request, &error);
	}
	itp_complain_of(error);
	itp_options_release(&request.options);
	g_strfreev(request.files);
	g_free(request.format);
	g_free(request.guards);
	g_free(request.limit);
	itp_guard_file_free(request.trained);
	return code;
}
