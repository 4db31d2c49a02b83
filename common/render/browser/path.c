/* SPDX-License-Identifier: MIT */
/*
 * See browser.h: a path. Its functions are rows that can be opened; below them are the calls of the
 * function that stands for it.
 */
#include "common/render/browser/page.h"

#include "common/base/labels.h"
#include "common/render/table.h"

struct path {
	struct itp_browser_page page;
	const struct itp_ranked_path *path;
	struct itp_path_detail detail;
	/* Of its functions, and the lines (char *) behind them. Owned by this. */
	struct itp_table *table;
	GPtrArray *lines;
};

static char *title_of_path(const struct itp_browser_page *page)
{
	const struct path *it = (const struct path *)page;
	const struct itp_ranking *ranking = page->subject->ranking;
	const struct itp_ranked_frame *face = it->detail.face;
	g_autofree char *process = itp_label_function(itp_function_at(ranking, it->path->process));
	g_autofree char *name =
		face ? itp_label_function(itp_function_at(ranking, face->function)) :
		       itp_label_clean("");

	return g_strdup_printf("Path %u: %s in %s", it->path->rank, name, process);
}

static void lay_out_path(struct itp_browser_page *page)
{
	struct path *it = (struct path *)page;
	g_autoptr(GString) output = g_string_new(NULL);
	const struct itp_page text = itp_browser_text_of(page, output);
	const struct itp_detail_page detail = { .page = &text,
						.path = it->path,
						.detail = it->detail };

	g_ptr_array_set_size(it->lines, 0);
	itp_table_free(it->table);
	it->table = itp_page_functions_table(&detail);
	if (it->detail.face) {
		g_string_append_c(output, '\n');
		itp_page_append_detail_head(&detail);
		itp_page_append_detail_foot(&detail);
	}
	itp_browser_add_lines(it->lines, output->str);
}

static void append_heads(const struct itp_browser_page *page, GString *line)
{
	itp_table_append_heads(((const struct path *)page)->table, line);
}

static size_t count_path_rows(const struct itp_browser_page *page)
{
	const struct path *it = (const struct path *)page;

	return it->path->frame_count + it->lines->len;
}

static void append_path_row(const struct itp_browser_page *page, size_t row, GString *line)
{
	const struct path *it = (const struct path *)page;

	if (row < it->path->frame_count) {
		itp_table_append_row(it->table, row, line);
	} else {
		g_string_append(line, g_ptr_array_index(it->lines, row - it->path->frame_count));
	}
}

static char *name_of_path_row(const struct itp_browser_page *page, size_t row)
{
	const struct path *it = (const struct path *)page;

	if (row < it->path->frame_count) {
		return itp_label_clean(
			itp_function_at(page->subject->ranking, it->path->frames[row].function)
				->name);
	}
	return g_strdup(g_ptr_array_index(it->lines, row - it->path->frame_count));
}

static uint32_t node_at_cursor(const struct itp_browser_page *page)
{
	const struct path *it = (const struct path *)page;

	return page->cursor < it->path->frame_count ? it->path->frames[page->cursor].node :
	       it->detail.face                      ? it->detail.face->node :
						      ITP_CONTEXT_ROOT;
}

static struct itp_browser_page *open_function(struct itp_browser_page *page)
{
	return itp_browser_tree_new(page->subject, node_at_cursor(page));
}

static void path_free(struct itp_browser_page *page)
{
	struct path *it = (struct path *)page;

	itp_table_free(it->table);
	g_ptr_array_unref(it->lines);
	g_free(it);
}

static const struct itp_browser_kind kind = {
	.keys = "Enter callees  / search  Esc back  h help  q quit",
	.title = title_of_path,
	.lay_out = lay_out_path,
	.append_heads = append_heads,
	.count = count_path_rows,
	.append_row = append_path_row,
	.name = name_of_path_row,
	.open = open_function,
	.node = node_at_cursor,
	.free = path_free,
};

struct itp_browser_page *itp_browser_path_new(const struct itp_browser_subject *subject,
					      const struct itp_ranked_path *path)
{
	struct path *it = g_new0(struct path, 1);

	it->page = (struct itp_browser_page){ .kind = &kind, .subject = subject };
	it->path = path;
	it->lines = g_ptr_array_new_with_free_func(g_free);
	itp_path_detail_init(&it->detail, subject->ranking, path);
	if (it->detail.face) {
		it->page.cursor = (size_t)(it->detail.face - path->frames);
	}
	return &it->page;
}
