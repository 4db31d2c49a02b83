/* SPDX-License-Identifier: MIT */
/*
 * What is not the program's: the CPU time that recording took, and the time of which nothing is
 * known because events are missing. It is ranked nowhere, and told beside the result.
 */
#ifndef ITP_RANK_APART_H
#define ITP_RANK_APART_H

#include "common/rank/side.h"

/* Whether the node is a context of the recorder or of a loss. */
bool itp_apart_is(const struct itp_rank_state *state, uint32_t node);

/* Adds the contexts of the recorder and of losses to those that are not ranked. */
void itp_apart_leave_out(struct itp_rank_state *state);

/* What lies in them in `profile`, which may be NULL. */
struct itp_apart itp_apart_sum(const struct itp_rank_state *state,
			       const struct itp_profile *profile);

#endif
