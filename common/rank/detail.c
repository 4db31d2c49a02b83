/* SPDX-License-Identifier: MIT */
/*
 * See detail.h.
 */
#include "common/rank/detail.h"

#include <math.h>

#include "common/wait/chain.h"

/* Seven of a hundred calls are not more than 7 %, though 0.07 is a little more than 7 / 100. */
#define ROUNDING 1e-12

const struct itp_ranked_frame *itp_path_face(const struct itp_ranked_path *path)
{
	if (path->culprit >= 0) {
		return &path->frames[path->culprit];
	}
	for (uint32_t i = 0; i < path->frame_count; i++) {
		if (path->variant_count > 0 ? path->frames[i].node == path->variants[0].node :
					      path->frames[i].rank == 1) {
			return &path->frames[i];
		}
	}
	return path->frame_count > 0 ? &path->frames[path->frame_count - 1] : NULL;
}

/* Latency (ns) of call `call` (from 0) of the `count` calls of a bucket. */
static int64_t place_in_bucket(const struct itp_node_stats *stats, size_t bucket, uint64_t call,
			       uint64_t count)
{
	bool is_last = bucket + 1 == ITP_HISTOGRAM_BUCKETS;
	int64_t end_ns = bucket == 0 ? 0 :
			 is_last     ? stats->max_ns :
				       itp_bucket_begin_ns(bucket + 1) - 1;
	int64_t first_ns = MAX(itp_bucket_begin_ns(bucket), stats->min_ns);
	int64_t last_ns = MIN(end_ns, stats->max_ns);
	__int128 width_ns = MAX((__int128)last_ns - first_ns, 0);

	return first_ns + (int64_t)(width_ns * (2 * (__int128)call + 1) / (2 * (__int128)count));
}

/* Number, from 0, of the call in the order of `calls` that `part` of them do not exceed. */
static uint64_t rank_of(double part, uint64_t calls)
{
	uint64_t rank = (uint64_t)ceil(part * (double)calls * (1 - ROUNDING));

	return CLAMP(rank, 1, MAX(calls, 1)) - 1;
}

int64_t itp_node_stats_quantile(const struct itp_node_stats *stats, double part)
{
	uint64_t rank = rank_of(part, itp_node_stats_recorded(stats));
	uint64_t before = 0;

	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		uint64_t count = stats->histogram[i];

		if (rank < before + count) {
			return place_in_bucket(stats, i, rank - before, count);
		}
		before += count;
	}
	return 0;
}

static int64_t quantile(const struct itp_call_detail *detail, const struct itp_latencies *latencies,
			double part)
{
	int64_t latency_ns;

	if (!detail->is_fine) {
		return itp_node_stats_quantile(&detail->stats, part);
	}
	latency_ns = itp_latencies_nth(latencies, ITP_CONTEXT_ROOT, rank_of(part, detail->calls));
	return CLAMP(latency_ns, detail->stats.min_ns, detail->stats.max_ns);
}

/* Sets quantiles by the latencies of all nodes, if they have all calls. */
static void set_quantiles(struct itp_call_detail *detail, const struct itp_profile *profile,
			  const GArray *nodes)
{
	struct itp_latencies *latencies = itp_latencies_new();

	for (guint i = 0; i < nodes->len; i++) {
		itp_latencies_add_node(latencies, ITP_CONTEXT_ROOT, profile->latencies,
				       g_array_index(nodes, uint32_t, i));
	}
	detail->is_fine = detail->calls > 0 &&
			  itp_latencies_count(latencies, ITP_CONTEXT_ROOT) == detail->calls;
	detail->median_ns = quantile(detail, latencies, 0.5);
	detail->p99_ns = quantile(detail, latencies, 0.99);
	itp_latencies_free(latencies);
}

/* Collects the slowest calls of all nodes. */
static void collect_slowest(struct itp_call_detail *detail, const struct itp_profile *profile,
			    const GArray *nodes)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct itp_slow_call));

	for (guint i = 0; i < nodes->len; i++) {
		size_t count;
		const struct itp_slow_call *calls = itp_slowest_of_node(
			profile->slowest, g_array_index(nodes, uint32_t, i), &count);

		g_array_append_vals(all, calls, (guint)count);
	}
	g_array_sort(all, itp_slow_call_compare);
	detail->slowest_count = MIN(all->len, ITP_SLOWEST_COUNT);
	for (size_t i = 0; i < detail->slowest_count; i++) {
		detail->slowest[i] = g_array_index(all, struct itp_slow_call, i);
	}
}

static void collect(struct itp_call_detail *detail, const struct itp_profile *profile,
		    const GArray *nodes)
{
	for (guint i = 0; i < nodes->len; i++) {
		itp_node_stats_merge(&detail->stats,
				     itp_profile_peek(profile, g_array_index(nodes, uint32_t, i)));
	}
	detail->calls = itp_node_stats_recorded(&detail->stats);
	set_quantiles(detail, profile, nodes);
	collect_slowest(detail, profile, nodes);
}

void itp_path_detail_init(struct itp_path_detail *detail, const struct itp_ranking *ranking,
			  const struct itp_ranked_path *path)
{
	g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	*detail = (struct itp_path_detail){ .face = itp_path_face(path) };
	for (uint32_t i = 0; i < path->variant_count; i++) {
		g_array_append_val(nodes, path->variants[i].node);
	}
	if (path->variant_count == 0 && detail->face) {
		g_array_append_val(nodes, detail->face->node);
	}
	detail->context_count = nodes->len;
	collect(&detail->suspect, ranking->suspect, nodes);
	if (ranking->base) {
		collect(&detail->base, ranking->base, nodes);
	}
}

/* True if the call overlaps a symptom of its thread. */
static bool is_taken(const GArray *symptoms, const struct itp_symptom *call)
{
	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_symptom *other = &g_array_index(symptoms, struct itp_symptom, i);

		if (other->tid == call->tid && other->begin_ns < call->end_ns &&
		    call->begin_ns < other->end_ns) {
			return true;
		}
	}
	return false;
}

GArray *itp_call_detail_symptoms(const struct itp_call_detail *calls)
{
	GArray *symptoms = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));

	for (size_t i = 0; i < calls->slowest_count; i++) {
		const struct itp_slow_call *call = &calls->slowest[i];
		const struct itp_symptom symptom = { .tid = call->tid,
						     .begin_ns = call->begin_ns,
						     .end_ns = call->begin_ns + call->latency_ns };

		if (call->run == calls->slowest[0].run && !is_taken(symptoms, &symptom)) {
			g_array_append_val(symptoms, symptom);
		}
	}
	return symptoms;
}

GArray *itp_call_detail_chain(const struct itp_call_detail *calls,
			      const struct itp_ranking *ranking, bool of_base, guint *ret_count,
			      int64_t *ret_span_ns)
{
	g_autoptr(GArray) symptoms = itp_call_detail_symptoms(calls);
	struct itp_recording recording = { 0 };

	if (symptoms->len > 0) {
		itp_ranking_recording(ranking, of_base, calls->slowest[0].run, &recording);
	}
	*ret_count = symptoms->len;
	*ret_span_ns = 0;
	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_symptom *call = &g_array_index(symptoms, struct itp_symptom, i);

		*ret_span_ns += call->end_ns - call->begin_ns;
	}
	return recording.recall ? itp_chain(recording.recall, symptoms) : NULL;
}
