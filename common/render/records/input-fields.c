/* SPDX-License-Identifier: MIT */
/*
 * See fields.h: fields of the whole input, of which some are members of the header of JSON lines,
 * others of the summary.
 */
#include "common/render/records/fields.h"

#include <math.h>

#include "common/base/watched.h"
#include "common/render/entries.h"
#include "common/render/workload.h"
#include "common/view/renamed.h"

/* Kinds of events that need no word when all are watched. */
#define ALL_WATCHED (ITP_WATCHED_TICKS | ITP_WATCHED_SWITCHES | ITP_WATCHED_CALLS)

/* clang-format off */

/* Members of the header that exist only at times are added by set_later(). */
#define HEADER_FIELDS(X, CSV) \
	X("type", NULL, "header") \
	X("schema", "schema", (int64_t)ITP_RENDER_SCHEMA) \
	X("base", "base", ranking->base ? itp_json_text(ranking->base->workload.name) : json_null()) \
	X("suspect", "suspect", suspect->name) \
	X("metric", "metric", itp_metric_names[ranking->options.metric]) \
	X("method", "method", itp_method_names[ranking->options.method]) \
	X("options", NULL, suspect->options ? suspect->options : "") \
	X("paths", NULL, ranking->paths->len) \
	X("paths_found", NULL, ranking->path_count) \
	X("by", NULL, itp_rank_by_names[ranking->options.by]) \
	X("entries_found", NULL, ranking->entry_count) \
	X("significant", NULL, ranking->significant_count) \
	X("sure", NULL, ranking->sure_count) \
	X("per", "per", ranking->options.per ? ranking->options.per : "run") \
	X("unit", NULL, ranking->unit ? itp_json_text(ranking->unit) : NULL) \
	CSV("unit", "names of members end in it", \
	    ranking->options.metric == ITP_METRIC_COUNT ? "calls" : "ns") \
	X("suspect_units", "suspect_units", json_real(ranking->suspect_units)) \
	X("base_units", "base_units", ITP_OF_BASE(json_real(ranking->base_units))) \
	X("suspect_runs", "suspect_runs", ranking->suspect_runs) \
	X("base_runs", "base_runs", ITP_OF_BASE(ranking->base_runs)) \
	X("doubts", "doubts", itp_record_texts(record, doubts_array(ranking->doubts), " ")) \
	X("amount", NULL, json_real(ranking->amount)) \
	X("pairs", NULL, pairs_array(ranking)) \
	X("suspect_runnable_ns", NULL, ranking->suspect_runnable_ns) \
	X("base_runnable_ns", NULL, ranking->base_runnable_ns) \
	X("cpu_takers", NULL, itp_takers_array(ranking, ranking->takers)) \
	X("suspect_own_ns", NULL, ranking->suspect_own_ns) \
	X("base_own_ns", NULL, ranking->base_own_ns) \
	X("times", NULL, itp_ranking_has_latencies(ranking) ? NULL : itp_json_text("cpu"))

#define TRUNK_FIELDS(X, CSV) \
	X("process", NULL, itp_function_at(ranking, trunk->process)->name) \
	X("function", NULL, itp_function_at(ranking, trunk->function)->name) \
	X("module", NULL, itp_function_at(ranking, trunk->function)->module) \
	X("delta_ns", NULL, trunk->delta_ns)
#define PAIR_FIELDS(X, CSV) \
	X("kind", NULL, itp_pair_kind_names[pair->kind]) \
	X("base", NULL, pair->base) \
	X("suspect", NULL, pair->suspect) \
	X("by", NULL, itp_pair_reason_names[pair->reason])
#define RENAMING_FIELDS(X, CSV) \
	X("kind", NULL, "function") \
	X("base", NULL, itp_function_at(ranking, pair->base)->name) \
	X("suspect", NULL, itp_function_at(ranking, pair->suspect)->name) \
	X("by", NULL, itp_pair_reason_names[pair->reason]) \
	X("module", NULL, itp_function_at(ranking, pair->suspect)->module)

/* Sum over both inputs. */
#define BOTH(counter) (suspect->counts.counter + base->counts.counter)

#define SUMMARY_FIELDS(X, CSV) \
	X("type", NULL, "summary") \
	X("complete", "complete", itp_ranking_is_complete(ranking, options->incomplete)) \
	X("events", NULL, BOTH(events)) \
	X("broken_stacks", "broken_stacks", BOTH(broken_stacks)) \
	X("lost_events", "lost_events", BOTH(lost_events)) \
	X("losses", NULL, BOTH(losses)) \
	X("ended_by_error", NULL, options->incomplete) \
	X("interrupted", NULL, options->interrupted) \
	X("base", NULL, ranking->base ? workload_object(base, &ranking->base_calls, \
							&ranking->base_apart) : json_null()) \
	X("suspect", NULL, \
	  workload_object(suspect, &ranking->suspect_calls, &ranking->suspect_apart)) \
	X("deep_stacks", "deep_stacks", BOTH(deep_stacks)) \
	X("unwind_failures", "unwind_failures", BOTH(unwind_failures)) \
	X("calls", "calls", ranking->suspect_calls.calls + ranking->base_calls.calls) \
	X("unnamed_calls", "unnamed_calls", \
	  ranking->suspect_calls.unnamed + ranking->base_calls.unnamed)

/* clang-format on */

ITP_FIELD_TABLE(header, HEADER_FIELDS);
ITP_FIELD_TABLE(summary, SUMMARY_FIELDS);

static json_t *doubts_array(uint32_t doubts)
{
	json_t *array = json_array();

	for (size_t i = 0; i < ITP_DOUBT_COUNT; i++) {
		if (doubts & 1u << i) {
			json_array_append_new(array, json_string(itp_doubt_names[i]));
		}
	}
	return array;
}

static json_t *paired_array(const struct itp_ranking *ranking)
{
	ITP_RECORD_LIST(ranking, ranking->pairs, struct itp_pair, pair, PAIR_FIELDS)
}

static json_t *renamed_array(const struct itp_ranking *ranking)
{
	ITP_RECORD_LIST(ranking, ranking->renamings, struct itp_renaming, pair, RENAMING_FIELDS)
}

static json_t *pairs_array(const struct itp_ranking *ranking)
{
	json_t *array = ranking->pairs ? paired_array(ranking) : json_array();
	json_t *renamed = ranking->renamings ? renamed_array(ranking) : json_array();

	json_array_extend(array, renamed);
	json_decref(renamed);
	return array;
}

/* Of the own latency of all threads together. */
static void set_whole(json_t *header, const struct itp_ranking *ranking)
{
	if (ranking->base == NULL || ranking->options.method == ITP_METHOD_PAPER) {
		return;
	}
	json_object_set_new_nocheck(header, "spread", json_real(ranking->spread));
	if (ranking->speed.is_known) {
		itp_json_set_real(header, "machine_ratio", ranking->speed.ratio);
	}
	json_object_set_new_nocheck(header, "own_score", json_real(ranking->whole.score));
	itp_json_set_bool(header, "own_noise", itp_significance_is_chance(&ranking->whole));
	itp_json_set_text(header, "own_verdict", itp_verdict_names[ranking->whole.verdict]);
	itp_json_set_real(header, "visible", ranking->visible);
	itp_json_set_real(header, "visible_with_more", ranking->visible_with_more);
	json_object_set_new_nocheck(header, "own_doubt",
				    itp_doubt_record(ranking, &ranking->whole, ITP_LAYOUT_JSON));
}

/* Null for none. */
static json_t *trunk_object(const struct itp_ranking *ranking, const struct itp_trunk *trunk)
{
	return trunk->function == ITP_FUNCTION_UNKNOWN ?
		       json_null() :
		       ITP_RECORD(ranking, ITP_LAYOUT_JSON, TRUNK_FIELDS);
}

/* Members that JSON lines alone have, some only at times. */
static void set_later(json_t *header, const struct itp_ranking *ranking,
		      const struct itp_render_options *options)
{
	set_whole(header, ranking);
	json_object_set_new_nocheck(header, "trunk", trunk_object(ranking, &ranking->trunk));
	if (ranking->held_up) {
		itp_json_set_signed(header, "held_ns", ranking->held_up->held_ns);
		itp_json_set_signed(header, "base_held_ns", ranking->held_up->base_held_ns);
		itp_json_set_unsigned(header, "without_wakeups", ranking->held_up->without_wakeups);
	}
	if (options->period > 0) {
		itp_json_set_unsigned(header, "period", options->period);
		itp_json_set_signed(header, "period_begin_ns", options->period_begin_ns);
		itp_json_set_signed(header, "period_end_ns", options->period_end_ns);
	} else if (options->periods > 0) {
		itp_json_set_unsigned(header, "periods", options->periods);
	}
}

json_t *itp_header_record(const struct itp_ranking *ranking,
			  const struct itp_render_options *options, enum itp_layout layout)
{
	const struct itp_workload *suspect = &ranking->suspect->workload;
	json_t *object = ITP_RECORD(ranking, layout, HEADER_FIELDS);

	if (layout == ITP_LAYOUT_JSON) {
		set_later(object, ranking, options);
	}
	return object;
}

static json_t *found_by_object(const struct itp_infer_counts *counts)
{
	static const char *const names[] = {
		[ITP_FOUND_BY_RECORDER] = "recorder",
		[ITP_FOUND_BY_RULE] = "rule",
		[ITP_FOUND_BY_EXPRESSION] = "expression",
		[ITP_FOUND_BY_FRAME_POINTER] = "frame_pointer",
	};
	json_t *object = json_object();

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		itp_json_set_unsigned(object, names[i], counts->found_by[i]);
	}
	return object;
}

/* Kinds of events watched. */
static void set_watched(json_t *object, const struct itp_workload *workload)
{
	const uint32_t watched = workload->counts.watched;
	g_autofree char *text = itp_watched_text(watched);
	g_auto(GStrv) names = g_strsplit(text, " ", -1);
	json_t *array = json_array();

	for (char **name = names; *name; name++) {
		json_array_append_new(array, json_string(*name));
	}
	json_object_set_new_nocheck(object, "watched", array);
	if (watched & ITP_WATCHED_TICKS) {
		itp_json_set_signed(object, "tick_interval_ns",
				    llround(itp_tick_interval_ns(&workload->counts)));
	}
}

/* Windows, unless system calls were watched all the time. */
static void set_windows(json_t *object, const struct itp_infer_counts *counts)
{
	if (counts->rests_ns > 0) {
		itp_json_set_signed(object, "windows_ns", counts->windows_ns);
		itp_json_set_signed(object, "rests_ns", counts->rests_ns);
	}
}

/* Order of records, where some were late, which is seldom. */
static void set_order(json_t *object, uint64_t late, uint64_t misplaced)
{
	if (late + misplaced > 0) {
		itp_json_set_unsigned(object, "late_records", late);
		itp_json_set_unsigned(object, "misplaced_records", misplaced);
	}
}

static json_t *workload_object(const struct itp_workload *workload,
			       const struct itp_call_counts *calls, const struct itp_apart *apart)
{
	const struct itp_infer_counts *counts = &workload->counts;
	json_t *object = json_object();

	itp_json_set_text(object, "name", workload->name);
	itp_json_set_bool(object, "complete", itp_workload_is_complete(workload));
	itp_json_set_bool(object, "cut", counts->cut);
	itp_json_set_signed(object, "begin_ns", counts->begin_ns);
	itp_json_set_signed(object, "end_ns", counts->end_ns);
	itp_json_set_unsigned(object, "threads", counts->threads);
	itp_json_set_unsigned(object, "events", counts->events);
	itp_json_set_unsigned(object, "stacks", counts->stacks);
	itp_json_set_unsigned(object, "broken_stacks", counts->broken_stacks);
	itp_json_set_unsigned(object, "interrupted_stacks", counts->interrupted_stacks);
	itp_json_set_unsigned(object, "losses", counts->losses);
	itp_json_set_unsigned(object, "lost_events", counts->lost_events);
	itp_json_set_text(object, "options", workload->options == NULL ? "" : workload->options);
	itp_json_set_unsigned(object, "deep_stacks", counts->deep_stacks);
	itp_json_set_unsigned(object, "unwind_failures", counts->unwind_failures);
	json_object_set_new_nocheck(object, "found_by", found_by_object(counts));
	itp_json_set_unsigned(object, "calls", calls->calls);
	itp_json_set_unsigned(object, "unnamed_calls", calls->unnamed);
	itp_json_set_unsigned(object, "timer_samples", counts->timer_samples);
	itp_json_set_unsigned(object, "unfollowed_stacks", counts->unfollowed_stacks);
	itp_json_set_unsigned(object, "deep_chains", counts->deep_chains);
	itp_json_set_unsigned(object, "short_copies", counts->short_copies);
	itp_json_set_unsigned(object, "completed_stacks", counts->completed_stacks);
	itp_json_set_unsigned(object, "filled_frames", counts->filled_frames);
	itp_json_set_signed(object, "cpu_ns", apart->cpu_ns);
	itp_json_set_signed(object, "recorder_ns", apart->recorder_ns);
	itp_json_set_signed(object, "lost_ns", apart->lost_ns);
	set_order(object, counts->late_records, counts->misplaced_records);
	set_windows(object, counts);
	if (counts->watched != 0 && (counts->watched & ALL_WATCHED) != ALL_WATCHED) {
		set_watched(object, workload);
	}
	return object;
}

json_t *itp_summary_record(const struct itp_ranking *ranking,
			   const struct itp_render_options *options, enum itp_layout layout)
{
	static const struct itp_workload none;
	const struct itp_workload *base = ranking->base ? &ranking->base->workload : &none;
	const struct itp_workload *suspect = &ranking->suspect->workload;
	json_t *object = ITP_RECORD(ranking, layout, SUMMARY_FIELDS);

	if (layout == ITP_LAYOUT_JSON) {
		set_order(object, BOTH(late_records), BOTH(misplaced_records));
	}
	if (layout == ITP_LAYOUT_JSON && ranking->guesses_idle) {
		itp_json_set_bool(object, "idle_guessed", true);
	}
	return object;
}
