/* SPDX-License-Identifier: MIT */
/*
 * See modes.h.
 */
#include "common/unit/modes.h"

#include <math.h>

/* So many deviations below both modes a class must be: beyond what chance does once in 30 000
 * classes, as there are hundreds of triples of them. */
#define DEVIATIONS 4

/* How many deviations fewer units than on either side are in a class. */
static double depth_of(uint64_t left, uint64_t count, uint64_t right)
{
	const double least = (double)MIN(left, right);

	return least > (double)count ? (least - (double)count) / sqrt(least + (double)count) : 0;
}

/* By class, the most units of any class behind it. Free with g_free(). */
static uint64_t *most_behind(const uint64_t *classes, guint count)
{
	uint64_t *most = g_new(uint64_t, count + 1);

	most[count] = 0;
	for (guint i = count; i > 0; i--) {
		most[i - 1] = i < count ? MAX(most[i], classes[i]) : 0;
	}
	return most;
}

guint itp_modes_valley(const uint64_t *classes, guint count)
{
	g_autofree uint64_t *right = most_behind(classes, count);
	double deepest = DEVIATIONS;
	uint64_t left = 0;
	guint valley = 0;

	for (guint i = 0; i < count; i++) {
		const double depth = depth_of(left, classes[i], right[i]);

		if (depth > deepest) {
			deepest = depth;
			valley = i;
		}
		left = MAX(left, classes[i]);
	}
	return valley;
}

guint itp_modes_number(const uint64_t *classes, guint count, guint *ret_modes)
{
	const guint valley = itp_modes_valley(classes, count);
	guint modes;

	if (valley == 0) {
		for (guint i = 0; i < count; i++) {
			ret_modes[i] = 0;
		}
		return 1;
	}
	modes = itp_modes_number(classes, valley, ret_modes);
	itp_modes_number(classes + valley, count - valley, ret_modes + valley);
	for (guint i = valley; i < count; i++) {
		ret_modes[i] += modes;
	}
	return ret_modes[count - 1] + 1;
}
