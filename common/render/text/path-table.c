/* SPDX-License-Identifier: MIT */
/*
 * Tables of the text. The paths' has a row for each path with its cost, the change of its culprit's
 * calls and the largest part of the cost in a word. The functions' or modules' has a row with the
 * cost of each by itself, and a line below with its module, its share and its time with all
 * callees. Column widths come from table.c, the lines under a path from path-line.c and
 * path-notes.c.
 */
#include "common/render/text/page.h"

#include "common/base/labels.h"
#include "common/rank/side.h"
#include "common/render/cells.h"
#include "common/render/table.h"
#include "common/render/units.h"

/* In place of numbers of calls that are not known, and before limits of them. */
#define UNKNOWN_WHY \
	"more calls may have come between two stacks; to count: perf introperf record --count F."
#define UNKNOWN_IN_BOTH ITP_CELL_UNKNOWN ", \u2265: " UNKNOWN_WHY
#define UNKNOWN_IN_ONE "\u2265: " UNKNOWN_WHY

#define CHANCE_MARK "~"
#define RARE_MARK "?"

#define INDENT 6
#define INDENT_MORE 8

/* ---- Paths ---- */

/* On a narrow page, the name needs all the room. */
static bool has_all_columns(const struct itp_page *page)
{
	return page->width >= ITP_PAGE_WIDTH_LEAST;
}

/* All columns but the last one. */
static void add_number_columns(const struct itp_page *page, struct itp_table *table)
{
	if (page->ranking->base) {
		itp_table_column(table, page->labels.base_head, true);
		itp_table_column(table, page->labels.suspect_head, true);
	} else {
		itp_table_column(table, "share", true);
	}
	if (itp_ranking_has_latencies(page->ranking)) {
		itp_table_column(table, "calls", true);
		itp_table_column(table, "each", true);
		itp_table_column(table, "why", false);
	} else {
		itp_table_column(table, "ticks", true);
	}
}

static void add_columns(const struct itp_page *page, struct itp_table *table, const char *what)
{
	itp_table_column(table, "#", true);
	itp_table_column(table, what, true);
	if (has_all_columns(page)) {
		add_number_columns(page, table);
	}
	itp_table_column(table, "where", false);
}

/* Noun for the rows of processes, however they are grouped. */
static const char *process_head(const struct itp_ranking *ranking)
{
	g_autofree char *group = itp_workload_option(&ranking->suspect->workload, "group-by");

	if (g_strcmp0(group, "tid") == 0) {
		return "thread";
	}
	return g_strcmp0(group, "container") == 0 ? "container" : "process";
}

static void add_process_columns(const struct itp_page *page, struct itp_table *table)
{
	static const char *const sums[] = { "CPU", "for a CPU", "blocked" };
	static const char *const changes[] = { "\u0394 CPU", "\u0394 for a CPU", "\u0394 blocked" };
	const struct itp_ranking *ranking = page->ranking;

	itp_table_column(table, "#", true);
	if (ranking->base) {
		itp_table_column(table, "\u0394 all", true);
		itp_table_column(table, page->labels.base_head, true);
		itp_table_column(table, page->labels.suspect_head, true);
	} else {
		itp_table_column(table, "all", true);
		itp_table_column(table, "share", true);
	}
	for (size_t i = 0; itp_ranking_has_latencies(ranking) && i < G_N_ELEMENTS(sums); i++) {
		itp_table_column(table, (ranking->base ? changes : sums)[i], true);
	}
	itp_table_column(table, process_head(ranking), false);
}

static const char *head_of(const struct itp_ranking *ranking)
{
	static const char *const sums[] = { "cost", "\u03a3 total", "\u03a3 calls", "\u03a3 each" };
	static const char *const changes[] = { "\u0394 cost", "\u0394 total", "\u0394 calls",
					       "\u0394 each" };

	return (ranking->base ? changes : sums)[ranking->options.metric];
}

static const char *mark_of(const struct itp_ranked_path *path)
{
	if (itp_significance_is_chance(&path->significance)) {
		return CHANCE_MARK;
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

static void add_numbers(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			struct itp_table *table)
{
	const struct itp_cell_calls calls = itp_page_path_calls(ranking, path);
	bool is_new = path->variant_count > 0 ? path->base_calls == 0 :
						path->novelty == ITP_NOVELTY_NEW;

	if (ranking->base) {
		itp_table_take(table, itp_cell_value(ranking, path->base_value));
		itp_table_take(table, itp_cell_value(ranking, path->suspect_value));
	} else {
		itp_table_take(table, itp_cell_share(ranking, itp_path_own_delta_ns(path)));
	}
	if (!itp_ranking_has_latencies(ranking)) {
		itp_table_take(table, itp_units_count(path->ticks.samples));
		return;
	}
	itp_table_take(table,
		       itp_path_face(path) ? itp_cell_count(ranking, &calls) : g_strdup("\u2013"));
	itp_table_take(table, itp_cell_each(ranking, &calls));
	itp_table_take(table, g_strdup(itp_cell_why(ranking, &path->delta, is_new)));
}

static bool have_several_processes(const struct itp_ranking *ranking)
{
	for (guint i = 1; i < ranking->paths->len; i++) {
		if (itp_path_at(ranking, i)->process != itp_path_at(ranking, 0)->process) {
			return true;
		}
	}
	return false;
}

/* " in make" */
static void add_process(const struct itp_ranking *ranking, uint32_t process,
			struct itp_table *table)
{
	g_autofree char *name = itp_label_function(itp_function_at(ranking, process));

	itp_table_take_tail(table, g_strdup_printf(" in %s", name));
}

static void add_path_row(const struct itp_page *page, const struct itp_ranked_path *path,
			 struct itp_table *table)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_ranked_frame *face = itp_path_face(path);
	char *cost = ranking->base ? itp_cell_change(ranking, path->cost) :
				     itp_cell_value(ranking, path->cost);

	itp_table_take(table, g_strdup_printf("%s%u", mark_of(path), path->rank));
	itp_table_take(table, itp_style_take(style_of(ranking, path), cost));
	if (has_all_columns(page)) {
		add_numbers(ranking, path, table);
	}
	itp_table_take(table, itp_label_function(itp_function_at(ranking, face ? face->function :
										 path->process)));
}

/* True when its row says less of its calls than their number. */
static bool has_unknown_calls(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	const struct itp_cell_calls calls = itp_page_path_calls(ranking, path);
	g_autofree char *count = itp_cell_count(ranking, &calls);
	g_autofree char *each = itp_cell_each(ranking, &calls);

	if (!itp_ranking_has_latencies(ranking)) {
		return false;
	}
	return itp_cell_is_unknown(count) || itp_cell_is_unknown(each);
}

static void append_mark(GString *line, const char *text)
{
	g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", text);
}

/* Meaning of the marks before the ranks and in the cells, if any. */
static void append_marks(const struct itp_page *page, const GArray *shown)
{
	g_autoptr(GString) line = g_string_new(NULL);
	bool has_chance = false;
	bool has_rare = false;
	bool has_unknown = false;

	for (guint i = 0; i < shown->len; i++) {
		const struct itp_ranked_path *path =
			itp_path_at(page->ranking, g_array_index(shown, guint, i));

		has_chance |= itp_significance_is_chance(&path->significance);
		has_rare |= path->is_rare && !itp_significance_is_chance(&path->significance);
		has_unknown |= has_unknown_calls(page->ranking, path);
	}
	if (has_chance) {
		append_mark(line, CHANCE_MARK " may well be chance.");
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

struct itp_table *itp_page_paths_table(const struct itp_page *page, const GArray *shown)
{
	struct itp_table *table = itp_table_new(page->width);
	bool needs_processes = have_several_processes(page->ranking);

	add_columns(page, table, head_of(page->ranking));
	for (guint i = 0; i < shown->len; i++) {
		const struct itp_ranked_path *path =
			itp_path_at(page->ranking, g_array_index(shown, guint, i));

		add_path_row(page, path, table);
		/* A path without a function is the process itself. */
		if (needs_processes && has_all_columns(page) && itp_path_face(path)) {
			add_process(page->ranking, path->process, table);
		}
	}
	return table;
}

void itp_page_append_paths(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autoptr(GArray) shown = itp_page_shown_paths(page);
	struct itp_table *table = itp_page_paths_table(page, shown);

	g_string_append_c(page->output, '\n');
	itp_table_append_heads(table, page->output);
	for (guint i = 0; i < shown->len; i++) {
		const struct itp_ranked_path *path =
			itp_path_at(ranking, g_array_index(shown, guint, i));

		itp_table_append_row(table, i, page->output);
		itp_path_line_append(ranking, path, page->width, page->output);
		itp_page_append_path_notes(page, path);
	}
	if (page->is_verbose) {
		append_marks(page, shown);
	}
	g_string_append_c(page->output, '\n');
	itp_table_free(table);
}

/* ---- Functions or modules ---- */

static struct itp_cell_calls calls_of_row(const struct itp_ranked_row *row)
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

static void add_flat_numbers(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
			     struct itp_table *table)
{
	const struct itp_cell_calls calls = calls_of_row(row);
	const struct itp_delta delta = delta_of(row);

	if (ranking->base) {
		itp_table_take(table, itp_cell_time(ranking, row->base_own_ns));
		itp_table_take(table, itp_cell_time(ranking, row->own_ns));
	} else {
		itp_table_take(table, itp_cell_share(ranking, row->own_ns));
	}
	if (!itp_ranking_has_latencies(ranking)) {
		itp_table_take(table, itp_units_count(row->ticks.samples));
		return;
	}
	itp_table_take(table, itp_cell_count(ranking, &calls));
	itp_table_take(table, itp_cell_each(ranking, &calls));
	itp_table_take(table, g_strdup(itp_cell_why(ranking, &delta, row->base_count == 0)));
}

static bool have_rows_of_several(const struct itp_ranking *ranking)
{
	for (guint i = 0; i < ranking->rows->len; i++) {
		const struct itp_ranked_row *row = itp_row_at(ranking, i);

		if (row->process_count > 1 || row->process != itp_row_at(ranking, 0)->process) {
			return true;
		}
	}
	return false;
}

/* Time on a CPU, waiting for a CPU and blocked; less that of the base. */
static void add_use(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		    struct itp_table *table)
{
	const int64_t times_ns[] = { row->use.cpu_ns, row->use.runnable_ns, row->use.blocked_ns };
	const int64_t base_ns[] = { row->base_use.cpu_ns, row->base_use.runnable_ns,
				    row->base_use.blocked_ns };

	for (size_t i = 0; i < G_N_ELEMENTS(times_ns); i++) {
		itp_table_take(table, ranking->base ? itp_cell_time_change(
							      ranking, times_ns[i] - base_ns[i]) :
						      itp_cell_time(ranking, times_ns[i]));
	}
}

static void add_process_row(const struct itp_page *page, const struct itp_ranked_row *row,
			    struct itp_table *table)
{
	const struct itp_ranking *ranking = page->ranking;
	const int64_t delta_ns = row->own_ns - row->base_own_ns;
	const char *style =
		itp_style_of_share(delta_ns, ranking->suspect_own_ns - ranking->base_own_ns);

	itp_table_take(table, g_strdup_printf("%u", row->rank));
	if (ranking->base) {
		itp_table_take(table,
			       itp_style_take(style, itp_cell_time_change(ranking, delta_ns)));
		itp_table_take(table, itp_cell_time(ranking, row->base_own_ns));
		itp_table_take(table, itp_cell_time(ranking, row->own_ns));
	} else {
		itp_table_take(table, itp_style_take(style, itp_cell_time(ranking, row->own_ns)));
		itp_table_take(table, itp_cell_share(ranking, row->own_ns));
	}
	if (itp_ranking_has_latencies(ranking)) {
		add_use(ranking, row, table);
	}
	itp_table_take(table, itp_label_function(itp_function_at(ranking, row->function)));
}

static void add_flat_row(const struct itp_page *page, const struct itp_ranked_row *row,
			 struct itp_table *table)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_function *function = itp_function_at(ranking, row->function);
	bool by_module = ranking->options.by == ITP_RANK_BY_MODULE;
	const char *what = by_module ? function->module : function->name;
	int64_t own_delta_ns = row->own_ns - row->base_own_ns;
	const char *style =
		itp_style_of_share(own_delta_ns, ranking->suspect_own_ns - ranking->base_own_ns);
	char *own = ranking->base ? itp_cell_time_change(ranking, own_delta_ns) :
				    itp_cell_time(ranking, row->own_ns);

	itp_table_take(table, g_strdup_printf("%u", row->rank));
	itp_table_take(table, itp_style_take(style, own));
	if (has_all_columns(page)) {
		add_flat_numbers(ranking, row, table);
	}
	itp_table_take(table, by_module ? itp_label_clean(what) : itp_label_function(function));
	if (row->process_count == 1 && has_all_columns(page) && have_rows_of_several(ranking) &&
	    !(by_module && g_str_equal(what, itp_function_at(ranking, row->process)->name))) {
		add_process(ranking, row->process, table);
	}
}

/* "; ranked by +1 204 calls", where no number of the row tells the order. */
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

/* "; most of it in make, of 12 processes", told apart by their names. */
static void note_processes(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
			   GString *notes)
{
	g_autofree char *name = itp_label_function(itp_function_at(ranking, row->process));

	if (row->process_count > 1) {
		g_string_append_printf(notes, "; most of it in %s, of %u programs", name,
				       row->process_count);
	}
}

/* "nginx (program), 93 % of the difference, 174 ms → 4.83 s with all that it calls" */
char *itp_page_row_notes(const struct itp_page *page, const struct itp_ranked_row *row)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *module = itp_label_clean(itp_function_at(ranking, row->function)->module);
	g_autofree char *total = itp_label_unbroken(itp_cell_time(ranking, row->total_ns));
	g_autofree char *base = itp_label_unbroken(itp_cell_time(ranking, row->base_total_ns));
	g_autofree char *share =
		itp_label_unbroken(itp_cell_share(ranking, row->own_ns - row->base_own_ns));
	g_autofree char *ticks = itp_cell_ticks(ranking, &row->ticks, row->use.cpu_ns, row->own_ns);
	GString *notes = g_string_new(itp_kind_of(ranking, row->function));

	if (ranking->options.by == ITP_RANK_BY_PROCESS) {
		g_string_printf(notes, "%s of %s", share, ranking->base ? "the difference" : "all");
		return g_string_free(notes, FALSE);
	}
	if (ranking->options.by == ITP_RANK_BY_FUNCTION) {
		g_string_printf(notes, "%s (%s)", module, itp_kind_of(ranking, row->function));
	}
	if (ranking->base != NULL) {
		if (ranking->suspect_own_ns > ranking->base_own_ns &&
		    row->own_ns > row->base_own_ns &&
		    itp_ranking_share(ranking, row->own_ns - row->base_own_ns) < ITP_SHARE_MOST) {
			g_string_append_printf(notes, "; %s of the difference", share);
		}
		g_string_append_printf(notes, "; %s \u2192 %s with what it calls", base, total);
	} else {
		g_string_append_printf(notes, "; %s with what it calls", total);
		g_string_append_printf(notes, "%s%s", ticks ? "; " : "", ticks ? ticks : "");
	}
	note_processes(ranking, row, notes);
	note_order(ranking, row, notes);
	return g_string_free(notes, FALSE);
}

struct itp_table *itp_page_rows_table(const struct itp_page *page)
{
	struct itp_table *table = itp_table_new(page->width);
	const bool is_by_process = page->ranking->options.by == ITP_RANK_BY_PROCESS;

	if (is_by_process) {
		add_process_columns(page, table);
	} else {
		add_columns(page, table, page->ranking->base ? "\u0394 own" : "own");
	}
	for (guint i = 0; i < page->ranking->rows->len; i++) {
		(is_by_process ? add_process_row : add_flat_row)(page, itp_row_at(page->ranking, i),
								 table);
	}
	return table;
}

void itp_page_append_rows(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	struct itp_table *table = itp_page_rows_table(page);

	g_string_append_c(page->output, '\n');
	itp_table_append_heads(table, page->output);
	for (guint i = 0; i < ranking->rows->len; i++) {
		g_autofree char *notes = itp_page_row_notes(page, itp_row_at(ranking, i));

		itp_table_append_row(table, i, page->output);
		if (ranking->options.by != ITP_RANK_BY_PROCESS) {
			itp_label_pad(page->output, INDENT);
			itp_label_wrap(page->output, notes, INDENT, INDENT_MORE, page->width);
		}
	}
	g_string_append_c(page->output, '\n');
	itp_table_free(table);
}
