/* SPDX-License-Identifier: MIT */
/*
 * See student.h.
 */
#include "common/base/student.h"

#include <math.h>

static double factor(double freedom)
{
	return (8 * freedom + 1) / (8 * freedom + 3);
}

double itp_student_z(double t, double freedom)
{
	return factor(freedom) * sqrt(freedom * log1p(t * t / freedom));
}

double itp_student_t(double z, double freedom)
{
	const double share = z / factor(freedom);

	return sqrt(freedom * expm1(share * share / freedom));
}
