/* SPDX-License-Identifier: MIT */
/*
 * See browser.h: ranked entries, one below the other, with a few words about the selected one.
 */
#include "common/render/browser/page.h"

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/table.h"
#include "common/render/units.h"

struct list {
	struct itp_browser_page page;
	/* Owned by this. */
	struct itp_table *table;
};

/* "slow.data: 4.83 s in 12 of 40 paths"; "good.data → slow.data: +4.65 s in 12 paths, 3 of them
 * sure" */
static char *title_of_list(const struct itp_browser_page *page)
{
	const struct itp_ranking *ranking = page->subject->ranking;
	const struct itp_workload_labels *labels = &page->subject->page.labels;
	int64_t change_ns = ranking->suspect_own_ns - ranking->base_own_ns;
	g_autofree char *time = ranking->base ? itp_cell_time_change(ranking, change_ns) :
						itp_cell_time(ranking, change_ns);
	g_autofree char *all = itp_units_count(ranking->entry_count);
	static const char *const nouns[] = { "paths", "functions", "modules" };
	GString *title = g_string_new(labels->base);

	g_string_append_printf(title, "%s%s: %s", labels->base ? " \u2192 " : "", labels->suspect,
			       time);
	g_string_append_printf(title, " in %s %s", all, nouns[ranking->options.by]);
	if (itp_ranking_is_judged(ranking)) {
		g_string_append_printf(title, ", %" G_GUINT64_FORMAT " of them sure",
				       ranking->sure_count);
	}
	return g_string_free(title, FALSE);
}

static void list_free(struct itp_browser_page *page)
{
	itp_table_free(((struct list *)page)->table);
	g_free(page);
}

static void append_heads(const struct itp_browser_page *page, GString *line)
{
	itp_table_append_heads(((const struct list *)page)->table, line);
}

static void append_list_row(const struct itp_browser_page *page, size_t row, GString *line)
{
	itp_table_append_row(((const struct list *)page)->table, row, line);
}

static void take_table(struct itp_browser_page *page, struct itp_table *table)
{
	struct list *list = (struct list *)page;

	itp_table_free(list->table);
	list->table = table;
}

/* ---- Paths ---- */

static const struct itp_ranked_path *path_of_row(const struct itp_browser_page *page, size_t row)
{
	return itp_path_at(page->subject->ranking, row);
}

static size_t count_paths(const struct itp_browser_page *page)
{
	return page->subject->ranking->paths->len;
}

static void lay_out_paths(struct itp_browser_page *page)
{
	const struct itp_page text = itp_browser_text_of(page, NULL);
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < text.ranking->paths->len; i++) {
		g_array_append_val(all, i);
	}
	take_table(page, itp_page_paths_table(&text, all));
}

/* All functions of the path. */
static char *name_of_path(const struct itp_browser_page *page, size_t row)
{
	const struct itp_ranking *ranking = page->subject->ranking;
	const struct itp_ranked_path *path = path_of_row(page, row);
	g_autoptr(GString) name = g_string_new(itp_function_at(ranking, path->process)->name);

	for (uint32_t i = 0; i < path->frame_count; i++) {
		g_autofree char *frame =
			itp_function_shown_name(itp_function_at(ranking, path->frames[i].function));

		g_string_append_printf(name, " %s", frame);
	}
	return itp_label_clean(name->str);
}

/* Verdict on a difference. */
static void append_verdict(const struct itp_page *page, const struct itp_ranked_path *path)
{
	g_autofree char *doubt = itp_page_doubt_text(page, path);
	const char *verdict = path->is_rare ? "called too rarely to say" :
					      itp_verdict_names[path->significance.verdict];

	g_string_append_printf(page->output, " Verdict: %s%s%s", verdict, doubt ? "; " : "",
			       doubt ? doubt : "");
	if (path->waits_for > 0) {
		g_string_append_printf(page->output, "; waits for path %u", path->waits_for);
	}
	itp_label_end_line(page->output);
}

/* The verdict comes first, in case there is room for a single line. */
static char *note_of_path(const struct itp_browser_page *page)
{
	GString *note = g_string_new(NULL);
	const struct itp_page text = itp_browser_text_of(page, note);
	const struct itp_ranked_path *path = path_of_row(page, page->cursor);

	if (itp_ranking_is_judged(text.ranking)) {
		append_verdict(&text, path);
	}
	itp_path_line_append(text.ranking, path, page->width, note);
	return g_string_free(note, FALSE);
}

static struct itp_browser_page *open_path(struct itp_browser_page *page)
{
	return itp_browser_path_new(page->subject, path_of_row(page, page->cursor));
}

static uint32_t node_of_path(const struct itp_browser_page *page)
{
	const struct itp_ranked_frame *face = itp_path_face(path_of_row(page, page->cursor));

	return face ? face->node : ITP_CONTEXT_ROOT;
}

#define KEYS "Enter open  t tree  / search  s as text  h help  q quit"

static const struct itp_browser_kind paths = {
	.keys = KEYS,
	.title = title_of_list,
	.lay_out = lay_out_paths,
	.append_heads = append_heads,
	.count = count_paths,
	.append_row = append_list_row,
	.name = name_of_path,
	.note = note_of_path,
	.open = open_path,
	.node = node_of_path,
	.free = list_free,
};

/* ---- Functions or modules ---- */

static size_t count_list_rows(const struct itp_browser_page *page)
{
	return page->subject->ranking->rows->len;
}

static void lay_out_rows(struct itp_browser_page *page)
{
	const struct itp_page text = itp_browser_text_of(page, NULL);

	take_table(page, itp_page_rows_table(&text));
}

static char *name_of_row(const struct itp_browser_page *page, size_t row)
{
	const struct itp_ranking *ranking = page->subject->ranking;
	const struct itp_function *function =
		itp_function_at(ranking, itp_row_at(ranking, row)->function);

	return ranking->options.by == ITP_RANK_BY_MODULE ? itp_label_clean(function->module) :
							   itp_label_function(function);
}

static char *note_of_row(const struct itp_browser_page *page)
{
	const struct itp_page text = itp_browser_text_of(page, NULL);
	g_autofree char *notes = itp_page_row_notes(&text, itp_row_at(text.ranking, page->cursor));
	GString *note = g_string_new(" ");

	itp_label_wrap(note, notes, 1, 1, page->width);
	return g_string_free(note, FALSE);
}

/* Function of the process in which a context is. */
static uint32_t process_function(const struct itp_context_tree *tree, uint32_t node)
{
	while (itp_context_tree_get(tree, node)->parent != ITP_CONTEXT_ROOT) {
		node = itp_context_tree_get(tree, node)->parent;
	}
	return itp_context_tree_get(tree, node)->function;
}

static bool is_of_row(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		      uint32_t node)
{
	const uint32_t id = itp_context_tree_get(ranking->tree, node)->function;

	switch (ranking->options.by) {
	case ITP_RANK_BY_MODULE:
		return g_str_equal(itp_function_at(ranking, id)->module,
				   itp_function_at(ranking, row->function)->module);
	case ITP_RANK_BY_PROCESS:
		return process_function(ranking->tree, node) == row->function;
	default:
		return id == row->function;
	}
}

/* Context in which it costs most. */
static uint32_t node_of_row(const struct itp_browser_page *page)
{
	const struct itp_ranking *ranking = page->subject->ranking;
	const struct itp_ranked_row *row = itp_row_at(ranking, page->cursor);
	uint32_t most = ITP_CONTEXT_ROOT;
	int64_t most_ns = -1;

	for (uint32_t node = 1; node < itp_context_tree_size(ranking->tree); node++) {
		const struct itp_context_sum own = itp_context_sums_own(&page->subject->sums, node);
		int64_t own_ns = llabs(itp_context_sum_change(&own));

		if (own_ns > most_ns && is_of_row(ranking, row, node)) {
			most = node;
			most_ns = own_ns;
		}
	}
	return most;
}

static struct itp_browser_page *open_row(struct itp_browser_page *page)
{
	return itp_browser_tree_new(page->subject, node_of_row(page));
}

static const struct itp_browser_kind rows = {
	.keys = KEYS,
	.title = title_of_list,
	.lay_out = lay_out_rows,
	.append_heads = append_heads,
	.count = count_list_rows,
	.append_row = append_list_row,
	.name = name_of_row,
	.note = note_of_row,
	.open = open_row,
	.node = node_of_row,
	.free = list_free,
};

struct itp_browser_page *itp_browser_list_new(const struct itp_browser_subject *subject)
{
	const struct itp_ranking *ranking = subject->ranking;
	struct list *list;

	if (ranking->paths->len == 0 && ranking->rows->len == 0) {
		return NULL;
	}
	list = g_new0(struct list, 1);
	list->page = (struct itp_browser_page){ .kind = ranking->paths->len > 0 ? &paths : &rows,
						.subject = subject };
	return &list->page;
}
