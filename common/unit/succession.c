/* SPDX-License-Identifier: MIT */
/*
 * See succession.h. Units that come evenly in one stretch have a standard deviation of 1/√12 of its
 * length. Two adjacent stretches have middles apart by half the sum of their lengths: √3 times the
 * sum of their deviations, for any lengths. With an overlap of the part o of their union, the
 * middles are apart by √3 · (1 − o) / (1 + o) times the sum of the deviations.
 */
#include "common/unit/succession.h"

#include <glib.h>
#include <math.h>

/* Greatest overlap of a succession: some of the first units are like the last ones by chance. */
#define OVERLAP_MOST 0.1

void itp_moments_add_unit(struct itp_moments *moments, double number)
{
	const struct itp_moments one = { 1, number, number * number };

	itp_moments_add(moments, &one);
}

void itp_moments_add(struct itp_moments *moments, const struct itp_moments *more)
{
	moments->units += more->units;
	moments->numbers += more->numbers;
	moments->squares += more->squares;
}

static double mean_of(const struct itp_moments *moments)
{
	return moments->numbers / MAX(moments->units, 1);
}

static double deviation_of(const struct itp_moments *moments)
{
	const double mean = mean_of(moments);

	return sqrt(MAX(moments->squares / MAX(moments->units, 1) - mean * mean, 0));
}

bool itp_moments_succeed(const struct itp_moments *one, const struct itp_moments *other)
{
	const double apart = fabs(mean_of(one) - mean_of(other));

	return apart * (1 + OVERLAP_MOST) >
	       sqrt(3) * (1 - OVERLAP_MOST) * (deviation_of(one) + deviation_of(other));
}
