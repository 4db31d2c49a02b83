/* SPDX-License-Identifier: MIT */
/*
 * Requests followed through threads and processes, for a ranking or its page: those of the first
 * recording of either side.
 */
#ifndef ITP_PERF_COMMAND_PAGE_REQUESTS_H
#define ITP_PERF_COMMAND_PAGE_REQUESTS_H

#include "common/render/render.h"

/* Callback of struct itp_page_host; `data` is a struct itp_page_source. */
char *itp_page_requests_find(const struct itp_ranking *ranking, void *data);

/* Callback of struct itp_rank_host: time of requests, by route; `data` likewise. */
char *itp_page_requests_tell(const struct itp_ranking *ranking,
			     const struct itp_render_options *looks, void *data);

#endif
