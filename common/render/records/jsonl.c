/* SPDX-License-Identifier: MIT */
/*
 * A ranking as JSON lines: a header, an object for each path, a summary; or of a single path its
 * object and its detail. Keys fixed by the design come first and in its order; readers must ignore
 * unknown keys.
 */
#include "common/render/records/records.h"

#include <math.h>

#include "common/base/watched.h"
#include "common/render/cells.h"
#include "common/render/entries.h"
#include "common/render/json.h"
#include "common/render/records/json-detail.h"
#include "common/render/records/json-held.h"
#include "common/render/unwatched.h"
#include "common/render/workload.h"
#include "common/view/renamed.h"

#define REAL_DIGITS 6
/* Kinds of events that need no word when all are watched. */
#define ALL_WATCHED (ITP_WATCHED_TICKS | ITP_WATCHED_SWITCHES | ITP_WATCHED_CALLS)

/* Makes numbers in `value` and all its members null if they need latencies. */
static void leave_out_latencies(json_t *value)
{
	const char *key;
	json_t *member;
	size_t i;

	json_object_foreach(value, key, member)
	{
		if (itp_unwatched_lacks(key)) {
			itp_json_set_null(value, key);
		} else {
			leave_out_latencies(member);
		}
	}
	json_array_foreach(value, i, member)
	{
		leave_out_latencies(member);
	}
}

/* Appends `object` as a line and gives it up. */
static void append_line(const struct itp_ranking *ranking, GString *output, json_t *object)
{
	if (!itp_ranking_has_latencies(ranking)) {
		leave_out_latencies(object);
	}
	itp_json_append_line(output, object, JSON_REAL_PRECISION(REAL_DIGITS));
}

static void set_name(json_t *object, const char *key, const struct itp_ranking *ranking,
		     uint32_t function)
{
	itp_json_set_text(object, key, itp_function_at(ranking, function)->name);
}

static json_t *takers_array(const struct itp_ranking *ranking, const GArray *takers)
{
	json_t *array = json_array();

	for (guint i = 0; i < takers->len; i++) {
		const struct itp_waker *taker = &g_array_index(takers, struct itp_waker, i);
		json_t *object = json_object();

		set_name(object, "process", ranking, taker->process);
		itp_json_set_signed(object, "runnable_ns", taker->blocked_ns);
		json_array_append_new(array, object);
	}
	return array;
}

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

static void append_renamings(const struct itp_ranking *ranking, json_t *array)
{
	const GArray *renamings = ranking->renamings;

	for (guint i = 0; renamings != NULL && i < renamings->len; i++) {
		const struct itp_renaming *renaming =
			&g_array_index(renamings, struct itp_renaming, i);
		const struct itp_function *suspect = itp_function_at(ranking, renaming->suspect);
		json_t *object = json_object();

		itp_json_set_text(object, "kind", "function");
		set_name(object, "base", ranking, renaming->base);
		itp_json_set_text(object, "suspect", suspect->name);
		itp_json_set_text(object, "by", itp_pair_reason_names[renaming->reason]);
		itp_json_set_text(object, "module", suspect->module);
		json_array_append_new(array, object);
	}
}

static json_t *pairs_array(const struct itp_ranking *ranking)
{
	const GArray *pairs = ranking->pairs;
	json_t *array = json_array();

	for (guint i = 0; pairs != NULL && i < pairs->len; i++) {
		const struct itp_pair *pair = &g_array_index(pairs, struct itp_pair, i);
		json_t *object = json_object();

		itp_json_set_text(object, "kind", itp_pair_kind_names[pair->kind]);
		itp_json_set_text(object, "base", pair->base);
		itp_json_set_text(object, "suspect", pair->suspect);
		itp_json_set_text(object, "by", itp_pair_reason_names[pair->reason]);
		json_array_append_new(array, object);
	}
	append_renamings(ranking, array);
	return array;
}

/* Numbers behind a verdict. */
static json_t *doubt_object(const struct itp_significance *significance)
{
	json_t *object = json_object();

	itp_json_set_text(object, "about", itp_doubt_about_names[significance->doubt]);
	json_object_set_new_nocheck(object, "probability", json_real(significance->probability));
	itp_json_set_signed(object, "measurement_ns", llround(significance->measurement_ns));
	itp_json_set_signed(object, "runs_ns", llround(significance->runs_ns));
	json_object_set_new_nocheck(object, "spread", json_real(significance->spread));
	itp_json_set_unsigned(object, "samples", significance->samples);
	itp_json_set_unsigned(object, "base_samples", significance->base_samples);
	itp_json_set_unsigned(object, "waits", significance->waits);
	itp_json_set_unsigned(object, "base_waits", significance->base_waits);
	itp_json_set_bool(object, "called_otherwise", significance->is_called_otherwise);
	itp_json_set_bool(object, "never_taken", significance->is_never_taken);
	return object;
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
	json_object_set_new_nocheck(header, "own_doubt", doubt_object(&ranking->whole));
}

static json_t *trunk_object(const struct itp_ranking *ranking)
{
	const struct itp_trunk *trunk = &ranking->trunk;
	const struct itp_function *function;
	json_t *object;

	if (trunk->function == ITP_FUNCTION_UNKNOWN) {
		return json_null();
	}
	function = itp_function_at(ranking, trunk->function);
	object = json_object();
	set_name(object, "process", ranking, trunk->process);
	itp_json_set_text(object, "function", function->name);
	itp_json_set_text(object, "module", function->module);
	itp_json_set_signed(object, "delta_ns", trunk->delta_ns);
	return object;
}

static void append_header(const struct itp_ranking *ranking,
			  const struct itp_render_options *options, GString *output)
{
	const struct itp_workload *suspect = &ranking->suspect->workload;
	json_t *header = json_object();

	itp_json_set_text(header, "type", "header");
	itp_json_set_signed(header, "schema", ITP_RENDER_SCHEMA);
	if (ranking->base == NULL) {
		itp_json_set_null(header, "base");
	} else {
		itp_json_set_text(header, "base", ranking->base->workload.name);
	}
	itp_json_set_text(header, "suspect", suspect->name);
	itp_json_set_text(header, "metric", itp_metric_names[ranking->options.metric]);
	itp_json_set_text(header, "method", itp_method_names[ranking->options.method]);
	itp_json_set_text(header, "options", suspect->options == NULL ? "" : suspect->options);
	itp_json_set_unsigned(header, "paths", ranking->paths->len);
	itp_json_set_unsigned(header, "paths_found", ranking->path_count);
	itp_json_set_text(header, "by", itp_rank_by_names[ranking->options.by]);
	itp_json_set_unsigned(header, "entries_found", ranking->entry_count);
	itp_json_set_unsigned(header, "significant", ranking->significant_count);
	itp_json_set_unsigned(header, "sure", ranking->sure_count);
	itp_json_set_text(header, "per", ranking->options.per ? ranking->options.per : "run");
	if (ranking->unit) {
		itp_json_set_text(header, "unit", ranking->unit);
	}
	json_object_set_new_nocheck(header, "suspect_units", json_real(ranking->suspect_units));
	json_object_set_new_nocheck(header, "base_units", json_real(ranking->base_units));
	itp_json_set_unsigned(header, "suspect_runs", ranking->suspect_runs);
	itp_json_set_unsigned(header, "base_runs", ranking->base_runs);
	json_object_set_new_nocheck(header, "doubts", doubts_array(ranking->doubts));
	json_object_set_new_nocheck(header, "amount", json_real(ranking->amount));
	json_object_set_new_nocheck(header, "pairs", pairs_array(ranking));
	itp_json_set_signed(header, "suspect_runnable_ns", ranking->suspect_runnable_ns);
	itp_json_set_signed(header, "base_runnable_ns", ranking->base_runnable_ns);
	json_object_set_new_nocheck(header, "cpu_takers", takers_array(ranking, ranking->takers));
	itp_json_set_signed(header, "suspect_own_ns", ranking->suspect_own_ns);
	itp_json_set_signed(header, "base_own_ns", ranking->base_own_ns);
	if (!itp_ranking_has_latencies(ranking)) {
		itp_json_set_text(header, "times", "cpu");
	}
	set_whole(header, ranking);
	json_object_set_new_nocheck(header, "trunk", trunk_object(ranking));
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
	append_line(ranking, output, header);
}

static void set_possible(const struct itp_ranking *ranking, json_t *object,
			 const struct itp_node_stats *suspect, const struct itp_node_stats *base)
{
	const struct itp_cell_calls calls = itp_cell_calls_of(ranking, suspect, base);

	itp_json_set_possible(object, "possible_count", calls.suspect, calls.suspect_unseen);
	itp_json_set_possible(object, "base_possible_count", calls.base, calls.base_unseen);
}

/* NULL without a base. */
static const struct itp_workload *base_workload(const struct itp_ranking *ranking)
{
	return ranking->base ? &ranking->base->workload : NULL;
}

static void set_calls(json_t *object, const char *prefix, const struct itp_node_stats *stats)
{
	static const enum itp_node_field fields[] = { ITP_NODE_total_ns, ITP_NODE_count,
						      ITP_NODE_max_count };

	itp_json_set_fields(object, prefix, stats, fields, G_N_ELEMENTS(fields));
}

static const enum itp_node_field latency_fields[] = {
	ITP_NODE_min_ns,          ITP_NODE_max_ns,     ITP_NODE_lower_ns,
	ITP_NODE_upper_ns,        ITP_NODE_cpu_ns,     ITP_NODE_blocked_ns,
	ITP_NODE_runnable_ns,     ITP_NODE_own_cpu_ns, ITP_NODE_own_blocked_ns,
	ITP_NODE_own_runnable_ns, ITP_NODE_lost_count,
};

static json_t *frame_object(const struct itp_ranking *ranking, const struct itp_ranked_frame *frame)
{
	const struct itp_function *function = itp_function_at(ranking, frame->function);
	const struct itp_node_stats *suspect = frame->suspect;
	const struct itp_node_stats *base = frame->base;
	const struct itp_ticks ticks = itp_node_stats_ticks(suspect);
	const struct itp_ticks base_ticks = base ? itp_node_stats_ticks(base) :
						   (struct itp_ticks){ 0 };
	json_t *object = json_object();

	itp_json_set_text(object, "function", function->name);
	itp_json_set_inlined(object, function);
	itp_json_set_text(object, "module", function->module);
	itp_json_set_signed(object, "own_ns", suspect->own_ns);
	itp_json_set_signed(object, "base_own_ns", base ? base->own_ns : 0);
	set_calls(object, "", suspect);
	itp_json_set_unsigned(object, "rank", frame->rank);
	set_calls(object, "base_", base);
	itp_json_set_signed(object, "value", frame->value);
	itp_json_set_signed(object, "base_value", frame->base_value);
	itp_json_set_fields(object, "", suspect, latency_fields, G_N_ELEMENTS(latency_fields));
	set_possible(ranking, object, suspect, base);
	itp_json_set_ticks(object, "", &ranking->suspect->workload, &ticks);
	itp_json_set_ticks(object, "base_", base_workload(ranking), &base_ticks);
	return object;
}

static json_t *delta_object(const struct itp_delta *delta)
{
	json_t *object = json_object();

	itp_json_set_signed(object, "more_calls_ns", delta->more_calls_ns);
	itp_json_set_signed(object, "slower_calls_ns", delta->slower_calls_ns);
	itp_json_set_signed(object, "unsplit_ns", delta->unsplit_ns);
	itp_json_set_use(object, "", &delta->use);
	return object;
}

/* Names from the process root to `node`. */
static json_t *functions_array(const struct itp_ranking *ranking, uint32_t node)
{
	g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	json_t *array = json_array();

	itp_context_tree_path(ranking->tree, node, functions);
	for (guint i = 0; i < functions->len; i++) {
		uint32_t function = g_array_index(functions, uint32_t, i);

		json_array_append_new(array,
				      itp_json_text(itp_function_at(ranking, function)->name));
	}
	return array;
}

/* The index of a frame, or none. */
static void set_index(json_t *object, const char *key, int32_t index)
{
	if (index < 0) {
		itp_json_set_null(object, key);
	} else {
		itp_json_set_signed(object, key, index);
	}
}

static json_t *variants_array(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < path->variant_count; i++) {
		const struct itp_variant *variant = &path->variants[i];
		json_t *object = json_object();

		json_object_set_new_nocheck(object, "functions",
					    functions_array(ranking, variant->node));
		itp_json_set_signed(object, "suspect_ns", variant->suspect_ns);
		itp_json_set_signed(object, "base_ns", variant->base_ns);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *wakers_array(const struct itp_ranking *ranking, const GArray *wakers)
{
	json_t *array = json_array();

	for (guint i = 0; i < wakers->len; i++) {
		const struct itp_waker *waker = &g_array_index(wakers, struct itp_waker, i);
		json_t *object = json_object();

		set_name(object, "process", ranking, waker->process);
		set_name(object, "function", ranking, waker->function);
		itp_json_set_unsigned(object, "count", waker->count);
		itp_json_set_signed(object, "blocked_ns", waker->blocked_ns);
		json_array_append_new(array, object);
	}
	return array;
}

/* Null for none. */
static json_t *often_object(const struct itp_ranking *ranking, const struct itp_often *often)
{
	json_t *object;

	if (often->syscall == ITP_FUNCTION_UNKNOWN) {
		return json_null();
	}
	object = json_object();
	set_name(object, "syscall", ranking, often->syscall);
	itp_json_set_unsigned(object, "count", often->count);
	itp_json_set_unsigned(object, "base_count", often->base_count);
	itp_json_set_signed(object, "cost_ns", often->delta_ns);
	return object;
}

static json_t *started_array(const struct itp_ranking *ranking, const GArray *programs)
{
	json_t *array = json_array();

	for (guint i = 0; i < programs->len; i++) {
		const struct itp_started *started = &g_array_index(programs, struct itp_started, i);
		json_t *object = json_object();

		set_name(object, "process", ranking, started->process);
		itp_json_set_unsigned(object, "count", started->count);
		itp_json_set_unsigned(object, "base_count", started->base_count);
		itp_json_set_signed(object, "cost_ns", started->cost);
		json_array_append_new(array, object);
	}
	return array;
}

/* Kind and module of the culprit's code, and of the code in which the time is spent. */
static void set_place(const struct itp_ranking *ranking, json_t *object,
		      const struct itp_ranked_path *path)
{
	if (path->culprit >= 0) {
		uint32_t culprit = path->frames[path->culprit].function;

		itp_json_set_text(object, "module", itp_function_at(ranking, culprit)->module);
		itp_json_set_text(object, "kind", itp_kind_of(ranking, culprit));
	}
	if (path->cost_function != ITP_FUNCTION_UNKNOWN) {
		itp_json_set_text(object, "cost_module",
				  itp_function_at(ranking, path->cost_function)->module);
		itp_json_set_text(object, "cost_kind", itp_kind_of(ranking, path->cost_function));
	}
	if (path->syscall != ITP_FUNCTION_UNKNOWN) {
		set_name(object, "blocked_in", ranking, path->syscall);
	}
}

static void set_significance(json_t *object, const struct itp_ranked_path *path)
{
	const struct itp_significance *significance = &path->significance;

	itp_json_set_real(object, "effect", significance->effect);
	json_object_set_new_nocheck(object, "score", json_real(significance->score));
	itp_json_set_bool(object, "noise", itp_significance_is_chance(significance));
	itp_json_set_text(object, "verdict", itp_verdict_names[significance->verdict]);
	itp_json_set_bool(object, "rare", path->is_rare);
	json_object_set_new_nocheck(object, "doubt", doubt_object(significance));
}

static void append_path(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			GString *output)
{
	/* A key that ends in _ns always holds a time. */
	bool calls = ranking->options.metric == ITP_METRIC_COUNT;
	json_t *object = json_object();
	json_t *frames = json_array();

	itp_json_set_text(object, "type", "path");
	itp_json_set_unsigned(object, "rank", path->rank);
	itp_json_set_signed(object, calls ? "cost_calls" : "cost_ns", path->cost);
	itp_json_set_signed(object, calls ? "base_calls" : "base_ns", path->base_value);
	itp_json_set_signed(object, calls ? "suspect_calls" : "suspect_ns", path->suspect_value);
	set_name(object, "process", ranking, path->process);
	set_index(object, "culprit", path->culprit);
	set_index(object, "origin", path->origin);
	for (uint32_t i = 0; i < path->frame_count; i++) {
		json_array_append_new(frames, frame_object(ranking, &path->frames[i]));
	}
	json_object_set_new_nocheck(object, "frames", frames);
	json_object_set_new_nocheck(object, "delta", delta_object(&path->delta));
	itp_json_set_bool(object, "new", path->novelty == ITP_NOVELTY_NEW);
	itp_json_set_text(object, "novelty", itp_novelty_names[path->novelty]);
	if (path->novelty == ITP_NOVELTY_MOVED) {
		json_object_set_new_nocheck(object, "moved_from",
					    functions_array(ranking, path->moved_from));
	}
	itp_json_set_signed(object, calls ? "path_cost_calls" : "path_cost_ns", path->path_cost);
	itp_json_set_signed(object, calls ? "ranked_calls" : "ranked_ns", path->ranked_value);
	itp_json_set_real(object, "share", itp_ranking_share(ranking, itp_path_own_delta_ns(path)));
	itp_json_set_ticks(object, "suspect_", &ranking->suspect->workload, &path->ticks);
	itp_json_set_unsigned(object, "paths", path->path_count);
	itp_json_set_unsigned(object, "culprit_calls", path->suspect_calls);
	itp_json_set_unsigned(object, "base_culprit_calls", path->base_calls);
	itp_json_set_possible(object, "culprit_possible_calls", path->suspect_calls,
			      path->suspect_unseen);
	itp_json_set_possible(object, "base_culprit_possible_calls", path->base_calls,
			      path->base_unseen);
	set_place(ranking, object, path);
	set_significance(object, path);
	if (path->waits_for > 0) {
		itp_json_set_unsigned(object, "waits_for", path->waits_for);
	}
	json_object_set_new_nocheck(object, "variants", variants_array(ranking, path));
	json_object_set_new_nocheck(object, "wakers",
				    wakers_array(ranking, path->waited_for[ITP_WAKER_WOKE]));
	json_object_set_new_nocheck(object, "meanwhile",
				    wakers_array(ranking, path->waited_for[ITP_WAKER_RAN]));
	json_object_set_new_nocheck(object, "kept_by",
				    wakers_array(ranking, path->waited_for[ITP_WAKER_KEPT]));
	json_object_set_new_nocheck(object, "cpu_takers",
				    takers_array(ranking, path->waited_for[ITP_WAKER_HAD_CPU]));
	if (!calls) {
		json_object_set_new_nocheck(object, "started",
					    started_array(ranking, path->started));
		json_object_set_new_nocheck(object, "often", often_object(ranking, &path->often));
	}
	append_line(ranking, output, object);
}

static void append_idle(const struct itp_ranking *ranking, const struct itp_idle_wait *wait,
			GString *output)
{
	json_t *object = json_object();

	itp_json_set_text(object, "type", "idle");
	set_name(object, "process", ranking, wait->process);
	set_name(object, "function", ranking, wait->function);
	set_name(object, "syscall", ranking, wait->syscall);
	itp_json_set_signed(object, "suspect_ns", wait->suspect_ns);
	itp_json_set_signed(object, "base_ns", wait->base_ns);
	append_line(ranking, output, object);
}

static void append_row(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		       GString *output)
{
	const struct itp_function *function = itp_function_at(ranking, row->function);
	const enum itp_rank_by by = ranking->options.by;
	json_t *object = json_object();

	itp_json_set_text(object, "type", itp_rank_by_names[ranking->options.by]);
	itp_json_set_unsigned(object, "rank", row->rank);
	if (by == ITP_RANK_BY_FUNCTION) {
		itp_json_set_text(object, "function", function->name);
		itp_json_set_inlined(object, function);
	}
	if (by != ITP_RANK_BY_PROCESS) {
		itp_json_set_text(object, "module", function->module);
		itp_json_set_text(object, "kind", itp_kind_of(ranking, row->function));
	}
	itp_json_set_text(object, "process", itp_function_at(ranking, row->process)->name);
	itp_json_set_unsigned(object, "processes", row->process_count);
	itp_json_set_signed(object, "own_ns", row->own_ns);
	itp_json_set_signed(object, "base_own_ns", row->base_own_ns);
	itp_json_set_signed(object, "total_ns", row->total_ns);
	itp_json_set_signed(object, "base_total_ns", row->base_total_ns);
	itp_json_set_unsigned(object, "count", row->count);
	itp_json_set_unsigned(object, "base_count", row->base_count);
	itp_json_set_possible(object, "possible_count", row->count, row->unseen);
	itp_json_set_possible(object, "base_possible_count", row->base_count, row->base_unseen);
	itp_json_set_use(object, "own_", &row->use);
	itp_json_set_use(object, "base_own_", &row->base_use);
	itp_json_set_ticks(object, "", &ranking->suspect->workload, &row->ticks);
	itp_json_set_ticks(object, "base_", base_workload(ranking), &row->base_ticks);
	itp_json_set_signed(
		object, ranking->options.metric == ITP_METRIC_COUNT ? "ranked_calls" : "ranked_ns",
		row->ranked_value);
	itp_json_set_real(object, "share",
			  itp_ranking_share(ranking, row->own_ns - row->base_own_ns));
	append_line(ranking, output, object);
}

/* Edges are as many as other rows. */
static void append_held(const struct itp_ranking *ranking, GString *output)
{
	const struct itp_held_up *held_up = ranking->held_up;
	size_t top = ranking->options.top;

	for (guint i = 0; i < held_up->rows->len; i++) {
		append_line(ranking, output,
			    itp_json_held_row(ranking, &g_array_index(held_up->rows,
								      struct itp_held_row, i)));
	}
	for (guint i = 0; i < held_up->knots->len; i++) {
		append_line(ranking, output, itp_json_held_knot(ranking, i));
	}
	for (guint i = 0; i < held_up->edges->len && (top == 0 || i < top); i++) {
		append_line(ranking, output,
			    itp_json_held_edge(ranking, &g_array_index(held_up->edges,
								       struct itp_wait_for, i)));
	}
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

static void append_summary(const struct itp_ranking *ranking,
			   const struct itp_render_options *options, GString *output)
{
	static const struct itp_infer_counts none;
	const struct itp_workload *base = base_workload(ranking);
	const struct itp_workload *suspect = &ranking->suspect->workload;
	const struct itp_infer_counts *base_counts = base == NULL ? &none : &base->counts;
	json_t *object = json_object();

	itp_json_set_text(object, "type", "summary");
	itp_json_set_bool(object, "complete",
			  itp_ranking_is_complete(ranking, options->incomplete));
	itp_json_set_unsigned(object, "events", suspect->counts.events + base_counts->events);
	itp_json_set_unsigned(object, "broken_stacks",
			      suspect->counts.broken_stacks + base_counts->broken_stacks);
	itp_json_set_unsigned(object, "lost_events",
			      suspect->counts.lost_events + base_counts->lost_events);
	itp_json_set_unsigned(object, "losses", suspect->counts.losses + base_counts->losses);
	itp_json_set_bool(object, "ended_by_error", options->incomplete);
	itp_json_set_bool(object, "interrupted", options->interrupted);
	json_object_set_new_nocheck(
		object, "base",
		base == NULL ? json_null() :
			       workload_object(base, &ranking->base_calls, &ranking->base_apart));
	json_object_set_new_nocheck(
		object, "suspect",
		workload_object(suspect, &ranking->suspect_calls, &ranking->suspect_apart));
	itp_json_set_unsigned(object, "deep_stacks",
			      suspect->counts.deep_stacks + base_counts->deep_stacks);
	itp_json_set_unsigned(object, "unwind_failures",
			      suspect->counts.unwind_failures + base_counts->unwind_failures);
	itp_json_set_unsigned(object, "calls",
			      ranking->suspect_calls.calls + ranking->base_calls.calls);
	itp_json_set_unsigned(object, "unnamed_calls",
			      ranking->suspect_calls.unnamed + ranking->base_calls.unnamed);
	set_order(object, suspect->counts.late_records + base_counts->late_records,
		  suspect->counts.misplaced_records + base_counts->misplaced_records);
	if (ranking->guesses_idle) {
		itp_json_set_bool(object, "idle_guessed", true);
	}
	append_line(ranking, output, object);
}

void itp_render_jsonl(const struct itp_ranking *ranking, const struct itp_render_options *options,
		      GString *output)
{
	append_header(ranking, options, output);
	if (options->path > 0) {
		append_path(ranking, itp_path_at(ranking, options->path - 1), output);
		append_line(ranking, output,
			    itp_json_detail(ranking, itp_path_at(ranking, options->path - 1)));
		append_summary(ranking, options, output);
		return;
	}
	for (guint i = 0; i < ranking->paths->len; i++) {
		append_path(ranking, itp_path_at(ranking, i), output);
	}
	for (guint i = 0; i < ranking->rows->len; i++) {
		append_row(ranking, &g_array_index(ranking->rows, struct itp_ranked_row, i),
			   output);
	}
	if (ranking->held_up) {
		append_held(ranking, output);
	}
	for (guint i = 0; i < ranking->idle->len; i++) {
		append_idle(ranking, &g_array_index(ranking->idle, struct itp_idle_wait, i),
			    output);
	}
	g_string_append(output, options->more ? options->more : "");
	append_summary(ranking, options, output);
}
