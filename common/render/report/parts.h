/* SPDX-License-Identifier: MIT */
/*
 * Renderers behind itp_render_report(), one in each file, and their common parts.
 */
#ifndef ITP_RENDER_REPORT_PARTS_H
#define ITP_RENDER_REPORT_PARTS_H

#include <jansson.h>

#include "common/rank/ranking.h"
#include "common/render/text/page.h"

struct itp_tree_data;

/* The calling context tree (tree-data.h) in the text of the page: its nodes, the statistics of the
 * ranked ones, and elements with those of the others. Weak. */
struct itp_tree_texts {
	GString *nodes;
	GString *ranked;
	GString *others;
};

/* Width of text in a picture or a page, whose lines are never broken. */
#define ITP_REPORT_WIDTH (1 << 20)

/* heat-map.c */
void itp_report_append_heat_map(const struct itp_page *page, bool incomplete);
/* graph.c */
void itp_report_append_graph(const struct itp_page *page);

/* data.c: JSON value on a line, owned by the caller; and the tree, appended to texts. */
char *itp_report_data(const struct itp_page *page, bool incomplete, struct itp_tree_texts *tree);

/* units-data.c: by workload, its types of units of work and the slowest of each. A new reference.
 */
json_t *itp_report_units(const struct itp_ranking *ranking);

/* Types of each workload on the page, with most time. */
#define ITP_REPORT_UNIT_TYPES 12

/* By the number of a type: its place among them, or ITP_REPORT_UNIT_TYPES for other types. Free
 * with g_free(). */
guint *itp_report_unit_places(const struct itp_unit_sums *sums, guint *ret_count);

/* lives-data.c: by workload, doings of the most important threads, and their units of work. A new
 * reference. */
json_t *itp_report_lives(const struct itp_tree_data *table);

/* Text appended to the page by a function, a line for each line end. Free with g_free(). */
char *itp_report_text(const struct itp_page *page, void (*append)(const struct itp_page *page));

/* Latencies of a node without its callees, 0 where it waits for work. */
int64_t itp_report_own_ns(const struct itp_ranking *ranking, const struct itp_node_stats *stats,
			  uint32_t node);

#endif
