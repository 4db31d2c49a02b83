/* SPDX-License-Identifier: MIT */
/*
 * The requests that were followed through threads and processes, for the page of a report: those of
 * the first recording of either side.
 */
#ifndef ITP_PERF_COMMAND_PAGE_REQUESTS_H
#define ITP_PERF_COMMAND_PAGE_REQUESTS_H

#include "common/rank/ranking.h"

/* As struct itp_report_host wants it; `data` is a struct itp_page_source. */
char *itp_page_requests_find(const struct itp_ranking *ranking, void *data);

#endif
