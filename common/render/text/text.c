/* SPDX-License-Identifier: MIT */
/*
 * A ranking for a person in front of a terminal. The first sentence says what takes longer; then
 * come the compared recordings, their completeness and the size of the difference; then a row and a
 * few lines for each path, function or module; then, on a verbose page, the nature of the numbers.
 *
 * The parts have files of their own, see page.h.
 */
#include "common/render/text/text.h"

#include <math.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/render/table.h"
#include "common/render/text/page.h"
#include "common/render/units.h"
#include "common/render/unwatched.h"
#include "common/render/words.h"
#include "common/view/renamed.h"

/* Share of the width for the name of a workload, and for its work. */
#define NAME_SHARE 3
#define HEAD_CELLS 6
/* First and last of the columns aligned to the right. */
#define HEAD_RIGHT_FIRST 2
#define HEAD_RIGHT_LAST 4
#define HEAD_GAP 2
#define PAIRS_SHOWN 3
/* Characters of C++ and Rust names with a meaning for shells. */
#define SHELL_CHARACTERS " ()<>[]{}*?&;|!$~#\"'\\"
/* Rows that fit on a screen with the lines under them: against a base, and without. */
#define ROWS_OF_TWO 3
#define ROWS_OF_ONE 5
/* The first sentence stands in one line of that many columns. */
#define SENTENCE_WIDTH 10000
#define NS_PER_S 1e9

/* Side of the comparison. */
struct side {
	const char *role;
	const struct itp_workload *workload;
	size_t runs;
	double units;
	/* "4 012 calls of handle", owned by this. */
	char *cells[HEAD_CELLS];
};

/* ---- Compared recordings ---- */

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

/* Amount of its work: "4 012 calls of handle". "" for a run, or the time before it. */
static char *work_text(const struct itp_page *page, const struct side *side)
{
	const char *per = page->ranking->options.per ? page->ranking->options.per : "run";
	const char *unit = page->ranking->unit;
	const char *colon = strchr(per, ':');
	const char *word = unit             ? (side->units == 1 ? "unit" : "units") :
			   side->units == 1 ? "call" :
					      "calls";
	g_autofree char *count = itp_units_count((uint64_t)llround(side->units));
	g_autofree char *name = itp_label_clean(unit ? unit : colon ? colon + 1 : per);
	g_autofree char *work = NULL;

	if (strcmp(per, "second") == 0 && side->runs > 1) {
		return itp_units_time(llround(side->units * NS_PER_S));
	}
	if (!unit && !colon) {
		return g_strdup("");
	}
	/* The sentence below has the name in full. */
	work = g_strdup_printf("%s %s of %s", count, word, name);
	return itp_label_columns(work) <= page->width / NAME_SHARE ?
		       g_steal_pointer(&work) :
		       g_strdup_printf("%s %s", count, word);
}

/* Several runs need not lie side by side: from the first to the last says nothing. */
static char *length_text(const struct side *side)
{
	const struct itp_infer_counts *counts = &side->workload->counts;

	return side->runs > 1 ? g_strdup_printf("%zu runs", side->runs) :
				itp_units_time(counts->end_ns - counts->begin_ns);
}

static void fill_cells(const struct itp_page *page, struct side *side)
{
	const struct itp_workload *workload = side->workload;
	g_autofree char *name = itp_label_clean(workload->name);
	g_autofree char *threads = itp_units_count(workload->counts.threads);

	side->cells[0] = g_strdup(side->role);
	side->cells[1] = itp_label_shorten(name, page->width / NAME_SHARE);
	side->cells[2] = length_text(side);
	side->cells[3] = work_text(page, side);
	side->cells[4] = g_strdup_printf("%s %s", threads,
					 workload->counts.threads == 1 ? "thread" : "threads");
	side->cells[5] = stacks_text(&workload->counts);
}

/* Cells empty in all lines take no room. */
static void append_side(const struct itp_page *page, const struct side *side,
			const unsigned int *widths)
{
	g_autofree char *completeness = itp_workload_completeness(side->workload);
	g_autoptr(GString) line = g_string_new(NULL);

	for (size_t i = 0; i < HEAD_CELLS; i++) {
		g_autoptr(GString) cell = g_string_new(NULL);
		unsigned int blanks = widths[i] - itp_label_columns(side->cells[i]);
		bool right = i >= HEAD_RIGHT_FIRST && i <= HEAD_RIGHT_LAST;
		g_autofree char *unbroken = NULL;

		if (widths[i] == 0) {
			continue;
		}
		itp_label_pad(cell, right ? blanks : 0);
		g_string_append(cell, side->cells[i]);
		itp_label_pad(cell, (right ? 0 : blanks) + HEAD_GAP - 1);
		unbroken = itp_label_unbroken(g_strdup(cell->str));
		g_string_append_printf(line, "%s ", unbroken);
	}
	g_string_append(line, completeness);
	itp_label_wrap(page->output, line->str, 0, widths[0] + HEAD_GAP, page->width);
}

static void append_workloads(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	struct side sides[] = {
		{ .role = "base",
		  .workload = ranking->base ? &ranking->base->workload : NULL,
		  .runs = ranking->base_runs,
		  .units = ranking->base_units },
		{ .role = ranking->base ? "suspect" : "",
		  .workload = &ranking->suspect->workload,
		  .runs = ranking->suspect_runs,
		  .units = ranking->suspect_units },
	};
	unsigned int widths[HEAD_CELLS] = { 0 };

	for (size_t i = ranking->base ? 0 : 1; i < G_N_ELEMENTS(sides); i++) {
		fill_cells(page, &sides[i]);
		for (size_t cell = 0; cell < HEAD_CELLS; cell++) {
			widths[cell] = MAX(widths[cell], itp_label_columns(sides[i].cells[cell]));
		}
	}
	for (size_t i = ranking->base ? 0 : 1; i < G_N_ELEMENTS(sides); i++) {
		append_side(page, &sides[i], widths);
		for (size_t cell = 0; cell < HEAD_CELLS; cell++) {
			g_free(sides[i].cells[cell]);
		}
	}
}

/* True when a program has the names of this module, and tells of both. */
static bool is_told_of(const GArray *pairs, const struct itp_pair *module)
{
	for (guint i = 0; i < pairs->len; i++) {
		const struct itp_pair *pair = &g_array_index(pairs, struct itp_pair, i);

		if (pair->kind == ITP_PAIR_PROGRAM && strcmp(pair->base, module->base) == 0 &&
		    strcmp(pair->suspect, module->suspect) == 0) {
			return true;
		}
	}
	return false;
}

/* "Taken as one module: " and the first few pairs. */
struct pair_line {
	GString *text;
	unsigned int shown;
	unsigned int more;
};

static void add_pair(struct pair_line *line, const char *base, const char *suspect)
{
	g_autofree char *left = NULL;
	g_autofree char *right = NULL;

	if (line->shown == PAIRS_SHOWN) {
		line->more++;
		return;
	}
	left = itp_label_clean(base);
	right = itp_label_clean(suspect);
	g_string_append_printf(line->text, "%s%s and %s", line->shown++ > 0 ? ", " : "", left,
			       right);
}

static void append_pair_line(const struct itp_page *page, const struct pair_line *line)
{
	if (line->more > 0) {
		g_string_append_printf(line->text, ", and %u more", line->more);
	}
	if (line->shown > 0) {
		g_string_append_c(line->text, '.');
		itp_label_wrap(page->output, line->text->str, 0, HEAD_GAP, page->width);
	}
}

static void append_pairs_of(const struct itp_page *page, enum itp_pair_kind kind)
{
	const GArray *pairs = page->ranking->pairs;
	g_autoptr(GString) text = g_string_new(NULL);
	struct pair_line line = { .text = text };

	g_string_printf(text, "Taken as one %s: ", itp_pair_kind_names[kind]);
	for (guint i = 0; pairs != NULL && i < pairs->len; i++) {
		const struct itp_pair *pair = &g_array_index(pairs, struct itp_pair, i);

		if (pair->kind == kind && (kind != ITP_PAIR_MODULE || !is_told_of(pairs, pair))) {
			add_pair(&line, pair->base, pair->suspect);
		}
	}
	append_pair_line(page, &line);
}

static void append_renamings(const struct itp_page *page)
{
	const GArray *renamings = page->ranking->renamings;
	g_autoptr(GString) text = g_string_new("Taken as one function: ");
	struct pair_line line = { .text = text };

	for (guint i = 0; renamings != NULL && i < renamings->len; i++) {
		const struct itp_renaming *renaming =
			&g_array_index(renamings, struct itp_renaming, i);

		add_pair(&line, itp_function_at(page->ranking, renaming->base)->name,
			 itp_function_at(page->ranking, renaming->suspect)->name);
	}
	append_pair_line(page, &line);
}

/* "--per call:handle", or "--per …" where nothing counts the work; quoted for a shell. */
static char *ask_by_work(const struct itp_page *page)
{
	const char *work = page->ranking->work;
	g_autofree char *word = !work ? g_strdup("\u2026") :
				page->has_options && strpbrk(work, SHELL_CHARACTERS) ?
					g_shell_quote(work) :
					g_strdup(work);
	g_autofree char *clean = itp_label_clean(word);

	return itp_page_ask(page, "per", clean);
}

/* "the suspect seems to have done 3.0 times as much: …" */
static char *amount_sentence(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *per = ask_by_work(page);
	bool is_more = ranking->amount > 1;

	return g_strdup_printf("the %s seems to have done %.1f times as much, by the numbers of "
			       "most system calls; say with %s what they did.",
			       is_more ? "suspect" : "base",
			       is_more ? ranking->amount : 1 / ranking->amount, per);
}

/* "the base was recorded on x86_64, the suspect on aarch64, …" */
static char *architectures_sentence(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *pair = itp_page_ask(page, "pair", "BASE=SUSPECT");
	const char *base = ranking->base ? ranking->base->workload.architecture : NULL;
	const char *suspect = ranking->suspect->workload.architecture;
	g_autofree char *clean_base = itp_label_clean(base ? base : "");
	g_autofree char *clean_suspect = itp_label_clean(suspect ? suspect : "");

	return g_strdup_printf("the base was recorded on %s, the suspect on %s, so that times are "
			       "those of two machines; programs and modules of other names are not "
			       "compared unless %s says so.",
			       clean_base, clean_suspect, pair);
}

/* Appends `sentence`, which may be NULL, and takes its ownership. */
static void append_watched(const struct itp_page *page, char *sentence)
{
	g_autofree char *line = sentence ? g_strconcat("Watched: ", sentence, NULL) : NULL;

	if (line) {
		itp_label_wrap(page->output, line, 0, HEAD_GAP, page->width);
	}
	g_free(sentence);
}

/* "nagle waited 4.34 s longer in read_all (read), …"; NULL without such a wait. */
static char *wait_sentence(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *ask = itp_page_ask(page, "idle", "ranked");
	g_autofree char *process = NULL;
	g_autofree char *place = NULL;
	g_autofree char *time = NULL;
	const struct itp_idle_wait *wait;
	const char *change;

	if ((ranking->doubts & ITP_DOUBT_IDLE) == 0) {
		return NULL;
	}
	wait = &g_array_index(ranking->idle, struct itp_idle_wait, ranking->doubted_wait);
	change = wait->suspect_ns > wait->base_ns ? "longer" : "less long";
	process = itp_page_name(page, wait->process);
	time = itp_label_unbroken(itp_cell_time(ranking, llabs(wait->suspect_ns - wait->base_ns)));
	if (wait->function != ITP_FUNCTION_UNKNOWN && wait->syscall != ITP_FUNCTION_UNKNOWN) {
		g_autofree char *function = itp_page_name(page, wait->function);

		place = g_strdup_printf(" in %s (%s)", function,
					itp_syscall_name(ranking, wait->syscall));
	}
	return g_strdup_printf("%s waited %s %s%s, which is most of what %s took %s, and counts as "
			       "waiting for work; rank such waits with %s.",
			       process, time, change, place ? place : "", page->labels.suspect,
			       change, ask);
}

/* Kinds of events that nobody watched, missing in all numbers. */
static void append_unwatched(const struct itp_page *page)
{
	const struct itp_workload *suspect = &page->ranking->suspect->workload;
	const struct itp_workload *base = page->ranking->base ? &page->ranking->base->workload :
								NULL;

	append_watched(page, itp_unwatched_sentence(suspect, page->labels.suspect));
	if (base && !itp_workload_is_watched(base) && !itp_workload_is_watched(suspect)) {
		append_watched(page, itp_unwatched_too(base, page->labels.base));
	} else if (base) {
		append_watched(page, itp_unwatched_sentence(base, page->labels.base));
	}
	append_watched(page, itp_unwatched_windows(suspect, page->labels.suspect));
	if (base) {
		append_watched(page, itp_unwatched_windows(base, page->labels.base));
		append_watched(page, itp_unwatched_levelled(base, page->labels.base,
							    page->labels.suspect));
		append_watched(page, itp_unwatched_levelled(suspect, page->labels.suspect,
							    page->labels.base));
	}
}

/* "With --per call:handle: shop computes longer in load: …", where that is another answer. */
static void append_by_work(const struct itp_page *page)
{
	g_autofree char *headline = itp_page_headline_by_work(page);
	g_autofree char *per = headline ? ask_by_work(page) : NULL;
	g_autofree char *line = headline ? g_strdup_printf("With %s: %s", per, headline) : NULL;

	if (line) {
		itp_label_wrap(page->output, line, 0, HEAD_GAP, page->width);
	}
}

void itp_page_append_doubts(const struct itp_page *page)
{
	g_autofree char *amount = amount_sentence(page);
	g_autofree char *architectures = architectures_sentence(page);
	g_autofree char *wait = wait_sentence(page);
	g_autofree char *pair = itp_page_ask(page, "pair", "BASE=SUSPECT");
	g_autofree char *per = ask_by_work(page);
	g_autofree char *programs = g_strdup_printf(
		"most of the suspect's time is in programs that the base did not run; where two "
		"are one, say so with %s.",
		pair);
	g_autofree char *length =
		g_strdup_printf("one ran more than ten times as long as the other; "
				"say with %s what they did.",
				per);
	const char *const sentences[ITP_DOUBT_COUNT] = {
		"the base holds no calls.",
		"the suspect holds no calls.",
		programs,
		"the two have no calling context in common.",
		length,
		"events were lost, so what seems to cost less may not have been seen.",
		amount,
		architectures,
		wait,
	};

	for (size_t i = 0; i < ITP_DOUBT_COUNT; i++) {
		if (page->ranking->doubts & 1u << i) {
			g_autofree char *line =
				g_strdup_printf("Doubtful comparison: %s", sentences[i]);

			itp_label_wrap(page->output, line, 0, HEAD_GAP, page->width);
		}
	}
	append_by_work(page);
	append_unwatched(page);
	append_pairs_of(page, ITP_PAIR_PROGRAM);
	append_pairs_of(page, ITP_PAIR_MODULE);
	append_renamings(page);
}

/* ---- The page ---- */

static void append_period(const struct itp_render_options *options, GString *output,
			  unsigned int width)
{
	g_autofree char *begin = itp_units_time(options->period_begin_ns);
	g_autofree char *end = itp_units_time(options->period_end_ns);
	g_autofree char *line = NULL;

	if (options->period > 0) {
		line = g_strdup_printf("Period %" G_GUINT64_FORMAT
				       ", from %s to %s after the beginning:",
				       options->period, begin, end);
	} else if (options->periods > 0) {
		line = g_strdup_printf("All %" G_GUINT64_FORMAT " periods together:",
				       options->periods);
	}
	if (line) {
		itp_label_wrap(output, line, 0, 0, width);
	}
}

static void append_ranking(struct itp_page *page, const struct itp_render_options *options,
			   bool has_headline)
{
	if (page->ranking->held_up) {
		itp_page_append_held(page);
		itp_page_append_foot(page, options->incomplete);
		return;
	}
	itp_page_append_summary(page, has_headline);
	g_string_append(page->output, options->more ? options->more : "");
	if (options->format == ITP_FORMAT_TREE) {
		page->tree_contexts = itp_page_append_tree(page);
	} else if (page->ranking->paths->len > 0) {
		itp_page_append_paths(page);
	} else if (page->ranking->rows->len > 0) {
		itp_page_append_rows(page);
	}
	itp_page_append_foot(page, options->incomplete);
	if (options->next && page->path) {
		g_autofree char *next = itp_label_clean(options->next);

		/* Unbroken, to be copied. */
		g_string_append_printf(page->output, "Calls of path 1: %s\n", next);
	}
}

/* Takes `table`. */
static void append_table_rows(struct itp_table *table, guint row_count, GString *output)
{
	itp_table_append_heads(table, output);
	for (guint i = 0; i < row_count; i++) {
		itp_table_append_row(table, i, output);
	}
	itp_table_free(table);
}

/* Rows without what is said of them; or why there are none. */
static void append_rows(struct itp_page *page, const struct itp_render_options *options)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autoptr(GArray) shown = itp_page_shown_paths(page);

	if (options->path > 0) {
		itp_page_append_detail(page);
	} else if (ranking->held_up) {
		itp_page_append_held(page);
	} else if (options->format == ITP_FORMAT_TREE) {
		page->tree_contexts = itp_page_append_tree(page);
	} else if (ranking->paths->len > 0) {
		append_table_rows(itp_page_paths_table(page, shown), shown->len, page->output);
	} else if (ranking->rows->len > 0) {
		append_table_rows(itp_page_rows_table(page), ranking->rows->len, page->output);
	} else {
		itp_page_append_summary(page, true);
	}
}

static void append_all_of(struct itp_page *page, const struct itp_render_options *options,
			  bool has_headline)
{
	append_workloads(page);
	itp_page_append_doubts(page);
	if (options->path > 0) {
		itp_page_append_detail(page);
		itp_page_append_quality(page, options->incomplete);
	} else {
		append_ranking(page, options, has_headline);
	}
}

/* Words of the text so far. */
static void append_words(GString *text, unsigned int width)
{
	g_auto(GStrv) lines = g_strsplit_set(text->str, "\n ", -1);
	g_autoptr(GString) unwrapped = g_string_new(NULL);

	for (char **part = lines; *part; part++) {
		if ((*part)[0]) {
			g_string_append_printf(unwrapped, "%s ", *part);
		}
	}
	g_string_append(text, "\nWords:\n");
	itp_words_append(text, unwrapped->str, width);
}

void itp_page_init(struct itp_page *page, const struct itp_ranking *ranking,
		   const struct itp_render_options *options, GString *output)
{
	const bool verbose = options->verbose && !options->quiet;

	*page = (struct itp_page){
		.ranking = ranking,
		.output = output,
		.width = MAX(options->width, ITP_PAGE_WIDTH_LEAST),
		.has_options = options->has_options,
		.is_period = options->period > 0,
		.is_verbose = verbose || options->path > 0,
		.shows_chance = verbose || options->all_rows,
		.rows_most = verbose || options->all_rows ? G_MAXUINT :
			     ranking->base                ? ROWS_OF_TWO :
							    ROWS_OF_ONE,
	};
	itp_workload_labels_init(&page->labels, ranking);
	if (options->path > 0 || ranking->paths->len > 0) {
		page->path = itp_path_at(ranking, options->path > 0 ? options->path - 1 : 0);
	}
}

void itp_page_release(struct itp_page *page)
{
	itp_workload_labels_release(&page->labels);
}

char *itp_page_sentence(const struct itp_ranking *ranking, const struct itp_render_options *options)
{
	g_autoptr(GString) wrapped = g_string_new(NULL);
	g_autoptr(GString) plain = g_string_new(NULL);
	struct itp_page page;
	bool has_headline;

	itp_page_init(&page, ranking, options, wrapped);
	page.width = SENTENCE_WIDTH;
	has_headline = itp_page_append_headline(&page);
	itp_page_release(&page);
	itp_style_append(plain, wrapped->str, false, options->ascii);
	return has_headline ? g_strdelimit(g_strchomp(g_strdup(plain->str)), "\n", ' ') : NULL;
}

void itp_render_text(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct itp_page page;
	bool has_headline = false;

	itp_page_init(&page, ranking, options, text);
	if (options->incomplete) {
		itp_label_wrap(text,
			       "INCOMPLETE: an error ended the run early; these are the results of "
			       "what was read before it.",
			       0, 0, page.width);
	}
	if (options->interrupted) {
		itp_label_wrap(text,
			       "INTERRUPTED: these are the results of what was read until then.", 0,
			       0, page.width);
	}
	append_period(options, text, page.width);
	if (options->path == 0) {
		has_headline = itp_page_append_headline(&page);
	}
	if (options->quiet) {
		append_rows(&page, options);
	} else {
		append_all_of(&page, options, has_headline);
	}
	itp_page_release(&page);
	if (options->explain) {
		append_words(text, page.width);
	}
	itp_style_append(output, text->str, options->color, options->ascii);
}
