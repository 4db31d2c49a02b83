/* SPDX-License-Identifier: MIT */
/*
 * Knots of a wait-for graph: vertices that all wait for one another, in circles, and for nobody
 * else. Whatever is outside of a knot may be made faster without those in it waiting any less, so
 * something in a knot limits the throughput (wPerf, OSDI 2018).
 *
 * Every thread waits now and then for every other, so edges of little weight are cut before, as in
 * wPerf: less than a part of the time for which the waiting vertex was seen. So are edges to a
 * vertex that holds up others for next to nothing of all waiting: the main thread of a server,
 * which made its threads wait for a moment as they began, limits nothing. A device without waiting
 * threads waits itself for the thread that turns to it next, as in wPerf: else all that touches a
 * disk would be limited by it. Nothing is limited by time itself: a sleep is where the waiting of
 * others ends.
 */
#ifndef ITP_WAIT_KNOTS_H
#define ITP_WAIT_KNOTS_H

#include "common/wait/held-places.h"

/* Least weight of an edge as a part of the waiting vertex's time: wPerf's default. */
#define ITP_KNOT_EDGE_LEAST 0.01
/* Least time for which a vertex in a knot holds up others, as a part of that of all. */
#define ITP_KNOT_HELD_LEAST 0.01

struct itp_wait_knot {
	/* Number of vertices with this knot's number, its index + 1. */
	uint32_t vertices;
	/* Time for which these held up others, together. */
	int64_t held_ns;
};

/* Finds the knots of `redistribution`, from its vertices and edges. */
void itp_knots_find(struct itp_redistribution *redistribution);

#endif
