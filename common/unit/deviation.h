/* SPDX-License-Identifier: MIT */
/*
 * Why units of a type differ in how long they take.
 *
 * The variance of a sum is the sum of its parts' covariances with it: so each way to spend time has
 * a part of the variance of latencies, and says for instance that 80 % of it is waiting for a CPU.
 */
#ifndef ITP_UNIT_DEVIATION_H
#define ITP_UNIT_DEVIATION_H

#include "common/infer/latencies.h"
#include "common/unit/groups.h"
#include "common/unit/types.h"

/* Sums over the groups of a type, empty at first. */
struct itp_cause_sums {
	double square_sum;
	double work_square_sum;
	double cpu_products;
	double blocked_products;
	double runnable_products;
};

void itp_cause_sums_add(struct itp_cause_sums *sums, const struct itp_unit_group *group);

/* Sets what follows of them; its mean, deviation, p99 and use of time are set. `latencies` are
 * those of node 0. */
void itp_unit_type_set_causes(struct itp_unit_type *type, const struct itp_cause_sums *sums,
			      const struct itp_latencies *latencies);

#endif
