/* SPDX-License-Identifier: MIT */
/*
 * A ranking as something to look at: an HTML page, a static heat map, a graph for dot.
 *
 *   report.c      the choice of the format, and the page's frame
 *     parts.c       common parts of all formats
 *   data.c        data of the page, as JSON
 *     tree-data.c   the tree in it; stats-data.c: the statistics of its nodes
 *     lives-data.c  doings of threads by time
 *     units-data.c  units of work
 *     packed.c      many numbers in few bytes
 *   heat-map.c    SVG: ranked paths as rows, their functions as columns (paper, Figure 7)
 *   graph.c       DOT: both workloads laid over each other (paper, Figures 5 and 6)
 *   page.html, *.js  the page; its script only draws the data
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
