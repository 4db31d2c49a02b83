/* SPDX-License-Identifier: MIT */
/*
 * Sums of a redistribution while it goes over the lives, and the sorted lists made from them.
 */
#ifndef ITP_WAIT_HELD_SUMS_H
#define ITP_WAIT_HELD_SUMS_H

#include "common/wait/held-places.h"

/* Doing of a thread that may hold up others. */
struct itp_held_spot {
	uint32_t place;
	/* Number of the thread, and of its vertex. */
	uint32_t thread;
	uint32_t vertex;
	/* enum itp_held_how */
	uint32_t how;
	uint32_t reason;
};

/* All owned by this. */
struct itp_held_sums {
	/* struct itp_held_spot; and their numbers + 1, by copies of them. */
	GArray *spots;
	GHashTable *spot_of;
	/* Held time in nanoseconds, by spot and by the place of the held-up thread. */
	GHashTable *held;
	/* Ticks (double) by the same keys, of spots that ran. Values owned by the table. */
	GHashTable *ticks;
	/* Waiting time in nanoseconds, by place. */
	GHashTable *waits;
	/* Time in nanoseconds, by the two vertices of an edge. */
	GHashTable *edges;
	/* Pairs of a place and a thread held up by it. */
	GHashTable *pairs;
};

void itp_held_sums_init(struct itp_held_sums *sums);
void itp_held_sums_release(struct itp_held_sums *sums);

/* Number of the spot. */
uint32_t itp_held_sums_spot(struct itp_held_sums *sums, const struct itp_held_spot *spot);

static inline uint32_t itp_held_sums_place(const struct itp_held_sums *sums, uint32_t spot)
{
	return g_array_index(sums->spots, struct itp_held_spot, spot).place;
}

void itp_held_sums_add_wait(struct itp_held_sums *sums, uint32_t place, int64_t ns);
void itp_held_sums_add_edge(struct itp_held_sums *sums, uint32_t from, uint32_t to, int64_t ns);
/* Adds time for which a spot held up `thread`, any number of its own, while it was in
 * `waiting_in`. */
void itp_held_sums_add_held(struct itp_held_sums *sums, uint32_t spot, uint32_t waiting_in,
			    uint32_t thread, int64_t ns);

/* Adds ticks that found the thread at the spot: for a part of a stretch, the same part of its
 * ticks. */
void itp_held_sums_add_ticks(struct itp_held_sums *sums, uint32_t spot, uint32_t waiting_in,
			     double ticks);

/* Makes places, parts and edges, in their order. */
void itp_held_sums_list(struct itp_held_sums *sums, struct itp_redistribution *result);

#endif
