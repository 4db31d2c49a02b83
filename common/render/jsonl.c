/* SPDX-License-Identifier: MIT */
/*
 * A ranking as JSON lines: a header, one object for each path, a summary. The keys that the
 * design fixes come first and in its order; readers must ignore keys that they do not know.
 *
 * Integers beyond INT64_MAX do not exist in JSON as jansson writes it; counters that large are
 * written as INT64_MAX.
 */
#include "common/render/formats.h"

#include <jansson.h>
#include <math.h>

#include "common/render/workload.h"

#define REAL_DIGITS 6

/* Adds members; `object` takes over what it is given. */

static json_t *text_value(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return json_string_nocheck(valid);
}

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new_nocheck(object, key, text_value(text));
}

static void set_signed(json_t *object, const char *key, int64_t value)
{
	json_object_set_new_nocheck(object, key, json_integer(value));
}

static void set_unsigned(json_t *object, const char *key, uint64_t value)
{
	set_signed(object, key, (int64_t)MIN(value, (uint64_t)INT64_MAX));
}

static void set_bool(json_t *object, const char *key, bool value)
{
	json_object_set_new_nocheck(object, key, json_boolean(value));
}

static void set_null(json_t *object, const char *key)
{
	json_object_set_new_nocheck(object, key, json_null());
}

/* Appends `object` as one line and gives it up. */
static void append_line(GString *output, json_t *object)
{
	char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS));

	g_string_append(output, line);
	g_string_append_c(output, '\n');
	free(line);
	json_decref(object);
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

static void append_header(const struct itp_ranking *ranking, GString *output)
{
	const struct itp_workload *suspect = &ranking->suspect->workload;
	json_t *header = json_object();

	set_text(header, "type", "header");
	set_signed(header, "schema", ITP_RENDER_SCHEMA);
	if (ranking->base == NULL) {
		set_null(header, "base");
	} else {
		set_text(header, "base", ranking->base->workload.name);
	}
	set_text(header, "suspect", suspect->name);
	set_text(header, "metric", itp_metric_names[ranking->options.metric]);
	set_text(header, "method", itp_method_names[ranking->options.method]);
	set_text(header, "options", suspect->options == NULL ? "" : suspect->options);
	set_unsigned(header, "paths", ranking->paths->len);
	set_unsigned(header, "paths_found", ranking->path_count);
	set_text(header, "by", itp_rank_by_names[ranking->options.by]);
	set_unsigned(header, "entries_found", ranking->entry_count);
	set_unsigned(header, "significant", ranking->significant_count);
	set_text(header, "per", ranking->options.per ? ranking->options.per : "run");
	json_object_set_new_nocheck(header, "suspect_units", json_real(ranking->suspect_units));
	json_object_set_new_nocheck(header, "base_units", json_real(ranking->base_units));
	set_unsigned(header, "suspect_runs", ranking->suspect_runs);
	set_unsigned(header, "base_runs", ranking->base_runs);
	json_object_set_new_nocheck(header, "doubts", doubts_array(ranking->doubts));
	set_signed(header, "suspect_own_ns", ranking->suspect_own_ns);
	set_signed(header, "base_own_ns", ranking->base_own_ns);
	append_line(output, header);
}

static json_t *frame_object(const struct itp_ranking *ranking, const struct itp_ranked_frame *frame)
{
	const struct itp_function *function =
		itp_function_table_get(ranking->functions, frame->function);
	const struct itp_node_stats *suspect = frame->suspect;
	const struct itp_node_stats *base = frame->base;
	json_t *object = json_object();

	set_text(object, "function", function->name);
	set_text(object, "module", function->module);
	set_signed(object, "own_ns", suspect->own_ns);
	set_signed(object, "base_own_ns", base == NULL ? 0 : base->own_ns);
	set_signed(object, "total_ns", suspect->total_ns);
	set_unsigned(object, "count", suspect->count);
	set_unsigned(object, "max_count", suspect->max_count);
	set_unsigned(object, "rank", frame->rank);
	set_signed(object, "base_total_ns", base == NULL ? 0 : base->total_ns);
	set_unsigned(object, "base_count", base == NULL ? 0 : base->count);
	set_unsigned(object, "base_max_count", base == NULL ? 0 : base->max_count);
	set_signed(object, "value", frame->value);
	set_signed(object, "base_value", frame->base_value);
	set_signed(object, "min_ns", suspect->count == 0 ? 0 : suspect->min_ns);
	set_signed(object, "max_ns", suspect->max_ns);
	set_signed(object, "lower_ns", suspect->lower_ns);
	set_signed(object, "upper_ns", suspect->upper_ns);
	set_signed(object, "cpu_ns", suspect->use.cpu_ns);
	set_signed(object, "blocked_ns", suspect->use.blocked_ns);
	set_signed(object, "runnable_ns", suspect->use.runnable_ns);
	set_signed(object, "own_cpu_ns", suspect->own_use.cpu_ns);
	set_signed(object, "own_blocked_ns", suspect->own_use.blocked_ns);
	set_signed(object, "own_runnable_ns", suspect->own_use.runnable_ns);
	set_unsigned(object, "lost_count", suspect->lost_count);
	return object;
}

static json_t *delta_object(const struct itp_delta *delta)
{
	json_t *object = json_object();

	set_signed(object, "more_calls_ns", delta->more_calls_ns);
	set_signed(object, "slower_calls_ns", delta->slower_calls_ns);
	set_signed(object, "cpu_ns", delta->use.cpu_ns);
	set_signed(object, "blocked_ns", delta->use.blocked_ns);
	set_signed(object, "runnable_ns", delta->use.runnable_ns);
	return object;
}

/* Names from the process root to `node`. */
static json_t *functions_array(const struct itp_ranking *ranking, uint32_t node)
{
	g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	json_t *array = json_array();

	itp_context_tree_path(ranking->tree, node, functions);
	for (guint i = 0; i < functions->len; i++) {
		const struct itp_function *function = itp_function_table_get(
			ranking->functions, g_array_index(functions, uint32_t, i));

		json_array_append_new(array, text_value(function->name));
	}
	return array;
}

static json_t *variants_array(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < path->variant_count; i++) {
		const struct itp_variant *variant = &path->variants[i];
		json_t *object = json_object();

		json_object_set_new_nocheck(object, "functions",
					    functions_array(ranking, variant->node));
		set_signed(object, "suspect_ns", variant->suspect_ns);
		set_signed(object, "base_ns", variant->base_ns);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *wakers_array(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < path->waker_count; i++) {
		const struct itp_waker *waker = &path->wakers[i];
		json_t *object = json_object();

		set_text(object, "process", itp_function_at(ranking, waker->process)->name);
		set_text(object, "function", itp_function_at(ranking, waker->function)->name);
		set_unsigned(object, "count", waker->count);
		set_signed(object, "blocked_ns", waker->blocked_ns);
		json_array_append_new(array, object);
	}
	return array;
}

/* Whose code it is, and where the time goes. */
static void set_place(const struct itp_ranking *ranking, json_t *object,
		      const struct itp_ranked_path *path)
{
	if (path->culprit >= 0) {
		uint32_t culprit = path->frames[path->culprit].function;

		set_text(object, "module",
			 itp_function_table_get(ranking->functions, culprit)->module);
		set_text(object, "kind", itp_kind_of(ranking, culprit));
	}
	if (path->cost_function != ITP_FUNCTION_UNKNOWN) {
		set_text(object, "cost_module",
			 itp_function_table_get(ranking->functions, path->cost_function)->module);
		set_text(object, "cost_kind", itp_kind_of(ranking, path->cost_function));
	}
	if (path->syscall != ITP_FUNCTION_UNKNOWN) {
		set_text(object, "blocked_in",
			 itp_function_table_get(ranking->functions, path->syscall)->name);
	}
}

static void set_significance(json_t *object, const struct itp_ranked_path *path)
{
	const struct itp_significance *significance = &path->significance;

	if (isfinite(significance->effect)) {
		json_object_set_new_nocheck(object, "effect", json_real(significance->effect));
	} else {
		set_null(object, "effect");
	}
	json_object_set_new_nocheck(object, "score", json_real(significance->score));
	set_bool(object, "noise", significance->is_noise);
	set_bool(object, "rare", path->is_rare);
}

static void append_path(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			GString *output)
{
	/* A key that ends in _ns always holds a time. */
	bool calls = ranking->options.metric == ITP_METRIC_COUNT;
	json_t *object = json_object();
	json_t *frames = json_array();

	set_text(object, "type", "path");
	set_unsigned(object, "rank", path->rank);
	set_signed(object, calls ? "cost_calls" : "cost_ns", path->cost);
	set_signed(object, calls ? "base_calls" : "base_ns", path->base_value);
	set_signed(object, calls ? "suspect_calls" : "suspect_ns", path->suspect_value);
	set_text(object, "process",
		 itp_function_table_get(ranking->functions, path->process)->name);
	if (path->culprit < 0) {
		set_null(object, "culprit");
	} else {
		set_signed(object, "culprit", path->culprit);
	}
	for (uint32_t i = 0; i < path->frame_count; i++) {
		json_array_append_new(frames, frame_object(ranking, &path->frames[i]));
	}
	json_object_set_new_nocheck(object, "frames", frames);
	json_object_set_new_nocheck(object, "delta", delta_object(&path->delta));
	set_bool(object, "new", path->novelty == ITP_NOVELTY_NEW);
	set_text(object, "novelty", itp_novelty_names[path->novelty]);
	if (path->novelty == ITP_NOVELTY_MOVED) {
		json_object_set_new_nocheck(object, "moved_from",
					    functions_array(ranking, path->moved_from));
	}
	set_signed(object, calls ? "path_cost_calls" : "path_cost_ns", path->path_cost);
	set_unsigned(object, "paths", path->path_count);
	set_unsigned(object, "culprit_calls", path->suspect_calls);
	set_unsigned(object, "base_culprit_calls", path->base_calls);
	set_place(ranking, object, path);
	set_significance(object, path);
	json_object_set_new_nocheck(object, "variants", variants_array(ranking, path));
	json_object_set_new_nocheck(object, "wakers", wakers_array(ranking, path));
	append_line(output, object);
}

static void append_idle(const struct itp_ranking *ranking, const struct itp_idle_wait *wait,
			GString *output)
{
	json_t *object = json_object();

	set_text(object, "type", "idle");
	set_text(object, "process",
		 itp_function_table_get(ranking->functions, wait->process)->name);
	set_text(object, "function",
		 itp_function_table_get(ranking->functions, wait->function)->name);
	set_text(object, "syscall",
		 itp_function_table_get(ranking->functions, wait->syscall)->name);
	set_signed(object, "suspect_ns", wait->suspect_ns);
	set_signed(object, "base_ns", wait->base_ns);
	append_line(output, object);
}

static void append_row(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		       GString *output)
{
	const struct itp_function *function =
		itp_function_table_get(ranking->functions, row->function);
	bool by_module = ranking->options.by == ITP_RANK_BY_MODULE;
	json_t *object = json_object();

	set_text(object, "type", itp_rank_by_names[ranking->options.by]);
	set_unsigned(object, "rank", row->rank);
	if (!by_module) {
		set_text(object, "function", function->name);
	}
	set_text(object, "module", function->module);
	set_text(object, "kind", itp_kind_of(ranking, row->function));
	set_signed(object, "own_ns", row->own_ns);
	set_signed(object, "base_own_ns", row->base_own_ns);
	set_signed(object, "total_ns", row->total_ns);
	set_signed(object, "base_total_ns", row->base_total_ns);
	set_unsigned(object, "count", row->count);
	set_unsigned(object, "base_count", row->base_count);
	set_signed(object, "own_cpu_ns", row->use.cpu_ns);
	set_signed(object, "own_blocked_ns", row->use.blocked_ns);
	set_signed(object, "own_runnable_ns", row->use.runnable_ns);
	set_signed(object, "base_own_cpu_ns", row->base_use.cpu_ns);
	set_signed(object, "base_own_blocked_ns", row->base_use.blocked_ns);
	set_signed(object, "base_own_runnable_ns", row->base_use.runnable_ns);
	append_line(output, object);
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
		set_unsigned(object, names[i], counts->found_by[i]);
	}
	return object;
}

static json_t *workload_object(const struct itp_workload *workload,
			       const struct itp_call_counts *calls)
{
	const struct itp_infer_counts *counts = &workload->counts;
	json_t *object = json_object();

	set_text(object, "name", workload->name);
	set_bool(object, "complete", itp_workload_is_complete(workload));
	set_bool(object, "cut", counts->cut);
	set_signed(object, "begin_ns", counts->begin_ns);
	set_signed(object, "end_ns", counts->end_ns);
	set_unsigned(object, "threads", counts->threads);
	set_unsigned(object, "events", counts->events);
	set_unsigned(object, "stacks", counts->stacks);
	set_unsigned(object, "broken_stacks", counts->broken_stacks);
	set_unsigned(object, "interrupted_stacks", counts->interrupted_stacks);
	set_unsigned(object, "losses", counts->losses);
	set_unsigned(object, "lost_events", counts->lost_events);
	set_text(object, "options", workload->options == NULL ? "" : workload->options);
	set_unsigned(object, "deep_stacks", counts->deep_stacks);
	set_unsigned(object, "unwind_failures", counts->unwind_failures);
	json_object_set_new_nocheck(object, "found_by", found_by_object(counts));
	set_unsigned(object, "calls", calls->calls);
	set_unsigned(object, "unnamed_calls", calls->unnamed);
	return object;
}

static void append_summary(const struct itp_ranking *ranking, bool incomplete, GString *output)
{
	static const struct itp_infer_counts none;
	const struct itp_workload *base = ranking->base == NULL ? NULL : &ranking->base->workload;
	const struct itp_workload *suspect = &ranking->suspect->workload;
	const struct itp_infer_counts *base_counts = base == NULL ? &none : &base->counts;
	json_t *object = json_object();

	set_text(object, "type", "summary");
	set_bool(object, "complete", itp_ranking_is_complete(ranking, incomplete));
	set_unsigned(object, "events", suspect->counts.events + base_counts->events);
	set_unsigned(object, "broken_stacks",
		     suspect->counts.broken_stacks + base_counts->broken_stacks);
	set_unsigned(object, "lost_events", suspect->counts.lost_events + base_counts->lost_events);
	set_unsigned(object, "losses", suspect->counts.losses + base_counts->losses);
	set_bool(object, "ended_by_error", incomplete);
	json_object_set_new_nocheck(object, "base",
				    base == NULL ? json_null() :
						   workload_object(base, &ranking->base_calls));
	json_object_set_new_nocheck(object, "suspect",
				    workload_object(suspect, &ranking->suspect_calls));
	set_unsigned(object, "deep_stacks", suspect->counts.deep_stacks + base_counts->deep_stacks);
	set_unsigned(object, "unwind_failures",
		     suspect->counts.unwind_failures + base_counts->unwind_failures);
	set_unsigned(object, "calls", ranking->suspect_calls.calls + ranking->base_calls.calls);
	set_unsigned(object, "unnamed_calls",
		     ranking->suspect_calls.unnamed + ranking->base_calls.unnamed);
	append_line(output, object);
}

void itp_render_jsonl(const struct itp_ranking *ranking, const struct itp_render_options *options,
		      GString *output)
{
	append_header(ranking, output);
	for (guint i = 0; i < ranking->paths->len; i++) {
		append_path(ranking, itp_path_at(ranking, i), output);
	}
	for (guint i = 0; i < ranking->rows->len; i++) {
		append_row(ranking, &g_array_index(ranking->rows, struct itp_ranked_row, i),
			   output);
	}
	for (guint i = 0; i < ranking->idle->len; i++) {
		append_idle(ranking, &g_array_index(ranking->idle, struct itp_idle_wait, i),
			    output);
	}
	append_summary(ranking, options->incomplete, output);
}
