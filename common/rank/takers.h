/* SPDX-License-Identifier: MIT */
/*
 * Who had the CPU that others waited for, apart from who woke them (common/infer/wakers.h has
 * both).
 */
#ifndef ITP_RANK_TAKERS_H
#define ITP_RANK_TAKERS_H

#include "common/rank/side.h"

/* Takes those that had a CPU out of `wakers`, a GArray of struct itp_waker, and returns them in the
 * same order. Free with g_array_unref(). */
GArray *itp_takers_split(const struct itp_function_table *functions, GArray *wakers);

/* Those of all contexts of the suspect that are not idle, longest first. Free with g_array_unref().
 */
GArray *itp_takers_of_all(const struct itp_rank_state *state);

/* How long all threads waited for a CPU in such contexts (ns). `profile` may be NULL. */
int64_t itp_takers_waited_ns(const struct itp_rank_state *state, const struct itp_profile *profile);

#endif
