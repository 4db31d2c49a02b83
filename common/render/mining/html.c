/* SPDX-License-Identifier: MIT */
/*
 * See mining.h: mining.html with the JSON lines as an array, see common/render/html/html.h.
 */
#include "common/render/html/html.h"
#include "common/render/mining/mining.h"

void itp_render_mining_html(const struct itp_mining_page *page, GString *output)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	g_autoptr(GString) data = g_string_new("[");
	g_autofree char *title =
		g_strdup_printf("What explains the slow calls of %u %s", page->mining->traces->len,
				page->mining->traces->len == 1 ? "trace" : "traces");
	struct itp_html html = { .frame = "mining.html", .title = title };

	itp_render_mining_jsonl(page, lines);
	/* Each line ends; an array has nothing behind its last element. */
	g_string_truncate(lines, lines->len - 1);
	g_string_replace(lines, "\n", ",", 0);
	g_string_append_printf(data, "%s]", lines->str);
	html.data = data->str;
	itp_html_append(&html, output);
}
