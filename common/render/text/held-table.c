/* SPDX-License-Identifier: MIT */
/*
 * Table by=wait: a row for each function with the time for which it held up others, and a line
 * below with its module, its threads, and the places of the held-up ones; and sentences before and
 * behind it.
 */
#include "common/render/text/page.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/rank/held-up.h"
#include "common/render/cells.h"
#include "common/render/table.h"
#include "common/render/units.h"

#define INDENT 6
#define INDENT_MORE 8
#define INDENT_SENTENCE 2
/* How many names are told of a list, and what each has at least, as 1 / n of the first. */
#define NAMES_MOST 3
#define NAME_PART 20
#define NAME_COLUMNS 30

static const struct itp_held_row *row_at(const struct itp_page *page, guint i)
{
	return &g_array_index(page->ranking->held_up->rows, struct itp_held_row, i);
}

static char *time_text(const struct itp_page *page, int64_t ns)
{
	return itp_label_unbroken(itp_cell_time(page->ranking, ns));
}

static char *name_text(const char *name)
{
	g_autofree char *clean = itp_label_clean(name);

	return itp_label_unbroken(itp_label_shorten_function(clean, NAME_COLUMNS));
}

/* Kind of most of a row's time, in a word. */
static char *how_text(const struct itp_held_row *row)
{
	static const char *const words[] = {
		[ITP_HELD_RAN] = "CPU",        [ITP_HELD_READY] = "no CPU",
		[ITP_HELD_WAITED] = "waiting", [ITP_HELD_KERNEL] = "kernel",
		[ITP_HELD_SLEPT] = "asleep",   [ITP_HELD_UNSEEN] = "blocked",
		[ITP_HELD_UNKNOWN] = "n/a",
	};
	enum itp_held_how how = itp_held_row_how(row);

	if (row->held_ns == 0) {
		return g_strdup("\u2013");
	}
	if (how == ITP_HELD_KERNEL && row->reasons->len > 0) {
		const char *reason = g_array_index(row->reasons, struct itp_held_share, 0).name;

		return itp_label_clean(g_str_has_prefix(reason, ITP_REASON_PREFIX) ?
					       reason + strlen(ITP_REASON_PREFIX) :
					       reason);
	}
	return g_strdup(words[how]);
}

static void add_columns(const struct itp_page *page, struct itp_table *table)
{
	itp_table_column(table, "#", true);
	if (page->ranking->base != NULL) {
		itp_table_column(table, "\u0394 held", true);
		itp_table_column(table, page->labels.base_head, true);
		itp_table_column(table, page->labels.suspect_head, true);
	} else {
		itp_table_column(table, "held up", true);
		itp_table_column(table, "threads", true);
	}
	itp_table_column(table, "waits", true);
	itp_table_column(table, "why", false);
	itp_table_column(table, "where", false);
}

static void add_held_row(const struct itp_page *page, const struct itp_held_row *row,
			 struct itp_table *table)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_held_up *held_up = ranking->held_up;
	int64_t change_ns = itp_held_row_ranked_ns(row);
	const char *style = itp_style_of_share(change_ns, held_up->held_ns - held_up->base_held_ns);

	itp_table_take(table, g_strdup_printf("%u", row->rank));
	if (ranking->base != NULL) {
		itp_table_take(table,
			       itp_style_take(style, itp_cell_time_change(ranking, change_ns)));
		itp_table_take(table, itp_cell_time(ranking, itp_held_row_base_own_ns(row)));
		itp_table_take(table, itp_cell_time(ranking, itp_held_row_own_ns(row)));
	} else {
		itp_table_take(
			table,
			itp_style_take(style, itp_cell_time(ranking, itp_held_row_own_ns(row))));
		itp_table_take(table, itp_units_count(row->held_threads));
	}
	itp_table_take(table, itp_cell_time(ranking, row->wait_ns));
	itp_table_take(table, how_text(row));
	itp_table_take(table, itp_label_function(itp_function_at(ranking, row->function)));
}

/* "; held up in: commit 12 s, log_line 3.1 s", without times "; by worker ×4, flusher". */
static void append_shares(const struct itp_page *page, const char *head, const GArray *shares,
			  bool has_times, GString *notes)
{
	for (guint i = 0; i < MIN(shares->len, NAMES_MOST); i++) {
		const struct itp_held_share *share =
			&g_array_index(shares, struct itp_held_share, i);
		g_autofree char *name = name_text(share->name);
		g_autofree char *time = time_text(page, share->held_ns);

		if (share->held_ns <
		    g_array_index(shares, struct itp_held_share, 0).held_ns / NAME_PART) {
			return;
		}
		g_string_append_printf(notes, "%s %s", i == 0 ? head : ",", name);
		if (has_times) {
			g_string_append_printf(notes, " %s", time);
		} else if (share->threads > 1) {
			g_string_append_printf(notes, " \u00d7%u", share->threads);
		}
	}
}

/* "; passes on 1.2 s for which it waits itself" */
static void append_passed(const struct itp_page *page, const struct itp_held_row *row,
			  GString *notes)
{
	g_autofree char *time = time_text(page, row->passed_ns);

	if (row->passed_ns > 0) {
		g_string_append_printf(notes, "; passes on %s for which it waits itself", time);
	}
}

/* "shop (program); by worker ×4; held up in: log_line 12 s" */
static void append_notes(const struct itp_page *page, const struct itp_held_row *row)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_function *function = itp_function_at(ranking, row->function);
	g_autofree char *module = itp_label_clean(function->module);
	g_autoptr(GString) notes = g_string_new("process, in no function with a name");

	if (function->layer != ITP_LAYER_PROCESS) {
		g_string_printf(notes, "%s (%s)", module, itp_kind_of(ranking, row->function));
	}
	append_shares(page, "; by", row->holders, false, notes);
	append_shares(page, "; held up in:", row->held_in, true, notes);
	append_passed(page, row, notes);
	if (row->held_ns == 0) {
		g_string_append(notes, "; holds up nobody");
	}
	itp_label_pad(page->output, INDENT);
	itp_label_wrap(page->output, notes->str, INDENT, INDENT_MORE, page->width);
}

static void append_held_table(const struct itp_page *page)
{
	guint count = page->ranking->held_up->rows->len;
	struct itp_table *table = itp_table_new(page->width);

	add_columns(page, table);
	for (guint i = 0; i < count; i++) {
		add_held_row(page, row_at(page, i), table);
	}
	g_string_append_c(page->output, '\n');
	itp_table_append_heads(table, page->output);
	for (guint i = 0; i < count; i++) {
		itp_table_append_row(table, i, page->output);
		append_notes(page, row_at(page, i));
	}
	g_string_append_c(page->output, '\n');
	itp_table_free(table);
}

/* ---- Sentences ---- */

static void append_sentence(const struct itp_page *page, const GString *sentence)
{
	itp_label_wrap(page->output, sentence->str, 0, INDENT_SENTENCE, page->width);
}

/* "; log_line is behind 92 % of that" */
static void append_first(const struct itp_page *page, GString *sentence)
{
	const struct itp_held_up *held_up = page->ranking->held_up;
	const struct itp_held_row *first = held_up->rows->len > 0 ? row_at(page, 0) : NULL;
	g_autofree char *name = NULL;
	g_autofree char *share = NULL;

	if (first && itp_held_row_own_ns(first) > 0) {
		name = itp_page_name(page, first->function);
		share = itp_label_unbroken(itp_units_share((double)itp_held_row_own_ns(first),
							   (double)held_up->held_ns));
		g_string_append_printf(sentence, "; %s is behind %s of that", name, share);
	}
}

static void append_summary(const struct itp_page *page)
{
	const struct itp_held_up *held_up = page->ranking->held_up;
	g_autofree char *suspect = time_text(page, held_up->held_ns);
	g_autofree char *base = time_text(page, held_up->base_held_ns);
	g_autoptr(GString) sentence = g_string_new("Threads were held up by one another for ");

	if (page->ranking->base != NULL) {
		g_string_append_printf(sentence, "%s in the base and for %s in the suspect", base,
				       suspect);
	} else {
		g_string_append(sentence, suspect);
	}
	append_first(page, sentence);
	g_string_append(sentence, ". A function counts while it works, sleeps or waits for the "
				  "kernel, not while it waits for another thread.");
	append_sentence(page, sentence);
}

static void append_missing(const struct itp_page *page)
{
	const struct itp_held_up *held_up = page->ranking->held_up;
	size_t runs = page->ranking->suspect_runs + page->ranking->base_runs;
	g_autoptr(GString) sentence = g_string_new(NULL);

	if (held_up->without_wakeups == 0) {
		return;
	}
	if (runs == 1) {
		g_string_append(sentence, "The recording has no wakeups");
	} else {
		g_string_append_printf(sentence, "%u of %zu recordings %s no wakeups",
				       held_up->without_wakeups, runs,
				       held_up->without_wakeups == 1 ? "has" : "have");
	}
	g_string_append(sentence, ": who waited for whom is not known. perf introperf record "
				  "without --light records them.");
	append_sentence(page, sentence);
}

/* "log_line (worker ×4)", "kernel:disk" */
static char *vertex_text(const struct itp_page *page, const struct itp_held_vertex *vertex)
{
	g_autofree char *name = name_text(vertex->name);
	g_autofree char *count =
		vertex->threads > 1 ? g_strdup_printf(" \u00d7%u", vertex->threads) : g_strdup("");
	g_autofree char *face =
		vertex->face == ITP_FUNCTION_UNKNOWN ? NULL : itp_page_name(page, vertex->face);

	if (vertex->kind != ITP_VERTEX_THREADS || !face) {
		return g_strconcat(name, count, NULL);
	}
	return itp_label_unbroken(strcmp(face, name) == 0 && vertex->threads == 1 ?
					  g_steal_pointer(&face) :
					  g_strdup_printf("%s (%s%s)", face, name, count));
}

/* Threads before devices; greater hold-ups before smaller ones. */
static gint compare_vertices(gconstpointer a, gconstpointer b)
{
	const struct itp_held_vertex *left = *(const struct itp_held_vertex *const *)a;
	const struct itp_held_vertex *right = *(const struct itp_held_vertex *const *)b;

	if (left->kind != right->kind) {
		return left->kind < right->kind ? -1 : 1;
	}
	if (left->held_ns != right->held_ns) {
		return left->held_ns > right->held_ns ? -1 : 1;
	}
	return strcmp(left->name, right->name);
}

/* Of the first knot. */
static GPtrArray *knot_vertices(const struct itp_held_up *held_up)
{
	GPtrArray *vertices = g_ptr_array_new();

	for (guint i = 0; i < held_up->vertices->len; i++) {
		struct itp_held_vertex *vertex =
			&g_array_index(held_up->vertices, struct itp_held_vertex, i);

		if (vertex->knot == 1) {
			g_ptr_array_add(vertices, vertex);
		}
	}
	g_ptr_array_sort(vertices, compare_vertices);
	return vertices;
}

/* "Throughput is limited by: log_line (worker ×4) ⇄ kernel:disk." */
static void append_knot(const struct itp_page *page)
{
	const struct itp_held_up *held_up = page->ranking->held_up;
	g_autoptr(GPtrArray) vertices = knot_vertices(held_up);
	g_autoptr(GString) sentence = g_string_new("Throughput is limited by: ");

	if (held_up->knots->len == 0 ||
	    g_array_index(held_up->knots, struct itp_wait_knot, 0).held_ns == 0) {
		return;
	}
	for (guint i = 0; i < MIN(vertices->len, NAMES_MOST); i++) {
		g_autofree char *text = vertex_text(page, g_ptr_array_index(vertices, i));

		g_string_append_printf(sentence, "%s%s", i > 0 ? " \u21c4 " : "", text);
	}
	if (vertices->len > NAMES_MOST) {
		g_string_append_printf(sentence, " \u21c4 %u more", vertices->len - NAMES_MOST);
	}
	g_string_append_c(sentence, '.');
	append_sentence(page, sentence);
}

void itp_page_append_held(const struct itp_page *page)
{
	const struct itp_held_up *held_up = page->ranking->held_up;

	if (held_up->without_wakeups < page->ranking->suspect_runs + page->ranking->base_runs) {
		append_summary(page);
	}
	append_missing(page);
	append_knot(page);
	if (held_up->rows->len > 0) {
		append_held_table(page);
	}
}
