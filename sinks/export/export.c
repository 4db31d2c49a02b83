/* SPDX-License-Identifier: MIT */
/*
 * See export.h. A file is written at the end of the input. After an error in the graph there is
 * none: nobody would see that it is not whole. After an interrupt, the calls so far are written,
 * and called incomplete.
 */
#include "sinks/export/export.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/error.h"
#include "common/base/failure.h"
#include "common/compare/compare.h"
#include "common/engine/write.h"
#include "common/render/export/export.h"
#include "messages/param-maps.h"
#include "sinks/export/calls.h"
#include "sinks/profiles/component.h"

/* Directory for large files that nobody needs for long. */
#define TEMPORARY_DIRECTORY "/var/tmp"

#define NS_PER_S INT64_C(1000000000)
#define NS_DIGITS 9

struct export
{
	/* Sink, first, for the methods that all sinks share. */
	struct itp_rank_sink sink;
	struct itp_rank_job job;
	/* Weak. */
	const struct itp_export_words *words;
	/* Parameters. Strings are owned by this. */
	enum itp_export_format format;
	char *begin;
	char *end;
	/* A parameter that was given and does not apply to single calls, NULL without. Weak. */
	const char *tree_param;
	/* NULL: the format shows no timeline. Owned by this. */
	struct itp_export_calls *calls;
};

static const struct itp_export_words component_words = {
	.format_is = "\"format\" is \"%s\", which",
	.begin = "\"begin\"",
	.calls_came = "single calls arrived; it is for profiles, which "
		      "filter.introperf.normalize before this sink makes of them",
	.profile_came = "a profile arrived, which has no time; it is for single calls, of "
			"filter.introperf.infer without filter.introperf.normalize",
	.no_calls_came =
		"and no introperf:instance events arrived; put filter.introperf.infer, and "
		"not filter.introperf.normalize, before this sink",
	.shows_time = "babeltrace2 --begin and --end choose a part of a recording",
};

static const struct itp_param export_params[] = {
	{ "format", ITP_PARAM_CHOICE, offsetof(struct export, format), itp_export_format_names },
	{ "output", ITP_PARAM_STRING, offsetof(struct export, job.output), NULL },
	{ "begin", ITP_PARAM_STRING, offsetof(struct export, begin), NULL },
	{ "end", ITP_PARAM_STRING, offsetof(struct export, end), NULL },
	{ "base", ITP_PARAM_STRINGS, offsetof(struct export, job.base), NULL },
	{ "per", ITP_PARAM_STRING, offsetof(struct export, job.per), NULL },
	{ "in", ITP_PARAM_STRING, offsetof(struct export, job.in), NULL },
	ITP_RANK_VIEW_PARAMS(struct export, job.view),
};

const struct itp_param_table itp_export_param_table = { export_params,
							G_N_ELEMENTS(export_params) };

/* Parameters that apply to calls, too. */
static const char *const timeline_params[] = {
	"format", "output", "begin", "end", "names", "names-file", NULL,
};

static void free_export(struct itp_rank_sink *sink)
{
	struct export *export = (struct export *)sink;

	itp_export_calls_free(export->calls);
	itp_rank_job_release(sink->job);
	itp_params_release(&itp_export_param_table, export);
	g_free(export);
}

static bool add_message(struct itp_rank_sink *sink, const bt_message *message, GError **error)
{
	struct export *export = (struct export *)sink;

	return (!export->calls || itp_export_calls_add(export->calls, message, error)) &&
	       (!itp_export_shows_tree(export->format) || itp_rank_sink_add(sink, message, error));
}

/* "begin" where given, else "end"; NULL without. */
static const char *window_param(const struct export *export)
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
static bool write_input(const struct export *export, struct itp_export_input *input,
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

static const struct export *export_of(const struct itp_rank_job *job)
{
	return (const struct export *)((const char *)job - offsetof(struct export, job));
}

static bool write_tree(struct itp_rank_job *job, const struct itp_sides *sides,
		       enum itp_rank_ending ending, GError **error)
{
	const struct export *export = export_of(job);
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
static bool check_watched(const struct export *export, GError **error)
{
	if (!itp_export_calls_are_watched(export->calls)) {
		itp_failure_set(error,
				"%s has no calls to show in time: neither switches nor system "
				"calls were recorded, so how long calls took is not known; record "
				"with perf introperf record",
				itp_export_calls_name(export->calls));
	}
	return itp_export_calls_are_watched(export->calls);
}

static bool write_timeline(const struct export *export, enum itp_rank_ending ending, GError **error)
{
	struct itp_export_input input = {
		.name = itp_export_calls_name(export->calls),
		.functions = itp_export_calls_functions(export->calls),
		.timeline = itp_export_calls_timeline(export->calls),
	};

	return lacks(export->tree_param, export->words->calls_came, error) &&
	       check_watched(export, error) &&
	       write_input(export, &input,
			   ending == ITP_RANK_ENDED && itp_export_calls_complete(export->calls),
			   error);
}

static bool finish_export(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	struct export *export = (struct export *)sink;

	if (ending == ITP_RANK_FAILED) {
		return true;
	}
	if (export->calls && itp_export_calls_any(export->calls)) {
		return write_timeline(export, ending, error);
	}
	if (itp_export_shows_tree(export->format)) {
		return itp_rank_job_finish(sink->job, ending, error);
	}
	if (ending == ITP_RANK_INTERRUPTED) {
		return true;
	}
	itp_failure_set(error, "parameter \"format\": \"%s\" shows single calls, %s",
			itp_export_format_names[export->format], export->words->no_calls_came);
	return false;
}

/* Parameters of profiles say nothing about a timeline. */
static const char *find_tree_param(const bt_value *params)
{
	for (size_t i = 0; i < G_N_ELEMENTS(export_params); i++) {
		const char *name = export_params[i].name;

		if (bt_value_map_has_entry(params, name) &&
		    !g_strv_contains(timeline_params, name)) {
			return name;
		}
	}
	return NULL;
}

/* Error about `param`, which does not apply to the format. */
static bool misfit(const struct export *export, const char *param, const char *why, GError **error)
{
	g_autofree char *format_is =
		g_strdup_printf(export->words->format_is, itp_export_format_names[export->format]);

	itp_failure_set(error, "parameter \"%s\": %s %s", param, format_is, why);
	return false;
}

static bool check_tree_params(const struct export *export, GError **error)
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

static bool check_export(struct export *export, const bt_value *params, GError **error)
{
	export->tree_param = find_tree_param(params);
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
static bool parse_window(const struct export *export, struct itp_timeline_options *options,
			 GError **error)
{
	options->begin_ns = INT64_MIN;
	options->end_ns = INT64_MAX;
	if ((export->begin && !parse_time("begin", export->begin, &options->begin_ns, error)) ||
	    (export->end && !parse_time("end", export->end, &options->end_ns, error))) {
		return false;
	}
	if (options->begin_ns >= options->end_ns) {
		itp_failure_set(error, "parameter \"end\": \"%s\" is not after %s, \"%s\"",
				export->end, export->words->begin, export->begin);
		return false;
	}
	return true;
}

static bool open_calls(struct export *export, GError **error)
{
	const char *directory = g_getenv("TMPDIR");
	struct itp_timeline_options options = {
		.directory = directory && directory[0] ? directory : TEMPORARY_DIRECTORY,
	};

	if (!itp_export_shows_timeline(export->format)) {
		return true;
	}
	if (!parse_window(export, &options, error)) {
		return false;
	}
	export->calls = itp_export_calls_new(&options, export->job.view_options->names, error);
	return export->calls != NULL;
}

static struct itp_rank_sink *export_new(const bt_value *params,
					const struct itp_export_words *words, GError **error)
{
	struct export *export = g_new0(struct export, 1);

	export->words = words;
	export->sink.job = &export->job;
	export->sink.add = add_message;
	export->sink.finish = finish_export;
	export->sink.free = free_export;
	export->job.show_result = write_tree;
	export->job.view.fold_recursion = true;
	if (!itp_map_read(&itp_export_param_table, params, export, error) ||
	    !check_export(export, params, error) || !itp_rank_job_open(&export->job, error) ||
	    !open_calls(export, error)) {
		free_export(&export->sink);
		return NULL;
	}
	export->sink.output = export->job.output;
	return &export->sink;
}

bt_component_class_initialize_method_status itp_export_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	GError *error = NULL;
	struct itp_rank_sink *sink = export_new(params, data ? data : &component_words, &error);

	(void)configuration;
	return itp_rank_sink_init(self, sink, error);
}
