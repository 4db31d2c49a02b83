/* SPDX-License-Identifier: MIT */
/*
 * The requests that were followed through threads and processes, for a ranking or its page: those
 * of the first recording of either side.
 */
#ifndef ITP_PERF_COMMAND_PAGE_REQUESTS_H
#define ITP_PERF_COMMAND_PAGE_REQUESTS_H

#include "common/render/render.h"

/* As struct itp_report_host wants it; `data` is a struct itp_page_source. */
char *itp_page_requests_find(const struct itp_ranking *ranking, void *data);

/* As struct itp_rank_host wants it: where the time of requests went, by route; likewise. */
char *itp_page_requests_tell(const struct itp_ranking *ranking,
			     const struct itp_render_options *looks, void *data);

#endif
