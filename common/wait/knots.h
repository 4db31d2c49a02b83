/* SPDX-License-Identifier: MIT */
/*
 * The knots of a wait-for graph: vertices that all wait for one another, in circles, and for nobody
 * else. What is outside of a knot may be made faster without those in it waiting any less, so
 * something in a knot limits the throughput (wPerf, OSDI 2018).
 *
 * Every thread waits now and then for every other one, so edges that are less than a part of the
 * time for which the waiting vertex was seen are cut before, as there. A device that no thread
 * waits for waits itself for the thread that turns to it next, as there: else all that touches a
 * disk would be limited by it. Nothing is limited by time itself: who sleeps is where the waiting
 * of others ends.
 */
#ifndef ITP_WAIT_KNOTS_H
#define ITP_WAIT_KNOTS_H

#include "common/wait/redistribution.h"

/* Which part of the waiting vertex's time an edge has to have: what wPerf takes by default. */
#define ITP_KNOT_EDGE_LEAST 0.01

struct itp_wait_knot {
	/* How many vertices have its number, which is its index + 1. */
	uint32_t vertices;
	/* Of these together. */
	int64_t held_ns;
};

/* Finds them in `redistribution`, whose vertices and edges are known. */
void itp_knots_find(struct itp_redistribution *redistribution);

#endif
