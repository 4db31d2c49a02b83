/* SPDX-License-Identifier: MIT */
/*
 * Notes on a path besides its frames: the calls that block it, the place of its cost, its rank's
 * number, new and moved parts, folded variants, and its verdict.
 */
#include "common/render/text/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/known/waiting-calls.h"
#include "common/rank/waited-out.h"
#include "common/render/cells.h"
#include "common/render/units.h"
#include "common/view/renamed.h"

#define INDENT 6
#define INDENT_MORE 8
#define NAME_COLUMNS 30
/* Variants looked at, and variants named. */
#define VARIANTS_MOST 64
#define VARIANTS_NAMED 4
#define STARTED_NAMED 3
/* Least part of the cost of a system call that is made more often, to be told. */
#define OFTEN_LEAST_PART 0.01
/* Least difference of the order's number from the cost, as a share of the cost, to be told. */
#define ORDER_PART 0.05

static char *short_name(const struct itp_ranking *ranking, uint32_t function)
{
	g_autofree char *name = itp_label_function(itp_function_at(ranking, function));

	return itp_label_shorten_function(name, NAME_COLUMNS);
}

static void next_note(GString *notes)
{
	g_string_append(notes, notes->len > 0 ? "; " : "");
}

/* ---- Place ---- */

static char *module_text(const struct itp_ranking *ranking, uint32_t function)
{
	g_autofree char *module = itp_label_clean(itp_function_at(ranking, function)->module);

	return g_strdup_printf("%s (%s)", module, itp_kind_of(ranking, function));
}

/* Module of the culprit, where it is not the program's. */
static void note_culprit(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			 GString *notes)
{
	const struct itp_function *culprit;

	if (path->culprit < 0) {
		return;
	}
	culprit = itp_function_at(ranking, path->frames[path->culprit].function);
	if (itp_module_kind_of(ranking->options.modules, culprit) != ITP_MODULE_PROGRAM) {
		g_autofree char *module =
			module_text(ranking, path->frames[path->culprit].function);

		g_string_append_printf(notes, "culprit in %s", module);
	}
}

/* Functions of the kernel have several names for their module. */
static bool is_same_module(const struct itp_function *a, const struct itp_function *b)
{
	return (a->layer != ITP_LAYER_USER && b->layer != ITP_LAYER_USER) ||
	       strcmp(a->module, b->module) == 0;
}

char *itp_page_waker_name(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  const struct itp_waker *waker)
{
	g_autofree char *process = short_name(ranking, waker->process);
	g_autofree char *function = short_name(ranking, waker->function);

	if (g_str_has_prefix(process, ITP_REASON_PREFIX)) {
		return g_strdup_printf("the kernel (%s)", process + strlen(ITP_REASON_PREFIX));
	}
	if (waker->function == ITP_FUNCTION_UNKNOWN) {
		return g_steal_pointer(&process);
	}
	return waker->process == path->process ? g_steal_pointer(&function) :
						 g_strdup_printf("%s in %s", function, process);
}

/* Longest waker in a role, NULL without any. */
static const struct itp_waker *first_waker(const struct itp_ranked_path *path,
					   enum itp_waker_role role)
{
	const GArray *wakers = path->waited_for[role];

	return itp_wakers_sum_ns(wakers) > 0 ? &g_array_index(wakers, struct itp_waker, 0) : NULL;
}

/* Share of all in its role: "82 %", unbroken. */
static char *share_of_waker(const struct itp_ranked_path *path, const struct itp_waker *waker)
{
	double all_ns = (double)itp_wakers_sum_ns(path->waited_for[waker->role]);

	return itp_label_unbroken(itp_units_share((double)waker->blocked_ns, all_ns));
}

/* ", until then ran parse in configd (92 %)" */
static void note_share(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		       const struct itp_waker *waker, const char *verb, GString *notes)
{
	g_autofree char *name = itp_page_waker_name(ranking, path, waker);
	g_autofree char *share = share_of_waker(path, waker);

	g_string_append_printf(notes, ", %s %s (%s)", verb, name, share);
}

static bool is_same_waker(const struct itp_waker *a, const struct itp_waker *b)
{
	return a->process == b->process && a->function == b->function;
}

/* Waker behind most of it: ", woken by reply in redis-server (82 %)". */
static void note_waker(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		       const struct itp_waker *waker, GString *notes)
{
	if (path->waited_for[ITP_WAKER_WOKE]->len > 1) {
		note_share(ranking, path, waker, "woken by", notes);
	} else {
		g_autofree char *name = itp_page_waker_name(ranking, path, waker);

		g_string_append_printf(notes, ", woken by %s", name);
	}
}

/* Waker behind most of it that worked for itself until then, in callees of its own: ", kept by
 * reload in configd (97 %), which ran parse (64 %)". */
static bool note_keeper(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			const struct itp_waker *ran, GString *notes)
{
	const struct itp_waker *kept = first_waker(path, ITP_WAKER_KEPT);
	const struct itp_waker *waker = first_waker(path, ITP_WAKER_WOKE);

	if (!kept || !is_same_waker(kept, waker) || is_same_waker(kept, ran)) {
		return false;
	}
	note_share(ranking, path, kept, "kept by", notes);
	note_share(ranking, path, ran, "which ran", notes);
	return true;
}

/* Work done until then, other than the waker's: ", until then ran parse in configd (92 %)", and its
 * purpose, where neither tells: ", kept by reload in configd (97 %)". */
static void note_ran(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		     const struct itp_waker *ran, GString *notes)
{
	const struct itp_waker *kept = first_waker(path, ITP_WAKER_KEPT);
	const struct itp_waker *waker = first_waker(path, ITP_WAKER_WOKE);

	if (!is_same_waker(ran, waker)) {
		note_share(ranking, path, ran, "until then ran", notes);
	}
	if (kept && !is_same_waker(kept, ran) && !is_same_waker(kept, waker)) {
		note_share(ranking, path, kept, "kept by", notes);
	}
}

bool itp_page_is_end_unseen(const struct itp_ranked_path *path)
{
	return 2 * itp_wakers_sum_ns(path->waited_for[ITP_WAKER_WOKE]) < path->delta.use.blocked_ns;
}

char *itp_page_timer_text(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	const struct itp_waited_out *timer = itp_waited_out_find(ranking, path);
	g_autofree char *time = timer ? itp_label_unbroken(itp_cell_time(ranking, timer->time_ns)) :
					NULL;

	return timer ? g_strdup_printf("as long as TCP waits %s (%s, %s)", timer->until,
				       timer->name, time) :
		       NULL;
}

/* Notes that nobody was seen to end most of it, as it goes on when the recording ends, or as
 * somebody outside of the recording ended it: time itself, if it slept. */
static void note_unseen(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			const struct itp_waker *waker, GString *notes)
{
	int64_t seen_ns = itp_wakers_sum_ns(path->waited_for[ITP_WAKER_WOKE]);
	int64_t blocked_ns = path->delta.use.blocked_ns;

	if (itp_function_is_sleep(itp_function_at(ranking, path->syscall))) {
		if (itp_function_at(ranking, waker->process)->layer == ITP_LAYER_KERNEL) {
			g_autofree char *name = itp_page_waker_name(ranking, path, waker);

			g_string_append_printf(notes, ", woken by %s", name);
		}
	} else {
		g_autofree char *share = itp_label_unbroken(
			itp_units_share((double)(blocked_ns - seen_ns), (double)blocked_ns));

		g_string_append_printf(notes, ", nobody was seen to end %s of it", share);
	}
}

/* Wakers of its waits, and the work done meanwhile. */
static void note_waited_for(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			    GString *notes)
{
	const struct itp_waker *ran = first_waker(path, ITP_WAKER_RAN);
	const struct itp_waker *waker = first_waker(path, ITP_WAKER_WOKE);
	bool is_ran_known = ran && ran->process != ITP_FUNCTION_UNKNOWN;

	if (waker && itp_page_is_end_unseen(path)) {
		note_unseen(ranking, path, waker, notes);
		return;
	}
	if (!waker || (is_ran_known && note_keeper(ranking, path, ran, notes))) {
		return;
	}
	if (waker->process != ITP_FUNCTION_UNKNOWN) {
		note_waker(ranking, path, waker, notes);
	}
	if (is_ran_known) {
		note_ran(ranking, path, ran, notes);
	}
}

/* End of most of it: a timer of TCP, which ends it unseen, or somebody. */
static void note_end(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		     GString *notes)
{
	g_autofree char *timer = itp_page_timer_text(ranking, path);

	if (timer) {
		g_string_append_printf(notes, ", each time %s", timer);
	}
	if (!timer || !itp_page_is_end_unseen(path)) {
		note_waited_for(ranking, path, notes);
	}
}

/* "load in service", or its system call where only the kernel could be named; NULL for a path
 * without a frame to name. */
static char *face_text(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	const struct itp_ranked_frame *face = itp_path_face(path);
	g_autofree char *process = short_name(ranking, path->process);
	g_autofree char *name = NULL;

	if (!face) {
		return NULL;
	}
	if (path->syscall != ITP_FUNCTION_UNKNOWN &&
	    itp_function_at(ranking, face->function)->layer == ITP_LAYER_KERNEL) {
		name = g_strdup(itp_syscall_name(ranking, path->syscall));
	} else {
		name = short_name(ranking, face->function);
	}
	return g_strdup_printf("%s in %s", name, process);
}

/* Cause, where the page shows an effect at all: "waits for path 1, load in service". */
static void note_cause(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		       GString *notes)
{
	for (guint i = 0; path->waits_for > 0 && i < ranking->paths->len; i++) {
		const struct itp_ranked_path *cause = itp_path_at(ranking, i);
		g_autofree char *face = cause->rank == path->waits_for ? face_text(ranking, cause) :
									 NULL;

		if (face) {
			next_note(notes);
			g_string_append_printf(notes, "waits for path %u, %s", path->waits_for,
					       face);
		}
	}
}

/* Effects that wait for it: "ask in client waits for it: +268 ms". */
static void note_effects(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			 GString *notes)
{
	for (guint i = 0; path->is_waited_for && i < ranking->paths->len; i++) {
		const struct itp_ranked_path *effect = itp_path_at(ranking, i);
		g_autofree char *face =
			effect->waits_for == path->rank ? face_text(ranking, effect) : NULL;
		g_autofree char *value = NULL;

		if (!face) {
			continue;
		}
		value = itp_label_unbroken(ranking->base ? itp_cell_change(ranking, effect->cost) :
							   itp_cell_value(ranking, effect->cost));
		next_note(notes);
		g_string_append_printf(notes, "%s waits for it: %s", face, value);
	}
}

/* Programs started more often: "starts grep 600 times, 1 in good.data: +590 ms". */
static void note_started(const struct itp_page *page, const struct itp_ranked_path *path,
			 GString *notes)
{
	for (guint i = 0; i < MIN(path->started->len, STARTED_NAMED); i++) {
		const struct itp_started *started =
			&g_array_index(path->started, struct itp_started, i);
		g_autofree char *name = short_name(page->ranking, started->process);
		g_autofree char *times =
			itp_label_unbroken(itp_cell_times(page->ranking, (int64_t)started->count));
		g_autofree char *base_count = itp_label_unbroken(
			itp_cell_number(page->ranking, (int64_t)started->base_count));
		g_autofree char *value =
			itp_label_unbroken(itp_cell_change(page->ranking, started->cost));

		next_note(notes);
		g_string_append_printf(notes, "starts %s %s, %s in %s: %s", name, times, base_count,
				       page->labels.base, value);
	}
}

/* "calls write 325 172 times, 318 in good.data: +1.10 s". A part that is hardly any of the cost is
 * not told. */
static void note_often(const struct itp_page *page, const struct itp_ranked_path *path,
		       GString *notes)
{
	const struct itp_often *often = &path->often;
	g_autofree char *times = NULL;
	g_autofree char *base_count = NULL;
	g_autofree char *value = NULL;

	if (often->syscall == ITP_FUNCTION_UNKNOWN ||
	    (double)often->delta_ns < OFTEN_LEAST_PART * (double)path->cost) {
		return;
	}
	times = itp_label_unbroken(itp_cell_times(page->ranking, (int64_t)often->count));
	base_count = itp_label_unbroken(itp_cell_number(page->ranking, (int64_t)often->base_count));
	value = itp_label_unbroken(itp_cell_change(page->ranking, often->delta_ns));
	next_note(notes);
	g_string_append_printf(notes, "calls %s %s, %s in %s: %s",
			       itp_syscall_name(page->ranking, often->syscall), times, base_count,
			       page->labels.base, value);
}

/* "CPU taken by backupd: 71 %, kworker/0:1: 20 %" of the known part. */
static void note_others(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			GString *notes)
{
	const GArray *takers = path->waited_for[ITP_WAKER_HAD_CPU];
	guint named = 0;

	for (guint i = 0; i < takers->len && named < ITP_TAKERS_NAMED; i++) {
		const struct itp_waker *taker = &g_array_index(takers, struct itp_waker, i);
		g_autofree char *name = short_name(ranking, taker->process);
		g_autofree char *share = share_of_waker(path, taker);

		if (itp_ranking_is_quota(ranking, taker)) {
			continue;
		}
		if (named == 0) {
			next_note(notes);
		}
		g_string_append_printf(notes, "%s %s: %s", named++ == 0 ? "CPU taken by" : ",",
				       name, share);
	}
}

/* "held by its CPU quota for 5.1 s": then nobody had the CPU. A thread that lets others run in the
 * same place, without a quota, looks alike, for next to nothing of the wait. */
static void note_quota(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		       GString *notes)
{
	const GArray *takers = path->waited_for[ITP_WAKER_HAD_CPU];
	const double least_ns = ITP_TAKER_LEAST * (double)itp_wakers_sum_ns(takers);

	for (guint i = 0; i < takers->len; i++) {
		const struct itp_waker *taker = &g_array_index(takers, struct itp_waker, i);
		g_autofree char *time =
			itp_label_unbroken(itp_cell_time(ranking, taker->blocked_ns));

		if (itp_ranking_is_quota(ranking, taker) && (double)taker->blocked_ns >= least_ns) {
			next_note(notes);
			g_string_append_printf(notes, "held by its CPU quota for %s", time);
		}
	}
}

/* Processes that had the CPU, if most of it is a wait for one. */
static void note_takers(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			GString *notes)
{
	if (itp_wakers_sum_ns(path->waited_for[ITP_WAKER_HAD_CPU]) > 0 &&
	    2 * path->delta.use.runnable_ns > llabs(path->cost)) {
		note_quota(ranking, path, notes);
		note_others(ranking, path, notes);
	}
}

static void note_cost(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		      GString *notes)
{
	const struct itp_ranked_frame *face = itp_path_face(path);
	const struct itp_function *cost;

	if (path->syscall != ITP_FUNCTION_UNKNOWN && itp_path_is_wait(path)) {
		next_note(notes);
		g_string_append_printf(notes, "blocked in %s",
				       itp_syscall_name(ranking, path->syscall));
		note_end(ranking, path, notes);
		return;
	}
	if (path->cost_function == ITP_FUNCTION_UNKNOWN || face == NULL) {
		return;
	}
	cost = itp_function_at(ranking, path->cost_function);
	if (is_same_module(cost, itp_function_at(ranking, face->function))) {
		return;
	}
	next_note(notes);
	if (cost->layer != ITP_LAYER_USER) {
		g_string_append(notes, "cost in the kernel");
	} else {
		g_autofree char *module = module_text(ranking, path->cost_function);

		g_string_append_printf(notes, "cost in %s", module);
	}
}

/* Cost of a shown row, without its sign. */
static int64_t cost_of_row(const struct itp_page *page, const GArray *shown, guint row)
{
	return llabs(itp_path_at(page->ranking, g_array_index(shown, guint, row))->cost);
}

/* True for a row that costs less than the row below, or more than the row above. */
static bool looks_misplaced(const struct itp_page *page, const struct itp_ranked_path *path)
{
	g_autoptr(GArray) shown = itp_page_shown_paths(page);
	bool is_misplaced = false;

	for (guint row = 1; row < shown->len; row++) {
		const bool is_pair =
			itp_path_at(page->ranking, g_array_index(shown, guint, row)) == path ||
			itp_path_at(page->ranking, g_array_index(shown, guint, row - 1)) == path;

		is_misplaced |= is_pair &&
				cost_of_row(page, shown, row - 1) < cost_of_row(page, shown, row);
	}
	return is_misplaced;
}

/* Number of the order: rows in another order than their costs look wrong without it. */
static void note_order(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		       GString *notes)
{
	g_autofree char *value =
		itp_label_unbroken(ranking->base ? itp_cell_change(ranking, path->ranked_value) :
						   itp_cell_value(ranking, path->ranked_value));
	double waiting = fabs((double)(path->cost - path->ranked_value));

	if (waiting > ORDER_PART * fabs((double)path->cost)) {
		next_note(notes);
		g_string_append_printf(notes, "ranked by %s, without waiting for a CPU", value);
	}
}

/* ---- New, gone or moved parts ---- */

static bool was_in_base(const struct itp_ranked_frame *frame)
{
	return frame->base != NULL && itp_node_stats_is_present(frame->base);
}

/* Begin of the new part of a path, if most of its cost lies from there on. Ways inside of the
 * kernel are no news. */
static void note_new(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		     GString *notes)
{
	g_autofree char *name = NULL;
	uint32_t first = ranking->base ? 0 : path->frame_count;
	int64_t new_value = 0;

	while (first < path->frame_count && was_in_base(&path->frames[first])) {
		first++;
	}
	for (uint32_t i = first; i < path->frame_count; i++) {
		new_value += path->frames[i].value - path->frames[i].base_value;
	}
	if (first < path->frame_count && 2 * new_value > path->path_cost &&
	    /* Frames below the culprit may be another entry's. */
	    ((int64_t)first <= path->culprit || new_value <= path->suspect_value) &&
	    itp_function_at(ranking, path->frames[first].function)->layer != ITP_LAYER_KERNEL) {
		name = short_name(ranking, path->frames[first].function);
		next_note(notes);
		g_string_append_printf(notes, "new from %s on", name);
	}
}

/* Names the old place from its parting with the new one. */
static void note_moved(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		       GString *notes)
{
	g_autoptr(GArray) chain = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autofree char *parting = NULL;
	g_autofree char *last = NULL;
	guint i = 0;

	itp_context_tree_path(ranking->tree, path->moved_from, chain);
	/* The chain begins with the process root, the frames do not. */
	while (i + 2 < chain->len && i < path->frame_count &&
	       g_array_index(chain, uint32_t, i + 1) == path->frames[i].function) {
		i++;
	}
	parting = short_name(ranking, g_array_index(chain, uint32_t, i + 1));
	last = short_name(ranking, g_array_index(chain, uint32_t, chain->len - 1));
	next_note(notes);
	g_string_append_printf(notes, "moved here from %s", parting);
	if (i + 2 < chain->len) {
		g_string_append_printf(notes, " \u203a %s%s",
				       i + 3 < chain->len ? "\u2026 \u203a " : "", last);
	}
}

/* Of an entry, a path may be gone and others not. */
static void note_vanished(const struct itp_page *page, const struct itp_ranked_path *path,
			  GString *notes)
{
	if (path->variant_count == 0 || path->suspect_calls == 0) {
		next_note(notes);
		g_string_append_printf(notes, "vanished: only in %s", page->labels.base);
	}
}

/* Begin of additional calls, unless at the culprit or right above it, where everybody sees it. */
static void note_origin(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			GString *notes)
{
	g_autofree char *name = NULL;

	if (path->origin < 0 || path->origin + 1 >= path->culprit) {
		return;
	}
	name = short_name(ranking, path->frames[path->origin].function);
	next_note(notes);
	g_string_append_printf(notes, "begins in %s", name);
}

/* Name of the culprit in the base. */
static void note_renaming(const struct itp_page *page, const struct itp_ranked_path *path,
			  GString *notes)
{
	const GArray *renamings = page->ranking->renamings;

	for (guint i = 0; renamings != NULL && path->culprit >= 0 && i < renamings->len; i++) {
		const struct itp_renaming *renaming =
			&g_array_index(renamings, struct itp_renaming, i);
		g_autofree char *name = NULL;

		if (renaming->suspect == path->frames[path->culprit].function) {
			name = short_name(page->ranking, renaming->base);
			next_note(notes);
			g_string_append_printf(notes, "called %s in %s", name, page->labels.base);
		}
	}
}

static void note_novelty(const struct itp_page *page, const struct itp_ranked_path *path,
			 GString *notes)
{
	switch (path->novelty) {
	case ITP_NOVELTY_NONE:
	case ITP_NOVELTY_NEW:
		note_renaming(page, path, notes);
		note_origin(page->ranking, path, notes);
		note_new(page->ranking, path, notes);
		break;
	case ITP_NOVELTY_VANISHED:
		note_vanished(page, path, notes);
		break;
	case ITP_NOVELTY_MOVED:
		note_moved(page->ranking, path, notes);
		break;
	}
}

/* ---- Folded variants ---- */

/* The functions above each variant: GArray of uint32_t, root first. */
static GPtrArray *chains_of(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	GPtrArray *chains = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (uint32_t i = 0; i < MIN(path->variant_count, VARIANTS_MOST); i++) {
		GArray *chain = g_array_new(FALSE, FALSE, sizeof(uint32_t));

		itp_context_tree_path(ranking->tree, path->variants[i].node, chain);
		g_ptr_array_add(chains, chain);
	}
	return chains;
}

/* Function → number of the chains with it. */
static GHashTable *count_functions(const GPtrArray *chains)
{
	GHashTable *counts = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < chains->len; i++) {
		const GArray *chain = g_ptr_array_index(chains, i);
		g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

		for (guint j = 0; j < chain->len; j++) {
			gpointer function = GUINT_TO_POINTER(g_array_index(chain, uint32_t, j));

			if (g_hash_table_add(seen, function)) {
				guint count =
					GPOINTER_TO_UINT(g_hash_table_lookup(counts, function));

				g_hash_table_insert(counts, function, GUINT_TO_POINTER(count + 1));
			}
		}
	}
	return counts;
}

static bool has_own_name(const struct itp_ranking *ranking, uint32_t function)
{
	const struct itp_function *found = itp_function_at(ranking, function);

	return !found->is_unnamed &&
	       itp_module_kind_is_own(itp_module_kind_of(ranking->options.modules, found));
}

/* Function of a chain, of the program's own, found in the fewest others, of several the nearest to
 * the root; ITP_FUNCTION_UNKNOWN when the others have all. */
static uint32_t telling_function(const struct itp_ranking *ranking, const GArray *chain,
				 GHashTable *counts, guint chain_count)
{
	uint32_t telling = ITP_FUNCTION_UNKNOWN;
	guint fewest = chain_count;

	for (guint i = 0; i < chain->len; i++) {
		uint32_t function = g_array_index(chain, uint32_t, i);
		guint count =
			GPOINTER_TO_UINT(g_hash_table_lookup(counts, GUINT_TO_POINTER(function)));

		if (count < fewest && has_own_name(ranking, function)) {
			fewest = count;
			telling = function;
		}
	}
	return telling;
}

/* "static_handler, autoindex, proxy"; "" when nothing tells them apart. */
static char *variant_names(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	g_autoptr(GPtrArray) chains = chains_of(ranking, path);
	g_autoptr(GHashTable) counts = count_functions(chains);
	g_autoptr(GHashTable) named = g_hash_table_new(NULL, NULL);
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < chains->len; i++) {
		uint32_t function = telling_function(ranking, g_ptr_array_index(chains, i), counts,
						     chains->len);
		g_autofree char *name = short_name(ranking, function);

		if (function == ITP_FUNCTION_UNKNOWN ||
		    !g_hash_table_add(named, GUINT_TO_POINTER(function))) {
			continue;
		}
		if (g_hash_table_size(named) > VARIANTS_NAMED) {
			g_string_append(names, ", \u2026");
			break;
		}
		g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", name);
	}
	/* A single name tells nothing apart. */
	g_string_truncate(names, g_hash_table_size(named) > 1 ? names->len : 0);
	return g_string_free(names, FALSE);
}

static void note_folded(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			GString *notes)
{
	g_autofree char *paths = itp_label_unbroken(itp_units_count(path->path_count));

	if (path->variant_count > 1) {
		g_autofree char *variants =
			itp_label_unbroken(itp_units_count(path->variant_count));
		g_autofree char *names = variant_names(ranking, path);

		next_note(notes);
		g_string_append_printf(notes, "reached in %s ways", variants);
		if (names[0] != '\0') {
			g_string_append_printf(notes, " (%s)", names);
		}
	}
	/* Not worth a line of its own. */
	if (path->path_count > MAX(path->variant_count, 1) && notes->len > 0) {
		next_note(notes);
		g_string_append_printf(notes, "costliest of %s paths", paths);
	}
}

/* Ticks without a base; against one, the doubt about the difference says more. */
static void note_ticks(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
		       GString *notes)
{
	g_autofree char *ticks = NULL;

	if (ranking->base == NULL && ranking->options.method == ITP_METHOD_TOTALS) {
		ticks = itp_cell_ticks(ranking, &path->ticks, path->delta.use.cpu_ns,
				       itp_path_own_delta_ns(path));
	}
	if (ticks) {
		next_note(notes);
		g_string_append(notes, ticks);
	}
}

/* An entry that may be chance is marked before its rank. */
static void note_verdict(const struct itp_page *page, const struct itp_ranked_path *path,
			 GString *notes)
{
	g_autofree char *doubt = itp_page_doubt_text(page, path);

	if (!doubt) {
		return;
	}
	next_note(notes);
	if (path->significance.verdict > ITP_VERDICT_CHANCE) {
		g_string_append_printf(notes,
				       "%s: ", itp_verdict_names[path->significance.verdict]);
	}
	g_string_append(notes, doubt);
}

void itp_page_append_path_notes(const struct itp_page *page, const struct itp_ranked_path *path)
{
	g_autoptr(GString) notes = g_string_new(NULL);

	note_culprit(page->ranking, path, notes);
	note_started(page, path, notes);
	note_often(page, path, notes);
	note_cost(page->ranking, path, notes);
	note_cause(page->ranking, path, notes);
	note_effects(page->ranking, path, notes);
	note_takers(page->ranking, path, notes);
	if (page->is_verbose || looks_misplaced(page, path)) {
		note_order(page->ranking, path, notes);
	}
	note_novelty(page, path, notes);
	if (page->is_verbose) {
		note_folded(page->ranking, path, notes);
		note_ticks(page->ranking, path, notes);
	}
	note_verdict(page, path, notes);
	if (notes->len > 0) {
		itp_label_pad(page->output, INDENT);
		itp_label_wrap(page->output, notes->str, INDENT, INDENT_MORE, page->width);
	}
}
