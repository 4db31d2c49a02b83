/* SPDX-License-Identifier: MIT */
/*
 * Of one path from nearby: all functions of its context, from the root to the leaf.
 */
#include "common/render/detail-page.h"

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/table.h"

/* From these on a comparison shows total latencies, and modules. */
#define TOTALS_WIDTH 76
#define MODULES_WIDTH 100
/* Of the name of a workload in the head of a column. */
#define HEAD_COLUMNS 6
/* Part of the width that the name of a module may take. */
#define MODULE_SHARE 6

/* In a comparison, what is left of a narrow line is for the names. */
static bool has_totals(const struct itp_page *page)
{
	return !page->ranking->base || page->width >= TOTALS_WIDTH;
}

static bool has_modules(const struct itp_page *page)
{
	return !page->ranking->base || page->width >= MODULES_WIDTH;
}

/* Of own or total latency: "own good", "slow". Heads outlive the table. */
static void add_time_columns(const struct itp_page *page, struct itp_table *table, const char *what,
			     GPtrArray *heads)
{
	g_autofree char *base = NULL;

	if (!page->ranking->base) {
		itp_table_column(table, what, true);
		return;
	}
	base = itp_label_shorten(page->labels.base_head, HEAD_COLUMNS);
	g_ptr_array_add(heads, g_strdup_printf("%s %s", what, base));
	itp_table_column(table, heads->pdata[heads->len - 1], true);
	g_ptr_array_add(heads, itp_label_shorten(page->labels.suspect_head, HEAD_COLUMNS));
	itp_table_column(table, heads->pdata[heads->len - 1], true);
}

static void add_times(const struct itp_ranking *ranking, struct itp_table *table, int64_t base_ns,
		      int64_t suspect_ns)
{
	if (ranking->base) {
		itp_table_take(table, itp_cell_time(ranking, base_ns));
	}
	itp_table_take(table, itp_cell_time(ranking, suspect_ns));
}

static void add_frame(const struct itp_detail_page *it, struct itp_table *table,
		      const struct itp_ranked_frame *frame)
{
	static const struct itp_node_stats none;
	const struct itp_page *page = it->page;
	const struct itp_node_stats *base = frame->base ? frame->base : &none;
	const struct itp_cell_calls calls =
		itp_cell_calls_of(page->ranking, frame->suspect, frame->base);
	const struct itp_function *function = itp_function_at(page->ranking, frame->function);
	g_autofree char *name = itp_label_clean(function->name);
	g_autofree char *module = itp_label_clean(function->module);

	add_times(page->ranking, table, base->own_ns, frame->suspect->own_ns);
	if (has_totals(page)) {
		add_times(page->ranking, table, base->total_ns, frame->suspect->total_ns);
	}
	itp_table_take(table, itp_cell_count(page->ranking, &calls));
	itp_table_take(table, itp_cell_each(page->ranking, &calls));
	if (has_modules(page)) {
		itp_table_take(table, itp_label_shorten(module, page->width / MODULE_SHARE));
	}
	itp_table_take(table,
		       g_strdup_printf("%s%s", frame == it->detail.face ? "\u25b6 " : "  ", name));
}

void itp_page_append_functions(const struct itp_detail_page *it)
{
	const struct itp_page *page = it->page;
	g_autoptr(GPtrArray) heads = g_ptr_array_new_with_free_func(g_free);
	struct itp_table *table = itp_table_new(page->width);

	add_time_columns(page, table, "own", heads);
	if (has_totals(page)) {
		add_time_columns(page, table, "total", heads);
	}
	itp_table_column(table, "calls", true);
	itp_table_column(table, "each", true);
	if (has_modules(page)) {
		itp_table_column(table, "in", false);
	}
	itp_table_column(table, "  function", false);
	for (uint32_t i = 0; i < it->path->frame_count; i++) {
		add_frame(it, table, &it->path->frames[i]);
	}
	g_string_append_c(page->output, '\n');
	if (it->detail.context_count > 1) {
		g_string_append(page->output, "The context that costs most:\n");
	}
	itp_table_append_heads(table, page->output);
	for (uint32_t i = 0; i < it->path->frame_count; i++) {
		itp_table_append_row(table, i, page->output);
	}
	itp_table_free(table);
}
