/* SPDX-License-Identifier: MIT */
/*
 * Waits of one length, which the kernel's TCP lets pass by itself.
 *
 * A server that answers in two writes has its client wait for 40 ms each time: the second one is
 * kept back until the first is acknowledged, and that is delayed. Nobody who could be named ends
 * such a wait; its length tells.
 */
#ifndef ITP_RANK_WAITED_OUT_H
#define ITP_RANK_WAITED_OUT_H

#include "common/rank/ranking.h"

struct itp_waited_out {
	/* How long TCP waits. */
	int64_t time_ns;
	/* Until what: "before it acknowledges what came". */
	const char *until;
	/* The name that people look for: "delayed ACK". */
	const char *name;
};

/* Of the system call that most of the path's time is blocked in; NULL where its waits last
 * otherwise, are too few, or are not for TCP. */
const struct itp_waited_out *itp_waited_out_find(const struct itp_ranking *ranking,
						 const struct itp_ranked_path *path);

#endif
