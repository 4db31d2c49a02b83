/* SPDX-License-Identifier: MIT */
/*
 * Waiting for a CPU, and where that is what made the suspect slow.
 *
 * Others are to blame for it, so entries are ranked without it: on a busy machine it would only
 * tell that, and what a program's own processes take from each other is its own work. But when most
 * of what the base's programs lost was taken by others, which the base did not run, that is what
 * there is to find, and who had the CPUs is the cause.
 */
#ifndef ITP_RANK_CONTENTION_H
#define ITP_RANK_CONTENTION_H

#include "common/rank/side.h"

/* Takes waiting for a CPU out of the waits for work in `profile`, which may be NULL: work has come.
 * It becomes that of the function that goes on with it. state->is_idle must be known. */
void itp_contention_return(const struct itp_rank_state *state, struct itp_profile *profile);

/* Whether entries are to be ranked with it. The sides of `state` must be known. */
bool itp_contention_is_cause(const struct itp_rank_state *state);

/* Where it is the cause: what a process lost in system calls in `profile`, which may be NULL,
 * becomes that of all that it computes, with those who had the CPU. state->is_idle and state->apart
 * must be known. */
void itp_contention_spread(const struct itp_rank_state *state, struct itp_profile *profile);

/* Who had the CPU, in all contexts of the suspect that are not idle, longest first. Free with
 * g_array_unref(). */
GArray *itp_contention_takers(const struct itp_rank_state *state);

/* How long all threads waited for a CPU in such contexts (ns). `profile` may be NULL. */
int64_t itp_contention_waited_ns(const struct itp_rank_state *state,
				 const struct itp_profile *profile);

#endif
