/* SPDX-License-Identifier: MIT */
/*
 * Who had the CPU that others waited for, in all contexts together.
 */
#ifndef ITP_RANK_TAKERS_H
#define ITP_RANK_TAKERS_H

#include "common/rank/side.h"

/* Those of all contexts of the suspect that are not idle, longest first. Free with g_array_unref().
 */
GArray *itp_takers_of_all(const struct itp_rank_state *state);

/* How long all threads waited for a CPU in such contexts (ns). `profile` may be NULL. */
int64_t itp_takers_waited_ns(const struct itp_rank_state *state, const struct itp_profile *profile);

#endif
