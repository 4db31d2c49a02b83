/* SPDX-License-Identifier: MIT */
/*
 * See export.h. A file is written when the input has ended. When an error ends the graph before,
 * there is none: one would not see that it is not whole. When there is an interrupt, what has come
 * until then is written, and called incomplete.
 */
#include "sinks/export/export.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/error.h"
#include "common/compare/compare.h"
#include "common/render/export/export.h"
#include "messages/failure.h"
#include "sinks/export/calls.h"
#include "sinks/export/window.h"
#include "sinks/profiles/component.h"
#include "sinks/profiles/write.h"

/* Where large files may lie that nobody needs for long. */
#define TEMPORARY_DIRECTORY "/var/tmp"

struct export
{
	/* First, for the methods that all sinks share. */
	struct itp_rank_sink sink;
	/* Parameters. Strings are owned by this. */
	enum itp_export_format format;
	char *begin;
	char *end;
	/* A parameter that was given and says nothing about single calls, NULL without. Weak. */
	const char *tree_param;
	/* NULL: the format shows no timeline. Owned by this. */
	struct itp_export_calls *calls;
};

static const struct itp_param export_params[] = {
	{ "format", ITP_PARAM_CHOICE, offsetof(struct export, format), itp_export_format_names },
	{ "output", ITP_PARAM_STRING, offsetof(struct export, sink.output), NULL },
	{ "begin", ITP_PARAM_STRING, offsetof(struct export, begin), NULL },
	{ "end", ITP_PARAM_STRING, offsetof(struct export, end), NULL },
	{ "base", ITP_PARAM_STRINGS, offsetof(struct export, sink.base), NULL },
	{ "per", ITP_PARAM_STRING, offsetof(struct export, sink.per), NULL },
	ITP_RANK_VIEW_PARAMS(struct export, sink.view),
};

const struct itp_param_table itp_export_param_table = { export_params,
							G_N_ELEMENTS(export_params) };

/* Parameters that mean something for calls, too. */
static const char *const timeline_params[] = {
	"format", "output", "begin", "end", "names", "names-file", NULL,
};

static void free_export(struct itp_rank_sink *sink)
{
	struct export *export = (struct export *)sink;

	itp_export_calls_free(export->calls);
	itp_rank_sink_release(sink);
	itp_params_release(&itp_export_param_table, export);
	g_free(export);
}

static bool add(struct itp_rank_sink *sink, const bt_message *message, GError **error)
{
	struct export *export = (struct export *)sink;

	return (!export->calls || itp_export_calls_add(export->calls, message, error)) &&
	       (!itp_export_shows_tree(export->format) || itp_rank_sink_add(sink, message, error));
}

/* A format may show both; what arrived tells which parameters mean something. */
static bool check_calls(const struct export *export, GError **error)
{
	if (export->tree_param) {
		itp_failure_set(error,
				"parameter \"%s\": single calls arrived; it is for profiles, which "
				"filter.introperf.normalize before this sink makes of them",
				export->tree_param);
	}
	return !export->tree_param;
}

static bool check_profile(const struct export *export, GError **error)
{
	bool has_window = export->begin || export->end;

	if (has_window) {
		itp_failure_set(error,
				"parameter \"%s\": a profile arrived, which has no time; it is for "
				"single calls, of filter.introperf.infer without "
				"filter.introperf.normalize",
				export->begin ? "begin" : "end");
	}
	return !has_window;
}

/* Writes `input`, whose name gets a remark when something is missing from it. */
static bool write_input(const struct export *export, struct itp_export_input *input,
			bool is_complete, GError **error)
{
	g_autofree char *name = g_strconcat(input->name, is_complete ? "" : " (incomplete)", NULL);
	struct itp_writing writing;
	int code;

	if (!itp_writing_begin(&writing, export->sink.output, error)) {
		return false;
	}
	input->name = name;
	code = itp_export(export->format, input, writing.stream);
	if (code < 0) {
		itp_failure_set(error, "%s: %s", itp_error_text(code), g_strerror(errno));
	}
	return itp_writing_end(&writing, code == ITP_OK, error) && code == ITP_OK;
}

static bool write_tree(struct itp_rank_sink *sink, const struct itp_sides *sides,
		       enum itp_rank_ending ending, GError **error)
{
	const struct export *export = (const struct export *)sink;
	struct itp_profile *suspect;
	struct itp_profile *base;
	struct itp_per_unit per;
	bool done;

	if (!check_profile(export, error) || !itp_per_parse(sink->per, &per, error) ||
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

static bool write_timeline(const struct export *export, enum itp_rank_ending ending, GError **error)
{
	struct itp_export_input input = {
		.name = itp_export_calls_name(export->calls),
		.functions = itp_export_calls_functions(export->calls),
		.timeline = itp_export_calls_timeline(export->calls),
	};

	return check_calls(export, error) &&
	       write_input(export, &input,
			   ending == ITP_RANK_ENDED && itp_export_calls_complete(export->calls),
			   error);
}

static bool finish(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	struct export *export = (struct export *)sink;

	if (ending == ITP_RANK_FAILED) {
		return true;
	}
	if (export->calls && itp_export_calls_any(export->calls)) {
		return write_timeline(export, ending, error);
	}
	if (itp_export_shows_tree(export->format)) {
		return itp_rank_sink_finish(sink, ending, error);
	}
	if (ending == ITP_RANK_INTERRUPTED) {
		return true;
	}
	itp_failure_set(error,
			"parameter \"format\": \"%s\" shows single calls, and no "
			"introperf:instance events arrived; put filter.introperf.infer, and not "
			"filter.introperf.normalize, before this sink",
			itp_export_format_names[export->format]);
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

static bool check_timeline_params(const struct export *export, GError **error)
{
	if (export->tree_param) {
		itp_failure_set(error,
				"parameter \"%s\": \"format\" is \"%s\", which shows single "
				"calls; it is for profiles",
				export->tree_param, itp_export_format_names[export->format]);
		return false;
	}
	return true;
}

static bool check_tree_params(const struct export *export, GError **error)
{
	const char *format = itp_export_format_names[export->format];

	if ((export->begin || export->end) && !itp_export_shows_timeline(export->format)) {
		itp_failure_set(error,
				"parameter \"%s\": \"format\" is \"%s\", which shows no time; "
				"babeltrace2 --begin and --end choose a part of a recording",
				export->begin ? "begin" : "end", format);
		return false;
	}
	if (export->sink.base && !itp_export_shows_base(export->format)) {
		itp_failure_set(
			error,
			"parameter \"base\": \"format\" is \"%s\", which has no place for it; "
			"\"folded2\" has",
			format);
		return false;
	}
	if (!export->sink.base && itp_export_needs_base(export->format)) {
		itp_failure_set(
			error,
			"parameter \"base\": \"format\" is \"%s\", which compares; name the "
			"input that behaves",
			format);
		return false;
	}
	return true;
}

static bool check_params(struct export *export, const bt_value *params, GError **error)
{
	export->tree_param = find_tree_param(params);
	if (itp_export_is_binary(export->format) && !export->sink.output && isatty(STDOUT_FILENO)) {
		itp_failure_set(
			error,
			"parameter \"output\": \"format\" is \"%s\", which is nothing for a "
			"terminal; name a file",
			itp_export_format_names[export->format]);
		return false;
	}
	return itp_export_shows_tree(export->format) ? check_tree_params(export, error) :
						       check_timeline_params(export, error);
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
	if (!itp_export_window_parse(export->begin, export->end, &options.begin_ns, &options.end_ns,
				     error)) {
		return false;
	}
	export->calls = itp_export_calls_new(&options, export->sink.view_options->names, error);
	return export->calls != NULL;
}

static struct itp_rank_sink *export_new(const bt_value *params, GError **error)
{
	struct export *export = g_new0(struct export, 1);

	export->sink.add = add;
	export->sink.finish = finish;
	export->sink.show_result = write_tree;
	export->sink.free = free_export;
	export->sink.view.fold_recursion = true;
	if (!itp_params_read(&itp_export_param_table, params, export, error) ||
	    !check_params(export, params, error) || !itp_rank_sink_open(&export->sink, error) ||
	    !open_calls(export, error)) {
		free_export(&export->sink);
		return NULL;
	}
	return &export->sink;
}

bt_component_class_initialize_method_status itp_export_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	GError *error = NULL;
	struct itp_rank_sink *sink = export_new(params, &error);

	(void)configuration;
	(void)data;
	return itp_rank_sink_init(self, sink, error);
}
