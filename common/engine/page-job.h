/* SPDX-License-Identifier: MIT */
/*
 * Job (ranking-job.h) whose result is a page or a picture.
 */
#ifndef ITP_ENGINE_PAGE_JOB_H
#define ITP_ENGINE_PAGE_JOB_H

#include "common/engine/ranking-job.h"

/* Callbacks of hosts with profiles in memory, and with options. */
struct itp_page_host {
	/* Source of culprits for the page, as JSON, which the caller frees; *ret_source is NULL for
	 * none. False when it lacks something told by the page, after an error, or after an
	 * interrupt, without an error then. */
	bool (*find_source)(const struct itp_ranking *ranking, void *data, char **ret_source,
			    GError **error);
	/* Requests for the page, as JSON, which the caller frees. */
	char *(*find_requests)(const struct itp_ranking *ranking, void *data);
	/* For both. Weak. */
	void *data;
};

/* Job with the parameters `values` (values.h). `host` is weak, must outlive it, and may be NULL.
 * NULL after an error. Freed by its `free`. */
struct itp_rank_job *itp_page_new(GHashTable *values, const struct itp_page_host *host,
				  GError **error);

#endif
