/* SPDX-License-Identifier: MIT */
/*
 * Whether both workloads did as much, where nobody said what they did (`per`): a server that was
 * asked three times as often makes three times as many system calls, wherever it makes any.
 */
#ifndef ITP_RANK_AMOUNT_H
#define ITP_RANK_AMOUNT_H

#include "common/rank/side.h"

/* How many times as much as the base the suspect seems to have done; 1 when that is about the same,
 * or the functions do not agree about it. There must be a base. */
double itp_amount_ratio(const struct itp_rank_state *state);

#endif
