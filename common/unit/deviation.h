/* SPDX-License-Identifier: MIT */
/*
 * Causes of the differences in latency among units of a type.
 *
 * The variance of a sum is the sum of its parts' covariances with the sum: each way to spend time
 * has a part of the variance of latencies. Example: waiting for a CPU makes 80 %.
 */
#ifndef ITP_UNIT_DEVIATION_H
#define ITP_UNIT_DEVIATION_H

#include "common/infer/latencies.h"
#include "common/unit/groups.h"
#include "common/unit/type.h"

/* Sums over the groups of a type, empty at first. */
struct itp_cause_sums {
	double square_sum;
	double work_square_sum;
	double cpu_products;
	double blocked_products;
	double runnable_products;
};

void itp_cause_sums_add(struct itp_cause_sums *sums, const struct itp_unit_group *group);

/* Sets the members that follow from the sums; mean, deviation, p99 and use of time are set before.
 * `latencies` has the units of the type at node 0. */
void itp_unit_type_set_causes(struct itp_unit_type *type, const struct itp_cause_sums *sums,
			      const struct itp_latencies *latencies);

#endif
