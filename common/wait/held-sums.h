/* SPDX-License-Identifier: MIT */
/*
 * The sums of a redistribution while it goes over the lives, and the lists that become of them.
 */
#ifndef ITP_WAIT_HELD_SUMS_H
#define ITP_WAIT_HELD_SUMS_H

#include "common/wait/redistribution.h"

/* What a thread does, as far as it tells of what others wait for. */
struct itp_held_spot {
	uint32_t place;
	/* Its number, and its vertex. */
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
	/* Held time, by spot and the place in which somebody was held up. */
	GHashTable *held;
	/* By the same, of what ran: ticks (double), owned by the table. */
	GHashTable *ticks;
	/* Waiting time, by place. */
	GHashTable *waits;
	/* Time, by the vertices of an edge. */
	GHashTable *edges;
	/* Pairs of a place and a thread that it held up. */
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
/* `thread`, any number that it has alone, was held up by a spot while it was in `waiting_in`. */
void itp_held_sums_add_held(struct itp_held_sums *sums, uint32_t spot, uint32_t waiting_in,
			    uint32_t thread, int64_t ns);

/* As many ticks found it there, of those that a part of a stretch may have. */
void itp_held_sums_add_ticks(struct itp_held_sums *sums, uint32_t spot, uint32_t waiting_in,
			     double ticks);

/* Makes places, parts and edges, in their order. */
void itp_held_sums_list(struct itp_held_sums *sums, struct itp_redistribution *result);

#endif
