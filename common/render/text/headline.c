/* SPDX-License-Identifier: MIT */
/*
 * First sentence of a result: who does what longer, and its share of the whole, in words for a
 * reader who has never seen one.
 *
 * Its subject is the first entry that is no chance, for example "redis-server now waits for the
 * disk in flushAppendOnlyFile, which calls fdatasync 6 793 times, 12 before: 1.9 s of the 2.2 s
 * that all threads together took longer. Sure." Where all may be chance, it says so, and how small
 * a difference would not have been seen.
 */
#include "common/render/text/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/labels.h"
#include "common/base/patterns.h"
#include "common/known/waiting-calls.h"
#include "common/rank/side.h"
#include "common/render/units.h"

/* Share of the base in an entry, below which the entry is new to a reader. */
#define NEW_PART 0.1
/* Share of programs' starts, or of a system call made more often, in a cost, from which on they are
 * told instead of their maker. */
#define OFTEN_PART 0.5
/* Least part of an entry's time, waiting for a CPU, of which it is told that it is left out. */
#define LEFT_OUT_LEAST 0.01

/* Deed of an entry: "computes", "longer", " in Cache::lookup". */
struct deed {
	const struct itp_page *page;
	const struct itp_ranked_path *path;
	bool is_new;
	bool is_less;
};

static int64_t whole_ns(const struct itp_ranking *ranking)
{
	return ranking->suspect_own_ns - ranking->base_own_ns;
}

/* ---- Choice of the entry ---- */

static bool is_told(const struct itp_ranked_path *path, bool saves)
{
	return !itp_path_is_unsure(path) && path->waits_for == 0 &&
	       saves == (itp_path_own_delta_ns(path) < 0);
}

/* First entry that costs more, or the one with the greatest saving. NULL when there is none. */
static const struct itp_ranked_path *first_told_path(const struct itp_ranking *ranking, bool saves)
{
	const struct itp_ranked_path *lead = NULL;

	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		if (is_told(path, saves) &&
		    (!lead ||
		     (saves && itp_path_own_delta_ns(path) < itp_path_own_delta_ns(lead)))) {
			lead = path;
		}
	}
	return lead;
}

/* An entry in the direction of the whole; if only chance has made the whole slower or faster, one
 * in the other direction. NULL when all is chance. */
static const struct itp_ranked_path *lead_of(const struct itp_ranking *ranking)
{
	const bool saves = whole_ns(ranking) < 0;
	const struct itp_ranked_path *lead = first_told_path(ranking, saves);

	return lead ? lead : first_told_path(ranking, !saves);
}

/* ---- Deed ---- */

/* "waits" → "now waits", "waits longer". */
static void append_verb(const struct deed *deed, GString *text, const char *verb, const char *rest)
{
	const char *how = deed->is_less ? " less" : " longer";

	if (!deed->page->ranking->base || deed->is_new) {
		g_string_append_printf(text, "%s%s%s", deed->is_new ? "now " : "", verb, rest);
	} else {
		g_string_append_printf(text, "%s%s%s", verb, how, rest);
	}
}

static void append_place(const struct deed *deed, GString *text, const char *preposition)
{
	const struct itp_ranked_frame *face = itp_path_face(deed->path);
	g_autofree char *name = face ? itp_page_name(deed->page, face->function) : NULL;

	if (name) {
		g_string_append_printf(text, "%s%s", preposition, name);
	}
}

/* The waker with most time in a role, NULL without any. */
static const struct itp_waker *main_waker(const struct deed *deed, enum itp_waker_role role)
{
	const GArray *wakers = deed->path->waited_for[role];

	return wakers->len > 0 ? &g_array_index(wakers, struct itp_waker, 0) : NULL;
}

/* Function of another thread of the program that kept it waiting for most of the time, as the one
 * that held a connection of a pool; NULL where none is known. */
static const struct itp_waker *holder_of(const struct deed *deed)
{
	const struct itp_waker *kept = main_waker(deed, ITP_WAKER_KEPT);
	const bool is_known = kept && kept->process == deed->path->process &&
			      kept->function != ITP_FUNCTION_UNKNOWN &&
			      2 * kept->blocked_ns >=
				      itp_wakers_sum_ns(deed->path->waited_for[ITP_WAKER_KEPT]);

	return is_known ? kept : NULL;
}

/* Device for which the kernel ended a wait, in plain words; NULL for any other reason. */
static const char *device_of(const struct itp_ranking *ranking, const struct itp_waker *waker)
{
	static const struct {
		const char *reason;
		const char *name;
	} devices[] = {
		{ ITP_REASON_PREFIX "disk", "the disk" },
		{ ITP_REASON_PREFIX "network", "the network" },
	};
	const char *reason = itp_function_at(ranking, waker->process)->name;

	for (size_t i = 0; i < G_N_ELEMENTS(devices); i++) {
		if (g_str_equal(devices[i].reason, reason)) {
			return devices[i].name;
		}
	}
	return NULL;
}

/* Name of whoever is waited for: the holder, or else the waker behind most of its waits, "reply in
 * redis-server"; NULL where unseen. */
static char *awaited_name(const struct deed *deed)
{
	const struct itp_waker *waker = main_waker(deed, ITP_WAKER_WOKE);
	const struct itp_waker *awaited = holder_of(deed);
	const char *device;

	if (!waker || waker->process == ITP_FUNCTION_UNKNOWN ||
	    itp_page_is_end_unseen(deed->path)) {
		return NULL;
	}
	if (!awaited || waker->process != awaited->process) {
		awaited = waker;
	}
	device = device_of(deed->page->ranking, awaited);
	if (device) {
		return g_strdup(device);
	}
	return itp_page_waker_name(deed->page->ranking, deed->path, awaited);
}

static void append_blocked(const struct deed *deed, GString *text)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	const struct itp_function *call = deed->path->syscall != ITP_FUNCTION_UNKNOWN ?
						  itp_function_at(ranking, deed->path->syscall) :
						  NULL;
	const char *name = call ? itp_syscall_name(ranking, deed->path->syscall) : "";
	g_autofree char *waker = awaited_name(deed);
	g_autofree char *rest = waker ? g_strdup_printf(" for %s", waker) : g_strdup("");

	if (call && itp_function_is_sleep(call)) {
		append_verb(deed, text, "sleeps", "");
	} else if (itp_syscall_awaits_disk(name)) {
		append_verb(deed, text, "waits", " for the disk");
	} else if (call && itp_function_awaits_child(call) && !waker) {
		append_verb(deed, text, "waits", " for another process");
	} else {
		append_verb(deed, text, "waits", rest);
	}
	append_place(deed, text, " in ");
}

static bool is_of_kernel(const struct deed *deed)
{
	return deed->path->cost_function != ITP_FUNCTION_UNKNOWN &&
	       itp_function_at(deed->page->ranking, deed->path->cost_function)->layer !=
		       ITP_LAYER_USER;
}

/* ---- How often ---- */

/* "6 793 times, 12 before"; NULL where a number is unknown, or both are equal. */
static char *times_text(const struct itp_ranking *ranking, struct itp_call_bounds suspect,
			struct itp_call_bounds base)
{
	g_autofree char *times = NULL;
	g_autofree char *before = NULL;

	if (!itp_call_bounds_are_close(suspect) || !itp_call_bounds_are_close(base) ||
	    suspect.seen == base.seen) {
		return NULL;
	}
	times = itp_cell_times(ranking, (int64_t)suspect.seen);
	before = itp_cell_number(ranking, (int64_t)base.seen);
	return itp_label_unbroken(ranking->base ? g_strdup_printf("%s, %s before", times, before) :
						  g_strdup(times));
}

static char *times_of_often(const struct itp_ranking *ranking, const struct itp_often *often)
{
	return times_text(ranking, itp_calls_bounds(often->count, 0),
			  itp_calls_bounds(often->base_count, 0));
}

/* System call made more often, which is most of it: "calls write 325 172 times, 318 before, in
 * flush". */
static bool append_often(const struct deed *deed, GString *text)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	const struct itp_often *often = &deed->path->often;
	g_autofree char *times = times_of_often(ranking, often);

	if (often->syscall == ITP_FUNCTION_UNKNOWN ||
	    (double)often->delta_ns < OFTEN_PART * (double)deed->path->cost) {
		return false;
	}
	g_string_append_printf(text, "calls %s %s,", itp_syscall_name(ranking, often->syscall),
			       times);
	append_place(deed, text, " in ");
	return true;
}

static void append_cpu(const struct deed *deed, GString *text)
{
	if (append_often(deed, text)) {
		return;
	}
	if (is_of_kernel(deed)) {
		append_verb(deed, text, "works", " in the kernel");
		append_place(deed, text, " for ");
	} else {
		append_verb(deed, text, "computes", "");
		append_place(deed, text, " in ");
	}
}

/* Wait for a CPU: because of a quota, or of the processes that had it. */
static void append_waiting(const struct deed *deed, GString *text)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	const GArray *takers = deed->path->waited_for[ITP_WAKER_HAD_CPU];
	const struct itp_waker *first = main_waker(deed, ITP_WAKER_HAD_CPU);

	if (first && itp_ranking_is_quota(ranking, first)) {
		append_verb(deed, text, "is held", " by its CPU quota");
		append_place(deed, text, " in ");
		return;
	}
	append_verb(deed, text, "waits", " for a CPU");
	append_place(deed, text, " in ");
	if (first && first->process != ITP_FUNCTION_UNKNOWN) {
		g_autofree char *name = itp_page_name(deed->page, first->process);

		g_string_append_printf(text, ", while %s %s", name,
				       takers->len > 1 ? "and others run" : "runs");
	}
}

/* Of the entry's culprit. */
static char *times_of_culprit(const struct deed *deed)
{
	const struct itp_cell_calls calls = itp_page_path_calls(deed->page->ranking, deed->path);

	return times_text(deed->page->ranking,
			  itp_calls_bounds(calls.suspect, calls.suspect_unseen),
			  itp_calls_bounds(calls.base, calls.base_unseen));
}

/* Calls of the system call in which it waits, each of which was recorded. If they are not known to
 * be more, NULL for an entry of several paths, as only one of them is at hand. */
static char *times_of_syscall(const struct deed *deed)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	const struct itp_ranked_path *path = deed->path;
	const struct itp_call_bounds none = itp_calls_bounds(0, 0);

	if (path->often.syscall != ITP_FUNCTION_UNKNOWN && path->often.syscall == path->syscall) {
		return times_of_often(ranking, &path->often);
	}
	for (uint32_t i = 0; path->path_count <= 1 && i < path->frame_count; i++) {
		const struct itp_ranked_frame *frame = &path->frames[i];

		if (frame->function == path->syscall) {
			return times_text(
				ranking,
				itp_node_stats_calls(frame->suspect,
						     &ranking->suspect->workload.counts),
				ranking->base && frame->base ?
					itp_node_stats_calls(frame->base,
							     &ranking->base->workload.counts) :
					none);
		}
	}
	return NULL;
}

static void append_times(const struct deed *deed, GString *text)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	g_autofree char *of_culprit = times_of_culprit(deed);
	g_autofree char *of_syscall = times_of_syscall(deed);
	g_autofree char *timer = itp_page_timer_text(deed->page->ranking, deed->path);
	const char *call = deed->path->syscall != ITP_FUNCTION_UNKNOWN ?
				   itp_syscall_name(ranking, deed->path->syscall) :
				   "";

	if (!itp_path_is_wait(deed->path) || call[0] == '\0') {
		return;
	}
	if (of_syscall) {
		g_string_append_printf(text, ", which calls %s %s", call, of_syscall);
	} else if (of_culprit) {
		g_string_append_printf(text, " (%s), called %s", call, of_culprit);
	} else {
		g_string_append_printf(text, " (%s)", call);
	}
	if (timer) {
		g_string_append_printf(text, ", each time %s", timer);
	}
}

static void append_more_calls(const struct deed *deed, GString *text)
{
	g_autofree char *times = times_of_culprit(deed);

	g_string_append(text, "calls");
	append_place(deed, text, " ");
	if (times) {
		g_string_append_printf(text, " %s", times);
	} else {
		g_string_append_printf(text, " %s often", deed->is_less ? "less" : "more");
	}
}

/* True if the entry is told without its waiting for a CPU, as it is ranked: neither others nor a
 * quota that kept it from one are the cause. */
static bool is_without_waiting(const struct deed *deed)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	const struct itp_waker *taker = main_waker(deed, ITP_WAKER_HAD_CPU);

	return ranking->base && !ranking->counts_waiting &&
	       !(taker && itp_ranking_is_quota(ranking, taker));
}

static int64_t told_ns(const struct deed *deed)
{
	return is_without_waiting(deed) ? deed->path->ranked_value : deed->path->cost;
}

/* Kind of most of the told time: a word of itp_cell_why(). */
static const char *why_of(const struct deed *deed, bool is_first)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	struct itp_delta delta = deed->path->delta;

	if (is_without_waiting(deed)) {
		delta.unsplit_ns -= delta.use.runnable_ns;
		delta.use.runnable_ns = 0;
	}
	return itp_cell_why(ranking, &delta, is_first);
}

/* Programs whose starts are most of it: "starts gzip 1 200 times, 1 before, in compress". */
static bool append_started(const struct deed *deed, GString *text)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	int64_t cost_ns = 0;
	const struct itp_started *first =
		deed->path->started->len > 0 ?
			&g_array_index(deed->path->started, struct itp_started, 0) :
			NULL;
	g_autofree char *name = first ? itp_page_name(deed->page, first->process) : NULL;
	g_autofree char *times = first ? times_text(ranking, itp_calls_bounds(first->count, 0),
						    itp_calls_bounds(first->base_count, 0)) :
					 NULL;

	for (guint i = 0; i < deed->path->started->len; i++) {
		cost_ns += g_array_index(deed->path->started, struct itp_started, i).cost;
	}
	if (!first || (double)cost_ns < OFTEN_PART * (double)told_ns(deed)) {
		return false;
	}
	g_string_append_printf(text, "starts %s %s,", name, times);
	append_place(deed, text, " in ");
	return true;
}

static void append_deed(const struct deed *deed, GString *text)
{
	const struct itp_ranked_path *path = deed->path;
	bool is_first = path->variant_count > 0 ? path->base_calls == 0 :
						  path->novelty == ITP_NOVELTY_NEW;
	const char *why = why_of(deed, is_first);
	g_autofree char *process = itp_page_name(deed->page, path->process);

	g_string_append_printf(text, "%s ", process);
	if (append_started(deed, text)) {
		return;
	}
	if (g_str_has_suffix(why, "calls")) {
		append_more_calls(deed, text);
	} else if (g_str_equal(why, "blocked")) {
		append_blocked(deed, text);
		append_times(deed, text);
	} else if (g_str_equal(why, "CPU")) {
		append_cpu(deed, text);
	} else if (g_str_equal(why, "CPU wait")) {
		if (!append_often(deed, text)) {
			append_waiting(deed, text);
		}
	} else {
		append_verb(deed, text, "is", "");
		append_place(deed, text, " in ");
	}
}

/* ---- How much of the whole ---- */

int64_t itp_page_waits_for_ns(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	int64_t sum_ns = 0;

	for (guint i = 0; path->is_waited_for && i < ranking->paths->len; i++) {
		const struct itp_ranked_path *effect = itp_path_at(ranking, i);

		sum_ns += effect->waits_for == path->rank ? itp_path_own_delta_ns(effect) : 0;
	}
	return sum_ns;
}

/* "all threads together in units of work", "a call of handle": whose time the whole is. */
static char *owner_of(const struct itp_page *page)
{
	g_autofree char *unit = itp_cell_unit(page->ranking);
	g_autofree char *within = itp_workload_option(&page->ranking->suspect->workload, "in");
	const char *type = within ? strchr(within, ':') : NULL;
	GString *owner = g_string_new(unit ? "a " : "all threads together");

	g_string_append(owner, unit ? unit : "");
	if (within) {
		g_string_append_printf(owner, " in units of %s", type ? type + 1 : "work");
	}
	return g_string_free(owner, FALSE);
}

/* Times that the share is said of, in nanoseconds. */
struct shares {
	int64_t part_ns;
	int64_t whole_ns;
	/* Of part_ns: time of other entries, which wait for the entry. */
	int64_t waits_ns;
	bool is_without_waiting;
};

/* Time (ns) for which those who wait for the entry waited for a CPU. */
static int64_t waiters_runnable_ns(const struct itp_ranking *ranking,
				   const struct itp_ranked_path *lead)
{
	int64_t sum_ns = 0;

	for (guint i = 0; lead->is_waited_for && i < ranking->paths->len; i++) {
		const struct itp_ranked_path *effect = itp_path_at(ranking, i);

		sum_ns += effect->waits_for == lead->rank ? effect->delta.use.runnable_ns : 0;
	}
	return sum_ns;
}

static struct shares shares_of(const struct deed *deed)
{
	const struct itp_ranking *ranking = deed->page->ranking;
	const struct itp_ranked_path *lead = deed->path;
	const int64_t waited_ns = ranking->suspect_runnable_ns - ranking->base_runnable_ns;
	const int64_t own_ns = itp_path_own_delta_ns(lead);
	struct shares shares = {
		.part_ns = own_ns,
		.whole_ns = whole_ns(ranking),
		.waits_ns = itp_page_waits_for_ns(ranking, lead),
		.is_without_waiting = is_without_waiting(deed) &&
				      fabs((double)(own_ns - told_ns(deed))) >
					      LEFT_OUT_LEAST * fabs((double)own_ns),
	};

	if (shares.is_without_waiting) {
		shares.part_ns = told_ns(deed);
		shares.whole_ns -= waited_ns;
		shares.waits_ns -= waiters_runnable_ns(ranking, lead);
	}
	shares.part_ns += shares.waits_ns;
	return shares;
}

/* Part beyond the whole: the rest has changed the other way. */
static void append_excess(const struct itp_page *page, const struct shares *shares, GString *text)
{
	const struct itp_ranking *ranking = page->ranking;
	const int64_t rest_ns = shares->whole_ns - shares->part_ns;
	const bool is_less = shares->part_ns < 0;
	g_autofree char *part = itp_label_unbroken(itp_cell_time(ranking, ABS(shares->part_ns)));
	g_autofree char *rest = itp_label_unbroken(itp_cell_time(ranking, ABS(rest_ns)));

	g_string_append_printf(text, "%s %s, and all else %s %s", part, is_less ? "less" : "more",
			       rest, is_less ? "more" : "less");
}

static void append_share(const struct deed *deed, GString *text)
{
	const struct itp_page *page = deed->page;
	const struct itp_ranking *ranking = page->ranking;
	const struct shares shares = shares_of(deed);
	double share = shares.whole_ns != 0 ? (double)shares.part_ns / (double)shares.whole_ns : 0;
	g_autofree char *part = itp_label_unbroken(itp_cell_time(ranking, ABS(shares.part_ns)));
	g_autofree char *whole = itp_label_unbroken(itp_cell_time(ranking, ABS(shares.whole_ns)));
	g_autofree char *unit = itp_cell_unit(ranking);
	g_autofree char *owner = owner_of(page);

	g_string_append(text, shares.waits_ns > 0 ? "; with what waits for it, that is " : ": ");
	if (ranking->base && !(share > 0 && share < ITP_SHARE_MOST)) {
		append_excess(page, &shares, text);
	} else if (ranking->base && unit) {
		g_string_append_printf(text, "%s of the %s %s for each %s", part, whole,
				       shares.part_ns < 0 ? "less" : "more", owner + strlen("a "));
	} else if (ranking->base) {
		g_string_append_printf(text, "%s of the %s that %s took %s", part, whole, owner,
				       shares.part_ns < 0 ? "less" : "longer");
	} else {
		g_string_append_printf(text, "%s of the %s %s %s", part, whole,
				       itp_ranking_has_latencies(ranking) ? "of" : "of CPU time of",
				       owner);
	}
	g_string_append(text, shares.is_without_waiting ? ", but for waiting for a CPU." : ".");
}

static void append_verdict(const struct itp_ranking *ranking, const struct itp_ranked_path *lead,
			   GString *text)
{
	const char *verdict = itp_verdict_names[lead->significance.verdict];

	if (itp_ranking_is_judged(ranking)) {
		g_string_append_printf(text, " %c%s.", g_ascii_toupper(verdict[0]), verdict + 1);
	}
}

/* ---- Without an entry ---- */

/* "all threads together took 1.20 s before, 1.22 s now" */
static char *whole_text(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *base = itp_label_unbroken(itp_cell_time(ranking, ranking->base_own_ns));
	g_autofree char *suspect =
		itp_label_unbroken(itp_cell_time(ranking, ranking->suspect_own_ns));
	g_autofree char *owner = owner_of(page);

	return g_strdup_printf("%s took %s before, %s now", owner, base, suspect);
}

static void append_nothing(const struct itp_page *page, GString *text)
{
	g_autofree char *whole = whole_text(page);
	g_autofree char *visible = itp_page_visible_text(page->ranking);

	g_string_append_printf(text, "No difference beyond chance: %s. %s", whole, visible);
}

/* True for a sure difference of the whole that would not pass unseen, as append_nothing() says of
 * smaller ones. */
static bool is_whole_seen(const struct itp_ranking *ranking)
{
	return ranking->whole.verdict == ITP_VERDICT_SURE &&
	       llabs(whole_ns(ranking)) > ranking->visible * (double)ranking->base_own_ns;
}

/* The whole differs, and no entry is beyond chance by itself. */
static void append_unplaced(const struct itp_page *page, GString *text)
{
	g_autofree char *whole = whole_text(page);

	g_string_append_printf(
		text, "%c%s. Sure, but not known where: no place by itself is beyond chance.",
		g_ascii_toupper(whole[0]), whole + 1);
}

/* True for a recording in which nothing was done. */
static bool is_all_idle(const struct itp_ranking *ranking)
{
	return !ranking->base && ranking->suspect_own_ns == 0 && ranking->idle->len > 0 &&
	       g_array_index(ranking->idle, struct itp_idle_wait, 0).process !=
		       ITP_FUNCTION_UNKNOWN;
}

/* "pool only waited for work, most of it in futex: 12 s of all threads together." */
static void append_all_idle(const struct itp_page *page, GString *text)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_idle_wait *most = &g_array_index(ranking->idle, struct itp_idle_wait, 0);
	g_autofree char *process = itp_page_name(page, most->process);
	g_autofree char *owner = owner_of(page);
	g_autofree char *time = NULL;
	int64_t sum_ns = 0;

	for (guint i = 0; i < ranking->idle->len; i++) {
		sum_ns += g_array_index(ranking->idle, struct itp_idle_wait, i).suspect_ns;
	}
	time = itp_label_unbroken(itp_cell_time(ranking, sum_ns));
	g_string_append_printf(text, "%s only waited for work", process);
	if (most->syscall != ITP_FUNCTION_UNKNOWN) {
		g_string_append_printf(text, ", most of it in %s",
				       itp_syscall_name(ranking, most->syscall));
	}
	g_string_append_printf(text, ": %s of %s.", time, owner);
}

/* True when the numbers of the paths are the sentence's. */
static bool is_of_own_time(const struct itp_ranking *ranking)
{
	return ranking->options.by == ITP_RANK_BY_PATH &&
	       ranking->options.metric == ITP_METRIC_OWN &&
	       ranking->options.method == ITP_METHOD_TOTALS && !ranking->held_up &&
	       ranking->paths->len > 0;
}

/* The sentence; empty without one. */
static GString *headline_of(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_ranked_path *lead = is_of_own_time(ranking) ? lead_of(ranking) : NULL;
	GString *text = g_string_new(NULL);

	if (is_of_own_time(ranking) && is_all_idle(ranking)) {
		append_all_idle(page, text);
	} else if (lead) {
		struct deed deed = {
			.page = page,
			.path = lead,
			.is_new = ranking->base &&
				  (double)lead->base_value < NEW_PART * (double)lead->suspect_value,
		};

		deed.is_less = told_ns(&deed) < 0;
		if (ranking->doubts & ITP_DOUBT_LOSSES) {
			g_string_append(text, "As far as it was seen, ");
		}
		append_deed(&deed, text);
		append_share(&deed, text);
		append_verdict(ranking, lead, text);
	} else if (is_of_own_time(ranking) && itp_ranking_is_judged(ranking) &&
		   ranking->significant_count == 0) {
		if (is_whole_seen(ranking)) {
			append_unplaced(page, text);
		} else {
			append_nothing(page, text);
		}
	}
	return text;
}

bool itp_page_append_headline(const struct itp_page *page)
{
	g_autoptr(GString) text = headline_of(page);

	if (text->len > 0) {
		itp_label_wrap(page->output, text->str, 0, 0, page->width);
	}
	return text->len > 0;
}

/* Function that the sentence names; ITP_FUNCTION_UNKNOWN for none. */
static uint32_t named_by(const struct itp_ranking *ranking)
{
	const struct itp_ranked_path *lead = lead_of(ranking);
	const struct itp_ranked_frame *face = lead ? itp_path_face(lead) : NULL;

	return face ? face->function : ITP_FUNCTION_UNKNOWN;
}

char *itp_page_headline_by_work(const struct itp_page *page)
{
	const struct itp_ranking *by_work = page->ranking->by_work;
	struct itp_page other = *page;
	g_autoptr(GString) text = NULL;

	if (!by_work || !is_of_own_time(page->ranking) ||
	    named_by(by_work) == named_by(page->ranking)) {
		return NULL;
	}
	other.ranking = by_work;
	text = headline_of(&other);
	return text->len > 0 ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}
