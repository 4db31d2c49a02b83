/* SPDX-License-Identifier: MIT */
/*
 * Student's t against the normal distribution: an error that was estimated from few values is
 * exceeded more often than one that is known.
 *
 * By D. L. Wallace, Annals of Mathematical Statistics 30 (1959). With four degrees of freedom and
 * more, z is at most 2 % too small down to p = 0.00001, and never too large.
 */
#ifndef ITP_BASE_STUDENT_H
#define ITP_BASE_STUDENT_H

/* Standard deviations of a normal distribution that are as unlikely as `t` estimated ones, with
 * `freedom` > 0 degrees of freedom. */
double itp_student_z(double t, double freedom);

/* The reverse: estimated standard deviations that are as unlikely as `z` known ones. */
double itp_student_t(double z, double freedom);

#endif
