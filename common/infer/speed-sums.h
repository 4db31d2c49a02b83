/* SPDX-License-Identifier: MIT */
/*
 * How fast the machine was while a workload was recorded (ITP_EVENT_SPEED), as sums over
 * measurements: of the time that a fixed computation took. What they say of two workloads is
 * left to common/rank.
 */
#ifndef ITP_INFER_SPEED_SUMS_H
#define ITP_INFER_SPEED_SUMS_H

#include <stdint.h>

struct itp_speed_sums {
	uint64_t count;
	/* Sum of numbers that identify the measuring code: two workloads are comparable if their
	 * means are equal. */
	uint64_t meters;
	/* Of nanoseconds, and of their squares. */
	uint64_t computed_ns;
	uint64_t computed_ns2;
};

/* Adds `sign` (1 or −1) times `other` to `sums`. */
static inline void itp_speed_sums_add(struct itp_speed_sums *sums,
				      const struct itp_speed_sums *other, int sign)
{
	sums->count += (uint64_t)sign * other->count;
	sums->meters += (uint64_t)sign * other->meters;
	sums->computed_ns += (uint64_t)sign * other->computed_ns;
	sums->computed_ns2 += (uint64_t)sign * other->computed_ns2;
}

#endif
