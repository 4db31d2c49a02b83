/* SPDX-License-Identifier: MIT */
/*
 * See export-job.h. A file is written at the end of the input. After a failure there is none:
 * nobody would see that it is not whole. After an interrupt, the calls so far are written, and
 * called incomplete.
 */
#include "common/export-job/export-job.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/error.h"
#include "common/base/failure.h"
#include "common/compare/compare.h"
#include "common/engine/write.h"

/* Directory for large files that nobody needs for long. */
#define TEMPORARY_DIRECTORY "/var/tmp"

#define NS_PER_S INT64_C(1000000000)
#define NS_DIGITS 9

static const struct itp_param export_params[] = {
	{ "format", ITP_PARAM_CHOICE, offsetof(struct itp_export_job, format),
	  itp_export_format_names },
	{ "output", ITP_PARAM_STRING, offsetof(struct itp_export_job, job.output), NULL },
	{ "begin", ITP_PARAM_STRING, offsetof(struct itp_export_job, begin), NULL },
	{ "end", ITP_PARAM_STRING, offsetof(struct itp_export_job, end), NULL },
	{ "base", ITP_PARAM_STRINGS, offsetof(struct itp_export_job, job.base), NULL },
	{ "per", ITP_PARAM_STRING, offsetof(struct itp_export_job, job.per), NULL },
	{ "in", ITP_PARAM_STRING, offsetof(struct itp_export_job, job.in), NULL },
	ITP_RANK_VIEW_PARAMS(struct itp_export_job, job.view),
};

const struct itp_param_table itp_export_param_table = { export_params,
							G_N_ELEMENTS(export_params) };

/* Parameters that apply to calls, too. */
static const char *const timeline_params[] = {
	"format", "output", "begin", "end", "names", "names-file", NULL,
};

static void free_export(struct itp_rank_job *job)
{
	itp_rank_job_release(job);
	itp_params_release(&itp_export_param_table, job);
	g_free(job);
}

/* ---- The file ---- */

/* "begin" where given, else "end"; NULL without. */
static const char *window_param(const struct itp_export_job *export)
{
	return export->begin ? "begin" : export->end ? "end" : NULL;
}

/* Fails for `param`, if given, as the input that it applies to is missing: a format may show both,
 * and the input decides. */
static bool lacks(const char *param, const char *why, GError **error)
{
	if (param) {
		itp_failure_set(error, "parameter \"%s\": %s", param, why);
	}
	return !param;
}

/* Writes `input`, with a remark on its name when something is missing from it, or was never
 * watched. */
static bool write_input(const struct itp_export_job *export, struct itp_export_input *input,
			bool is_complete, GError **error)
{
	const bool is_cpu = input->tree &&
			    !itp_workload_has_latencies(&input->tree->suspect->workload);
	g_autofree char *name = g_strconcat(input->name, is_cpu ? " (CPU time only)" : "",
					    is_complete ? "" : " (incomplete)", NULL);
	struct itp_writing writing;
	int code;

	if (!itp_writing_begin(&writing, export->job.output, error)) {
		return false;
	}
	input->name = name;
	code = itp_export(export->format, input, writing.stream);
	if (code < 0) {
		itp_failure_set(error, "%s: %s", itp_error_text(code), g_strerror(errno));
	}
	return itp_writing_end(&writing, code == ITP_OK, error) && code == ITP_OK;
}

static bool write_tree(struct itp_rank_job *job, const struct itp_sides *sides,
		       enum itp_rank_ending ending, GError **error)
{
	const struct itp_export_job *export = (const struct itp_export_job *)job;
	struct itp_profile *suspect;
	struct itp_profile *base;
	struct itp_per_unit per;
	bool done;

	if (!lacks(window_param(export), export->words->profile_came, error) ||
	    !itp_per_parse(job->per, &per, error) ||
	    !itp_compare_merge(&per, sides->workloads, sides->suspects, sides->bases, &suspect,
			       &base, error)) {
		return false;
	}
	const struct itp_export_tree tree = {
		.functions = itp_workload_set_functions(sides->workloads),
		.contexts = itp_workload_set_tree(sides->workloads),
		.suspect = suspect,
		.base = base,
	};
	struct itp_export_input input = { .name = suspect->workload.name,
					  .functions = tree.functions,
					  .tree = &tree };

	done = write_input(export, &input,
			   ending == ITP_RANK_ENDED && suspect->workload.complete &&
				   (!base || base->workload.complete),
			   error);
	itp_profile_free(suspect);
	itp_profile_free(base);
	return done;
}

/* Calls have no length in a trace with ticks alone. */
static bool check_watched(const struct itp_export_timeline *timeline, GError **error)
{
	if (!timeline->is_watched) {
		itp_failure_set(error,
				"%s has no calls to show in time: neither switches nor system "
				"calls were recorded, so how long calls took is not known; record "
				"with perf introperf record",
				timeline->name);
	}
	return timeline->is_watched;
}

static bool write_timeline(const struct itp_export_job *export,
			   const struct itp_export_timeline *timeline, enum itp_rank_ending ending,
			   GError **error)
{
	struct itp_export_input input = { .name = timeline->name,
					  .functions = timeline->functions,
					  .timeline = timeline->timeline };

	return lacks(export->tree_param, export->words->calls_came, error) &&
	       check_watched(timeline, error) &&
	       write_input(export, &input, ending == ITP_RANK_ENDED && timeline->is_complete,
			   error);
}

bool itp_export_job_finish(struct itp_export_job *export,
			   const struct itp_export_timeline *timeline, enum itp_rank_ending ending,
			   GError **error)
{
	if (ending == ITP_RANK_FAILED) {
		return true;
	}
	if (timeline) {
		return write_timeline(export, timeline, ending, error);
	}
	if (itp_export_shows_tree(export->format)) {
		return itp_rank_job_finish(&export->job, ending, error);
	}
	if (ending == ITP_RANK_INTERRUPTED) {
		return true;
	}
	itp_failure_set(error, "parameter \"format\": \"%s\" shows single calls, %s",
			itp_export_format_names[export->format], export->words->no_calls_came);
	return false;
}

/* ---- Options ---- */

/* Parameters of profiles say nothing about a timeline. */
static const char *find_tree_param(GHashTable *values)
{
	for (size_t i = 0; i < G_N_ELEMENTS(export_params); i++) {
		const char *name = export_params[i].name;

		if (itp_values_has(values, name) && !g_strv_contains(timeline_params, name)) {
			return name;
		}
	}
	return NULL;
}

/* Error about `param`, which does not apply to the format. */
static bool misfit(const struct itp_export_job *export, const char *param, const char *why,
		   GError **error)
{
	g_autofree char *format_is =
		g_strdup_printf(export->words->format_is, itp_export_format_names[export->format]);

	itp_failure_set(error, "parameter \"%s\": %s %s", param, format_is, why);
	return false;
}

static bool check_tree_params(const struct itp_export_job *export, GError **error)
{
	const char *window = window_param(export);
	g_autofree char *why = NULL;

	if (window && !itp_export_shows_timeline(export->format)) {
		why = g_strdup_printf("shows no time; %s", export->words->shows_time);
		return misfit(export, window, why, error);
	}
	if (export->job.base && !itp_export_shows_base(export->format)) {
		return misfit(export, "base", "has no place for it; \"folded2\" has", error);
	}
	return export->job.base || !itp_export_needs_base(export->format) ||
	       misfit(export, "base", "compares; name the input that behaves", error);
}

static bool check_export(struct itp_export_job *export, GHashTable *values, GError **error)
{
	export->tree_param = find_tree_param(values);
	if (itp_export_is_binary(export->format) && !export->job.output && isatty(STDOUT_FILENO)) {
		return misfit(export, "output",
			      "is nothing for a terminal; name a file, or redirect", error);
	}
	if (itp_export_shows_tree(export->format)) {
		return check_tree_params(export, error);
	}
	return !export->tree_param ||
	       misfit(export, export->tree_param, "shows single calls; it is for profiles", error);
}

/* Nanoseconds of the digits behind the point. */
static bool parse_fraction(const char *digits, int64_t *ret_ns)
{
	char padded[] = "000000000";
	guint64 ns;

	if (digits[0] == '\0' || strlen(digits) > NS_DIGITS) {
		return false;
	}
	memcpy(padded, digits, strlen(digits));
	if (!g_ascii_string_to_unsigned(padded, 10, 0, NS_PER_S - 1, &ns, NULL)) {
		return false;
	}
	*ret_ns = (int64_t)ns;
	return true;
}

static bool parse_time(const char *name, const char *text, int64_t *ret_ns, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ".", 2);
	int64_t fraction_ns = 0;
	guint64 seconds;

	if (!parts[0] ||
	    !g_ascii_string_to_unsigned(parts[0], 10, 0, INT64_MAX / NS_PER_S - 1, &seconds,
					NULL) ||
	    (parts[1] && !parse_fraction(parts[1], &fraction_ns))) {
		itp_failure_set(
			error,
			"parameter \"%s\": \"%s\" is no time; such are \"1234\" and "
			"\"1234.567\", in seconds as babeltrace2 --clock-seconds prints them",
			name, text);
		return false;
	}
	*ret_ns = (int64_t)seconds * NS_PER_S + fraction_ns;
	return true;
}

/* Each end of the window may be missing. */
static bool parse_window(struct itp_export_job *export, GError **error)
{
	const char *directory = g_getenv("TMPDIR");
	struct itp_timeline_options *window = &export->window;

	*window = (struct itp_timeline_options){
		.directory = directory && directory[0] ? directory : TEMPORARY_DIRECTORY,
		.begin_ns = INT64_MIN,
		.end_ns = INT64_MAX,
	};
	if ((export->begin && !parse_time("begin", export->begin, &window->begin_ns, error)) ||
	    (export->end && !parse_time("end", export->end, &window->end_ns, error))) {
		return false;
	}
	if (window->begin_ns >= window->end_ns) {
		itp_failure_set(error, "parameter \"end\": \"%s\" is not after %s, \"%s\"",
				export->end, export->words->begin, export->begin);
		return false;
	}
	return true;
}

struct itp_export_job *itp_export_job_new(GHashTable *values, const struct itp_export_words *words,
					  GError **error)
{
	struct itp_export_job *export = g_new0(struct itp_export_job, 1);

	export->words = words;
	export->job.show_result = write_tree;
	export->job.free = free_export;
	export->job.view.fold_recursion = true;
	if (!itp_params_read(&itp_export_param_table, values, export, error) ||
	    !check_export(export, values, error) || !itp_rank_job_open(&export->job, error) ||
	    !parse_window(export, error)) {
		free_export(&export->job);
		return NULL;
	}
	return export;
}
