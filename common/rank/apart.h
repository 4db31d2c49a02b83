/* SPDX-License-Identifier: MIT */
/*
 * What is ranked nowhere, and told beside the result: the CPU time that recording took, the time of
 * which nothing is known because events are missing, and what was idle (unwanted.h, idle.h).
 *
 * Recording takes time on the CPU of a thread, which is in contexts of their own there; and in a
 * recording of the whole machine, the processes that record are there too.
 */
#ifndef ITP_RANK_APART_H
#define ITP_RANK_APART_H

#include "common/rank/side.h"

enum itp_apart_kind {
	ITP_APART_NONE,
	ITP_APART_RECORDER,
	ITP_APART_LOST,
};

/* By node: an itp_apart_kind. Free with g_free(). */
uint8_t *itp_apart_find(const struct itp_rank_state *state);

/* Forgets of `profile`, which may be NULL, who had the CPU where that was a recorder: what it takes
 * is no cause of anything in a program. The time stays. */
void itp_apart_excuse_recorders(const struct itp_rank_state *state, struct itp_profile *profile);

/* What lies in such nodes in `profile`, which may be NULL. */
struct itp_apart itp_apart_sum(const struct itp_rank_state *state,
			       const struct itp_profile *profile);

/* GArray of struct itp_idle_wait, longest first; the base's of a base that was multiplied with
 * `scale` since its waits were found. Free with g_array_unref(). */
GArray *itp_idle_waits(const struct itp_rank_state *state, double scale);

#endif
