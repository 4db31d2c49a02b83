/* SPDX-License-Identifier: MIT */
/*
 * The search for connections: what is proposed for which side, and what speaks for it.
 * connections.c proposes and settles, queues.c knows in which order connections are accepted.
 */
#ifndef ITP_THROUGH_SEARCH_H
#define ITP_THROUGH_SEARCH_H

#include "common/through/connections.h"

/* What speaks for a candidate, the weakest first. */
enum itp_evidence {
	/* The bytes fit. */
	ITP_EVIDENCE_BYTES,
	/* A thread that waited for the one was woken through the other: it was in a call that takes
	 * from it, or waited for any event, and this was the first. */
	ITP_EVIDENCE_WOKEN,
};

/* A side that could be the other one. */
struct itp_candidate {
	uint32_t side;
	enum itp_evidence evidence;
};

struct itp_search {
	/* Weak. */
	const struct itp_traffic *traffic;
	struct itp_connections *pairs;
	/* GArray of struct itp_candidate by side; NULL where there are none. Owned by this. */
	GPtrArray *candidates;
	/* Pairs of sides that were looked at. Owned by this. */
	GHashTable *seen;
	/* uint32_t by side: of listening ones, another one that is the same; itself. Owned by this.
	 */
	GArray *same_listener;
	/* uint32_t by side that was connected: the first listening one that it woke somebody at.
	 * Owned by this. */
	GArray *listener_of;
	/* Only candidates for which as much speaks count. */
	enum itp_evidence least;
	/* Some sockets were not compared. */
	bool is_crowded;
};

/* A candidate of a side; NULL where it is none. Weak, valid until the next change. */
struct itp_candidate *itp_search_candidate(const struct itp_search *search, uint32_t of,
					   uint32_t side);
void itp_search_drop(const struct itp_search *search, uint32_t of, uint32_t side);

/* The only candidate of `side` that is not paired with another one; ITP_SIDE_NONE: there are
 * several, or none. */
uint32_t itp_search_only(const struct itp_search *search, uint32_t side);

bool itp_search_is_paired(const struct itp_search *search, uint32_t side);
void itp_search_join(struct itp_search *search, uint32_t a, uint32_t b);

/* The listening side that stands for all that are the same. */
uint32_t itp_search_listener(const struct itp_search *search, uint32_t side);

/* Removes candidates of accepted sides that would have overtaken others in their queue; whether
 * there were any. */
bool itp_queues_drop_overtaking(struct itp_search *search);

/* Removes the candidates of accepted sides that came from a queue into which only others put
 * connections who were not recorded; whether there were any. */
bool itp_queues_drop_outside(struct itp_search *search);

/* Looks at as many connected sides and accepted ones that could only be each other's: joins one
 * that has no choice among them; or all of them in the order of their queue, where they are of one.
 * Whether there were any. */
bool itp_queues_join_clusters(struct itp_search *search);

#endif
