/* SPDX-License-Identifier: MIT */
/*
 * Times that are told beside the result, and ranked nowhere: CPU time of the recording, and time of
 * which nothing is known as events are missing. Idle time is left to unwanted.h and idle.h.
 *
 * Recording takes CPU time of the recorded threads, in contexts of its own; a recording of the
 * whole machine also has the recording processes.
 */
#ifndef ITP_RANK_APART_H
#define ITP_RANK_APART_H

#include "common/rank/side.h"

enum itp_apart_kind {
	ITP_APART_NONE = 0,
	ITP_APART_RECORDER,
	ITP_APART_LOST,
};

/* True for a recording of the whole machine, by its threads of the kernel. */
bool itp_apart_is_machine(const struct itp_rank_state *state);

/* itp_apart_kind by node. Free with g_free(). */
uint8_t *itp_apart_find(const struct itp_rank_state *state);

/* Forgets in `profile`, which may be NULL, recorders that had the CPU: their time on it is no cause
 * of anything in a program. Times of waiting stay. */
void itp_apart_excuse_recorders(const struct itp_rank_state *state, struct itp_profile *profile);

/* Sums of nodes apart in `profile`, which may be NULL. */
struct itp_apart itp_apart_sum(const struct itp_rank_state *state,
			       const struct itp_profile *profile);

#endif
