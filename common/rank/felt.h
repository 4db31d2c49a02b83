/* SPDX-License-Identifier: MIT */
/*
 * Slowness of the machine as a group of contexts feels it: its time on the CPU is longer by a power
 * β of the ratio that a fixed computation was slower by (machine-speed.h), and nobody is to blame.
 *
 * β depends on what the group does. A chain of dependent steps has none of it (md5sum, β = 0), a
 * loop of an interpreter all and more (python3, 1.2). So β is FELT, give or take FELT_DEVIATION, if
 * nothing is known of the group; each run in which the machine was slower or faster than in the
 * others of its workload tells more (a regression, with the assumption as a normal prior).
 *
 * An example: 1.44 times as slow makes time on the CPU 1.31 times as long, give or take 22 %, by
 * one run of each workload.
 */
#ifndef ITP_RANK_FELT_H
#define ITP_RANK_FELT_H

#include "common/rank/error-model.h"

/* Factor for time on the CPU of a group of which nothing is known; and its variance, as a part of
 * its square. */
struct itp_felt {
	double factor;
	double variance;
};

struct itp_felt itp_felt_assumed(const struct itp_machine_speed *speed);

/* Scales time on the CPU of each group's base to the machine's speed in the suspect, and takes out
 * of the distances between runs what it explains. `spreads` are assumed of the rest of them. */
void itp_felt_level(struct itp_evidence *evidence, size_t count,
		    const struct itp_machine_speed *speed, const struct itp_spreads *spreads);

#endif
