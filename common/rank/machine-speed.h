/* SPDX-License-Identifier: MIT */
/*
 * By how much the machine was slower in the suspect than in the base, as recorders have measured it
 * by a fixed computation (common/infer/speed-sums.h): time on the CPU is longer by as much,
 * whatever is done there, and nobody's fault.
 */
#ifndef ITP_RANK_MACHINE_SPEED_H
#define ITP_RANK_MACHINE_SPEED_H

#include "common/rank/ranking.h"

struct itp_machine_speed itp_machine_speed_find(const struct itp_runs *suspect,
						const struct itp_runs *base);

#endif
