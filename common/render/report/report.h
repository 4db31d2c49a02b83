/* SPDX-License-Identifier: MIT */
/*
 * A ranking as something to look at: an HTML page, a static heat map, a graph for dot.
 *
 *   report.c      the HTML page: the files beside this one (common/render/html)
 *   data.c        its data, as JSON; tree-data.c, stats-data.c: the tree in it, as packed.c says
 *   heat-map.c    SVG: ranked paths as rows, their functions as columns (paper, Figure 7)
 *   graph.c       DOT: both workloads laid over each other (paper, Figures 5 and 6)
 *   page.html, *.js              the page; its script only draws what the data says
 *
 * Only rankings by path, of own latencies, are drawn. As with common/render, equal rankings give
 * equal bytes, and their place is the host's business.
 */
#ifndef ITP_RENDER_REPORT_REPORT_H
#define ITP_RENDER_REPORT_REPORT_H

#include "common/rank/ranking.h"

enum itp_report_format {
	ITP_REPORT_HTML = 0,
	ITP_REPORT_SVG = 1,
	ITP_REPORT_DOT = 2,
};

/* Names as in parameters, by number; ends with NULL. */
extern const char *const itp_report_format_names[];

struct itp_report_options {
	enum itp_report_format format;
	/* Members of itp_render_options. */
	bool incomplete;
	bool has_options;
	/* Source of culprits, as a JSON array, or NULL; only the page has it, source.js reads it.
	 * Weak. */
	const char *source;
	/* The slowest requests by workload, as a JSON object, or NULL: for requests.js, likewise.
	 */
	const char *requests;
};

/* Appends to `output`. */
void itp_render_report(const struct itp_ranking *ranking, const struct itp_report_options *options,
		       GString *output);

#endif
