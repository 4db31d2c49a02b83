/* SPDX-License-Identifier: MIT */
/*
 * See page-job.h.
 */
#include "common/engine/page-job.h"

#include "common/engine/write.h"
#include "common/render/report/report.h"

#define DEFAULT_TOP 30
/* A page is nothing for a terminal. */
#define DEFAULT_PAGE "report.html"

struct page {
	struct itp_rank_job job;
	/* Parameter. */
	enum itp_report_format format;
	/* NULL: nobody knows source lines and requests. Weak. */
	const struct itp_page_host *host;
};

/* Text in place of the source, without a search for it. */
#define NO_SOURCE                                                                                       \
	"[{\"paths\":[],\"side\":\"suspect\",\"of\":\"\",\"lack\":\"There are no source lines: a page " \
	"with some is made of recordings by perf introperf report --html, or diff --html.\"}]"

static const struct itp_param page_params[] = {
	{ "format", ITP_PARAM_CHOICE, offsetof(struct page, format), itp_report_format_names },
	ITP_RANK_JOB_PARAMS(struct page, job),
};

static const struct itp_param_table page_table = { page_params, G_N_ELEMENTS(page_params) };

static void page_free(struct itp_rank_job *job)
{
	itp_rank_job_release(job);
	itp_params_release(&page_table, job);
	g_free(job);
}

static bool show_result(struct itp_rank_job *job, const struct itp_sides *sides,
			enum itp_rank_ending ending, GError **error)
{
	const struct page *page = (const struct page *)job;
	const struct itp_ranking_options options = { .top = job->top, .folds = true };
	struct itp_report_options looks = { .format = page->format,
					    .incomplete = ending == ITP_RANK_FAILED,
					    .has_options = page->host != NULL };
	struct itp_ranking *ranking = itp_rank_job_rank(job, options, sides, error);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *source = NULL;
	g_autofree char *requests = NULL;
	g_autoptr(GError) lack = NULL;
	bool has_source = true;

	if (!ranking) {
		return false;
	}
	if (page->host && page->format == ITP_REPORT_HTML) {
		has_source = page->host->find_source(ranking, page->host->data, &source, &lack);
		requests = page->host->find_requests(ranking, page->host->data);
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

static bool read_params(struct page *page, GHashTable *values, GError **error)
{
	if (!itp_params_read(&page_table, values, page, error)) {
		return false;
	}
	if (!page->job.output && page->format == ITP_REPORT_HTML) {
		page->job.output = g_strdup(DEFAULT_PAGE);
	}
	return itp_rank_job_open(&page->job, error);
}

struct itp_rank_job *itp_page_new(GHashTable *values, const struct itp_page_host *host,
				  GError **error)
{
	struct page *page = g_new0(struct page, 1);

	*page = (struct page){ .job = { .show_result = show_result,
					.free = page_free,
					.top = DEFAULT_TOP,
					.view = { .fold_recursion = true } },
			       .host = host };
	if (!read_params(page, values, error)) {
		page_free(&page->job);
		return NULL;
	}
	return &page->job;
}
