/* SPDX-License-Identifier: MIT */
/*
 * Dispatch to the renderer of a format, the HTML page (page.html with the data of a ranking), and
 * what they share. See report.h.
 */
#include "common/render/report/report.h"

#include "common/render/html/html.h"
#include "common/render/report/parts.h"

const char *const itp_report_format_names[] = {
	[ITP_REPORT_HTML] = "html",
	[ITP_REPORT_SVG] = "svg",
	[ITP_REPORT_DOT] = "dot",
	NULL,
};

static void append_page(const struct itp_page *page, const struct itp_report_options *options)
{
	g_autoptr(GString) title = g_string_new(page->labels.suspect);
	g_autoptr(GString) nodes = g_string_new(NULL);
	g_autoptr(GString) ranked = g_string_new(NULL);
	g_autoptr(GString) others = g_string_new(NULL);
	struct itp_tree_texts tree = { .nodes = nodes, .ranked = ranked, .others = others };
	g_autofree char *data = itp_report_data(page, options->incomplete, &tree);
	const struct itp_html_part parts[] = {
		{ "source", options->source ? options->source : "[]", true },
		{ "requests", options->requests ? options->requests : "{}", true },
		{ "nodes", nodes->str, false },
		{ "stats", ranked->str, false },
		{ "more-stats", others->str, false },
		{ .name = NULL }
	};
	struct itp_html html = { .frame = "page.html", .data = data, .parts = parts };

	if (page->labels.base) {
		g_string_append_printf(title, " against %s", page->labels.base);
	}
	html.title = title->str;
	itp_html_append(&html, page->output);
}

void itp_render_report(const struct itp_ranking *ranking, const struct itp_report_options *options,
		       GString *output)
{
	struct itp_page page = {
		.ranking = ranking,
		.output = output,
		.width = ITP_REPORT_WIDTH,
		.has_options = options->has_options,
		.is_verbose = true,
		.shows_chance = true,
		.rows_most = G_MAXUINT,
	};

	itp_workload_labels_init(&page.labels, ranking);
	switch (options->format) {
	case ITP_REPORT_HTML:
		append_page(&page, options);
		break;
	case ITP_REPORT_SVG:
		itp_report_append_heat_map(&page, options->incomplete);
		break;
	case ITP_REPORT_DOT:
		itp_report_append_graph(&page);
		break;
	}
	itp_workload_labels_release(&page.labels);
}
