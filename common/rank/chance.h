/* SPDX-License-Identifier: MIT */
/*
 * Statistics behind a verdict, in plain numbers: a difference in standard deviations, the
 * probability that chance alone makes a difference as large, and the differences that stand out of
 * many.
 *
 * Errors of measurement are known. Differences between runs are estimated from a few runs, so their
 * error has few degrees of freedom, and a large difference is likelier than by a normal
 * distribution: Student's t, with the degrees of freedom of both together by B. L. Welch,
 * Biometrika 34 (1947).
 */
#ifndef ITP_RANK_CHANCE_H
#define ITP_RANK_CHANCE_H

#include <glib.h>
#include <stdbool.h>

static inline double itp_squared(double x)
{
	return x * x;
}

/* Standard deviations of a normal distribution that are as unlikely as `delta`. `run_variance` was
 * estimated with `run_freedom` degrees of freedom, at least 1. */
double itp_chance_z(double delta, double measurement_variance, double run_variance,
		    double run_freedom);

/* Probability that chance alone is as many standard deviations off, to either side. */
double itp_chance_p(double z);

/* Largest probability that stands out beside `count` others, if a part `rate` of all that stand out
 * may be chance; below 0 if none of the `count` does. Y. Benjamini and Y. Hochberg, Journal of the
 * Royal Statistical Society B 57 (1995). Sorts `p`. */
double itp_chance_discovery_limit(double *p, size_t count, double rate);

/* Median of `count` > 0 values, the lower of two. Sorts `values`. */
double itp_chance_median(double *values, size_t count);

#endif
