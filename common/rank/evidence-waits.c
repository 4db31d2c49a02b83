/* SPDX-License-Identifier: MIT */
/*
 * See evidence-waits.h.
 */
#include "common/rank/evidence-waits.h"

#include <math.h>

#include "common/rank/scale.h"

/* Waits that count as a single one: a busy disk makes several of them long. */
#define WAITS_TOGETHER 16

/* ---- Waits of any kind ---- */

/* Part of a node's time that it is blocked itself. */
static double blocked_part(const struct itp_node_stats *stats)
{
	return stats->own_use.blocked_ns > 0 && stats->total_ns > 0 ?
		       MIN((double)stats->own_use.blocked_ns / (double)stats->total_ns, 1) :
		       0;
}

static double mean_wait_ns(const struct itp_node_stats *stats)
{
	return stats->count > 0 ? (double)stats->total_ns / (double)stats->count : 0;
}

/* Σ squares, counting at most `limit_ns` for a call. */
static double limited_squares(const struct itp_node_stats *stats, double limit_ns)
{
	double squares = 0;

	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		double end_ns = i + 1 < ITP_HISTOGRAM_BUCKETS ? (double)itp_bucket_begin_ns(i + 1) :
								(double)stats->max_ns;

		squares += (double)stats->histogram[i] * pow(MIN(end_ns, limit_ns), 2);
	}
	return squares;
}

/* Number of calls before scaling, which leaves at least one: by the histogram, if there is any. */
static double calls_of(const struct itp_node_stats *stats, double factor)
{
	uint64_t recorded = itp_node_stats_recorded(stats);

	return recorded > 0 ? (double)recorded : (double)stats->count / factor;
}

static double squares_of(const struct itp_node_stats *stats)
{
	return (double)stats->square_sum_high * 0x1p64 + (double)stats->square_sum_low;
}

/* Variance (ns²) of the sum of the calls' durations, if each call tells by itself. */
static double length_variance(const struct itp_node_stats *stats, double limit_ns, double factor)
{
	double calls = calls_of(stats, factor);
	double squares = squares_of(stats);
	double total = (double)stats->total_ns;
	double variance = 0;

	if (calls > 1) {
		variance = MAX(squares * factor - total * total / calls, 0) * calls / (calls - 1);
	}
	if ((double)stats->max_ns > limit_ns) {
		variance = MIN(variance, limited_squares(stats, limit_ns) * factor * factor);
	}
	return variance;
}

/* Variance (ns²) by the number of waits, as far as the two workloads show that the number
 * varies. */
static double number_variance(const struct itp_node_stats *suspect,
			      const struct itp_node_stats *base)
{
	double more = (double)suspect->count - (double)base->count;
	double all = (double)suspect->count + (double)base->count;
	double part = MAX(blocked_part(suspect), blocked_part(base));
	double mean = MAX(mean_wait_ns(suspect), mean_wait_ns(base)) * part;

	return CLAMP(more * more, 1, MAX(all, 1)) * pow(MIN(mean, ITP_WAIT_MOST_NS), 2);
}

/* Variance if both workloads wait: a busy disk makes several waits long. */
static double known_wait_variance(const struct itp_node_stats *stats,
				  const struct itp_node_stats *other, double factor)
{
	double part = blocked_part(stats);
	double limit_ns = MAX(ITP_WAIT_MOST_NS, (double)other->max_ns);

	return length_variance(stats, limit_ns, factor) * WAITS_TOGETHER * part * part;
}

/* Variance if only a single workload waits: the variance of a sum of independent events is the sum
 * of their squares. */
static double lone_wait_variance(const struct itp_node_stats *stats, double factor)
{
	double part = blocked_part(stats);
	double squares = squares_of(stats) * factor;

	if ((double)stats->max_ns > ITP_WAIT_MOST_NS) {
		squares = MIN(squares, limited_squares(stats, ITP_WAIT_MOST_NS) * factor * factor);
	}
	return squares * part * part;
}

static bool has_waits(const struct itp_node_stats *stats)
{
	return blocked_part(stats) > 0;
}

/* ---- Waits that time has ended ---- */

/* Number of waits of a workload that time has ended, and their length together, as the statistics
 * are scaled. */
struct timed {
	double count;
	double ns;
};

static struct timed timed_waits(const struct itp_rank_state *state,
				const struct itp_profile *profile, uint32_t node, double factor)
{
	struct timed timed = { .count = 0 };
	guint count = 0;
	const struct itp_waker *wakers = itp_wakers_of_node(profile->wakers, node, &count);

	for (guint i = 0; i < count; i++) {
		if (itp_waker_is_timer(state->functions, &wakers[i])) {
			timed.count += (double)wakers[i].count * factor;
			timed.ns += (double)wakers[i].blocked_ns * factor;
		}
	}
	return timed;
}

static double length_of(const struct timed *timed)
{
	return timed->ns / timed->count;
}

/* Takes so many calls out of the histogram, from those with the length of the timed ones on,
 * towards shorter ones and then longer ones. */
static void take_from_histogram(struct itp_node_stats *stats, double count, double length_ns)
{
	size_t at = ITP_HISTOGRAM_BUCKETS - 1;

	while (at > 0 && (double)itp_bucket_begin_ns(at) > length_ns) {
		at--;
	}
	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS && count >= 1; i++) {
		uint32_t *bucket = &stats->histogram[i <= at ? at - i : i];
		const uint32_t taken = (uint32_t)MIN((double)*bucket, count);

		*bucket -= taken;
		count -= taken;
	}
}

/* The statistics of all other waits. `factor` is their scale. */
static struct itp_node_stats without(const struct itp_node_stats *stats, const struct timed *timed,
				     double factor)
{
	struct itp_node_stats rest = *stats;
	const double squares = squares_of(stats);
	const double timed_squares = timed->ns * length_of(timed) / factor;

	rest.count -= (uint64_t)MIN(timed->count, (double)rest.count);
	rest.total_ns -= (int64_t)MIN(timed->ns, (double)MAX(rest.total_ns, 0));
	rest.own_use.blocked_ns -= (int64_t)MIN(timed->ns, (double)MAX(rest.own_use.blocked_ns, 0));
	take_from_histogram(&rest, timed->count / factor, length_of(timed) / factor);
	if (squares > 0) {
		itp_node_stats_scale_squares(&rest, MAX(1 - timed_squares / squares, 0));
	}
	return rest;
}

/* Each is an event by itself. */
static double timed_variance(const struct timed *timed)
{
	return timed->count * pow(MIN(length_of(timed), ITP_WAIT_MOST_NS), 2);
}

/* ---- Both workloads ---- */

static void add_others(struct itp_evidence *evidence, const struct itp_node_stats *suspect,
		       const struct itp_node_stats *base, double base_factor)
{
	double *suspect_variance = &evidence->suspect.parts[ITP_TIME_BLOCKED].variance;
	double *base_variance = &evidence->base.parts[ITP_TIME_BLOCKED].variance;

	if (has_waits(suspect) && has_waits(base)) {
		*suspect_variance += known_wait_variance(suspect, base, 1);
		*suspect_variance += number_variance(suspect, base);
		*base_variance += known_wait_variance(base, suspect, base_factor);
	} else {
		*suspect_variance += lone_wait_variance(suspect, 1);
		*base_variance += lone_wait_variance(base, base_factor);
	}
}

void itp_evidence_add_waits(struct itp_evidence *evidence, const struct itp_rank_state *state,
			    uint32_t node)
{
	const double base_factor = state->base_factor;
	const struct itp_node_stats *suspect = itp_side_stats(&state->suspect, node);
	const struct itp_node_stats *base = itp_side_stats(&state->base, node);
	struct timed of_suspect;
	struct timed of_base;

	evidence->suspect.waits += has_waits(suspect) ? suspect->count : 0;
	evidence->base.waits += has_waits(base) ? base->count : 0;
	if (!has_waits(suspect) || !has_waits(base)) {
		add_others(evidence, suspect, base, base_factor);
		return;
	}
	of_suspect = timed_waits(state, state->suspect.profile, node, 1);
	of_base = timed_waits(state, state->base.profile, node, base_factor);
	if (of_suspect.count > 0 && of_base.count == 0) {
		const struct itp_node_stats rest = without(suspect, &of_suspect, 1);

		evidence->suspect.parts[ITP_TIME_BLOCKED].variance += timed_variance(&of_suspect);
		add_others(evidence, &rest, base, base_factor);
	} else if (of_base.count > 0 && of_suspect.count == 0) {
		const struct itp_node_stats rest = without(base, &of_base, base_factor);

		evidence->base.parts[ITP_TIME_BLOCKED].variance += timed_variance(&of_base);
		add_others(evidence, suspect, &rest, base_factor);
	} else {
		add_others(evidence, suspect, base, base_factor);
	}
}
