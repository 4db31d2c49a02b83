/* SPDX-License-Identifier: MIT */
/*
 * The threads of a history at one instant: what each does, who waits for whom, and which of them
 * does something else next. redistribution.c goes on with them from change to change.
 */
#ifndef ITP_WAIT_ACTORS_H
#define ITP_WAIT_ACTORS_H

#include "common/wait/redistribution.h"

#define ITP_NOBODY UINT32_MAX

struct itp_actor {
	/* Weak. */
	const struct itp_life *life;
	/* Which of its stretches comes next. */
	size_t next;
	/* When it does, or when what it does ends. */
	int64_t change_ns;
	/* Until when its chain got what it waits. */
	int64_t added_ns;
	uint32_t vertex;
	/* What it does now, and whether anything is known of that. */
	bool is_seen;
	bool is_waiting;
	enum itp_wait_purpose purpose;
	uint32_t spot;
	/* Of a timer's ticks, those that found it there in a nanosecond. */
	double tick_rate;
	/* The actor that will end its wait; or the vertex of what else will. ITP_NOBODY: none. */
	uint32_t waits_for;
	uint32_t other;
	/* Those who wait for it: the first of a list; and its own neighbours in such a list. */
	uint32_t first;
	uint32_t younger;
	uint32_t elder;
	/* The last chain that it was on. */
	uint64_t on_chain;
};

/* Actors are known by their index. All owned by this. */
struct itp_actors {
	/* struct itp_actor, by thread. */
	GArray *all;
	/* Those that have something to come, the earliest on top: a heap of indices. */
	GArray *coming;
	/* Number of the last chain, and who is on it but for the one that it begins with. */
	uint64_t chains;
	GArray *chain;
	/* The last list of those below one. */
	GArray *below;
};

/* Of all threads of `history`; `vertex` of each is left to the caller. */
void itp_actors_init(struct itp_actors *actors, const struct itp_history *history);
void itp_actors_release(struct itp_actors *actors);

static inline struct itp_actor *itp_actors_at(const struct itp_actors *actors, uint32_t index)
{
	return &g_array_index(actors->all, struct itp_actor, index);
}

/* The one with the earliest change; of equal ones that with the lowest index. ITP_NOBODY: none is
 * left. */
uint32_t itp_actors_next(const struct itp_actors *actors);
/* That one has got another change_ns, or nothing more to come. */
void itp_actors_go_on(struct itp_actors *actors, bool has_more);

/* `index` waits for `other` from now on, and no more. */
void itp_actors_begin_wait(struct itp_actors *actors, uint32_t index, uint32_t other);
void itp_actors_end_wait(struct itp_actors *actors, uint32_t index);

/* Fills `chain`: for whom `index` waits, for whom that one does, and so on, nobody twice. */
void itp_actors_follow(struct itp_actors *actors, uint32_t index);
/* Fills `below`: `index`, and all on whose chain it is. */
void itp_actors_list_below(struct itp_actors *actors, uint32_t index);

#endif
