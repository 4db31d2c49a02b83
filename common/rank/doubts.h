/* SPDX-License-Identifier: MIT */
/*
 * Comparisons that make little sense, and those of unequal amounts of work.
 */
#ifndef ITP_RANK_DOUBTS_H
#define ITP_RANK_DOUBTS_H

#include "common/rank/side.h"

/* Bits of enum itp_doubt. `suspect` and `base` are the runs as they came, `base` may be NULL. */
uint32_t itp_doubts_find(const struct itp_rank_state *state, const struct itp_runs *suspect,
			 const struct itp_runs *base);

/* How many times as much as the base the suspect seems to have done; 1 when that is about the same,
 * or the functions do not agree about it. There must be a base. */
double itp_amount_ratio(const struct itp_rank_state *state);

#endif
