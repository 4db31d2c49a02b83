/* SPDX-License-Identifier: MIT */
/*
 * The table of functions or modules: a row with what each costs by itself, and a line under it with
 * whose code it is, its share and what it takes with all that it calls.
 */
#include "common/render/page.h"

#include "common/base/labels.h"
#include "common/rank/calls.h"
#include "common/render/cells.h"
#include "common/render/style.h"
#include "common/render/table.h"
#include "common/render/units.h"

#define INDENT 6
#define INDENT_MORE 8

static void add_columns(const struct itp_page *page, struct itp_table *table)
{
	itp_table_column(table, "#", true);
	if (page->ranking->base != NULL) {
		itp_table_column(table, "\u0394 own", true);
		itp_table_column(table, page->labels.base_head, true);
		itp_table_column(table, page->labels.suspect_head, true);
	} else {
		itp_table_column(table, "own", true);
		itp_table_column(table, "share", true);
	}
	itp_table_column(table, "calls", true);
	itp_table_column(table, "each", true);
	itp_table_column(table, "why", false);
	itp_table_column(table, "where", false);
}

static struct itp_cell_calls calls_of(const struct itp_ranked_row *row)
{
	return (struct itp_cell_calls){
		.suspect = row->count,
		.base = row->base_count,
		.suspect_ns = row->total_ns,
		.base_ns = row->base_total_ns,
		.suspect_unseen = row->unseen,
		.base_unseen = row->base_unseen,
	};
}

/* Of own latency, by count and by mean of the calls. */
static struct itp_delta delta_of(const struct itp_ranked_row *row)
{
	struct itp_delta delta = { .use = row->use };

	itp_time_use_add(&delta.use, &row->base_use, -1);
	itp_calls_split(&delta, row->own_ns, row->base_own_ns,
			itp_calls_bounds(row->count, row->unseen),
			itp_calls_bounds(row->base_count, row->base_unseen));
	return delta;
}

static void add_row(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		    struct itp_table *table)
{
	const struct itp_function *function = itp_function_at(ranking, row->function);
	const struct itp_cell_calls calls = calls_of(row);
	const struct itp_delta delta = delta_of(row);
	bool by_module = ranking->options.by == ITP_RANK_BY_MODULE;
	int64_t own_delta_ns = row->own_ns - row->base_own_ns;
	const char *style =
		itp_style_of_share(own_delta_ns, ranking->suspect_own_ns - ranking->base_own_ns);

	itp_table_take(table, g_strdup_printf("%u", row->rank));
	if (ranking->base != NULL) {
		itp_table_take(table,
			       itp_style_take(style, itp_cell_time_change(ranking, own_delta_ns)));
		itp_table_take(table, itp_cell_time(ranking, row->base_own_ns));
		itp_table_take(table, itp_cell_time(ranking, row->own_ns));
	} else {
		itp_table_take(table, itp_style_take(style, itp_cell_time(ranking, row->own_ns)));
		itp_table_take(table, itp_cell_share(ranking, own_delta_ns));
	}
	itp_table_take(table, itp_cell_count(ranking, &calls));
	itp_table_take(table, itp_cell_each(ranking, &calls));
	itp_table_take(table, g_strdup(itp_cell_why(ranking, &delta, row->base_count == 0)));
	itp_table_take(table, itp_label_clean(by_module ? function->module : function->name));
}

/* "; ranked by +1 204 calls", where it is by no number of the row. */
static void note_order(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		       GString *notes)
{
	static const char *const values[] = {
		[ITP_METRIC_TOTAL] = "with what it calls",
		[ITP_METRIC_COUNT] = "calls",
		[ITP_METRIC_EACH] = "own latency of one call",
	};
	enum itp_metric metric = ranking->options.metric;
	g_autofree char *value =
		itp_label_unbroken(ranking->base ? itp_cell_change(ranking, row->ranked_value) :
						   itp_cell_value(ranking, row->ranked_value));

	if (metric != ITP_METRIC_OWN) {
		g_string_append_printf(notes, "; ranked by %s %s", value, values[metric]);
	}
}

/* "nginx (program), 93 % of the difference, 174 ms → 4.83 s with all that it calls" */
static void append_notes(const struct itp_page *page, const struct itp_ranked_row *row)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *module = itp_label_clean(itp_function_at(ranking, row->function)->module);
	g_autofree char *total = itp_label_unbroken(itp_cell_time(ranking, row->total_ns));
	g_autofree char *base = itp_label_unbroken(itp_cell_time(ranking, row->base_total_ns));
	g_autofree char *share =
		itp_label_unbroken(itp_cell_share(ranking, row->own_ns - row->base_own_ns));
	g_autofree char *ticks = itp_cell_ticks(ranking, &row->ticks, row->use.cpu_ns, row->own_ns);
	g_autoptr(GString) notes = g_string_new(itp_kind_of(ranking, row->function));

	if (ranking->options.by == ITP_RANK_BY_FUNCTION) {
		g_string_printf(notes, "%s (%s)", module, itp_kind_of(ranking, row->function));
	}
	if (ranking->base != NULL) {
		if (ranking->suspect_own_ns > ranking->base_own_ns &&
		    row->own_ns > row->base_own_ns) {
			g_string_append_printf(notes, "; %s of the difference", share);
		}
		g_string_append_printf(notes, "; %s \u2192 %s with what it calls", base, total);
	} else {
		g_string_append_printf(notes, "; %s with what it calls", total);
		g_string_append_printf(notes, "%s%s", ticks ? "; " : "", ticks ? ticks : "");
	}
	note_order(ranking, row, notes);
	itp_label_pad(page->output, INDENT);
	itp_label_wrap(page->output, notes->str, INDENT, INDENT_MORE, page->width);
}

void itp_page_append_rows(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	struct itp_table *table = itp_table_new(page->width);

	add_columns(page, table);
	for (guint i = 0; i < ranking->rows->len; i++) {
		add_row(ranking, itp_row_at(ranking, i), table);
	}
	g_string_append_c(page->output, '\n');
	itp_table_append_heads(table, page->output);
	for (guint i = 0; i < ranking->rows->len; i++) {
		itp_table_append_row(table, i, page->output);
		append_notes(page, itp_row_at(ranking, i));
	}
	g_string_append_c(page->output, '\n');
	itp_table_free(table);
}
