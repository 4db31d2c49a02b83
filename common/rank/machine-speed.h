/* SPDX-License-Identifier: MIT */
/*
 * Ratio by which the machine was slower in the suspect than in the base, and in each run than in
 * the others of its workload, as recorders have measured it by a fixed computation
 * (common/infer/speed-sums.h). What programs feel of it is left to felt.h.
 */
#ifndef ITP_RANK_MACHINE_SPEED_H
#define ITP_RANK_MACHINE_SPEED_H

#include "common/rank/ranking.h"

struct itp_machine_speed itp_machine_speed_find(const struct itp_runs *suspect,
						const struct itp_runs *base);

/* Slowness of the machine in each run of a workload, as the logarithm of its ratio to the mean of
 * the workload's runs: their sum is 0. All 0 if it is not known. Free with g_free(). */
double *itp_machine_speed_of_runs(const struct itp_machine_speed *speed,
				  const struct itp_runs *runs);

#endif
