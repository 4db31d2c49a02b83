/* SPDX-License-Identifier: MIT */
/*
 * Last lines of the text: entries not ranked and not shown, the nature of the numbers, and flaws of
 * the input. And the doubt about a path's difference: by how much it may be off, and why.
 */
#include "common/render/text/page.h"

#include <stdlib.h>

#include <math.h>

#include "common/base/labels.h"
#include "common/rank/held-up.h"
#include "common/render/cells.h"
#include "common/render/units.h"
#include "common/render/unwatched.h"
#include "common/render/words.h"

/* Divisor of the CPU time: a recorder that took more is told unasked. */
#define RECORDER_FELT 10
#define INDENT 2
/* Of the waits for work. */
#define IDLE_SHOWN 3
#define IDLE_SHARE 100
/* Share of the estimate, below which bounds are the estimate. */
#define BOUND_LEAST 0.0005
/* Greatest factor of an invisible difference: anybody tells a whole that takes eleven times as long
 * from chance. */
#define VISIBLE_MOST 10
/* Least difference of the machine; verdicts assume 4 % without any measurement. */
#define MACHINE_LEAST 0.04
/* Standard errors from which on it is no chance of the measurements. */
#define MACHINE_ERRORS 2

static void append_foot_line(const struct itp_page *page, const char *line)
{
	itp_label_wrap(page->output, line, 0, INDENT, page->width);
}

/* ---- Doubts ---- */

static char *reason_of(const struct itp_significance *significance)
{
	g_autofree char *spread = NULL;
	g_autofree char *samples = NULL;
	g_autofree char *base_samples = NULL;

	switch (significance->doubt) {
	case ITP_DOUBT_ABOUT_RUNS:
		spread = itp_label_unbroken(itp_units_share(significance->spread, 1));
		return g_strdup_printf(": runs differ by %s", spread);
	case ITP_DOUBT_ABOUT_WAITS:
		return g_strdup(": its waits vary");
	case ITP_DOUBT_ABOUT_WORK:
		return g_strdup_printf("; called %s often: other work?",
				       significance->score > 0 ? "more" : "less");
	case ITP_DOUBT_ABOUT_SAMPLES:
		if (significance->samples + significance->base_samples == 0) {
			return g_strdup(": ticks are few");
		}
		samples = itp_label_unbroken(itp_units_count(significance->samples));
		base_samples = itp_label_unbroken(itp_units_count(significance->base_samples));
		return g_strdup_printf(": %s ticks, %s in the base", samples, base_samples);
	case ITP_DOUBT_ABOUT_LOSSES:
		return g_strdup(": events were lost");
	case ITP_DOUBT_ABOUT_CUTS:
		return g_strdup(": stacks were cut");
	case ITP_DOUBT_ABOUT_SIZE:
	case ITP_DOUBT_ABOUT_NOTHING:
		break;
	}
	return g_strdup("");
}

char *itp_page_doubt_text(const struct itp_page *page, const struct itp_ranked_path *path)
{
	const struct itp_significance *significance = &path->significance;
	double error_ns = hypot(significance->measurement_ns, significance->runs_ns);
	g_autofree char *reason = reason_of(significance);
	g_autofree char *error = NULL;

	if (significance->doubt == ITP_DOUBT_ABOUT_NOTHING) {
		return NULL;
	}
	if (significance->doubt == ITP_DOUBT_ABOUT_SIZE) {
		return g_strdup("too small to tell");
	}
	if (significance->is_never_taken) {
		const bool is_base = significance->effect >= 0;
		const int64_t other_ns = is_base ? path->base_value : path->suspect_value;

		return g_strdup_printf("%s never took %s",
				       is_base ? page->labels.base : page->labels.suspect,
				       other_ns == 0 ? "this path" : "the way to most of it");
	}
	error = itp_label_unbroken(itp_cell_time(page->ranking, llround(error_ns)));
	return g_strdup_printf("\u0394 may be off by %s%s", error, page->is_verbose ? reason : "");
}

char *itp_page_visible_text(const struct itp_ranking *ranking)
{
	g_autofree char *visible = itp_label_unbroken(itp_units_share(ranking->visible, 1));
	g_autofree char *with_more =
		itp_label_unbroken(itp_units_share(ranking->visible_with_more, 1));

	if (!(ranking->visible < VISIBLE_MOST)) {
		return g_strdup("Record several runs of each to know.");
	}
	return g_strdup_printf("A slow-down of less than %s may pass unseen; %d more runs of "
			       "each make it %s.",
			       visible, ITP_MORE_RUNS, with_more);
}

/* Assumption about all paths. */
static void append_assumption(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *spread = itp_label_unbroken(itp_units_share(ranking->spread, 1));
	g_autofree char *visible = itp_page_visible_text(ranking);
	g_autoptr(GString) line = g_string_new(NULL);

	/* A tree shows no verdicts. */
	if (!itp_ranking_is_judged(ranking) || page->tree_contexts > 0) {
		return;
	}
	g_string_append_printf(line, "Chance: assuming that runs differ by %s on the CPU (spread)",
			       spread);
	if (ranking->suspect_runs + ranking->base_runs > 2) {
		g_string_append_printf(line, ", and by what %zu and %zu of them show",
				       ranking->base_runs, ranking->suspect_runs);
	}
	g_string_append_printf(line, ". %s", visible);
	itp_label_wrap(page->output, line->str, 0, INDENT, page->width);
}

/* ---- The last lines ---- */

static int64_t longer_ns(const GArray *idle, guint i)
{
	const struct itp_idle_wait *wait = &g_array_index(idle, struct itp_idle_wait, i);

	return MAX(wait->suspect_ns, wait->base_ns);
}

/* "nginx epoll_wait 2.10 s → 10.9 s" */
static void append_wait(const struct itp_page *page, const struct itp_idle_wait *wait,
			GString *line)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *process = itp_page_name(page, wait->process);
	g_autofree char *suspect = itp_label_unbroken(itp_cell_time(ranking, wait->suspect_ns));
	g_autofree char *base = itp_label_unbroken(itp_cell_time(ranking, wait->base_ns));

	if (wait->process == ITP_FUNCTION_UNKNOWN) {
		g_string_append(line, "threads of the kernel");
	} else if (wait->syscall == ITP_FUNCTION_UNKNOWN) {
		g_string_append_printf(line, "%s in no known call", process);
	} else {
		g_string_append_printf(line, "%s %s", process,
				       itp_syscall_name(ranking, wait->syscall));
	}
	if (ranking->base != NULL) {
		g_string_append_printf(line, " %s \u2192", base);
	}
	g_string_append_printf(line, " %s", suspect);
}

/* Number of idle contexts worth a word: not next to nothing beside the longest. */
static guint idle_shown(const GArray *idle)
{
	guint shown = 0;

	while (shown < MIN(idle->len, IDLE_SHOWN) &&
	       longer_ns(idle, shown) >= longer_ns(idle, 0) / IDLE_SHARE) {
		shown++;
	}
	return shown;
}

/* True if waits that are only guessed to be for work grew by more than all that is ranked: they may
 * have been for answers. */
static bool has_guessed_most(const struct itp_ranking *ranking)
{
	int64_t longer_ns = 0;

	for (guint i = 0; i < ranking->idle->len; i++) {
		const struct itp_idle_wait *wait =
			&g_array_index(ranking->idle, struct itp_idle_wait, i);

		longer_ns += wait->process == ITP_FUNCTION_UNKNOWN ?
				     0 :
				     wait->suspect_ns - wait->base_ns;
	}
	return ranking->base && ranking->guesses_idle &&
	       longer_ns > llabs(ranking->suspect_own_ns - ranking->base_own_ns);
}

static void append_idle(const struct itp_page *page)
{
	const GArray *idle = page->ranking->idle;
	guint shown = idle_shown(idle);
	g_autoptr(GString) line = g_string_new("Idle, not ranked: ");

	for (guint i = 0; i < shown; i++) {
		g_string_append(line, i > 0 ? ", " : "");
		append_wait(page, &g_array_index(idle, struct itp_idle_wait, i), line);
	}
	if (idle->len > shown) {
		g_string_append_printf(line, " and %u more", idle->len - shown);
	}
	if (idle->len > 0) {
		g_string_append_c(line, '.');
		if (page->ranking->guesses_idle) {
			g_string_append(line, " " ITP_IDLE_IS_GUESSED);
		}
		append_foot_line(page, line->str);
	}
}

static void append_all(const struct itp_page *page, GString *line)
{
	g_autofree char *all = itp_page_ask(page, "top", "0");

	g_string_append_printf(line, "; %s for all", all);
}

/* Further options to ask for. */
static void append_more(const struct itp_page *page, bool is_cut, GString *line)
{
	const bool is_by_path = page->ranking->options.by == ITP_RANK_BY_PATH;
	const bool is_by_process = page->ranking->options.by == ITP_RANK_BY_PROCESS;
	g_autofree char *by = itp_page_ask(page, "by", is_by_path ? "function" : "path");
	g_autofree char *module = itp_page_ask(page, "by", "module");
	g_autofree char *format = itp_page_ask(page, "format", "jsonl");
	g_autofree char *all = itp_page_ask(page, "top", "0");

	if (is_cut) {
		append_all(page, line);
	}
	g_string_append_printf(line, ". More: %s%s%s; %s%s%s has everything.", by,
			       is_by_path    ? " or " :
			       is_by_process ? " for what they did" :
					       " for who calls them",
			       is_by_path ? module : "", format, page->has_options ? " " : ",",
			       all);
}

/* "3 of 41 paths" */
static void append_part_count(GString *line, uint64_t part, uint64_t whole, const char *what)
{
	g_autofree char *shown = itp_label_unbroken(itp_units_count(part));
	g_autofree char *all = itp_label_unbroken(itp_units_count(whole));

	g_string_append_printf(line, "%s of %s %s", shown, all, what);
}

static const char *things(const struct itp_ranking *ranking)
{
	switch (ranking->options.by) {
	case ITP_RANK_BY_FUNCTION:
	case ITP_RANK_BY_WAIT:
		return "functions";
	case ITP_RANK_BY_MODULE:
		return "modules";
	case ITP_RANK_BY_PROCESS:
		return "processes";
	case ITP_RANK_BY_PATH:
		break;
	}
	return ranking->entry_count < ranking->path_count ? "entries" : "paths";
}

static guint row_count(const struct itp_ranking *ranking)
{
	return ranking->held_up ? ranking->held_up->rows->len : ranking->rows->len;
}

/* Number of entries outside of the table, in a line, and of others. */
static void append_rest(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autoptr(GArray) paths = itp_page_shown_paths(page);
	uint64_t shown = MAX(paths->len + row_count(ranking), 1);
	uint64_t rest = ranking->entry_count - MIN(shown, ranking->entry_count);
	g_autofree char *count = itp_label_unbroken(itp_units_count(rest));
	g_autofree char *format = itp_page_ask(page, "format", "jsonl");
	g_autofree char *all = itp_page_ask(page, "top", "0");
	const char *verbose = page->has_options ? "-v" : "verbose=yes";
	const char *explain = page->has_options ? "--explain" : "explain=yes";
	g_autofree char *line = NULL;

	if (rest > 0) {
		line = g_strdup_printf("%s smaller %s: %s; everything: %s%s%s. Words: %s.", count,
				       rest == 1 ? "entry" : "entries", verbose, format,
				       page->has_options ? " " : ",", all, explain);
	} else {
		line = g_strdup_printf("More about the numbers: %s. Words: %s.", verbose, explain);
	}
	append_foot_line(page, line);
}

/* Shown entries where chance is judged, apart from possible chance. */
static void append_shown(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autoptr(GArray) paths = itp_page_shown_paths(page);
	g_autoptr(GString) line = g_string_new("Shown: ");
	uint64_t chance_count = ranking->entry_count - ranking->significant_count;
	uint64_t shown = paths->len + row_count(ranking);
	uint64_t chance = 0;

	for (guint i = 0; i < paths->len; i++) {
		chance += itp_significance_is_chance(
			&itp_path_at(ranking, g_array_index(paths, guint, i))->significance);
	}
	/* Places of their causes. */
	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		shown += path->waits_for > 0;
		chance += path->waits_for > 0 && itp_significance_is_chance(&path->significance);
	}
	if (!itp_ranking_is_judged(ranking)) {
		append_part_count(line, shown, ranking->entry_count, things(ranking));
	} else {
		append_part_count(line, shown - chance, ranking->significant_count,
				  "sure or likely");
		if (chance_count > 0) {
			g_string_append(line, ", ");
			append_part_count(line, chance, chance_count, "that may be chance");
		}
	}
	append_more(page, shown - chance < ranking->significant_count, line);
	append_foot_line(page, line->str);
}

/* Distance of a bound from the estimate, as a part of it; 0 where nobody would tell them apart. */
static double distance_of(int64_t bound_ns, int64_t total_ns)
{
	const double part = (double)(bound_ns - total_ns) / (double)total_ns;

	return fabs(part) < BOUND_LEAST ? 0 : part;
}

/* "6.0 % less", "3.1 % more", "just that". */
static char *bound_text(double distance)
{
	g_autofree char *share = itp_label_unbroken(itp_units_share(fabs(distance), 1));

	return distance == 0 ? g_strdup("just that") :
			       g_strconcat(share, distance < 0 ? " less" : " more", NULL);
}

/* "; it was called 26 to 158 times" */
static void append_calls(const struct itp_page *page, const struct itp_node_stats *stats,
			 GString *line)
{
	struct itp_call_bounds calls =
		itp_node_stats_calls(stats, &page->ranking->suspect->workload.counts);
	g_autofree char *seen = itp_label_unbroken(itp_units_count(calls.seen));
	g_autofree char *times = itp_label_unbroken(itp_units_times(calls.seen));
	g_autofree char *possible = itp_label_unbroken(itp_units_times(calls.possible));

	if (calls.possible == ITP_CALLS_UNKNOWN) {
		g_string_append_printf(line, "; it was called %s or more", times);
	} else if (calls.possible > calls.seen) {
		g_string_append_printf(line, "; it was called %s to %s", seen, possible);
	}
}

/* Bounds of the face of the page's path. */
static void append_bounds(const struct itp_page *page, GString *line)
{
	const struct itp_ranked_frame *face = page->path ? itp_path_face(page->path) : NULL;
	g_autofree char *name = NULL;
	g_autofree char *lower = NULL;
	g_autofree char *upper = NULL;
	double less;
	double more;

	if (face == NULL || face->suspect->count == 0 || face->suspect->total_ns <= 0) {
		return;
	}
	name = itp_page_name(page, face->function);
	less = distance_of(face->suspect->lower_ns, face->suspect->total_ns);
	more = distance_of(face->suspect->upper_ns, face->suspect->total_ns);
	lower = bound_text(less);
	upper = bound_text(more);
	g_string_append_printf(line, " That of %s in path %u is ", name, page->path->rank);
	if (less == 0 && more == 0) {
		g_string_append(line, "exact");
	} else {
		g_string_append_printf(line, "really between %s and %s", lower, upper);
	}
	append_calls(page, face->suspect, line);
	g_string_append_c(line, '.');
}

static void append_estimates(const struct itp_page *page)
{
	g_autofree char *estimate =
		itp_workload_option(&page->ranking->suspect->workload, "estimate");
	g_autoptr(GString) line = g_string_new("Latencies: estimated");

	if (!itp_ranking_has_latencies(page->ranking)) {
		append_foot_line(page,
				 "CPU time: each tick counts for its interval, in the context "
				 "that it found innermost.");
		return;
	}
	if (g_strcmp0(estimate, "conservative") == 0) {
		g_string_append(line, " low; a call ends with the last stack that has it.");
	} else if (g_strcmp0(estimate, "aggressive") == 0) {
		g_string_append(line, " high; a call ends with the first stack that lacks it.");
	} else if (g_strcmp0(estimate, "best") == 0) {
		g_string_append(line, "; calls that begin or end between two stacks do so evenly "
				      "in between.");
	} else {
		g_string_append_c(line, '.');
	}
	append_bounds(page, line);
	append_foot_line(page, line->str);
}

static bool is_part(const struct itp_ranking *ranking)
{
	return itp_workload_is_part(&ranking->suspect->workload) ||
	       (ranking->base != NULL && itp_workload_is_part(&ranking->base->workload));
}

/* In place of append_shown(). */
static void append_tree_shown(const struct itp_page *page)
{
	g_autofree char *count = itp_label_unbroken(itp_units_count(page->tree_contexts));
	g_autofree char *text = itp_page_ask(page, "format", "text");
	g_autoptr(GString) all = g_string_new(NULL);
	g_autofree char *line = NULL;

	if (page->ranking->options.top > 0) {
		append_all(page, all);
	}
	line = g_strdup_printf(
		"Shown: the %s contexts with the %s %s, and what leads to them%s. After \u25c0: the rank "
		"of the entry whose culprit it is, see %s.",
		count, page->ranking->base ? "largest differences of own" : "most own",
		itp_ranking_has_latencies(page->ranking) ? "latency" : "CPU time", all->str, text);

	append_foot_line(page, line);
}

/* Completeness, beyond the first lines. */
static void append_completeness(const struct itp_page *page, bool incomplete)
{
	const struct itp_ranking *ranking = page->ranking;

	if (!itp_ranking_is_read_whole(ranking, incomplete)) {
		append_foot_line(page,
				 "Input: incomplete, see above; what is missing is in none of "
				 "these numbers.");
	} else if (is_part(ranking)) {
		append_foot_line(page,
				 "Input: a part chosen by time, see above; complete in itself.");
	} else if (page->is_period) {
		append_foot_line(page, "Input: complete, this period is without a loss.");
	}
}

/* Appends `note`, which may be NULL, and takes its ownership. */
static void append_note(const struct itp_page *page, const char *head, char *note)
{
	g_autofree char *line = note ? g_strdup_printf("%s: %s", head, note) : NULL;

	if (line != NULL) {
		append_foot_line(page, line);
	}
	g_free(note);
}

static void append_apart(const struct itp_page *page, const struct itp_workload *workload,
			 const struct itp_apart *apart, const char *name)
{
	if (page->is_verbose) {
		append_note(page, "Stacks", itp_workload_completed(workload, name));
	}
	/* Whoever looks at a clock wonders about such a part. */
	if (page->is_verbose || apart->recorder_ns > apart->cpu_ns / RECORDER_FELT) {
		append_note(page, "Recorder", itp_workload_recorder(apart, name));
	}
	append_note(page, "Contexts", itp_workload_unfollowed(workload, name));
	append_note(page, "Lost", itp_workload_lost(apart, name));
	append_note(page, "Order", itp_workload_late(workload, name));
	append_note(page, "Order", itp_workload_misplaced(workload, name));
	append_note(page, "Own CPU time", itp_workload_ticks(workload, apart, name));
	append_note(page, "Waiting", itp_unwatched_waits(workload, apart, name));
}

/* Appends the notes of both workloads, each of which may be NULL; of the suspect alone where both
 * have one, which say the same, unless the page is verbose. Takes their ownership. */
static void append_names(const struct itp_page *page, char *base, char *suspect)
{
	if (suspect && !page->is_verbose) {
		g_clear_pointer(&base, g_free);
	}
	append_note(page, "Names", base);
	append_note(page, "Names", suspect);
}

static void append_all_names(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_workload_labels *labels = &page->labels;
	const struct itp_call_counts *base = &ranking->base_calls;
	const struct itp_call_counts *suspect = &ranking->suspect_calls;

	append_names(page, ranking->base ? itp_workload_unnamed(base, labels->base) : NULL,
		     itp_workload_unnamed(suspect, labels->suspect));
	append_names(page, ranking->base ? itp_workload_mute(base, labels->base) : NULL,
		     itp_workload_mute(suspect, labels->suspect));
}

/* "Machine: 6 % slower during slow.data", or faster; NULL where below the usual difference of two
 * runs, or where measurements differ as much among themselves. */
static char *machine_note(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	const double slower = ranking->speed.ratio - 1;
	g_autofree char *share = itp_label_unbroken(itp_units_share(fabs(slower), 1));

	if (!ranking->speed.is_known ||
	    fabs(slower) < MAX(MACHINE_LEAST, MACHINE_ERRORS * ranking->speed.ratio_error)) {
		return NULL;
	}
	return g_strdup_printf("%s %s during %s, for which verdicts allow.", share,
			       slower > 0 ? "slower" : "faster", page->labels.suspect);
}

/* Avoidable flaws of the input, where they matter. */
static void append_notes(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;

	if (ranking->base != NULL) {
		append_note(page, "Stacks",
			    itp_workload_broken(&ranking->base->workload,
						itp_machine_code_loser(&ranking->base_calls.made),
						page->labels.base));
	}
	append_note(page, "Stacks",
		    itp_workload_broken(&ranking->suspect->workload,
					itp_machine_code_loser(&ranking->suspect_calls.made),
					page->labels.suspect));
	if (ranking->base != NULL) {
		append_apart(page, &ranking->base->workload, &ranking->base_apart,
			     page->labels.base);
	}
	append_apart(page, &ranking->suspect->workload, &ranking->suspect_apart,
		     page->labels.suspect);
	append_all_names(page);
	if (itp_ranking_is_judged(ranking)) {
		append_note(page, "Machine", machine_note(page));
	}
}

void itp_page_append_quality(const struct itp_page *page, bool incomplete)
{
	if (page->is_verbose && page->ranking->paths->len + page->ranking->rows->len > 0) {
		append_assumption(page);
		append_estimates(page);
	}
	append_notes(page);
	append_completeness(page, incomplete);
}

void itp_page_append_foot(const struct itp_page *page, bool incomplete)
{
	bool has_rows = page->ranking->paths->len + row_count(page->ranking) > 0;

	if (page->is_verbose || has_guessed_most(page->ranking) || !has_rows) {
		append_idle(page);
	}
	if (page->tree_contexts > 0) {
		append_tree_shown(page);
	} else if (has_rows && page->is_verbose) {
		append_shown(page);
	} else if (has_rows) {
		append_rest(page);
	}
	itp_page_append_quality(page, incomplete);
}
