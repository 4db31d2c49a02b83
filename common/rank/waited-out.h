/* SPDX-License-Identifier: MIT */
/*
 * Waits of the same length, made by the kernel's TCP itself.
 *
 * A server that answers in two writes has its client wait for 40 ms each time: the second write is
 * kept back until the first is acknowledged, and the acknowledgement is delayed. Nobody who could
 * be named ends such a wait; its length tells.
 */
#ifndef ITP_RANK_WAITED_OUT_H
#define ITP_RANK_WAITED_OUT_H

#include "common/rank/ranking.h"

struct itp_waited_out {
	/* Time that TCP waits, in nanoseconds. */
	int64_t time_ns;
	/* Event at its end: "before it acknowledges what came". */
	const char *until;
	/* Name for searches: "delayed ACK". */
	const char *name;
};

/* Timer for which the system call with most of the path's blocked time waits; NULL if its waits
 * last otherwise, are too few, or are not for TCP. */
const struct itp_waited_out *itp_waited_out_find(const struct itp_ranking *ranking,
						 const struct itp_ranked_path *path);

#endif
