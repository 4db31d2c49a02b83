/* SPDX-License-Identifier: MIT */
/*
 * The HTML page: page.html with the data of a ranking, see common/render/html/html.h.
 */
#include "common/render/html/html.h"
#include "common/render/report/parts.h"

void itp_report_append_page(const struct itp_page *page, bool incomplete)
{
	g_autoptr(GString) title = g_string_new(page->labels.suspect);
	g_autofree char *data = itp_report_data(page, incomplete);
	struct itp_html html = { .frame = "page.html", .data = data };

	if (page->labels.base) {
		g_string_append_printf(title, " against %s", page->labels.base);
	}
	html.title = title->str;
	itp_html_append(&html, page->output);
}
