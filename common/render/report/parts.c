/* SPDX-License-Identifier: MIT */
/*
 * Text of a page's parts, and own latencies, for all renderers of reports: see parts.h.
 */
#include "common/render/report/parts.h"

char *itp_report_text(const struct itp_page *page, void (*append)(const struct itp_page *page))
{
	struct itp_page lines = *page;

	lines.output = g_string_new(NULL);
	append(&lines);
	return g_strchomp(g_string_free(lines.output, FALSE));
}

int64_t itp_report_own_ns(const struct itp_ranking *ranking, const struct itp_node_stats *stats,
			  uint32_t node)
{
	return stats == NULL || itp_ranking_is_apart(ranking, node) ? 0 : stats->own_ns;
}
