/* SPDX-License-Identifier: MIT */
/*
 * Path from nearby as a JSON object: the calls of its function in both workloads. Its frames and
 * contexts are those of the path's own object.
 */
#include "common/render/records/json-detail.h"

#include <math.h>
#include <string.h>

#include "common/rank/detail.h"
#include "common/render/cells.h"
#include "common/render/entries.h"
#include "common/render/json.h"
#include "common/render/units.h"
#include "common/render/workload.h"
#include "common/wait/chain.h"

#define TIME_DIGITS 9

void itp_json_set_ticks(json_t *object, const char *prefix, const struct itp_workload *workload,
			const struct itp_ticks *ticks)
{
	g_autofree char *samples = g_strconcat(prefix, "samples", NULL);
	g_autofree char *deviation_ns = g_strconcat(prefix, "own_deviation_ns", NULL);

	itp_json_set_unsigned(object, samples, ticks->samples);
	if (workload && itp_workload_has_ticks(workload)) {
		itp_json_set_signed(object, deviation_ns, llround(itp_ticks_deviation_ns(ticks)));
	} else {
		itp_json_set_null(object, deviation_ns);
	}
}

/* Place of the call's context among the path's. */
static int64_t context_of(const struct itp_ranked_path *path, const struct itp_slow_call *call)
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

static json_t *call_object(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			   bool of_base, const struct itp_slow_call *call)
{
	json_t *object = json_object();
	struct itp_recording recording;

	itp_ranking_recording(ranking, of_base, call->run, &recording);
	itp_json_set_signed(object, "begin_ns", call->begin_ns);
	json_object_set_new_nocheck(object, "time", time_value(&recording.clock, call->begin_ns));
	itp_json_set_signed(object, "clock_ns",
			    itp_time_recorded_ns(&recording.clock, call->begin_ns));
	itp_json_set_signed(object, "latency_ns", call->latency_ns);
	itp_json_set_signed(object, "lower_ns", call->lower_ns);
	itp_json_set_signed(object, "upper_ns", call->upper_ns);
	itp_json_set_signed(object, "pid", call->pid);
	itp_json_set_signed(object, "tid", call->tid);
	itp_json_set_bool(object, "begin_seen", !(call->flags & ITP_INSTANCE_BEGIN_UNKNOWN));
	itp_json_set_bool(object, "end_seen", !(call->flags & ITP_INSTANCE_END_UNKNOWN));
	itp_json_set_signed(object, "variant", context_of(path, call));
	itp_json_set_text(object, "recording", recording.name);
	return object;
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

static void set_function(json_t *object, const char *key, const struct itp_function *function)
{
	if (function) {
		itp_json_set_text(object, key, function->name);
	} else {
		itp_json_set_null(object, key);
	}
}

static json_t *step_object(const struct itp_chain_step *step)
{
	static const char *const ends[] = {
		[ITP_CHAIN_END_RAN] = "ran",       [ITP_CHAIN_END_FOLLOWED] = "followed",
		[ITP_CHAIN_END_KERNEL] = "kernel", [ITP_CHAIN_END_TIME] = "time",
		[ITP_CHAIN_END_UNSEEN] = "unseen",
	};
	json_t *object = json_object();

	set_function(object, "process", step->process);
	set_function(object, "function", step->function);
	if (step->function) {
		itp_json_set_text(object, "module", step->function->module);
	} else {
		itp_json_set_null(object, "module");
	}
	set_function(object, "caller", step->caller);
	itp_json_set_signed(object, "tid", step->tid);
	itp_json_set_signed(object, "span_ns", step->span_ns);
	itp_json_set_signed(object, "inside_ns", step->inside_ns);
	itp_json_set_signed(object, "cpu_ns", step->use.cpu_ns);
	itp_json_set_signed(object, "blocked_ns", step->use.blocked_ns);
	itp_json_set_signed(object, "runnable_ns", step->use.runnable_ns);
	set_function(object, "blocked_in", step->blocked_in);
	itp_json_set_text(object, "end", ends[step->end]);
	itp_json_set_signed(object, "end_ns", step->end_ns);
	set_function(object, "reason", step->reason);
	return object;
}

json_t *itp_json_chain(const GArray *steps)
{
	json_t *array = steps ? json_array() : json_null();

	for (guint i = 0; steps && i < steps->len; i++) {
		json_array_append_new(array,
				      step_object(&g_array_index(steps, struct itp_chain_step, i)));
	}
	return array;
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
	itp_json_set_fields(object, "", stats, call_fields, G_N_ELEMENTS(call_fields));
	itp_json_set_ticks(object, "", &(of_base ? ranking->base : ranking->suspect)->workload,
			   &ticks);
	for (size_t i = 0; i < calls->slowest_count; i++) {
		json_array_append_new(slowest,
				      call_object(ranking, path, of_base, &calls->slowest[i]));
	}
	json_object_set_new_nocheck(object, "slowest", slowest);
	json_object_set_new_nocheck(object, "held_up_by", chain_array(ranking, of_base, calls));
	return object;
}

json_t *itp_json_detail(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	struct itp_path_detail detail;
	json_t *object = json_object();

	itp_path_detail_init(&detail, ranking, path);
	itp_json_set_text(object, "type", "detail");
	itp_json_set_unsigned(object, "rank", path->rank);
	if (detail.face) {
		const struct itp_function *function =
			itp_function_at(ranking, detail.face->function);

		itp_json_set_signed(object, "frame", detail.face - path->frames);
		itp_json_set_text(object, "function", function->name);
		itp_json_set_text(object, "module", function->module);
	}
	itp_json_set_unsigned(object, "contexts", detail.context_count);
	json_object_set_new_nocheck(object, "suspect",
				    calls_object(ranking, path, false, &detail.suspect));
	json_object_set_new_nocheck(
		object, "base",
		ranking->base ? calls_object(ranking, path, true, &detail.base) : json_null());
	return object;
}
