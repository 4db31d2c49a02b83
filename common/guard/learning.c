/* SPDX-License-Identifier: MIT */
/*
 * See learning.h. Buckets tell latencies to within a quarter.
 */
#include "common/guard/learning.h"

#include <math.h>

#include "common/guard/training.h"
#include "common/unit/types.h"

#define USUAL_ONE_IN 10

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

static double deviation_of(const struct itp_guard_counted *counted, double mean_ns)
{
	double sum = 0;

	for (guint i = 0; i + 1 < ITP_GUARD_BUCKETS; i++) {
		const double distance_ns = middle_of(i) - mean_ns;

		sum += (double)counted->buckets[i] * distance_ns * distance_ns;
	}
	return sqrt(sum / (double)counted->units);
}

/* Half of the units are nearer to the median: those between two buckets that are as far from it. */
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

/* All but one in so many units take that at most; the upper end of its bucket, as it may be
 * anywhere in there. */
static int64_t most_of(const struct itp_guard_counted *counted, uint64_t one_in)
{
	const uint64_t rare = counted->units / one_in;
	const guint bucket = bucket_of(counted, counted->units - 1 - rare);

	return (int64_t)itp_guard_bucket_ns(MIN(bucket + 1, ITP_GUARD_BUCKETS - 1));
}

bool itp_guard_type_learn(struct itp_guard_type *type, const struct itp_guard_counted *counted)
{
	double mean_ns;
	double median_ns;

	if (counted->units < ITP_GUARD_UNITS_LEAST) {
		return false;
	}
	mean_ns = (double)counted->total_ns / (double)counted->units;
	median_ns = middle_of(bucket_of(counted, (counted->units - 1) / 2));
	type->learned_units = counted->units;
	type->mean_ns = llround(mean_ns);
	type->deviation_ns = llround(deviation_of(counted, mean_ns));
	type->median_ns = llround(median_ns);
	type->median_deviation_ns = llround(median_deviation_of(counted, median_ns));
	type->p99_ns = llround(middle_of(bucket_of(counted, (counted->units - 1) * 99 / 100)));
	type->max_ns = (int64_t)counted->max_ns;
	type->mean_limit_ns = type->mean_ns + ITP_UNIT_DEVIATIONS * type->deviation_ns;
	type->median_limit_ns = type->median_ns + ITP_UNIT_DEVIATIONS * type->median_deviation_ns;
	type->limit_ns = llround(ITP_GUARD_LATE *
				 (double)MIN(most_of(counted, ITP_GUARD_ONE_IN), type->max_ns));
	type->usual_ns = most_of(counted, USUAL_ONE_IN);
	return true;
}

void itp_guard_loop_learn(struct itp_guard_loop *loop, const bool *learned)
{
	int64_t largest_ns = 0;

	for (guint i = 0; i < loop->types->len; i++) {
		if (learned[i]) {
			largest_ns = MAX(largest_ns, itp_guard_type_at(loop, i)->limit_ns);
		}
	}
	for (guint i = 0; largest_ns > 0 && i < loop->types->len; i++) {
		if (!learned[i]) {
			struct itp_guard_type *type = itp_guard_type_at(loop, i);

			type->limit_ns =
				MAX(largest_ns, llround(ITP_GUARD_LATE * (double)type->max_ns));
		}
	}
}
