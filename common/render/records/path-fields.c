/* SPDX-License-Identifier: MIT */
/*
 * See fields.h: fields of a ranked path and of its frames.
 */
#include "common/render/records/fields.h"

#include <math.h>

#include "common/render/cells.h"
#include "common/render/entries.h"

/* Reasons of columns without a member. */
#define OF_ROWS "a member of functions, modules and processes alone"
#define FIRST_OF_WAKERS "the first of wakers"

/* clang-format off */

/* Parts of the difference of a path. */
#define DELTA_FIELDS(X, CSV) \
	X("more_calls_ns", "more_calls_ns", delta->more_calls_ns) \
	X("slower_calls_ns", "slower_calls_ns", delta->slower_calls_ns) \
	X("unsplit_ns", "unsplit_ns", delta->unsplit_ns) \
	X("cpu_ns", "delta_cpu_ns", delta->use.cpu_ns) \
	X("blocked_ns", "delta_blocked_ns", delta->use.blocked_ns) \
	X("runnable_ns", "delta_runnable_ns", delta->use.runnable_ns)

/* Lists in JSON lines alone. */
#define TAKER_FIELDS(X, CSV) \
	X("process", NULL, itp_function_at(ranking, taker->process)->name) \
	X("runnable_ns", NULL, taker->blocked_ns)
#define WAKER_FIELDS(X, CSV) \
	X("process", NULL, itp_function_at(ranking, waker->process)->name) \
	X("function", NULL, itp_function_at(ranking, waker->function)->name) \
	X("count", NULL, waker->count) \
	X("blocked_ns", NULL, waker->blocked_ns)
#define STARTED_FIELDS(X, CSV) \
	X("process", NULL, itp_function_at(ranking, started->process)->name) \
	X("count", NULL, started->count) \
	X("base_count", NULL, started->base_count) \
	X("cost_ns", NULL, started->cost)
#define OFTEN_FIELDS(X, CSV) \
	X("syscall", NULL, itp_function_at(ranking, often->syscall)->name) \
	X("count", NULL, often->count) \
	X("base_count", NULL, often->base_count) \
	X("cost_ns", NULL, often->delta_ns)

/* Numbers behind a verdict. */
#define DOUBT_FIELDS(X, CSV) \
	X("about", "doubt", itp_doubt_about_names[of->doubt]) \
	X("probability", "probability", json_real(of->probability)) \
	X("measurement_ns", "measurement_ns", llround(of->measurement_ns)) \
	X("runs_ns", "runs_ns", llround(of->runs_ns)) \
	X("spread", "spread", json_real(of->spread)) \
	X("samples", "samples", of->samples) \
	X("base_samples", "base_samples", of->base_samples) \
	X("waits", "waits", of->waits) \
	X("base_waits", "base_waits", of->base_waits) \
	X("called_otherwise", "called_otherwise", of->is_called_otherwise) \
	X("never_taken", "never_taken", of->is_never_taken)

#define FRAME_FIELDS(X, CSV) \
	CSV("frame", "place among the frames", frame - path->frames) \
	X("function", "function", function->name) \
	X("inlined", NULL, function->is_inlined ? json_true() : NULL) \
	X("module", "module", function->module) \
	CSV("kind", "the path has the culprit's", itp_kind_of(ranking, frame->function)) \
	CSV("culprit", "the path has its place", (bool)(path->culprit == frame - path->frames)) \
	X("own_ns", "own_ns", suspect->own_ns) \
	X("base_own_ns", "base_own_ns", ITP_OF_BASE(base->own_ns)) \
	X("total_ns", "total_ns", suspect->total_ns) \
	X("count", "count", suspect->count) \
	X("max_count", "max_count", suspect->max_count) \
	X("rank", "frame_rank", frame->rank) \
	X("base_total_ns", "base_total_ns", ITP_OF_BASE(base->total_ns)) \
	X("base_count", "base_count", ITP_OF_BASE(base->count)) \
	X("base_max_count", "base_max_count", ITP_OF_BASE(base->max_count)) \
	X("value", "frame_value", frame->value) \
	X("base_value", "frame_base_value", frame->base_value) \
	X("min_ns", "min_ns", suspect->count == 0 ? 0 : suspect->min_ns) \
	X("max_ns", "max_ns", suspect->max_ns) \
	X("lower_ns", "lower_ns", suspect->lower_ns) \
	X("upper_ns", "upper_ns", suspect->upper_ns) \
	X("cpu_ns", "cpu_ns", suspect->use.cpu_ns) \
	X("blocked_ns", "blocked_ns", suspect->use.blocked_ns) \
	X("runnable_ns", "runnable_ns", suspect->use.runnable_ns) \
	X("own_cpu_ns", "own_cpu_ns", suspect->own_use.cpu_ns) \
	X("own_blocked_ns", "own_blocked_ns", suspect->own_use.blocked_ns) \
	X("own_runnable_ns", "own_runnable_ns", suspect->own_use.runnable_ns) \
	CSV("base_own_cpu_ns", OF_ROWS, ITP_OF_BASE(base->own_use.cpu_ns)) \
	CSV("base_own_blocked_ns", OF_ROWS, ITP_OF_BASE(base->own_use.blocked_ns)) \
	CSV("base_own_runnable_ns", OF_ROWS, ITP_OF_BASE(base->own_use.runnable_ns)) \
	X("lost_count", "lost_count", suspect->lost_count) \
	X("possible_count", "possible_count", \
	  itp_record_possible(calls.suspect, calls.suspect_unseen)) \
	X("base_possible_count", "base_possible_count", \
	  ITP_OF_BASE(itp_record_possible(calls.base, calls.base_unseen))) \
	X("samples", "own_samples", ticks.samples) \
	X("own_deviation_ns", "own_deviation_ns", \
	  itp_record_deviation_ns(&ranking->suspect->workload, &ticks)) \
	X("base_samples", "base_own_samples", ITP_OF_BASE(base_ticks.samples)) \
	X("base_own_deviation_ns", "base_own_deviation_ns", \
	  itp_record_deviation_ns(of_base, &base_ticks))

#define PATH_FIELDS(X, CSV) \
	X("type", "type", "path") \
	X("rank", "rank", path->rank) \
	X("cost_", "cost", path->cost) \
	X("base_", "base_value", path->base_value) \
	X("suspect_", "suspect_value", path->suspect_value) \
	X("process", "process", itp_function_at(ranking, path->process)->name) \
	X("culprit", NULL, place_value(path->culprit)) \
	X("origin", NULL, place_value(path->origin)) \
	X("frames", NULL, frames_array(ranking, path)) \
	X("delta", NULL, delta_record(ranking, &path->delta, record->layout)) \
	X("new", "new", (bool)(path->novelty == ITP_NOVELTY_NEW)) \
	X("novelty", "novelty", itp_novelty_names[path->novelty]) \
	X("moved_from", "moved_from", path->novelty != ITP_NOVELTY_MOVED ? NULL : \
	  itp_record_texts(record, functions_array(ranking, path->moved_from), " > ")) \
	X("path_cost_", "path_cost", path->path_cost) \
	X("ranked_", "ranked_value", path->ranked_value) \
	X("share", "share", itp_ranking_share(ranking, itp_path_own_delta_ns(path))) \
	X("suspect_samples", NULL, path->ticks.samples) \
	X("suspect_own_deviation_ns", NULL, \
	  itp_record_deviation_ns(&ranking->suspect->workload, &path->ticks)) \
	X("paths", "paths", path->path_count) \
	X("culprit_calls", "culprit_calls", path->suspect_calls) \
	X("base_culprit_calls", "base_culprit_calls", path->base_calls) \
	X("culprit_possible_calls", "culprit_possible_calls", \
	  itp_record_possible(path->suspect_calls, path->suspect_unseen)) \
	X("base_culprit_possible_calls", "base_culprit_possible_calls", \
	  itp_record_possible(path->base_calls, path->base_unseen)) \
	X("module", NULL, \
	  path->culprit < 0 ? NULL : itp_json_text(itp_function_at(ranking, culprit)->module)) \
	X("kind", NULL, path->culprit < 0 ? NULL : itp_json_text(itp_kind_of(ranking, culprit))) \
	X("cost_module", "cost_module", \
	  itp_record_known(cost, itp_function_at(ranking, cost)->module)) \
	X("cost_kind", "cost_kind", itp_record_known(cost, itp_kind_of(ranking, cost))) \
	X("blocked_in", "blocked_in", \
	  itp_record_known(path->syscall, itp_function_at(ranking, path->syscall)->name)) \
	X("effect", "effect", path->significance.effect) \
	X("score", "score", json_real(path->significance.score)) \
	X("noise", "noise", itp_significance_is_chance(&path->significance)) \
	X("verdict", "verdict", itp_verdict_names[path->significance.verdict]) \
	X("rare", "rare", path->is_rare) \
	X("doubt", NULL, itp_doubt_record(ranking, &path->significance, record->layout)) \
	X("waits_for", NULL, path->waits_for > 0 ? json_integer(path->waits_for) : NULL) \
	CSV("variants", "their array", path->variant_count) \
	X("variants", NULL, variants_array(ranking, path)) \
	CSV("waker_process", FIRST_OF_WAKERS, \
	    waker ? itp_json_text(itp_function_at(ranking, waker->process)->name) : NULL) \
	CSV("waker_function", FIRST_OF_WAKERS, \
	    waker ? itp_json_text(itp_function_at(ranking, waker->function)->name) : NULL) \
	CSV("waker_blocked_ns", FIRST_OF_WAKERS, waker ? json_integer(waker->blocked_ns) : NULL) \
	X("wakers", NULL, wakers_array(ranking, woke)) \
	X("meanwhile", NULL, wakers_array(ranking, path->waited_for[ITP_WAKER_RAN])) \
	X("kept_by", NULL, wakers_array(ranking, path->waited_for[ITP_WAKER_KEPT])) \
	X("cpu_takers", NULL, itp_takers_array(ranking, path->waited_for[ITP_WAKER_HAD_CPU])) \
	X("started", NULL, calls ? NULL : started_array(ranking, path->started)) \
	X("often", NULL, calls ? NULL : often_object(ranking, &path->often))

/* clang-format on */

ITP_FIELD_TABLE(delta, DELTA_FIELDS);
ITP_FIELD_TABLE(doubt, DOUBT_FIELDS);
ITP_FIELD_TABLE(frame, FRAME_FIELDS);
ITP_FIELD_TABLE(path, PATH_FIELDS);

json_t *itp_takers_array(const struct itp_ranking *ranking, const GArray *takers)
{
	ITP_RECORD_LIST(ranking, takers, struct itp_waker, taker, TAKER_FIELDS)
}

static json_t *wakers_array(const struct itp_ranking *ranking, const GArray *wakers)
{
	ITP_RECORD_LIST(ranking, wakers, struct itp_waker, waker, WAKER_FIELDS)
}

static json_t *started_array(const struct itp_ranking *ranking, const GArray *programs)
{
	ITP_RECORD_LIST(ranking, programs, struct itp_started, started, STARTED_FIELDS)
}

/* Null for none. */
static json_t *often_object(const struct itp_ranking *ranking, const struct itp_often *often)
{
	return often->syscall == ITP_FUNCTION_UNKNOWN ?
		       json_null() :
		       ITP_RECORD(ranking, ITP_LAYOUT_JSON, OFTEN_FIELDS);
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

/* Place of a frame, null for none. */
static json_t *place_value(int32_t place)
{
	return place < 0 ? json_null() : json_integer(place);
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

static json_t *delta_record(const struct itp_ranking *ranking, const struct itp_delta *delta,
			    enum itp_layout layout)
{
	return ITP_RECORD(ranking, layout, DELTA_FIELDS);
}

json_t *itp_doubt_record(const struct itp_ranking *ranking, const struct itp_significance *of,
			 enum itp_layout layout)
{
	return ITP_RECORD(ranking, layout, DOUBT_FIELDS);
}

json_t *itp_frame_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			 const struct itp_ranked_frame *frame, enum itp_layout layout)
{
	static const struct itp_node_stats none;
	const struct itp_function *function = itp_function_at(ranking, frame->function);
	const struct itp_node_stats *suspect = frame->suspect;
	const struct itp_node_stats *base = frame->base ? frame->base : &none;
	const struct itp_cell_calls calls = itp_cell_calls_of(ranking, suspect, frame->base);
	const struct itp_ticks ticks = itp_node_stats_ticks(suspect);
	const struct itp_ticks base_ticks = itp_node_stats_ticks(base);
	const struct itp_workload *of_base = ranking->base ? &ranking->base->workload : NULL;

	return ITP_RECORD(ranking, layout, FRAME_FIELDS);
}

static json_t *frames_array(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < path->frame_count; i++) {
		json_array_append_new(
			array, itp_frame_record(ranking, path, &path->frames[i], ITP_LAYOUT_JSON));
	}
	return array;
}

json_t *itp_path_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			enum itp_layout layout)
{
	const bool calls = ranking->options.metric == ITP_METRIC_COUNT;
	const uint32_t culprit = path->culprit < 0 ? ITP_FUNCTION_UNKNOWN :
						     path->frames[path->culprit].function;
	const uint32_t cost = path->cost_function;
	const GArray *woke = path->waited_for[ITP_WAKER_WOKE];
	const struct itp_waker *waker = woke->len > 0 ? &g_array_index(woke, struct itp_waker, 0) :
							NULL;
	json_t *object = ITP_RECORD(ranking, layout, PATH_FIELDS);

	if (layout == ITP_LAYOUT_CSV) {
		json_object_update_new(object, delta_record(ranking, &path->delta, layout));
		json_object_update_new(object,
				       itp_doubt_record(ranking, &path->significance, layout));
	}
	return object;
}
