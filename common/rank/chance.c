/* SPDX-License-Identifier: MIT */
/*
 * See chance.h.
 */
#include "common/rank/chance.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/order.h"
#include "common/base/student.h"

/* Largest t, instead of infinity, which results cannot hold: no error explains the difference. */
#define T_MOST 1e3

double itp_chance_z(double delta, double measurement_variance, double run_variance,
		    double run_freedom)
{
	double variance = measurement_variance + run_variance;
	double t = fabs(delta) < T_MOST * sqrt(variance) ? fabs(delta) / sqrt(variance) : T_MOST;
	double z = t;

	if (delta == 0) {
		return 0;
	}
	if (run_variance > 0) {
		z = itp_student_z(t, run_freedom * pow(variance / run_variance, 2));
	}
	return delta < 0 ? -z : z;
}

double itp_chance_p(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

double itp_chance_discovery_limit(double *p, size_t count, double rate)
{
	qsort(p, count, sizeof(p[0]), itp_order_of_doubles);
	for (size_t i = count; i > 0; i--) {
		const double limit = rate * (double)i / (double)count;

		if (p[i - 1] <= limit) {
			return limit;
		}
	}
	return -1;
}

double itp_chance_median(double *values, size_t count)
{
	qsort(values, count, sizeof(values[0]), itp_order_of_doubles);
	return values[(count - 1) / 2];
}
