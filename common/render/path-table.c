/* SPDX-License-Identifier: MIT */
/*
 * The table of the paths: one row for each with its cost, what became of the calls of its culprit
 * and the largest part of the cost in a word. Column widths come from table.c, the lines under a
 * row from path-line.c and path-notes.c.
 */
#include "common/render/page.h"

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/path-line.h"
#include "common/render/style.h"
#include "common/render/table.h"
#include "common/render/units.h"

/* Of paths that may be chance, so many are shown. */
#define UNSURE_SHOWN 3

/* In place of numbers of calls that are not known, and before limits of them. */
#define UNKNOWN_WHY \
	"more calls may have come between two stacks; to count: perf introperf record --count F."
#define UNKNOWN_IN_BOTH ITP_CELL_UNKNOWN ", \u2265: " UNKNOWN_WHY
#define UNKNOWN_IN_ONE "\u2265: " UNKNOWN_WHY

#define NOISE_MARK "~"
#define RARE_MARK "?"

GArray *itp_page_shown_paths(const struct itp_ranking *ranking)
{
	GArray *shown = g_array_new(FALSE, FALSE, sizeof(guint));
	guint unsure = 0;

	for (guint i = 0; i < ranking->paths->len; i++) {
		/* An effect is told with its cause. */
		if (itp_path_at(ranking, i)->waits_for > 0) {
			continue;
		}
		unsure += itp_path_is_unsure(itp_path_at(ranking, i));
		if (unsure <= UNSURE_SHOWN) {
			g_array_append_val(shown, i);
		}
	}
	return shown;
}

static void add_columns(const struct itp_page *page, struct itp_table *table)
{
	static const char *const sums[] = { "cost", "\u03a3 total", "\u03a3 calls", "\u03a3 each" };
	static const char *const changes[] = { "\u0394 cost", "\u0394 total", "\u0394 calls",
					       "\u0394 each" };
	enum itp_metric metric = page->ranking->options.metric;

	itp_table_column(table, "#", true);
	if (page->ranking->base != NULL) {
		itp_table_column(table, changes[metric], true);
		itp_table_column(table, page->labels.base_head, true);
		itp_table_column(table, page->labels.suspect_head, true);
	} else {
		itp_table_column(table, sums[metric], true);
		itp_table_column(table, "share", true);
	}
	itp_table_column(table, "calls", true);
	itp_table_column(table, "each", true);
	itp_table_column(table, "why", false);
	itp_table_column(table, "where", false);
}

static const char *mark_of(const struct itp_ranked_path *path)
{
	if (path->significance.is_noise) {
		return NOISE_MARK;
	}
	return path->is_rare ? RARE_MARK : "";
}

struct itp_cell_calls itp_page_path_calls(const struct itp_ranking *ranking,
					  const struct itp_ranked_path *path)
{
	const struct itp_ranked_frame *face = itp_path_face(path);

	if (path->variant_count > 0) {
		return (struct itp_cell_calls){
			.suspect = path->suspect_calls,
			.base = path->base_calls,
			.suspect_ns = path->suspect_value,
			.base_ns = path->base_value,
			.suspect_unseen = path->suspect_unseen,
			.base_unseen = path->base_unseen,
		};
	}
	return face ? itp_cell_calls_of(ranking, face->suspect, face->base) :
		      (struct itp_cell_calls){ .suspect = 0 };
}

static const char *style_of(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	return itp_path_is_unsure(path) ?
		       ITP_STYLE_FAINT :
		       itp_style_of_share(itp_path_own_delta_ns(path),
					  ranking->suspect_own_ns - ranking->base_own_ns);
}

static void add_row(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		    struct itp_table *table)
{
	const struct itp_ranked_frame *face = itp_path_face(path);
	const struct itp_cell_calls calls = itp_page_path_calls(ranking, path);
	bool is_new = path->variant_count > 0 ? path->base_calls == 0 :
						path->novelty == ITP_NOVELTY_NEW;
	const char *style = style_of(ranking, path);

	itp_table_take(table, g_strdup_printf("%s%u", mark_of(path), path->rank));
	if (ranking->base != NULL) {
		itp_table_take(table, itp_style_take(style, itp_cell_change(ranking, path->cost)));
		itp_table_take(table, itp_cell_value(ranking, path->base_value));
		itp_table_take(table, itp_cell_value(ranking, path->suspect_value));
	} else {
		itp_table_take(table, itp_style_take(style, itp_cell_value(ranking, path->cost)));
		itp_table_take(table, itp_cell_share(ranking, itp_path_own_delta_ns(path)));
	}
	itp_table_take(table, face ? itp_cell_count(ranking, &calls) : g_strdup("\u2013"));
	itp_table_take(table, itp_cell_each(ranking, &calls));
	itp_table_take(table, g_strdup(itp_cell_why(ranking, &path->delta, is_new)));
	itp_table_take(
		table,
		itp_label_clean(
			itp_function_at(ranking, face ? face->function : path->process)->name));
}

/* Whether its row says less of its calls than their number. */
static bool has_unknown_calls(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	const struct itp_cell_calls calls = itp_page_path_calls(ranking, path);
	g_autofree char *count = itp_cell_count(ranking, &calls);
	g_autofree char *each = itp_cell_each(ranking, &calls);

	return itp_cell_is_unknown(count) || itp_cell_is_unknown(each);
}

static void append_mark(GString *line, const char *text)
{
	g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", text);
}

/* What the marks before the ranks and in the cells are, where there are any. */
static void append_marks(const struct itp_page *page, const GArray *shown)
{
	g_autoptr(GString) line = g_string_new(NULL);
	bool has_noise = false;
	bool has_rare = false;
	bool has_unknown = false;

	for (guint i = 0; i < shown->len; i++) {
		const struct itp_ranked_path *path =
			itp_path_at(page->ranking, g_array_index(shown, guint, i));

		has_noise |= path->significance.is_noise;
		has_rare |= path->is_rare && !path->significance.is_noise;
		has_unknown |= has_unknown_calls(page->ranking, path);
	}
	if (has_noise) {
		append_mark(line, NOISE_MARK " noise: may well be chance.");
	}
	if (has_rare) {
		g_autofree char *text = g_strdup_printf(
			RARE_MARK " called less than %" G_GUINT64_FORMAT " times (min-count).",
			page->ranking->options.min_count);

		append_mark(line, text);
	}
	if (has_unknown) {
		append_mark(line, page->ranking->base ? UNKNOWN_IN_BOTH : UNKNOWN_IN_ONE);
	}
	if (line->len > 0) {
		itp_label_wrap(page->output, line->str, 0, 0, page->width);
	}
}

void itp_page_append_paths(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	struct itp_table *table = itp_table_new(page->width);
	g_autoptr(GArray) shown = itp_page_shown_paths(ranking);

	add_columns(page, table);
	for (guint i = 0; i < shown->len; i++) {
		add_row(ranking, itp_path_at(ranking, g_array_index(shown, guint, i)), table);
	}
	g_string_append_c(page->output, '\n');
	itp_table_append_heads(table, page->output);
	for (guint i = 0; i < shown->len; i++) {
		const struct itp_ranked_path *path =
			itp_path_at(ranking, g_array_index(shown, guint, i));

		itp_table_append_row(table, i, page->output);
		itp_path_line_append(ranking, path, page->width, page->output);
		itp_page_append_path_notes(page, path);
	}
	append_marks(page, shown);
	g_string_append_c(page->output, '\n');
	itp_table_free(table);
}
