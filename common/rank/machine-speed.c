/* SPDX-License-Identifier: MIT */
/*
 * See machine-speed.h.
 */
#include "common/rank/machine-speed.h"

#include <math.h>

/* Least number of measurements in a run that tell the error of their mean. */
#define MEASUREMENTS_LEAST 4

/* Measurements of all runs; none if any run has too few. */
static struct itp_speed_sums sums_of(const struct itp_runs *runs)
{
	struct itp_speed_sums sums = { .count = 0 };

	for (size_t i = 0; i < runs->count; i++) {
		const struct itp_speed_sums *run = &runs->profiles[i]->workload.counts.speeds;

		if (run->count < MEASUREMENTS_LEAST || run->computed_ns == 0) {
			return (struct itp_speed_sums){ .count = 0 };
		}
		itp_speed_sums_add(&sums, run, 1);
	}
	return sums;
}

static double mean_of(const struct itp_speed_sums *sums)
{
	return (double)sums->computed_ns / (double)sums->count;
}

/* Variance of the mean, as a part of its square. */
static double variance_of(const struct itp_speed_sums *sums)
{
	double mean = mean_of(sums);
	double variance = (double)sums->computed_ns2 / (double)sums->count - mean * mean;

	return MAX(variance, 0) / (double)(sums->count - 1) / (mean * mean);
}

struct itp_machine_speed itp_machine_speed_find(const struct itp_runs *suspect,
						const struct itp_runs *base)
{
	const struct itp_speed_sums suspect_sums = sums_of(suspect);
	const struct itp_speed_sums base_sums = base ? sums_of(base) : (struct itp_speed_sums){ 0 };
	double variance;
	double ratio;

	if (suspect_sums.count == 0 || base_sums.count == 0 ||
	    suspect_sums.meters * base_sums.count != base_sums.meters * suspect_sums.count) {
		return (struct itp_machine_speed){ .ratio = 1 };
	}
	ratio = mean_of(&suspect_sums) / mean_of(&base_sums);
	variance = variance_of(&suspect_sums) + variance_of(&base_sums);
	return (struct itp_machine_speed){
		.is_known = true,
		.ratio = ratio,
		.ratio_error = ratio * sqrt(variance),
	};
}

static double slowness_of(const struct itp_profile *run)
{
	return log(mean_of(&run->workload.counts.speeds));
}

double *itp_machine_speed_of_runs(const struct itp_machine_speed *speed,
				  const struct itp_runs *runs)
{
	double *slowness = g_new0(double, runs->count + 1);
	double mean = 0;

	for (size_t i = 0; i < runs->count && speed->is_known; i++) {
		slowness[i] = slowness_of(runs->profiles[i]);
		mean += slowness[i] / (double)runs->count;
	}
	for (size_t i = 0; i < runs->count; i++) {
		slowness[i] -= mean;
	}
	return slowness;
}
