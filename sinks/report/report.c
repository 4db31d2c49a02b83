/* SPDX-License-Identifier: MIT */
/*
 * See report.h.
 */
#include "sinks/report/report.h"

#include "common/engine/write.h"
#include "common/render/report/report.h"
#include "messages/param-maps.h"
#include "sinks/profiles/component.h"

#define DEFAULT_TOP 30
/* A page is nothing for a terminal. */
#define DEFAULT_PAGE "report.html"

struct report {
	struct itp_rank_sink sink;
	/* Parameter. */
	enum itp_report_format format;
	/* NULL: a component. Weak. */
	const struct itp_report_host *host;
};

/* Text in place of the source, without a search for it. */
#define NO_SOURCE                                                                                       \
	"[{\"paths\":[],\"side\":\"suspect\",\"of\":\"\",\"lack\":\"There are no source lines: a page " \
	"with some is made of recordings by perf introperf report --html, or diff --html.\"}]"

static const struct itp_param report_params[] = {
	{ "format", ITP_PARAM_CHOICE, offsetof(struct report, format), itp_report_format_names },
	ITP_RANK_JOB_PARAMS(struct report, sink.job),
};

const struct itp_param_table itp_report_param_table = { report_params,
							G_N_ELEMENTS(report_params) };

static void report_free(struct itp_rank_sink *sink)
{
	itp_rank_job_release(&sink->job);
	itp_params_release(&itp_report_param_table, sink);
	g_free(sink);
}

static bool show_result(struct itp_rank_job *job, const struct itp_sides *sides,
			enum itp_rank_ending ending, GError **error)
{
	const struct report *report = (const struct report *)job;
	const struct itp_ranking_options options = { .top = job->top, .folds = true };
	struct itp_report_options looks = { .format = report->format,
					    .incomplete = ending == ITP_RANK_FAILED,
					    .has_options = report->host != NULL };
	struct itp_ranking *ranking = itp_rank_job_rank(job, options, sides, error);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *source = NULL;
	g_autofree char *requests = NULL;
	g_autoptr(GError) lack = NULL;
	bool has_source = true;

	if (!ranking) {
		return false;
	}
	if (report->host && report->format == ITP_REPORT_HTML) {
		has_source = report->host->find_source(ranking, report->host->data, &source, &lack);
		requests = report->host->find_requests(ranking, report->host->data);
	}
	looks.source = source ? source : NO_SOURCE;
	looks.requests = requests;
	itp_render_report(ranking, &looks, text);
	itp_ranking_free(ranking);
	if (!itp_write(job->output, text, error)) {
		return false;
	}
	/* Two readings of a file mostly end for a common reason, told once: the first. */
	if (lack && ending == ITP_RANK_ENDED) {
		g_propagate_error(error, g_steal_pointer(&lack));
	}
	return has_source || ending != ITP_RANK_ENDED;
}

static bool read_params(struct report *report, GHashTable *values, GError **error)
{
	if (!itp_params_read(&itp_report_param_table, values, report, error)) {
		return false;
	}
	if (!report->sink.job.output && report->format == ITP_REPORT_HTML) {
		report->sink.job.output = g_strdup(DEFAULT_PAGE);
	}
	return true;
}

struct itp_rank_sink *itp_report_new(GHashTable *values, const void *host, GError **error)
{
	struct report *report = g_new0(struct report, 1);

	report->host = host;
	report->sink.job.show_result = show_result;
	report->sink.free = report_free;
	report->sink.job.top = DEFAULT_TOP;
	report->sink.job.view.fold_recursion = true;
	if (!read_params(report, values, error) || !itp_rank_job_open(&report->sink.job, error)) {
		report_free(&report->sink);
		return NULL;
	}
	return &report->sink;
}

bt_component_class_initialize_method_status itp_report_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data)
{
	g_autoptr(GHashTable) values = itp_values_of_map(params);
	GError *error = NULL;
	struct itp_rank_sink *sink = itp_report_new(values, NULL, &error);

	(void)configuration;
	(void)data;
	return itp_rank_sink_init(self, sink, error);
}
