/* SPDX-License-Identifier: MIT */
/*
 * A path from nearby: its cost, the times of its function's calls and their reasons, in both
 * workloads, and all functions of its context. Its slowest calls are path-calls.c's.
 */
#include "common/render/text/page.h"

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/table.h"
#include "common/render/units.h"

#define INDENT 2
/* Of notes about a path, as wide as in the ranking. */
#define NOTE_INDENT 6
/* Share of the width for the name of a workload. */
#define NAME_SHARE 6
/* Of a histogram; the lowest bar is the first. */
#define BARS_MOST 20
#define BAR_COUNT 8
/* Width from which on the axis names its begin. */
#define AXIS_WIDTH 76
#define WAKERS_NAMED 4

static const char *const bars[BAR_COUNT + 1] = {
	" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588",
};

/* Buckets with calls of either workload, a few to a bar. */
struct axis {
	size_t first;
	/* Behind the last. */
	size_t end;
	size_t buckets_per_bar;
};

/* ---- Subject ---- */
/* Widths from which on a comparison shows total latencies, and modules. */
#define TOTALS_WIDTH 76
#define MODULES_WIDTH 100
/* Of the name of a workload in the head of a column. */
#define HEAD_COLUMNS 6
/* Share of the width for the name of a module. */
#define MODULE_SHARE 6

/* "+574 ms per run, from 20 ms to 593 ms" */
static char *cost_text(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	g_autofree char *cost = itp_label_unbroken(ranking->base ?
							   itp_cell_change(ranking, path->cost) :
							   itp_cell_value(ranking, path->cost));
	g_autofree char *from = itp_label_unbroken(itp_cell_value(ranking, path->base_value));
	g_autofree char *to = itp_label_unbroken(itp_cell_value(ranking, path->suspect_value));
	g_autofree char *unit = itp_cell_unit(ranking);
	GString *text = g_string_new(cost);

	if (unit) {
		g_string_append_printf(text, " per %s", unit);
	}
	if (ranking->base) {
		g_string_append_printf(text, ", from %s to %s", from, to);
	}
	return g_string_free(text, FALSE);
}

/* An entry is its culprit with its callees; any other path is all of its frames. */
static void append_sentence(const struct itp_detail_page *it)
{
	const struct itp_ranking *ranking = it->page->ranking;
	const struct itp_ranked_path *path = it->path;
	g_autofree char *name = itp_page_name(it->page, it->detail.face->function);
	g_autofree char *process = itp_page_name(it->page, path->process);
	g_autofree char *all = itp_label_unbroken(itp_units_count(ranking->entry_count));
	g_autofree char *cost = cost_text(ranking, path);
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, "Path %u of %s: %s in %s", path->rank, all, name, process);
	if (path->variant_count > 0) {
		g_string_append_printf(line, " and what it calls but for other culprits, in %u %s",
				       path->variant_count,
				       path->variant_count == 1 ? "context" : "contexts");
	} else {
		g_string_append(line, ", with its callers and what it calls");
	}
	g_string_append_printf(line, ": %s.", cost);
	if (itp_significance_is_chance(&path->significance)) {
		g_string_append(line, " It may well be chance.");
	} else if (path->significance.verdict == ITP_VERDICT_LIKELY) {
		g_string_append(line, " It is likely, but not sure.");
	}
	itp_label_wrap(it->page->output, line->str, 0, INDENT, it->page->width);
}

/* ---- How long the calls take ---- */

static struct axis find_axis(const struct itp_path_detail *detail)
{
	struct axis axis = { .first = ITP_HISTOGRAM_BUCKETS };

	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		if (detail->suspect.stats.histogram[i] > 0 || detail->base.stats.histogram[i] > 0) {
			axis.first = MIN(axis.first, i);
			axis.end = i + 1;
		}
	}
	axis.first = MIN(axis.first, axis.end);
	axis.buckets_per_bar = (axis.end - axis.first + BARS_MOST - 1) / BARS_MOST;
	axis.buckets_per_bar = MAX(axis.buckets_per_bar, 1);
	return axis;
}

static uint64_t calls_of_bar(const struct axis *axis, const struct itp_node_stats *stats,
			     size_t first)
{
	uint64_t calls = 0;

	for (size_t i = first; i < MIN(first + axis->buckets_per_bar, axis->end); i++) {
		calls += stats->histogram[i];
	}
	return calls;
}

/* Draws each bar as a part of the highest; any calls are visible. */
static char *draw_histogram(const struct axis *axis, const struct itp_node_stats *stats)
{
	GString *drawn = g_string_new(NULL);
	uint64_t most = 1;

	for (size_t i = axis->first; i < axis->end; i += axis->buckets_per_bar) {
		most = MAX(most, calls_of_bar(axis, stats, i));
	}
	for (size_t i = axis->first; i < axis->end; i += axis->buckets_per_bar) {
		uint64_t calls = calls_of_bar(axis, stats, i);

		g_string_append(drawn, bars[(calls * BAR_COUNT + most - 1) / most]);
	}
	return g_string_free(drawn, FALSE);
}

/* "from 1.0 µs, ×2 a bar"; begin of the first bar. */
static char *axis_text(const struct axis *axis, unsigned int width)
{
	g_autofree char *from = itp_units_time(itp_bucket_begin_ns(axis->first));

	if (width < AXIS_WIDTH) {
		return g_strdup_printf("\u00d7%u a bar", 1u << axis->buckets_per_bar);
	}
	return g_strdup_printf("from %s, \u00d7%u a bar", from, 1u << axis->buckets_per_bar);
}

/* Cells of a workload. */
static void add_latencies(const struct itp_page *page, const struct axis *axis,
			  struct itp_table *table, const char *name,
			  const struct itp_call_detail *calls)
{
	const int64_t latencies_ns[] = { calls->stats.min_ns, calls->median_ns, calls->p99_ns,
					 calls->stats.max_ns };

	itp_table_take(table, itp_label_shorten(name, page->width / NAME_SHARE));
	itp_table_take(table, itp_units_count(calls->calls));
	for (size_t i = 0; i < G_N_ELEMENTS(latencies_ns); i++) {
		itp_table_take(table, calls->calls == 0 ? g_strdup("\u2013") :
							  itp_units_time(latencies_ns[i]));
	}
	itp_table_take(table, draw_histogram(axis, &calls->stats));
}

static void append_latencies(const struct itp_detail_page *it)
{
	const struct itp_page *page = it->page;
	const struct axis axis = find_axis(&it->detail);
	struct itp_table *table = itp_table_new(page->width);
	g_autofree char *axis_head = axis_text(&axis, page->width);
	size_t rows = page->ranking->base ? 2 : 1;

	itp_table_column(table, "", false);
	itp_table_column(table, "calls", true);
	itp_table_column(table, "min", true);
	itp_table_column(table, "median", true);
	itp_table_column(table, "p99", true);
	itp_table_column(table, "max", true);
	itp_table_column(table, axis_head, false);
	if (page->ranking->base) {
		add_latencies(page, &axis, table, page->labels.base_head, &it->detail.base);
	}
	add_latencies(page, &axis, table, page->labels.suspect_head, &it->detail.suspect);
	g_string_append_c(page->output, '\n');
	itp_table_append_heads(table, page->output);
	for (size_t row = 0; row < rows; row++) {
		itp_table_append_row(table, row, page->output);
	}
	itp_table_free(table);
}

/* ---- Use of their time ---- */

/* "slow.data: CPU 2.0 %, blocked 97 %, waiting for a CPU 1.0 %" */
static void append_use(const struct itp_detail_page *it, const char *name,
		       const struct itp_call_detail *calls)
{
	const struct itp_node_stats *stats = &calls->stats;
	const int64_t known_ns = stats->use.cpu_ns + stats->use.blocked_ns + stats->use.runnable_ns;
	const struct {
		const char *word;
		int64_t part_ns;
	} parts[] = {
		{ "CPU", stats->use.cpu_ns },
		{ "blocked", stats->use.blocked_ns },
		{ "waiting for a CPU", stats->use.runnable_ns },
		{ "unknown", stats->total_ns - known_ns },
	};
	g_autoptr(GString) line = g_string_new(name);

	if (calls->calls == 0 || stats->total_ns <= 0) {
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *share =
			itp_units_share((double)parts[i].part_ns, (double)stats->total_ns);
		g_autofree char *text =
			itp_label_unbroken(g_strdup_printf("%s %s", parts[i].word, share));

		g_string_append_printf(line, "%s %s", i == 0 ? ":" : ",", text);
	}
	itp_label_pad(it->page->output, INDENT);
	itp_label_wrap(it->page->output, line->str, INDENT, 2 * INDENT, it->page->width);
}

/* All that it waited for in a role, where they are more than the notes name. */
static void append_wakers(const struct itp_detail_page *it, enum itp_waker_role role,
			  const char *words)
{
	const GArray *wakers = it->path->waited_for[role];
	g_autoptr(GString) line = g_string_new(words);
	double all_ns = (double)itp_wakers_sum_ns(wakers);

	if (wakers->len < 2 || all_ns <= 0 || itp_page_is_end_unseen(it->path)) {
		return;
	}
	for (guint i = 0; i < MIN(wakers->len, WAKERS_NAMED); i++) {
		const struct itp_waker *waker = &g_array_index(wakers, struct itp_waker, i);
		g_autofree char *name = itp_page_waker_name(it->page->ranking, it->path, waker);
		g_autofree char *share =
			itp_label_unbroken(itp_units_share((double)waker->blocked_ns, all_ns));

		g_string_append_printf(line, "%s %s (%s)", i == 0 ? "" : ",", name, share);
	}
	if (wakers->len > WAKERS_NAMED) {
		g_string_append_printf(line, " and %u more", wakers->len - WAKERS_NAMED);
	}
	itp_label_pad(it->page->output, NOTE_INDENT);
	itp_label_wrap(it->page->output, line->str, NOTE_INDENT, NOTE_INDENT + INDENT,
		       it->page->width);
}

static void append_uses(const struct itp_detail_page *it)
{
	g_string_append_c(it->page->output, '\n');
	if (it->page->ranking->base) {
		append_use(it, it->page->labels.base, &it->detail.base);
	}
	append_use(it, it->page->labels.suspect, &it->detail.suspect);
	itp_page_append_path_notes(it->page, it->path);
	append_wakers(it, ITP_WAKER_WOKE, "its waits were ended by");
	append_wakers(it, ITP_WAKER_RAN, "until then ran");
	append_wakers(it, ITP_WAKER_KEPT, "that was done for");
}

/* True when shown numbers are no estimate, but for an invisible rounding. */
static bool is_fine(const struct itp_call_detail *calls)
{
	return calls->is_fine || calls->calls == 0;
}

/* ---- Functions ---- */

/* In a comparison, the rest of a narrow line is for the names. */
static bool has_totals(const struct itp_page *page)
{
	return !page->ranking->base || page->width >= TOTALS_WIDTH;
}

static bool has_calls(const struct itp_page *page)
{
	return page->width >= ITP_PAGE_WIDTH_LEAST && itp_ranking_has_latencies(page->ranking);
}

static bool has_modules(const struct itp_page *page)
{
	return page->width >= ITP_PAGE_WIDTH_LEAST &&
	       (!page->ranking->base || page->width >= MODULES_WIDTH);
}

/* Of own or total latency: "own good", "slow". */
static void add_time_columns(const struct itp_page *page, struct itp_table *table, const char *what)
{
	g_autofree char *base = NULL;
	g_autofree char *suspect = NULL;
	g_autofree char *both = NULL;

	if (!page->ranking->base) {
		itp_table_column(table, what, true);
		return;
	}
	base = itp_label_shorten(page->labels.base_head, HEAD_COLUMNS);
	both = g_strdup_printf("%s %s", what, base);
	suspect = itp_label_shorten(page->labels.suspect_head, HEAD_COLUMNS);
	itp_table_column(table, both, true);
	itp_table_column(table, suspect, true);
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
	g_autofree char *name = itp_label_function(function);
	g_autofree char *module = itp_label_clean(function->module);

	add_times(page->ranking, table, base->own_ns, frame->suspect->own_ns);
	if (has_totals(page)) {
		add_times(page->ranking, table, base->total_ns, frame->suspect->total_ns);
	}
	if (has_calls(page)) {
		itp_table_take(table, itp_cell_count(page->ranking, &calls));
		itp_table_take(table, itp_cell_each(page->ranking, &calls));
	}
	if (has_modules(page)) {
		itp_table_take(table, itp_label_shorten(module, page->width / MODULE_SHARE));
	}
	itp_table_take(table,
		       g_strdup_printf("%s%s", frame == it->detail.face ? "\u25b6 " : "  ", name));
}

struct itp_table *itp_page_functions_table(const struct itp_detail_page *it)
{
	const struct itp_page *page = it->page;
	struct itp_table *table = itp_table_new(page->width);

	add_time_columns(page, table, "own");
	if (has_totals(page)) {
		add_time_columns(page, table, "total");
	}
	if (has_calls(page)) {
		itp_table_column(table, "calls", true);
		itp_table_column(table, "each", true);
	}
	if (has_modules(page)) {
		itp_table_column(table, "in", false);
	}
	itp_table_column(table, "  function", false);
	for (uint32_t i = 0; i < it->path->frame_count; i++) {
		add_frame(it, table, &it->path->frames[i]);
	}
	return table;
}

/* All functions of the context, from the root to the leaf. */
static void append_functions(const struct itp_detail_page *it)
{
	const struct itp_page *page = it->page;
	struct itp_table *table = itp_page_functions_table(it);

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

/* ---- Everything ---- */

void itp_page_append_detail_head(const struct itp_detail_page *it)
{
	append_sentence(it);
	if (itp_ranking_has_latencies(it->page->ranking)) {
		append_latencies(it);
	}
	append_uses(it);
	itp_page_append_chain(it);
}

void itp_page_append_detail_foot(const struct itp_detail_page *it)
{
	if (itp_ranking_has_latencies(it->page->ranking)) {
		itp_page_append_slowest(it);
	}
	g_string_append_c(it->page->output, '\n');
	if (!is_fine(&it->detail.suspect) || !is_fine(&it->detail.base)) {
		itp_label_wrap(it->page->output,
			       "Median and p99 are estimates: calls lie evenly between the limits "
			       "of a bucket of the histogram, each twice the one before it.",
			       0, INDENT, it->page->width);
	}
}

void itp_page_append_detail(const struct itp_page *page)
{
	struct itp_detail_page it = { .page = page, .path = page->path };

	itp_path_detail_init(&it.detail, page->ranking, it.path);
	if (!it.detail.face) {
		return;
	}
	itp_page_append_detail_head(&it);
	append_functions(&it);
	itp_page_append_detail_foot(&it);
}
