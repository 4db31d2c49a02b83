/* SPDX-License-Identifier: MIT */
/*
 * A ranking as a comment of a merge request or an issue: the sentence, the table, and the whole
 * text folded below. In Markdown as GitLab, GitHub and Gitea show it.
 */
#include "common/render/formats/composed.h"

#include "common/render/markdown-words.h"
#include "common/render/table.h"
#include "common/render/text/page.h"
#include "common/render/text/text.h"

/* Columns of the folded text. */
#define TEXT_WIDTH 100
#define FENCE_LEAST 3

/* Longest run of backticks in `text`: of fewer no fence can be made around it. */
static size_t longest_run(const char *text)
{
	size_t longest = 0;
	size_t run = 0;

	for (const char *c = text; *c; c++) {
		run = *c == '`' ? run + 1 : 0;
		longest = MAX(longest, run);
	}
	return longest;
}

static void append_fold(GString *output, const char *title, const char *text)
{
	g_autofree char *fence = g_strnfill(MAX(longest_run(text) + 1, FENCE_LEAST), '`');

	g_string_append_printf(output, "<details><summary>%s</summary>\n\n%s\n%s%s\n\n</details>\n",
			       title, fence, text, fence);
}

static void append_markdown_table(const struct itp_page *page)
{
	g_autoptr(GArray) shown = NULL;
	struct itp_table *table;
	guint rows = page->ranking->rows->len;

	if (page->ranking->paths->len > 0) {
		shown = itp_page_shown_paths(page);
		table = itp_page_paths_table(page, shown);
		rows = shown->len;
	} else {
		table = itp_page_rows_table(page);
	}
	if (rows > 0) {
		itp_table_append_markdown(table, page->output);
		g_string_append_c(page->output, '\n');
	}
	itp_table_free(table);
}

void itp_render_markdown(const struct itp_ranking *ranking,
			 const struct itp_render_options *options, GString *output)
{
	struct itp_render_options plain = *options;
	g_autofree char *sentence = itp_page_sentence(ranking, options);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) marked = g_string_new(NULL);
	struct itp_page page;

	plain.width = TEXT_WIDTH;
	plain.color = false;
	itp_render_text(ranking, &plain, text);
	if (sentence) {
		g_string_append(output, "**");
		itp_markdown_append(output, sentence);
		g_string_append(output, "**\n\n");
	}
	itp_page_init(&page, ranking, &plain, marked);
	if (!ranking->held_up && options->path == 0) {
		append_markdown_table(&page);
	}
	itp_page_release(&page);
	itp_style_append(output, marked->str, false, options->ascii);
	append_fold(output, "The whole result, by introperf", text->str);
}
