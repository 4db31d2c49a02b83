/* SPDX-License-Identifier: MIT */
/*
 * See machine-speed.h.
 */
#include "common/rank/machine-speed.h"

#include <math.h>

/* Least number of measurements in a run that tell the error of their mean. */
#define MEASUREMENTS_LEAST 4
/* Power of the machine's slowness that time on the CPU has, and its standard deviation: a chain of
 * dependent steps has none of it (md5sum), a loop of an interpreter all and more (python3, sed).
 * Measured on pairs of equal runs (doc/verdicts.md). */
#define FELT 0.75
#define FELT_DEVIATION 0.29
/* Variance of a program's mean slowness, in variances of the mean that measurements would have if
 * each were by itself: slow moments last longer than from one to the next, and are others for other
 * units of a core. Measured on pairs of equal runs (doc/verdicts.md). */
#define UNSTEADY 2.0

/* Measurements of all runs; none if any run has too few. */
static struct itp_speed_sums sums_of(const struct itp_runs *runs)
{
	struct itp_speed_sums sums = { .count = 0 };

	for (size_t i = 0; i < runs->count; i++) {
		const struct itp_speed_sums *run = &runs->profiles[i]->workload.counts.speeds;

		if (run->count < MEASUREMENTS_LEAST) {
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
		return (struct itp_machine_speed){ .ratio = 1, .felt = 1 };
	}
	ratio = mean_of(&suspect_sums) / mean_of(&base_sums);
	variance = variance_of(&suspect_sums) + variance_of(&base_sums);
	return (struct itp_machine_speed){
		.is_known = true,
		.ratio = ratio,
		.ratio_error = ratio * sqrt(variance),
		.felt = pow(ratio, FELT),
		.variance = UNSTEADY * variance + pow(FELT_DEVIATION * log(ratio), 2),
	};
}
