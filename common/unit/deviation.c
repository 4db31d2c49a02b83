/* SPDX-License-Identifier: MIT */
/*
 * See deviation.h.
 */
#include "common/unit/deviation.h"

#include <math.h>

void itp_cause_sums_add(struct itp_cause_sums *sums, const struct itp_unit_group *group)
{
	sums->square_sum += group->square_sum;
	sums->work_square_sum += group->work_square_sum;
	sums->cpu_products += group->cpu_products;
	sums->blocked_products += group->blocked_products;
	sums->runnable_products += group->runnable_products;
}

/* Part of the variance that goes with one use of units' time: its covariance with latencies, from
 * the sum `products` in ns² and the sum `total_ns`. */
static double part_of_variance(const struct itp_unit_type *type, double products, int64_t total_ns)
{
	const double variance = type->deviation_ns * type->deviation_ns;
	const double count = (double)type->count;
	const double covariance = products / count - type->mean_ns * (double)total_ns / count;

	return variance > 0 ? covariance / variance : 0;
}

static double tail_part_of(const struct itp_unit_type *type, const struct itp_latencies *latencies)
{
	struct itp_latency latency;
	double all = 0;
	double tail = 0;

	for (guint i = 0; itp_latencies_get(latencies, 0, i, &latency); i++) {
		const double away_ns = (double)latency.latency_ns - type->mean_ns;
		const double square = away_ns * away_ns * (double)latency.calls;

		all += square;
		tail += latency.latency_ns > type->p99_ns ? square : 0;
	}
	return all > 0 ? tail / all : 0;
}

void itp_unit_type_set_causes(struct itp_unit_type *type, const struct itp_cause_sums *sums,
			      const struct itp_latencies *latencies)
{
	const double count = (double)type->count;
	const double mean_ns = (double)(type->total_ns - type->use.runnable_ns) / count;

	type->work_mean_ns = mean_ns;
	type->work_deviation_ns = sqrt(MAX(sums->work_square_sum / count - mean_ns * mean_ns, 0));
	type->causes.cpu_part = part_of_variance(type, sums->cpu_products, type->use.cpu_ns);
	type->causes.blocked_part =
		part_of_variance(type, sums->blocked_products, type->use.blocked_ns);
	type->causes.runnable_part =
		part_of_variance(type, sums->runnable_products, type->use.runnable_ns);
	type->causes.tail_part = tail_part_of(type, latencies);
}
