/* SPDX-License-Identifier: MIT */
/*
 * A ranking for a person in front of a terminal. The first lines answer what was compared, how
 * complete it is, how large the difference is and how much of it the first path explains; then
 * one row and one or two lines for each path; then what the numbers are.
 *
 * The table is path-table.c's, the lines under its rows are path-line.c's.
 */
#include "common/render/formats.h"

#include <string.h>

#include "common/render/labels.h"
#include "common/render/path-line.h"
#include "common/render/path-table.h"
#include "common/render/units.h"
#include "common/render/variants.h"
#include "common/render/workload.h"

#define WIDTH_LEAST 60
/* Part of the width that the name of a workload may take. */
#define WORKLOAD_NAME_SHARE 3
#define HEAD_CELLS 5
/* Of these, two in the middle are aligned to the right. */
#define HEAD_RIGHT_FIRST 2
#define HEAD_RIGHT_LAST 3
#define HEAD_GAP 2
/* Sentences name processes and functions up to this length. */
#define SENTENCE_NAME_COLUMNS 30
/* A first path that explains more of the difference than this is set off by faster ones. */
#define SHARE_MOST 1.05
/* The part (1/n) by which a culprit must exceed its first path to be worth a word. */
#define CULPRIT_SHARE_LEAST 50

/* What all parts of the text need. */
struct page {
	const struct itp_ranking *ranking;
	struct itp_workload_labels labels;
	unsigned int width;
	GString *output;
};

/* Name of a function as part of a sentence. */
static char *name_in_sentence(const struct itp_ranking *ranking, uint32_t function)
{
	g_autofree char *name =
		itp_label_clean(itp_function_table_get(ranking->functions, function)->name);

	return itp_label_unbroken(itp_label_shorten(name, SENTENCE_NAME_COLUMNS));
}

/* ---- First lines ---- */

/* "61 204 stacks, 0.2 % broken" */
static char *stacks_text(const struct itp_infer_counts *counts)
{
	g_autofree char *stacks = itp_units_count(counts->stacks);
	g_autofree char *broken =
		itp_units_share((double)counts->broken_stacks, (double)counts->stacks);
	const char *unit = counts->stacks == 1 ? "stack" : "stacks";

	if (counts->broken_stacks == 0) {
		return g_strdup_printf("%s %s", stacks, unit);
	}
	return g_strdup_printf("%s %s, %s broken", stacks, unit, broken);
}

/* One line about a workload: its role in a comparison, its name, how much there was of it. */
static void workload_cells(const struct page *page, const struct itp_workload *workload,
			   const char *role, char **ret_cells)
{
	g_autofree char *name = itp_label_clean(workload->name);
	g_autofree char *threads = itp_units_count(workload->counts.threads);

	ret_cells[0] = g_strdup(role);
	ret_cells[1] = itp_label_shorten(name, page->width / WORKLOAD_NAME_SHARE);
	ret_cells[2] = itp_units_time(workload->counts.end_ns - workload->counts.begin_ns);
	ret_cells[3] = g_strdup_printf("%s %s", threads,
				       workload->counts.threads == 1 ? "thread" : "threads");
	ret_cells[4] = stacks_text(&workload->counts);
}

static void append_workload(const struct page *page, const struct itp_workload *workload,
			    char **cells, const unsigned int *widths)
{
	g_autofree char *completeness = itp_workload_completeness(workload);
	GString *line = g_string_new(NULL);

	for (size_t i = cells[0][0] == '\0' ? 1 : 0; i < HEAD_CELLS; i++) {
		GString *cell = g_string_new(NULL);
		unsigned int blanks = widths[i] - itp_label_columns(cells[i]);
		bool right = i >= HEAD_RIGHT_FIRST && i <= HEAD_RIGHT_LAST;

		itp_label_pad(cell, right ? blanks : 0);
		g_string_append(cell, cells[i]);
		itp_label_pad(cell, (right ? 0 : blanks) + HEAD_GAP - 1);
		g_free(cells[i]);
		cells[i] = itp_label_unbroken(g_string_free(cell, FALSE));
		g_string_append_printf(line, "%s ", cells[i]);
	}
	g_string_append(line, completeness);
	itp_label_wrap(page->output, line->str, 0, widths[0] + HEAD_GAP, page->width);
	g_string_free(line, TRUE);
}

static void append_workloads(const struct page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	char *cells[2][HEAD_CELLS] = { { NULL } };
	unsigned int widths[HEAD_CELLS] = { 0 };

	if (ranking->base != NULL) {
		workload_cells(page, &ranking->base->workload, "base", cells[0]);
	}
	workload_cells(page, &ranking->suspect->workload, ranking->base == NULL ? "" : "suspect",
		       cells[1]);
	for (size_t i = 0; i < HEAD_CELLS; i++) {
		for (size_t side = ranking->base == NULL ? 1 : 0; side < 2; side++) {
			widths[i] = MAX(widths[i], itp_label_columns(cells[side][i]));
		}
	}
	if (ranking->base != NULL) {
		append_workload(page, &ranking->base->workload, cells[0], widths);
	}
	append_workload(page, &ranking->suspect->workload, cells[1], widths);
	for (size_t i = 0; i < HEAD_CELLS; i++) {
		g_free(cells[0][i]);
		g_free(cells[1][i]);
	}
}

/* "ngx_http_gzip_body_filter in nginx": the frame to open first and its process. */
static char *first_path_place(const struct itp_ranking *ranking)
{
	const struct itp_ranked_path *first = itp_path_at(ranking, 0);
	const struct itp_ranked_frame *face = itp_path_face(first);
	g_autofree char *process = name_in_sentence(ranking, first->process);
	g_autofree char *function = NULL;

	if (face == NULL) {
		return g_steal_pointer(&process);
	}
	function = name_in_sentence(ranking, face->function);
	return g_strdup_printf("%s in %s", function, process);
}

/* "path 1 explains 29 % and its culprit, handler in nginx, 98 %": parts of `whole_ns`. */
static void append_parts(const struct page *page, int64_t whole_ns, const char *verb,
			 GString *sentence)
{
	int64_t first_ns = itp_path_own_delta_ns(itp_path_at(page->ranking, 0));
	int64_t culprit_ns = MIN(itp_first_culprit_ns(page->ranking), whole_ns);
	g_autofree char *place = first_path_place(page->ranking);
	g_autofree char *first = itp_label_unbroken(
		itp_units_share((double)MIN(first_ns, whole_ns), (double)whole_ns));
	g_autofree char *culprit =
		itp_label_unbroken(itp_units_share((double)culprit_ns, (double)whole_ns));

	if (culprit_ns - first_ns > whole_ns / CULPRIT_SHARE_LEAST) {
		g_string_append_printf(
			sentence,
			", of which path 1 %s %s and its culprit, %s, %s over the paths below.",
			verb, first, place, culprit);
	} else {
		g_string_append_printf(sentence, ", of which path 1 %s %s: %s.", verb, first,
				       place);
	}
}

static void append_difference_parts(const struct page *page, int64_t difference_ns,
				    GString *sentence)
{
	int64_t first_ns = itp_path_own_delta_ns(itp_path_at(page->ranking, 0));

	if (first_ns <= 0) {
		g_string_append(sentence, ". Path 1 costs no more than before.");
	} else if (difference_ns > 0 && (double)first_ns / (double)difference_ns <= SHARE_MOST) {
		append_parts(page, difference_ns, "explains", sentence);
	} else {
		g_autofree char *adds = itp_label_unbroken(itp_units_time(first_ns));
		g_autofree char *place = first_path_place(page->ranking);

		g_string_append_printf(sentence,
				       ". Path 1 adds %s (%s); other paths cost less than before.",
				       adds, place);
	}
}

static void append_difference(const struct page *page, GString *sentence)
{
	const struct itp_ranking *ranking = page->ranking;
	int64_t difference_ns = ranking->suspect_own_ns - ranking->base_own_ns;
	g_autofree char *base = itp_label_unbroken(itp_units_time(ranking->base_own_ns));
	g_autofree char *suspect = itp_label_unbroken(itp_units_time(ranking->suspect_own_ns));
	g_autofree char *change = itp_label_unbroken(itp_units_time_change(difference_ns));

	g_string_append_printf(sentence,
			       "Own latency of all threads together went from %s to %s: %s", base,
			       suspect, difference_ns == 0 ? "no change" : change);
	append_difference_parts(page, difference_ns, sentence);
}

static void append_sum(const struct page *page, GString *sentence)
{
	int64_t sum_ns = page->ranking->suspect_own_ns;
	g_autofree char *sum = itp_label_unbroken(itp_units_time(sum_ns));

	g_string_append_printf(sentence, "Own latency of all threads together is %s", sum);
	append_parts(page, sum_ns, "takes", sentence);
}

/* What a cost is, where that is not the default. */
static void append_ranked_by(const struct page *page, GString *sentence)
{
	static const char *const costs[] = {
		[ITP_METRIC_OWN] = "own latencies",
		[ITP_METRIC_TOTAL] = "total latencies",
		[ITP_METRIC_COUNT] = "numbers of calls",
		[ITP_METRIC_EACH] = "own latencies of one call",
	};
	const struct itp_ranking_options *options = &page->ranking->options;

	if (options->metric != ITP_METRIC_OWN) {
		g_string_append_printf(sentence,
				       " Ranked by the sum of the %s in a path (metric=%s).",
				       costs[options->metric], itp_metric_names[options->metric]);
	}
	if (options->method == ITP_METHOD_PAPER) {
		g_string_append(sentence,
				" Ranked by the paper's method (method=paper): costs are means of "
				"one call and do not add up to the whole.");
	}
}

/* What comes before everything else when the results are not those of the whole input. */
static void append_warning(const struct page *page)
{
	itp_label_wrap(
		page->output,
		"INCOMPLETE: an error ended the run early; these are the results of what was "
		"read before it.",
		0, 0, page->width);
}

static void append_summary(const struct page *page)
{
	GString *sentence = g_string_new(NULL);

	if (page->ranking->paths->len == 0) {
		g_string_append(sentence,
				"No function call was inferred: there is nothing to rank.");
	} else {
		if (page->ranking->base != NULL) {
			append_difference(page, sentence);
		} else {
			append_sum(page, sentence);
		}
		append_ranked_by(page, sentence);
	}
	itp_label_wrap(page->output, sentence->str, 0, 0, page->width);
	g_string_free(sentence, TRUE);
}

/* ---- Last lines ---- */

static void append_paths_shown(const struct page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *shown = itp_label_unbroken(itp_units_count(ranking->paths->len));
	g_autofree char *all = itp_label_unbroken(itp_units_count(ranking->path_count));
	g_autofree char *sentence = NULL;

	if (ranking->paths->len < ranking->path_count) {
		sentence = g_strdup_printf("Paths: %s of %s shown, all with top=0; "
					   "format=\"jsonl\" has every frame.",
					   shown, all);
	} else {
		sentence = g_strdup_printf("Paths: all %s shown; format=\"jsonl\" has every frame.",
					   all);
	}
	itp_label_wrap(page->output, sentence, 0, HEAD_GAP, page->width);
}

static void append_bounds(const struct page *page, GString *sentence)
{
	const struct itp_ranked_frame *face = itp_path_face(itp_path_at(page->ranking, 0));
	g_autofree char *name = NULL;
	g_autofree char *total = NULL;
	g_autofree char *lower = NULL;
	g_autofree char *upper = NULL;

	if (face == NULL || face->suspect->count == 0) {
		return;
	}
	name = name_in_sentence(page->ranking, face->function);
	total = itp_label_unbroken(itp_units_time(face->suspect->total_ns));
	lower = itp_label_unbroken(itp_units_time(face->suspect->lower_ns));
	upper = itp_label_unbroken(itp_units_time(face->suspect->upper_ns));
	g_string_append_printf(sentence, " In path 1, %s lasted %s (bounds %s to %s)", name, total,
			       lower, upper);
	if (face->suspect->max_count > face->suspect->count) {
		g_autofree char *count = itp_label_unbroken(itp_units_count(face->suspect->count));
		g_autofree char *most =
			itp_label_unbroken(itp_units_count(face->suspect->max_count));

		g_string_append_printf(sentence, " in %s %s that may be up to %s", count,
				       face->suspect->count == 1 ? "call" : "calls", most);
	}
	g_string_append_c(sentence, '.');
}

static void append_estimates(const struct page *page)
{
	g_autofree char *estimate =
		itp_workload_option(&page->ranking->suspect->workload, "estimate");
	GString *sentence = g_string_new("Latencies: ");

	if (g_strcmp0(estimate, "conservative") == 0) {
		g_string_append(sentence, "conservative estimates, a call lasts until last seen.");
	} else if (g_strcmp0(estimate, "aggressive") == 0) {
		g_string_append(sentence, "aggressive estimates, a call lasts until seen gone.");
	} else if (g_strcmp0(estimate, "best") == 0) {
		g_string_append(sentence, "best estimates, changes spread between two stacks.");
	} else {
		g_string_append(sentence, "estimates.");
	}
	append_bounds(page, sentence);
	itp_label_wrap(page->output, sentence->str, 0, HEAD_GAP, page->width);
	g_string_free(sentence, TRUE);
}

static bool is_part(const struct itp_ranking *ranking)
{
	return itp_workload_is_part(&ranking->suspect->workload) ||
	       (ranking->base != NULL && itp_workload_is_part(&ranking->base->workload));
}

static void append_completeness(const struct page *page, bool incomplete)
{
	const char *sentence = "Input: incomplete, see above; what is missing is in none of these "
			       "numbers.";

	if (itp_ranking_is_complete(page->ranking, incomplete) && is_part(page->ranking)) {
		sentence = "Input: a part chosen by time, see above; complete in itself.";
	} else if (itp_ranking_is_complete(page->ranking, incomplete)) {
		sentence = page->ranking->base == NULL ?
				   "Input: complete, read to its end without a loss." :
				   "Input: complete, both read to their end without a loss.";
	}
	itp_label_wrap(page->output, sentence, 0, HEAD_GAP, page->width);
}

static void append_note(const struct page *page, const char *head, char *note)
{
	g_autofree char *sentence = note ? g_strdup_printf("%s: %s", head, note) : NULL;

	if (sentence) {
		itp_label_wrap(page->output, sentence, 0, HEAD_GAP, page->width);
	}
	g_free(note);
}

/* What makes the input worse than it had to be, where it matters. */
static void append_notes(const struct page *page)
{
	const struct itp_ranking *ranking = page->ranking;

	if (ranking->base != NULL) {
		append_note(page, "Stacks",
			    itp_workload_broken(&ranking->base->workload, page->labels.base));
	}
	append_note(page, "Stacks",
		    itp_workload_broken(&ranking->suspect->workload, page->labels.suspect));
	if (ranking->base != NULL) {
		append_note(page, "Names",
			    itp_workload_unnamed(&ranking->base_calls, page->labels.base));
	}
	append_note(page, "Names",
		    itp_workload_unnamed(&ranking->suspect_calls, page->labels.suspect));
}

void itp_render_text(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output)
{
	struct page page = {
		.ranking = ranking,
		.width = MAX(options->width, WIDTH_LEAST),
		.output = output,
	};

	itp_workload_labels_init(&page.labels, ranking);
	if (options->incomplete) {
		append_warning(&page);
	}
	append_workloads(&page);
	append_summary(&page);
	if (ranking->paths->len > 0) {
		itp_path_table_append(ranking, &page.labels, page.width, output);
		append_paths_shown(&page);
		append_estimates(&page);
	}
	append_notes(&page);
	append_completeness(&page, options->incomplete);
	itp_workload_labels_release(&page.labels);
}
