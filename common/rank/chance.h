/* SPDX-License-Identifier: MIT */
/*
 * The statistics behind a verdict, in plain numbers: how many standard deviations a difference is,
 * how likely chance alone makes one as large, and which of many stand out.
 *
 * What is measured has a known error. What runs differ by is estimated from a few runs, so its
 * error has few degrees of freedom, and a large difference is likelier than by a normal
 * distribution: Student's t, with the degrees of freedom of both together by B. L. Welch,
 * Biometrika 34 (1947).
 */
#ifndef ITP_RANK_CHANCE_H
#define ITP_RANK_CHANCE_H

#include <glib.h>
#include <stdbool.h>

/* How many standard deviations of a normal distribution are as unlikely as `delta` is.
 * `run_variance` was estimated with so many degrees of freedom, at least 1. */
double itp_chance_z(double delta, double measurement_variance, double run_variance,
		    double run_freedom);

/* How likely chance alone is as many standard deviations off, to either side. */
double itp_chance_p(double z);

/* The largest p that stands out of `count`, when of those that stand out the part `rate` may be
 * chance; below 0 when none does. Y. Benjamini and Y. Hochberg, Journal of the Royal Statistical
 * Society B 57 (1995). Sorts `p`. */
double itp_chance_discovery_limit(double *p, size_t count, double rate);

/* The middle of `count` > 0 values, which are sorted; of two the lower. */
double itp_chance_median(double *values, size_t count);

#endif
