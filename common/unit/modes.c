/* SPDX-License-Identifier: MIT */
/*
 * See modes.h.
 */
#include "common/unit/modes.h"

#include <math.h>

/* Least depth, in deviations, of a class below both modes: beyond chance in all but one of 30 000
 * classes, as there are hundreds of triples of classes. */
#define DEVIATIONS 4

/* Depth of a class: deviations between its number of units and the smaller one of both sides. */
static double depth_of_class(uint64_t left, uint64_t count, uint64_t right)
{
	const double least = (double)MIN(left, right);

	return least > (double)count ? (least - (double)count) / sqrt(least + (double)count) : 0;
}

/* By class: the class of most units behind it, the first of equal ones. Free with g_free(). */
static guint *modes_behind(const uint64_t *classes, guint count)
{
	guint *modes = g_new(guint, count);
	guint mode = count - 1;

	for (guint i = count; i-- > 0;) {
		modes[i] = mode;
		mode = classes[i] >= classes[mode] ? i : mode;
	}
	return modes;
}

guint itp_modes_valley(const uint64_t *classes, guint count, guint apart)
{
	g_autofree guint *behind = count > 0 ? modes_behind(classes, count) : NULL;
	double deepest = DEVIATIONS;
	guint mode = 0;
	guint valley = 0;

	for (guint i = 1; i < count; i++) {
		const double depth = depth_of_class(classes[mode], classes[i], classes[behind[i]]);

		if (depth > deepest && behind[i] - mode >= apart) {
			deepest = depth;
			valley = i;
		}
		mode = classes[i] > classes[mode] ? i : mode;
	}
	return valley;
}

guint itp_modes_number(const uint64_t *classes, guint count, guint *ret_modes)
{
	const guint valley = itp_modes_valley(classes, count, 1);
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
