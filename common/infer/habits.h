/* SPDX-License-Identifier: MIT */
/*
 * What functions do elsewhere, for contexts where few ticks tell.
 *
 * A function that spends half its time in one callee often does so in other contexts, too. So the
 * time of a group of gaps, which shares.c divides by its own ticks, is divided again from the root
 * down: between a function itself and those it called there, by their ticks and, as much as a
 * fraction of a tick, by the ticks that the function has elsewhere: in other contexts, and in other
 * kinds of gaps (a Dirichlet prior: Gelman et al., Bayesian Data Analysis, section 3.4). Many ticks
 * outweigh that; nothing is given to a context that the group does not have.
 */
#ifndef ITP_INFER_HABITS_H
#define ITP_INFER_HABITS_H

#include "common/infer/strata.h"

/* A context of a group. */
struct itp_habit_part {
	uint32_t node;
	/* Of its ticks in the group. */
	double weight;
	/* How much of the group it takes, in the same unit. */
	double part;
};

struct itp_habits;

/* Of the ticks since the last time that something was told. `strata` is weak. */
struct itp_habits *itp_habits_new(const struct itp_strata *strata);
void itp_habits_free(struct itp_habits *habits);

/* Divides the sum of the parts again. `parts` (struct itp_habit_part) are those of one group. */
void itp_habits_apply(struct itp_habits *habits, GArray *parts);

#endif
