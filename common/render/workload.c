/* SPDX-License-Identifier: MIT */
/*
 * Renderers' words about a workload, for all formats in one place. An input counts as complete only
 * when its reader says so and no counter contradicts.
 */
#include "common/render/workload.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/base/watched.h"
#include "common/infer/options.h"
#include "common/render/units.h"
#include "common/render/unwatched.h"

/* Shares (1/n) from which on broken stacks matter, and functions without a name. */
#define BROKEN_LEAST 100
#define UNNAMED_LEAST 20
/* Share (1/n) of the CPU time from which on the recorder's part matters. */
#define RECORDER_LEAST 100
/* Ticks below which own times of so much CPU time say little. */
#define TICKS_LEAST 10
#define CPU_LEAST_NS INT64_C(20000000)

/* Columns for the head of a column. */
#define HEAD_COLUMNS 10

/* Extension of a file name, with its dot; "" without one. */
static const char *extension(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot == NULL || dot == name ? "" : dot;
}

static char *head(const char *label, const char *shared_extension)
{
	g_autofree char *stem = g_strndup(label, strlen(label) - strlen(shared_extension));

	return itp_label_shorten(stem, HEAD_COLUMNS);
}

void itp_workload_labels_init(struct itp_workload_labels *labels, const struct itp_ranking *ranking)
{
	const char *shared = "";

	labels->base = NULL;
	labels->base_head = NULL;
	labels->suspect = itp_label_clean(ranking->suspect->workload.name);
	if (ranking->base != NULL) {
		labels->base = itp_label_clean(ranking->base->workload.name);
		if (strcmp(labels->base, labels->suspect) == 0) {
			g_free(labels->base);
			g_free(labels->suspect);
			labels->base = g_strdup("base");
			labels->suspect = g_strdup("suspect");
		}
		if (strcmp(extension(labels->base), extension(labels->suspect)) == 0) {
			shared = extension(labels->base);
		}
		labels->base_head = head(labels->base, shared);
	}
	labels->suspect_head = head(labels->suspect, shared);
	if (g_strcmp0(labels->base_head, labels->suspect_head) == 0 || ranking->base_runs > 1 ||
	    (ranking->base != NULL && ranking->suspect_runs > 1)) {
		g_free(labels->base_head);
		g_free(labels->suspect_head);
		labels->base_head = g_strdup("base");
		labels->suspect_head = g_strdup("suspect");
	}
}

void itp_workload_labels_release(struct itp_workload_labels *labels)
{
	g_free(labels->suspect);
	g_free(labels->base);
	g_free(labels->suspect_head);
	g_free(labels->base_head);
}

/* True when nothing is known to be missing from the recording. */
static bool is_read_whole(const struct itp_workload *workload)
{
	return workload->complete && itp_infer_counts_are_whole(&workload->counts) &&
	       workload->counts.lost_events == 0;
}

bool itp_workload_is_complete(const struct itp_workload *workload)
{
	return is_read_whole(workload) && itp_workload_is_watched(workload) &&
	       workload->counts.rests_ns == 0;
}

bool itp_ranking_is_complete(const struct itp_ranking *ranking, bool incomplete)
{
	return !incomplete && itp_workload_is_complete(&ranking->suspect->workload) &&
	       (ranking->base == NULL || itp_workload_is_complete(&ranking->base->workload));
}

bool itp_ranking_is_read_whole(const struct itp_ranking *ranking, bool incomplete)
{
	return !incomplete && is_read_whole(&ranking->suspect->workload) &&
	       (ranking->base == NULL || is_read_whole(&ranking->base->workload));
}

bool itp_workload_is_part(const struct itp_workload *workload)
{
	g_autofree char *window = itp_workload_option(workload, "window");

	return window != NULL;
}

static void append_losses(GString *text, const struct itp_workload *workload)
{
	const struct itp_infer_counts *counts = &workload->counts;
	g_autofree char *losses = itp_workload_option(workload, "losses");
	const char *separator = "incomplete: ";

	if (counts->lost_events > 0) {
		g_autofree char *lost = itp_units_count(counts->lost_events);

		g_string_append_printf(text, "%s%s %s lost", separator, lost,
				       counts->lost_events == 1 ? "event" : "events");
		separator = ", ";
	} else if (counts->losses > 0) {
		g_string_append_printf(text, "%sevents lost, nobody knows how many", separator);
		separator = ", ";
	}
	if (counts->misplaced_records > 0) {
		g_autofree char *misplaced = itp_units_count(counts->misplaced_records);

		g_string_append_printf(text, "%s%s %s at a wrong time", separator, misplaced,
				       counts->misplaced_records == 1 ? "record" : "records");
		separator = ", ";
	}
	if (counts->cut) {
		g_string_append_printf(text, "%scut short", separator);
	} else if (!workload->complete && itp_infer_counts_are_whole(counts) &&
		   counts->lost_events == 0) {
		g_string_append_printf(text, "%s%s", separator,
				       losses ? "losses untold" : "not read to its end");
	}
}

char *itp_workload_completeness(const struct itp_workload *workload)
{
	GString *text = g_string_new(NULL);

	if (itp_workload_is_complete(workload)) {
		g_string_append(text, "complete");
	} else if (!itp_workload_is_watched(workload)) {
		g_string_append(text, itp_unwatched_text(workload));
	} else if (itp_unwatched_windows_text(workload)) {
		g_string_append(text, itp_unwatched_windows_text(workload));
	}
	if (!is_read_whole(workload)) {
		g_string_append(text, text->len > 0 ? ", " : "");
		append_losses(text, workload);
	}
	if (itp_workload_is_part(workload)) {
		g_string_append(text, ", only a part chosen by time");
	}
	return g_string_free(text, FALSE);
}

static char *shown_share(uint64_t part, uint64_t whole)
{
	return itp_label_unbroken(itp_units_share((double)part, (double)whole));
}

/* Appends ", 2.9 % do so and so" for a part of the stacks, unless too small to be shown. */
static void append_stack_share(GString *text, uint64_t part, uint64_t stacks, const char *what)
{
	g_autofree char *share = shown_share(part, stacks);

	if (part > 0) {
		g_string_append_printf(text, "%s%s %s",
				       g_str_has_suffix(text->str, ":") ? " " : ", ", share, what);
	}
}

/* Reason why stacks could not be followed further, and the remedy. */
static char *lost_way(const struct itp_machine *machine, bool is_unwound)
{
	if (machine) {
		return g_strdup_printf("could not be followed through what %s makes (%s helps)",
				       machine->name, machine->for_frames);
	}
	return g_strdup(is_unwound ? "could not be unwound" :
				     "got lost in code without frame pointers (--call-graph dwarf "
				     "helps)");
}

char *itp_workload_broken(const struct itp_workload *workload, const struct itp_machine *machine,
			  const char *name)
{
	const struct itp_infer_counts *counts = &workload->counts;
	bool is_unwound = counts->found_by[ITP_FOUND_BY_RECORDER] < counts->stacks;
	/* Profiles of before did not tell the two apart. */
	uint64_t chains = is_unwound ? counts->deep_chains : counts->deep_stacks;
	uint64_t known = counts->deep_stacks + counts->unwind_failures + counts->short_copies;
	g_autofree char *reason = lost_way(machine, is_unwound);
	g_autofree char *share = NULL;
	GString *text;

	if (known == 0 || counts->broken_stacks < counts->stacks / BROKEN_LEAST) {
		return NULL;
	}
	share = shown_share(counts->broken_stacks, counts->stacks);
	text = g_string_new(NULL);
	g_string_append_printf(text, "%s of %s's are broken:", share, name);
	append_stack_share(
		text, counts->deep_stacks - MIN(chains, counts->deep_stacks), counts->stacks,
		"are deeper than the recorded copy (a larger SIZE of --call-graph dwarf,SIZE "
		"helps)");
	append_stack_share(
		text, chains, counts->stacks,
		"are deeper than was recorded (a larger kernel.perf_event_max_stack helps)");
	append_stack_share(
		text, counts->short_copies, counts->stacks,
		"go on behind a page of the stack that was never touched, where copies end (no "
		"SIZE helps; --call-graph fp may)");
	append_stack_share(text, counts->unwind_failures, counts->stacks, reason);
	append_stack_share(text, counts->broken_stacks - MIN(known, counts->broken_stacks),
			   counts->stacks, "lack callers that others have");
	g_string_append_c(text, '.');
	return g_string_free(text, FALSE);
}

char *itp_workload_completed(const struct itp_workload *workload, const char *name)
{
	const struct itp_infer_counts *counts = &workload->counts;
	g_autofree char *share = NULL;

	if (counts->completed_stacks == 0) {
		return NULL;
	}
	share = shown_share(counts->completed_stacks, counts->stacks);
	return g_strdup_printf("%s of %s's were completed from the code, as a function is missing "
			       "where the next one keeps no frame pointer.",
			       share, name);
}

char *itp_workload_unfollowed(const struct itp_workload *workload, const char *name)
{
	const struct itp_infer_counts *counts = &workload->counts;
	g_autofree char *share = NULL;

	if (counts->unfollowed_stacks == 0) {
		return NULL;
	}
	share = shown_share(counts->unfollowed_stacks, counts->stacks);
	return g_strdup_printf(
		"%s of %s's stacks are not followed to their end, as it has too many contexts; "
		"what was called there counts as its callers' time.",
		share, name);
}

char *itp_workload_unnamed(const struct itp_call_counts *calls, const char *name)
{
	g_autofree char *share = NULL;
	/* No file has the symbols of code made while the program ran. */
	uint64_t unnamed = calls->unnamed - calls->made.unnamed;

	if (unnamed == 0 || unnamed < calls->calls / UNNAMED_LEAST) {
		return NULL;
	}
	share = shown_share(unnamed, calls->calls);
	return g_strdup_printf(
		"%s of %s's calls are of functions without a name, shown as MODULE+0x…; "
		"the debug symbols of these modules help.",
		share, name);
}

char *itp_workload_mute(const struct itp_call_counts *calls, const char *name)
{
	const struct itp_machine *machine = itp_machine_code_main(&calls->made);

	if (!itp_machine_code_is_mute(&calls->made)) {
		return NULL;
	}
	return machine->for_names ?
		       g_strdup_printf("the functions that %s runs have no names in %s; %s gives "
				       "them.",
				       machine->name, name, machine->for_names) :
		       g_strdup_printf("the functions that %s runs are not seen in %s: what is "
				       "called tells more than where.",
				       machine->name, name);
}

char *itp_workload_recorder(const struct itp_apart *apart, const char *name)
{
	g_autofree char *share = NULL;

	if (apart->recorder_ns < apart->cpu_ns / RECORDER_LEAST || apart->recorder_ns <= 0) {
		return NULL;
	}
	share = itp_label_unbroken(
		itp_units_share((double)apart->recorder_ns, (double)apart->cpu_ns));
	return g_strdup_printf(
		"%s of %s's CPU time was the recorder's own; it is in none of these numbers.",
		share, name);
}

char *itp_workload_lost(const struct itp_apart *apart, const char *name)
{
	g_autofree char *time = NULL;

	if (apart->lost_ns <= 0) {
		return NULL;
	}
	time = itp_label_unbroken(itp_units_time(apart->lost_ns));
	return g_strdup_printf(
		"%s of %s's threads lie behind losses; what they did then is not known.", time,
		name);
}

/* "1 record of slow.data" */
static char *records_of(uint64_t records, const char *name)
{
	g_autofree char *count = itp_units_count(records);

	return g_strdup_printf("%s %s of %s", count, records == 1 ? "record" : "records", name);
}

char *itp_workload_late(const struct itp_workload *workload, const char *name)
{
	const uint64_t late = workload->counts.late_records;
	g_autofree char *records = records_of(late, name);

	return late > 0 ? g_strdup_printf("%s came late, behind records of later times; each is "
					  "counted where its time belongs.",
					  records) :
			  NULL;
}

char *itp_workload_misplaced(const struct itp_workload *workload, const char *name)
{
	const uint64_t misplaced = workload->counts.misplaced_records;
	g_autofree char *records = records_of(misplaced, name);

	return misplaced > 0 ?
		       g_strdup_printf("%s came too late to be put in order; what each tells is "
				       "counted at a wrong time, or as another program's.",
				       records) :
		       NULL;
}

/* True also for older profiles. */
static bool has_calls(const struct itp_workload *workload)
{
	return workload->counts.watched == 0 || (workload->counts.watched & ITP_WATCHED_CALLS) != 0;
}

char *itp_workload_ticks(const struct itp_workload *workload, const struct itp_apart *apart,
			 const char *name)
{
	g_autofree char *estimate = itp_workload_option(workload, "estimate");
	g_autofree char *within = itp_workload_option(workload, "in");

	if (workload->counts.timer_samples >= TICKS_LEAST || apart->cpu_ns < CPU_LEAST_NS ||
	    !itp_workload_has_latencies(workload) || g_strcmp0(estimate, "best") != 0) {
		return NULL;
	}
	return g_strdup_printf(
		"%s has %s; whose CPU time it was between two stacks is estimated from %s alone.",
		name,
		within                              ? "no timer samples by unit" :
		workload->counts.timer_samples == 0 ? "no timer samples" :
						      "hardly any timer samples",
		has_calls(workload) ? "system calls and switches" : "switches");
}

bool itp_workload_has_ticks(const struct itp_workload *workload)
{
	g_autofree char *estimate = workload->counts.timer_samples > 0 ?
					    itp_workload_option(workload, "estimate") :
					    NULL;

	return g_strcmp0(estimate, "best") == 0 ||
	       (workload->counts.timer_samples > 0 && !itp_workload_has_latencies(workload));
}

char *itp_workload_option(const struct itp_workload *workload, const char *name)
{
	g_autofree char *value =
		itp_options_text_get(workload->options == NULL ? "" : workload->options, name);

	return value ? itp_label_clean_text(value) : NULL;
}
