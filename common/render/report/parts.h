/* SPDX-License-Identifier: MIT */
/*
 * The renderers behind itp_render_report(), one a file, and what they share.
 */
#ifndef ITP_RENDER_REPORT_PARTS_H
#define ITP_RENDER_REPORT_PARTS_H

#include <jansson.h>

#include "common/render/page.h"
#include "common/render/report/report.h"

/* Nothing breaks the lines of text that goes into a picture or a page. */
#define ITP_REPORT_WIDTH (1 << 20)

/* heat-map.c */
void itp_report_append_heat_map(const struct itp_page *page, bool incomplete);
/* graph.c */
void itp_report_append_graph(const struct itp_page *page);

/* data.c: one JSON value on one line. Owned by the caller. */
char *itp_report_data(const struct itp_page *page, bool incomplete);

/* units-data.c: by workload, its types of units of work and the slowest of each. A new reference.
 */
json_t *itp_report_units(const struct itp_ranking *ranking);

/* What a function appends to the page, one line of text for each line end. Free with g_free(). */
char *itp_report_text(const struct itp_page *page, void (*append)(const struct itp_page *page));

/* Latencies of a node without its callees, 0 where it waits for work. */
int64_t itp_report_own_ns(const struct itp_ranking *ranking, const struct itp_node_stats *stats,
			  uint32_t node);

#endif
