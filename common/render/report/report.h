/* SPDX-License-Identifier: MIT */
/*
 * A ranking as something to look at: an HTML page, a static heat map, a graph for dot.
 *
 *   report.c      the HTML page: the files beside this one (common/render/html)
 *   data.c        its data, as JSON; tree-data.c: the tree in it
 *   heat-map.c    SVG: ranked paths as rows, their functions as columns (paper, Figure 7)
 *   graph.c       DOT: both workloads laid over each other (paper, Figures 5 and 6)
 *   page.html, *.js              the page; its script only draws what the data says
 *
 * Only rankings by path, of own latencies, are drawn. As with common/render, the same ranking
 * gives the same bytes, and where they go is the host's business.
 */
#ifndef ITP_RENDER_REPORT_REPORT_H
#define ITP_RENDER_REPORT_REPORT_H

#include "common/rank/ranking.h"

enum itp_report_format {
	ITP_REPORT_HTML = 0,
	ITP_REPORT_SVG = 1,
	ITP_REPORT_DOT = 2,
};

/* As parameters spell them, by number; ends with NULL. */
extern const char *const itp_report_format_names[];

/* Appends to `output`. `incomplete` as in itp_render_options. */
void itp_render_report(const struct itp_ranking *ranking, enum itp_report_format format,
		       bool incomplete, GString *output);

#endif
