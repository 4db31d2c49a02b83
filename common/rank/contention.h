/* SPDX-License-Identifier: MIT */
/*
 * Waiting for a CPU, where that is what made the suspect slow.
 *
 * Others are to blame for it, so entries are ranked without it: on a busy machine it would only
 * tell that, and what a program's own processes take from each other is its own work. But when most
 * of what the base's programs lost was taken by others, which the base did not run, that is what
 * there is to find, and who had the CPUs (takers.h) is the cause. What is slower by it is
 * preempted.h's.
 */
#ifndef ITP_RANK_CONTENTION_H
#define ITP_RANK_CONTENTION_H

#include "common/rank/side.h"

/* Takes waiting for a CPU out of the waits for work in `profile`, which may be NULL: work has come.
 * It becomes that of the function that goes on with it. state->is_idle must be known. */
void itp_contention_return(const struct itp_rank_state *state, struct itp_profile *profile);

/* Whether entries are to be ranked with it. The sides of `state` must be known. */
bool itp_contention_is_cause(const struct itp_rank_state *state);

#endif
