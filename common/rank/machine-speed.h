/* SPDX-License-Identifier: MIT */
/*
 * Ratio by which the machine was slower in the suspect than in the base, as recorders have measured
 * it by a fixed computation (common/infer/speed-sums.h): all time on the CPU is longer by this
 * ratio, and nobody is to blame.
 */
#ifndef ITP_RANK_MACHINE_SPEED_H
#define ITP_RANK_MACHINE_SPEED_H

#include "common/rank/ranking.h"

struct itp_machine_speed itp_machine_speed_find(const struct itp_runs *suspect,
						const struct itp_runs *base);

#endif
