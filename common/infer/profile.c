/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a PA-CCT and how they merge.
 */
#include "common/infer/profile.h"

#include <math.h>

#include "common/base/student.h"
#include "common/base/watched.h"
#include "common/infer/node-fields.h"
#include "common/infer/options.h"

/* Closeness of bounds: within a 20th, 5 %. */
#define CLOSE_PART 20

static const struct itp_node_stats no_stats;

static bool is_of_paper(const struct itp_workload *workload)
{
	g_autofree char *continuity =
		itp_options_text_get(workload->options ? workload->options : "", "continuity");

	return g_strcmp0(continuity, itp_continuity_names[ITP_CONTINUITY_FUNCTION]) == 0;
}

bool itp_workload_is_watched(const struct itp_workload *workload)
{
	return workload->counts.stacks == 0 ||
	       itp_watched_shows_latencies(workload->counts.watched);
}

bool itp_workload_has_latencies(const struct itp_workload *workload)
{
	return !workload->is_levelled &&
	       (itp_workload_is_watched(workload) || is_of_paper(workload));
}

double itp_tick_interval_ns(const struct itp_infer_counts *counts)
{
	return counts->timer_samples > 0 ? (double)counts->tick_ns / (double)counts->timer_samples :
					   0;
}

void itp_workload_describe(struct itp_workload *workload, const struct itp_workload *description)
{
	g_free(workload->name);
	g_free(workload->options);
	workload->name = g_strdup(description->name);
	workload->options = g_strdup(description->options);
	workload->counts = description->counts;
	workload->complete = description->complete;
	workload->recall = description->recall;
}

struct itp_profile *itp_profile_new(const char *name)
{
	struct itp_profile *profile = g_new0(struct itp_profile, 1);

	profile->workload.name = g_strdup(name);
	profile->workload.options = g_strdup("");
	profile->nodes = itp_node_table_new();
	profile->wakers = itp_wakers_new();
	profile->slowest = itp_slowest_new();
	profile->latencies = itp_latencies_new();
	profile->units = itp_unit_sums_new();
	return profile;
}

void itp_profile_free(struct itp_profile *profile)
{
	if (!profile) {
		return;
	}
	g_free(profile->workload.name);
	g_free(profile->workload.options);
	g_free(profile->workload.architecture);
	g_clear_pointer(&profile->workload.recall_nodes, g_array_unref);
	itp_node_table_free(profile->nodes);
	itp_wakers_free(profile->wakers);
	itp_slowest_free(profile->slowest);
	itp_latencies_free(profile->latencies);
	itp_unit_sums_free(profile->units);
	g_free(profile);
}

/* Empty profile of the same workload. */
static struct itp_profile *profile_new_of(const struct itp_workload *workload)
{
	struct itp_profile *profile = itp_profile_new(workload->name);

	g_free(profile->workload.options);
	profile->workload.options = g_strdup(workload->options);
	profile->workload.architecture = g_strdup(workload->architecture);
	profile->workload.counts = workload->counts;
	profile->workload.clock = workload->clock;
	profile->workload.complete = workload->complete;
	profile->workload.is_levelled = workload->is_levelled;
	profile->workload.recall = workload->recall;
	profile->workload.recall_nodes =
		workload->recall_nodes ? g_array_ref(workload->recall_nodes) : NULL;
	return profile;
}

static void merge_statistics(struct itp_profile *profile, const struct itp_profile *other)
{
	for (uint32_t node = 0; node < itp_node_table_limit(other->nodes); node++) {
		const struct itp_node_stats *stats = itp_node_table_find(other->nodes, node);

		if (stats) {
			itp_node_stats_merge(itp_profile_node(profile, node), stats);
		}
	}
	itp_wakers_merge(profile->wakers, other->wakers);
	itp_slowest_merge(profile->slowest, other->slowest);
	itp_latencies_merge(profile->latencies, other->latencies);
	itp_unit_sums_merge(profile->units, other->units);
}

struct itp_profile *itp_profile_copy(const struct itp_profile *profile)
{
	struct itp_profile *copy = profile_new_of(&profile->workload);

	merge_statistics(copy, profile);
	return copy;
}

struct itp_profile *itp_profile_take(struct itp_profile *profile)
{
	struct itp_profile *taken = profile_new_of(&profile->workload);

	itp_profile_swap(taken, profile);
	return taken;
}

void itp_profile_swap(struct itp_profile *profile, struct itp_profile *other)
{
	const struct itp_profile was = *profile;

	*profile = *other;
	*other = was;
	other->workload = profile->workload;
	profile->workload = was.workload;
}

bool itp_profile_is_empty(const struct itp_profile *profile)
{
	return itp_node_table_limit(profile->nodes) == 0;
}

struct itp_node_stats *itp_profile_node(struct itp_profile *profile, uint32_t node)
{
	return itp_node_table_get(profile->nodes, node);
}

const struct itp_node_stats *itp_profile_peek(const struct itp_profile *profile, uint32_t node)
{
	const struct itp_node_stats *stats = itp_node_table_find(profile->nodes, node);

	return stats ? stats : &no_stats;
}

void itp_profile_clear_node(struct itp_profile *profile, uint32_t node)
{
	struct itp_node_stats *stats = itp_node_table_find(profile->nodes, node);

	if (stats) {
		*stats = no_stats;
	}
	itp_slowest_clear_node(profile->slowest, node);
	itp_latencies_clear_node(profile->latencies, node);
}

void itp_profile_truncate(struct itp_profile *profile, uint32_t size)
{
	itp_node_table_truncate(profile->nodes, size);
	itp_slowest_truncate(profile->slowest, size);
	itp_latencies_truncate(profile->latencies, size);
}

static void add_squares(struct itp_node_stats *stats, unsigned __int128 squares)
{
	unsigned __int128 sum = (unsigned __int128)stats->square_sum_high << 64;

	sum = (sum | stats->square_sum_low) + squares;
	stats->square_sum_high = (uint64_t)(sum >> 64);
	stats->square_sum_low = (uint64_t)sum;
}

/* Saturates: min(a + b, limit) is still associative. */
static void add_to_bucket(uint32_t *bucket, uint32_t count)
{
	*bucket = count > UINT32_MAX - *bucket ? UINT32_MAX : *bucket + count;
}

static unsigned int bucket_of(int64_t latency_ns)
{
	return latency_ns > 0 ? MIN(g_bit_storage((gulong)latency_ns), ITP_HISTOGRAM_BUCKETS - 1) :
				0;
}

int64_t itp_bucket_begin_ns(size_t bucket)
{
	return bucket == 0 ? 0 : INT64_C(1) << (bucket - 1);
}

uint64_t itp_node_stats_recorded(const struct itp_node_stats *stats)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		calls += stats->histogram[i];
	}
	return calls;
}

static void widen_extremes(struct itp_node_stats *stats, int64_t min_ns, int64_t max_ns)
{
	bool first = stats->count == 0;

	stats->min_ns = first ? min_ns : MIN(stats->min_ns, min_ns);
	stats->max_ns = first ? max_ns : MAX(stats->max_ns, max_ns);
}

void itp_node_stats_count(struct itp_node_stats *stats, int64_t latency_ns, uint32_t calls)
{
	const unsigned __int128 square =
		(unsigned __int128)latency_ns * (unsigned __int128)latency_ns;

	widen_extremes(stats, latency_ns, latency_ns);
	stats->count += calls;
	add_squares(stats, square * calls);
	add_to_bucket(&stats->histogram[bucket_of(latency_ns)], calls);
}

void itp_node_stats_merge(struct itp_node_stats *stats, const struct itp_node_stats *other)
{
	if (other->count > 0) {
		widen_extremes(stats, other->min_ns, other->max_ns);
	}
	itp_node_fields_add(stats, other);
	add_squares(stats, (unsigned __int128)other->square_sum_high << 64 | other->square_sum_low);
	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		add_to_bucket(&stats->histogram[i], other->histogram[i]);
	}
}

/* Distance of the true number of calls from the estimate: three standard deviations, exceeded once
 * in 370 cases. */
#define DEVIATIONS 3.0
/* Degrees of freedom of the variance, an estimate itself, for each window: differences of
 * neighbours share windows. 9 windows have 6, by which 3 deviations become 4.9, and 90 have
 * 60: 3.1. */
#define FREEDOM (2.0 / 3)
/* Mean number of calls in a window of which none is seen as seldom: exp(-5.9) is 1/370. */
#define NONE_SEEN 5.9

/* Factor by which calls seen in no window may be more frequent than windows. */
static double unseen_calls(const struct itp_infer_counts *counts)
{
	return counts->drawn_ns > 0 ?
		       NONE_SEEN * (double)counts->rests_ns / (double)counts->drawn_ns :
		       INFINITY;
}

/* Part by which the time taken by watching may be longer than measured: programs of three million
 * calls took 0.35 to 0.49 of their time where 0.41 to 0.47 were told, and one of 32 million 0.49
 * where 0.43 was. */
#define SLOWED_ERROR (1.0 / 3)

/* How many times as far programs may get outside of windows, where nothing holds them up. */
static double free_factor(const struct itp_infer_counts *counts)
{
	const double slowed = counts->windows_ns > 0 ?
				      (1 + SLOWED_ERROR) * (double)counts->slowed_ns /
					      (double)counts->windows_ns :
				      0;
	const double most = (double)ITP_WINDOW_TAKEN_MOST / (double)ITP_WINDOW_PART;

	return 1 / (1 - CLAMP(slowed, 0, most));
}

/* Estimated deviations that are as unlikely as DEVIATIONS. Older profiles do not tell how many
 * windows there were. */
static double estimated_deviations(const struct itp_infer_counts *counts)
{
	return counts->drawn_windows > 0 ?
		       itp_student_t(DEVIATIONS, FREEDOM * (double)counts->drawn_windows) :
		       DEVIATIONS;
}

/* By how many calls an estimated number may be too large, and too small. */
static void find_error(const struct itp_node_stats *stats, const struct itp_infer_counts *counts,
		       uint64_t *ret_fewer, uint64_t *ret_more)
{
	const double error = estimated_deviations(counts) * sqrt((double)stats->count_variance);
	const double most =
		((double)stats->count + error + unseen_calls(counts)) * free_factor(counts);
	const double more = counts->rests_ns > 0 ? ceil(most - (double)stats->count) : 0;

	*ret_fewer = (uint64_t)ceil(error);
	*ret_more = more < (double)(ITP_CALLS_UNKNOWN / 2) ? (uint64_t)more : ITP_CALLS_UNKNOWN;
}

/* Calls seen have been made. */
static uint64_t lower_limit(uint64_t estimate, uint64_t fewer)
{
	return estimate > fewer ? estimate - fewer : estimate > 0;
}

struct itp_call_bounds itp_node_stats_calls(const struct itp_node_stats *stats,
					    const struct itp_infer_counts *counts)
{
	uint64_t told = stats->counted_count + stats->shown_count;
	uint64_t parts = told > 0 ? MIN(stats->part_count, stats->count) : 0;
	uint64_t fewer;
	uint64_t more;
	struct itp_call_bounds bounds = { .possible = ITP_CALLS_UNKNOWN };

	find_error(stats, counts, &fewer, &more);
	bounds.seen = lower_limit(stats->count - parts, fewer);
	if (told > 0 && told + parts >= stats->count && more != ITP_CALLS_UNKNOWN &&
	    counts->lost_events >= counts->losses) {
		/* Each lost event may have told of a call, and each broken stack may have hidden
		 * one. */
		uint64_t hidden = counts->lost_events + stats->lost_count + more;

		hidden += stats->shown_count > 0 ? counts->broken_stacks : 0;
		bounds.possible =
			MAX(stats->max_count - MIN(parts, stats->max_count) + hidden, bounds.seen);
	}
	return bounds;
}

struct itp_call_bounds itp_call_bounds_sum(struct itp_call_bounds a, struct itp_call_bounds b)
{
	struct itp_call_bounds sum = { .seen = a.seen + b.seen, .possible = ITP_CALLS_UNKNOWN };

	if (a.possible != ITP_CALLS_UNKNOWN && b.possible != ITP_CALLS_UNKNOWN) {
		sum.possible = a.possible + b.possible;
	}
	return sum;
}

bool itp_call_bounds_are_close(struct itp_call_bounds bounds)
{
	return bounds.possible - bounds.seen <= bounds.seen / CLOSE_PART;
}

/* Nothing may happen in a period. */
static bool has_span(const struct itp_infer_counts *counts)
{
	return counts->events > 0 || counts->end_ns > counts->begin_ns;
}

static void merge_counts(struct itp_infer_counts *counts, const struct itp_infer_counts *other)
{
	if (has_span(other)) {
		bool first = !has_span(counts);

		counts->begin_ns = first ? other->begin_ns : MIN(counts->begin_ns, other->begin_ns);
		counts->end_ns = first ? other->end_ns : MAX(counts->end_ns, other->end_ns);
	}
	counts->threads += other->threads;
	counts->events += other->events;
	counts->stacks += other->stacks;
	counts->broken_stacks += other->broken_stacks;
	counts->deep_stacks += other->deep_stacks;
	counts->deep_chains += other->deep_chains;
	counts->unwind_failures += other->unwind_failures;
	counts->short_copies += other->short_copies;
	counts->unfollowed_stacks += other->unfollowed_stacks;
	counts->completed_stacks += other->completed_stacks;
	counts->filled_frames += other->filled_frames;
	for (size_t i = 0; i < ITP_FOUND_BY_COUNT; i++) {
		counts->found_by[i] += other->found_by[i];
	}
	counts->interrupted_stacks += other->interrupted_stacks;
	counts->timer_samples += other->timer_samples;
	counts->tick_ns += other->tick_ns;
	counts->watched = itp_watched_both(counts->watched, other->watched);
	counts->blocked_ns += other->blocked_ns;
	counts->windows_ns += other->windows_ns;
	counts->rests_ns += other->rests_ns;
	counts->slowed_ns += other->slowed_ns;
	counts->drawn_ns += other->drawn_ns;
	counts->drawn_windows += other->drawn_windows;
	itp_speed_sums_add(&counts->speeds, &other->speeds, 1);
	counts->units += other->units;
	counts->commands += other->commands;
	counts->losses += other->losses;
	counts->lost_events += other->lost_events;
	counts->late_records += other->late_records;
	counts->misplaced_records += other->misplaced_records;
	counts->cut = counts->cut || other->cut;
}

void itp_profile_merge(struct itp_profile *profile, const struct itp_profile *other)
{
	merge_statistics(profile, other);
	merge_counts(&profile->workload.counts, &other->workload.counts);
	profile->workload.complete = profile->workload.complete && other->workload.complete;
	profile->workload.is_levelled |= other->workload.is_levelled;
}

struct itp_infer_counts itp_infer_counts_since(const struct itp_infer_counts *counts,
					       const struct itp_infer_counts *before)
{
	struct itp_infer_counts since = *counts;

	since.events -= before->events;
	since.stacks -= before->stacks;
	since.broken_stacks -= before->broken_stacks;
	since.deep_stacks -= before->deep_stacks;
	since.deep_chains -= before->deep_chains;
	since.unwind_failures -= before->unwind_failures;
	since.short_copies -= before->short_copies;
	since.unfollowed_stacks -= before->unfollowed_stacks;
	since.completed_stacks -= before->completed_stacks;
	since.filled_frames -= before->filled_frames;
	for (size_t i = 0; i < ITP_FOUND_BY_COUNT; i++) {
		since.found_by[i] -= before->found_by[i];
	}
	since.interrupted_stacks -= before->interrupted_stacks;
	since.timer_samples -= before->timer_samples;
	since.tick_ns = MAX(since.tick_ns - before->tick_ns, 0);
	since.blocked_ns -= before->blocked_ns;
	since.windows_ns -= before->windows_ns;
	since.rests_ns -= before->rests_ns;
	since.slowed_ns -= before->slowed_ns;
	since.drawn_ns -= before->drawn_ns;
	since.drawn_windows -= before->drawn_windows;
	itp_speed_sums_add(&since.speeds, &before->speeds, -1);
	since.units -= before->units;
	since.commands -= before->commands;
	since.losses -= before->losses;
	since.lost_events -= before->lost_events;
	since.late_records -= before->late_records;
	since.misplaced_records -= before->misplaced_records;
	return since;
}
