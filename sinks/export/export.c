/* SPDX-License-Identifier: MIT */
/*
 * See export.h.
 */
#include "sinks/export/export.h"

#include "common/export-job/export-job.h"
#include "messages/param-maps.h"
#include "sinks/export/calls.h"
#include "sinks/profiles/component.h"

struct export
{
	/* First, for the methods that all sinks share. Its job is the export's. */
	struct itp_rank_sink sink;
	/* Owned by this. */
	struct itp_export_job *job;
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

static void free_export(struct itp_rank_sink *sink)
{
	struct export *export = (struct export *)sink;

	itp_export_calls_free(export->calls);
	sink->job->free(sink->job);
	g_free(export);
}

static bool add_message(struct itp_rank_sink *sink, const bt_message *message, GError **error)
{
	struct export *export = (struct export *)sink;

	return (!export->calls || itp_export_calls_add(export->calls, message, error)) &&
	       (!itp_export_shows_tree(export->job->format) ||
		itp_rank_sink_add(sink, message, error));
}

static bool finish_export(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error)
{
	struct export *export = (struct export *)sink;
	struct itp_export_timeline timeline;
	const bool came = export->calls && itp_export_calls_finish(export->calls, &timeline);

	return itp_export_job_finish(export->job, came ? &timeline : NULL, ending, error);
}

static struct itp_rank_sink *export_new(struct itp_export_job *job, GError **error)
{
	struct export *export = g_new0(struct export, 1);

	export->job = job;
	export->sink = (struct itp_rank_sink){ .job = &job->job,
					       .output = job->job.output,
					       .add = add_message,
					       .finish = finish_export,
					       .free = free_export };
	if (itp_export_shows_timeline(job->format)) {
		export->calls =
			itp_export_calls_new(&job->window, job->job.view_options->names, error);
		if (!export->calls) {
			free_export(&export->sink);
			return NULL;
		}
	}
	return &export->sink;
}

bt_component_class_initialize_method_status itp_export_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	g_autoptr(GHashTable) values = itp_values_of_map(params);
	const struct itp_export_host *host = data;
	GError *error = NULL;
	struct itp_export_job *job =
		itp_export_job_new(values, host ? host->words : &component_words, &error);
	struct itp_rank_sink *sink = job ? export_new(job, &error) : NULL;

	if (sink && host && !itp_inputs_read_profiles(host->inputs, job->job.workloads, &error)) {
		g_clear_pointer(&sink, free_export);
	}

	(void)configuration;
	return itp_rank_sink_init(self, sink, error);
}
