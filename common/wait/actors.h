/* SPDX-License-Identifier: MIT */
/*
 * Threads of a history at one instant: the doing of each, the thread that each waits for, and the
 * thread with the next change. redistribution.c goes on with them from change to change.
 */
#ifndef ITP_WAIT_ACTORS_H
#define ITP_WAIT_ACTORS_H

#include "common/wait/held-places.h"

#define ITP_NOBODY UINT32_MAX

struct itp_actor {
	/* Weak. */
	const struct itp_life *life;
	/* Number of its next stretch. */
	size_t next;
	/* Time of its next change: a stretch begins or ends. */
	int64_t change_ns;
	/* Time up to which its chain got the wait. */
	int64_t added_ns;
	uint32_t vertex;
	/* Present stretch; is_seen is false if nothing is known of it. */
	bool is_seen;
	bool is_waiting;
	enum itp_wait_purpose purpose;
	uint32_t spot;
	/* Ticks of a timer in the stretch, for each of its nanoseconds. */
	double tick_rate;
	/* Actor that will end its wait, or vertex of another end, such as a disk. ITP_NOBODY:
	 * none. */
	uint32_t waits_for;
	uint32_t other;
	/* Actors waiting for it, a list: the first; and its own neighbours in such a list. */
	uint32_t first;
	uint32_t younger;
	uint32_t elder;
	/* Number of the last chain with it. */
	uint64_t on_chain;
};

/* Actors are known by their index. All owned by this. */
struct itp_actors {
	/* struct itp_actor, by thread. */
	GArray *all;
	/* Indices of actors with changes to come: a heap, the earliest on top. */
	GArray *coming;
	/* Number of the last chain, and its actors without the first. */
	uint64_t chains;
	GArray *chain;
	/* The last list made by itp_actors_list_below(). */
	GArray *below;
};

/* Makes actors of all threads of `history`; their `vertex` is left to the caller. */
void itp_actors_init(struct itp_actors *actors, const struct itp_history *history);
void itp_actors_release(struct itp_actors *actors);

static inline struct itp_actor *itp_actors_at(const struct itp_actors *actors, uint32_t index)
{
	return &g_array_index(actors->all, struct itp_actor, index);
}

/* Actor with the earliest change; of equal times the lowest index. ITP_NOBODY: no changes are
 * left. */
uint32_t itp_actors_next(const struct itp_actors *actors);
/* Sorts the actor of itp_actors_next() again, by its new change_ns, or drops it without more to
 * come. */
void itp_actors_go_on(struct itp_actors *actors, bool has_more);

/* Begin and end of a wait of `index` for `other`. */
void itp_actors_begin_wait(struct itp_actors *actors, uint32_t index, uint32_t other);
void itp_actors_end_wait(struct itp_actors *actors, uint32_t index);

/* Fills `chain`: the actor that `index` waits for, the next that this waits for, and on, nobody
 * twice. */
void itp_actors_follow(struct itp_actors *actors, uint32_t index);
/* Fills `below`: `index`, and all actors with `index` on their chains. */
void itp_actors_list_below(struct itp_actors *actors, uint32_t index);

#endif
