/* SPDX-License-Identifier: MIT */
/*
 * Doings of functions elsewhere, for contexts with few ticks.
 *
 * A function that spends half its time in a callee often does so in other contexts, too. The time
 * of a group of gaps, divided by shares.c by its own ticks, is divided again from the root down:
 * between a function itself and its callees there, by their ticks and, with the weight of a
 * fraction of a tick, by the ticks of the function elsewhere: in other contexts, and in other kinds
 * of gaps (a Dirichlet prior: Gelman et al., Bayesian Data Analysis, section 3.4). Many ticks
 * outweigh the prior; contexts outside of the group get nothing.
 */
#ifndef ITP_INFER_HABITS_H
#define ITP_INFER_HABITS_H

#include "common/infer/strata.h"

/* A context of a group. */
struct itp_habit_part {
	uint32_t node;
	/* Of its ticks in the group. */
	double weight;
	/* Part of the group, in the same unit. */
	double part;
};

struct itp_habits;

/* Habits by the ticks since the last report. `strata` is weak. */
struct itp_habits *itp_habits_new(const struct itp_strata *strata);
void itp_habits_free(struct itp_habits *habits);

/* Divides the sum of the parts again. `parts` (struct itp_habit_part) are of a single group. */
void itp_habits_apply(struct itp_habits *habits, GArray *parts);

#endif
