/* SPDX-License-Identifier: MIT */
/*
 * See fields.h: fields of a path from nearby, the calls of its function in both workloads, and of a
 * slow call. Its frames and contexts are those of the path's own object.
 */
#include "common/render/records/json-detail.h"

#include <string.h>

#include "common/render/entries.h"
#include "common/render/records/fields.h"
#include "common/render/units.h"
#include "common/wait/chain.h"

#define TIME_DIGITS 9

/* Place of the call's context among the path's. */
static int64_t variant_of_call(const struct itp_ranked_path *path, const struct itp_slow_call *call)
{
	for (uint32_t i = 0; i < path->variant_count; i++) {
		if (path->variants[i].node == call->node) {
			return i;
		}
	}
	return 0;
}

/* "2026-11-21T14:44:54.807841754Z", or null. */
static json_t *time_value(const struct itp_clock *clock, int64_t time_ns)
{
	g_autofree char *time = itp_time_of_day(clock, time_ns, TIME_DIGITS);
	g_autofree char *utc = NULL;

	if (!time) {
		return json_null();
	}
	*strchr(time, ' ') = 'T';
	utc = g_strconcat(time, "Z", NULL);
	return itp_json_text(utc);
}

/* clang-format off */

#define CALL_FIELDS(X, CSV) \
	CSV("type", "slowest has nothing else", "call") \
	CSV("workload", "the object has it in which the call is", of_base ? "base" : "suspect") \
	X("begin_ns", "begin_ns", call->begin_ns) \
	X("time", NULL, time_value(&recording.clock, call->begin_ns)) \
	X("clock_ns", NULL, itp_time_recorded_ns(&recording.clock, call->begin_ns)) \
	X("latency_ns", "total_ns", call->latency_ns) \
	X("lower_ns", "lower_ns", call->lower_ns) \
	X("upper_ns", "upper_ns", call->upper_ns) \
	X("pid", "pid", (int64_t)call->pid) \
	X("tid", "tid", (int64_t)call->tid) \
	X("begin_seen", NULL, (bool)!(call->flags & ITP_INSTANCE_BEGIN_UNKNOWN)) \
	X("end_seen", NULL, (bool)!(call->flags & ITP_INSTANCE_END_UNKNOWN)) \
	X("variant", NULL, variant_of_call(path, call)) \
	X("recording", NULL, recording.name)

#define DETAIL_FIELDS(X, CSV) \
	X("type", NULL, "detail") \
	X("rank", "rank", path->rank) \
	X("frame", NULL, face ? json_integer(face - path->frames) : NULL) \
	X("function", "function", face ? itp_json_text(function->name) : NULL) \
	X("module", "module", face ? itp_json_text(function->module) : NULL) \
	CSV("kind", "the path has the culprit's", \
	    face ? itp_json_text(itp_kind_of(ranking, face->function)) : NULL) \
	X("contexts", NULL, detail->context_count) \
	X("suspect", NULL, calls_object(ranking, path, false, &detail->suspect)) \
	X("base", NULL, ranking->base ? calls_object(ranking, path, true, &detail->base) : json_null())

/* clang-format on */

ITP_FIELD_TABLE(call, CALL_FIELDS);
ITP_FIELD_TABLE(detail, DETAIL_FIELDS);

json_t *itp_call_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			bool of_base, const struct itp_slow_call *call, enum itp_layout layout)
{
	struct itp_recording recording;

	itp_ranking_recording(ranking, of_base, call->run, &recording);
	return ITP_RECORD(ranking, layout, CALL_FIELDS);
}

/* Element b counts the calls of bucket b; those behind the last with any are left out. */
static json_t *histogram_array(const struct itp_node_stats *stats)
{
	json_t *array = json_array();
	size_t count = ITP_HISTOGRAM_BUCKETS;

	while (count > 0 && stats->histogram[count - 1] == 0) {
		count--;
	}
	for (size_t i = 0; i < count; i++) {
		json_array_append_new(array, json_integer(stats->histogram[i]));
	}
	return array;
}

static const enum itp_node_field call_fields[] = {
	ITP_NODE_count,           ITP_NODE_max_count,  ITP_NODE_lost_count,
	ITP_NODE_total_ns,        ITP_NODE_own_ns,     ITP_NODE_lower_ns,
	ITP_NODE_upper_ns,        ITP_NODE_cpu_ns,     ITP_NODE_blocked_ns,
	ITP_NODE_runnable_ns,     ITP_NODE_own_cpu_ns, ITP_NODE_own_blocked_ns,
	ITP_NODE_own_runnable_ns,
};

/* Null for none. */
static json_t *name_value(const struct itp_function *function)
{
	return function ? itp_json_text(function->name) : json_null();
}

static const char *const chain_ends[] = {
	[ITP_CHAIN_END_RAN] = "ran",       [ITP_CHAIN_END_FOLLOWED] = "followed",
	[ITP_CHAIN_END_KERNEL] = "kernel", [ITP_CHAIN_END_TIME] = "time",
	[ITP_CHAIN_END_UNSEEN] = "unseen",
};

/* clang-format off */

#define STEP_FIELDS(X, CSV) \
	X("process", NULL, name_value(step->process)) \
	X("function", NULL, name_value(step->function)) \
	X("module", NULL, step->function ? itp_json_text(step->function->module) : json_null()) \
	X("caller", NULL, name_value(step->caller)) \
	X("tid", NULL, (int64_t)step->tid) \
	X("span_ns", NULL, step->span_ns) \
	X("inside_ns", NULL, step->inside_ns) \
	X("cpu_ns", NULL, step->use.cpu_ns) \
	X("blocked_ns", NULL, step->use.blocked_ns) \
	X("runnable_ns", NULL, step->use.runnable_ns) \
	X("blocked_in", NULL, name_value(step->blocked_in)) \
	X("end", NULL, chain_ends[step->end]) \
	X("end_ns", NULL, step->end_ns) \
	X("reason", NULL, name_value(step->reason))

/* clang-format on */

static json_t *steps_array(const GArray *steps){ ITP_RECORD_LIST(NULL, steps, struct itp_chain_step,
								 step, STEP_FIELDS) }

json_t *itp_json_chain(const GArray *steps)
{
	return steps ? steps_array(steps) : json_null();
}

static json_t *chain_array(const struct itp_ranking *ranking, bool of_base,
			   const struct itp_call_detail *calls)
{
	guint count;
	int64_t span_ns;
	g_autoptr(GArray) steps = itp_call_detail_chain(calls, ranking, of_base, &count, &span_ns);

	return itp_json_chain(steps);
}

static json_t *calls_object(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			    bool of_base, const struct itp_call_detail *calls)
{
	const struct itp_node_stats *stats = &calls->stats;
	const struct itp_ticks ticks = itp_node_stats_ticks(stats);
	json_t *object = json_object();
	json_t *slowest = json_array();

	itp_json_set_unsigned(object, "calls", calls->calls);
	itp_json_set_signed(object, "min_ns", calls->calls == 0 ? 0 : stats->min_ns);
	itp_json_set_signed(object, "median_ns", calls->median_ns);
	itp_json_set_signed(object, "p99_ns", calls->p99_ns);
	itp_json_set_signed(object, "max_ns", stats->max_ns);
	json_object_set_new_nocheck(object, "histogram", histogram_array(stats));
	itp_json_set_fields(object, stats, call_fields, G_N_ELEMENTS(call_fields));
	itp_json_set_unsigned(object, "samples", ticks.samples);
	json_object_set_new_nocheck(
		object, "own_deviation_ns",
		itp_record_deviation_ns(&(of_base ? ranking->base : ranking->suspect)->workload,
					&ticks));
	for (size_t i = 0; i < calls->slowest_count; i++) {
		json_array_append_new(slowest,
				      itp_call_record(ranking, path, of_base, &calls->slowest[i],
						      ITP_LAYOUT_JSON));
	}
	json_object_set_new_nocheck(object, "slowest", slowest);
	json_object_set_new_nocheck(object, "held_up_by", chain_array(ranking, of_base, calls));
	return object;
}

json_t *itp_detail_record(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  const struct itp_path_detail *detail, enum itp_layout layout)
{
	const struct itp_ranked_frame *face = detail->face;
	const struct itp_function *function = face ? itp_function_at(ranking, face->function) :
						     NULL;

	return ITP_RECORD(ranking, layout, DETAIL_FIELDS);
}
