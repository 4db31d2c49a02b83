/* SPDX-License-Identifier: MIT */
/*
 * Ratio by which the machine was slower in the suspect than in the base, as recorders have measured
 * it by a fixed computation (common/infer/speed-sums.h), and what programs feel of it: time on the
 * CPU is longer by as much, and nobody is to blame.
 *
 * An example: 1.44 times as slow makes time on the CPU 1.31 times as long, give or take 11 %.
 */
#ifndef ITP_RANK_MACHINE_SPEED_H
#define ITP_RANK_MACHINE_SPEED_H

#include "common/rank/ranking.h"

struct itp_machine_speed itp_machine_speed_find(const struct itp_runs *suspect,
						const struct itp_runs *base);

#endif
