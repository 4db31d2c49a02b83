/* SPDX-License-Identifier: MIT */
/*
 * See learning.h. Buckets tell latencies to within a quarter.
 *
 * Latencies are heavy-tailed: far out, the logarithm of the longest latency in n units grows with
 * the logarithm of n. The rate, the tail index, is the mean logarithm by which the longest units
 * exceed the shortest among them (Hill, A simple general approach to inference about the tail of a
 * distribution, 1975), and leads to the longest latency in any number of units (Weissman,
 * Estimation of parameters and large quantiles based on the k largest observations, 1978). Example:
 * of 1000 units the ten longest take 1 ms and more, by a factor of 1.65 on average, so the index is
 * 1/2, and one in 10 000 takes 1 ms · (10 / 0.1)^(1/2) = 10 ms.
 */
#include "common/guard/learning.h"

#include <math.h>

#include "common/unit/types.h"

#define USUAL_ONE_IN 10
/* The tail: the longest unit in TAIL_ONE_IN, but TAIL_LEAST units at least, as fewer give no index;
 * ten give it to within a third. At most one unit in TAIL_MOST_ONE_IN is tail. */
#define TAIL_ONE_IN 100
#define TAIL_LEAST 10
#define TAIL_MOST_ONE_IN 2
/* Largest limit, as a multiple of the latency of the longest units but a few, however heavy the
 * tail seems: with two kinds of work in a type, the gap between them looks like a tail. Units twice
 * as long as any learned unit are told, as units of a slow type are. */
#define MOST_TIMES 2

static double middle_of(guint bucket)
{
	return ((double)itp_guard_bucket_ns(bucket) + (double)itp_guard_bucket_ns(bucket + 1)) / 2;
}

/* The bucket of unit number `unit`, by latency, from 0 on. */
static guint bucket_of(const struct itp_guard_counted *counted, uint64_t unit)
{
	guint bucket = 0;

	while (bucket + 1 < ITP_GUARD_BUCKETS && unit >= counted->buckets[bucket]) {
		unit -= counted->buckets[bucket];
		bucket++;
	}
	return bucket;
}

int64_t itp_guard_counted_quantile(const struct itp_guard_counted *counted, unsigned int percent)
{
	return llround(middle_of(bucket_of(counted, (counted->units - 1) * percent / 100)));
}

static double deviation_of(const struct itp_guard_counted *counted, double mean_ns)
{
	double sum = 0;

	for (guint i = 0; i + 1 < ITP_GUARD_BUCKETS; i++) {
		const double distance_ns = middle_of(i) - mean_ns;

		sum += (double)counted->buckets[i] * distance_ns * distance_ns;
	}
	return sqrt(sum / (double)counted->units);
}

/* Distance from the median within which half of the units are, by bisection. */
static double median_deviation_of(const struct itp_guard_counted *counted, double median_ns)
{
	double least_ns = 0;
	double most_ns = (double)counted->max_ns + median_ns;

	while (most_ns - least_ns > median_ns / 100) {
		const double middle_ns = (least_ns + most_ns) / 2;
		uint64_t near = 0;

		for (guint i = 0; i + 1 < ITP_GUARD_BUCKETS; i++) {
			near += fabs(middle_of(i) - median_ns) <= middle_ns ? counted->buckets[i] :
									      0;
		}
		if (2 * near >= counted->units) {
			most_ns = middle_ns;
		} else {
			least_ns = middle_ns;
		}
	}
	return most_ns;
}

/* Latency that all but one in `one_in` units take at most: the upper end of a bucket, as units lie
 * anywhere in it. */
static int64_t most_of(const struct itp_guard_counted *counted, uint64_t one_in)
{
	const uint64_t rare = counted->units / one_in;
	const guint bucket = bucket_of(counted, counted->units - 1 - rare);

	return (int64_t)itp_guard_bucket_ns(MIN(bucket + 1, ITP_GUARD_BUCKETS - 1));
}

/* Latency of the longest of ITP_GUARD_ONE_IN units by the tail, which begins with its first
 * bucket. */
static double by_tail(const struct itp_guard_counted *counted)
{
	const uint64_t least = MAX(counted->units / TAIL_ONE_IN, TAIL_LEAST);
	const uint64_t tail = MIN(least, counted->units / TAIL_MOST_ONE_IN);
	const guint first = bucket_of(counted, counted->units - tail);
	const double begin_ns = MAX((double)itp_guard_bucket_ns(first), 1);
	double logarithms = 0;
	uint64_t units = 0;

	for (guint i = first; i < ITP_GUARD_BUCKETS; i++) {
		units += counted->buckets[i];
		logarithms += counted->buckets[i] > 0 ?
				      (double)counted->buckets[i] * log(middle_of(i) / begin_ns) :
				      0;
	}
	return begin_ns * pow(MAX((double)units * ITP_GUARD_ONE_IN / (double)counted->units, 1),
			      logarithms / (double)units);
}

static int64_t limit_of(const struct itp_guard_counted *counted)
{
	const double most_ns = (double)most_of(counted, ITP_GUARD_ALLOWED_ONE_IN);
	const double tail_ns = by_tail(counted);

	return (int64_t)CLAMP(tail_ns, most_ns, MOST_TIMES * most_ns);
}

bool itp_guard_type_learn(struct itp_guard_type *type, const struct itp_guard_counted *counted)
{
	double mean_ns;

	if (counted->units < ITP_GUARD_UNITS_LEAST) {
		return false;
	}
	mean_ns = (double)counted->total_ns / (double)counted->units;
	type->learned_units = counted->units;
	type->mean_ns = llround(mean_ns);
	type->deviation_ns = llround(deviation_of(counted, mean_ns));
	type->median_ns = itp_guard_counted_quantile(counted, 50);
	type->median_deviation_ns = llround(median_deviation_of(counted, (double)type->median_ns));
	type->p99_ns = itp_guard_counted_quantile(counted, 99);
	type->max_ns = (int64_t)counted->max_ns;
	type->mean_limit_ns = type->mean_ns + ITP_UNIT_DEVIATIONS * type->deviation_ns;
	type->median_limit_ns = type->median_ns + ITP_UNIT_DEVIATIONS * type->median_deviation_ns;
	type->limit_ns = limit_of(counted);
	type->usual_ns = most_of(counted, USUAL_ONE_IN);
	return true;
}

void itp_guard_loop_learn(struct itp_guard_loop *loop, const bool *learned)
{
	int64_t largest_ns = 0;
	int64_t usual_ns = 0;

	for (guint i = 0; i < loop->types->len; i++) {
		if (learned[i]) {
			largest_ns = MAX(largest_ns, itp_guard_type_at(loop, i)->limit_ns);
			usual_ns = MAX(usual_ns, itp_guard_type_at(loop, i)->usual_ns);
		}
	}
	for (guint i = 0; largest_ns > 0 && i < loop->types->len; i++) {
		if (!learned[i]) {
			struct itp_guard_type *type = itp_guard_type_at(loop, i);

			type->limit_ns =
				MAX(largest_ns, llround(ITP_GUARD_LATE * (double)type->max_ns));
			type->usual_ns = MAX(usual_ns, type->median_ns);
		}
	}
}
