/* SPDX-License-Identifier: MIT */
/*
 * Search for connections: candidates of sides, and their evidence. connections.c proposes and
 * settles, fit.c compares bytes, queues.c knows the order in which connections are accepted.
 */
#ifndef ITP_THROUGH_SEARCH_H
#define ITP_THROUGH_SEARCH_H

#include "common/through/pairs.h"

/* Evidence for a candidate, the weakest first. */
enum itp_evidence {
	/* The bytes fit. */
	ITP_EVIDENCE_BYTES,
	/* A thread that waited for the side was woken through the candidate: it was in a call that
	 * takes from the side, or waited for any event, and the side was the first. */
	ITP_EVIDENCE_WOKEN,
};

/* Side that could be the peer. */
struct itp_candidate {
	uint32_t side;
	enum itp_evidence evidence;
};

struct itp_search {
	/* Weak. */
	const struct itp_traffic *traffic;
	struct itp_connections *pairs;
	/* GArray of struct itp_candidate by side; NULL without any. Owned by this. */
	GPtrArray *candidates;
	/* Pairs of sides already looked at. Owned by this. */
	GHashTable *seen;
	/* uint32_t by side: for listening sides, another side equal to it; itself. Owned by
	 * this. */
	GArray *same_listener;
	/* uint32_t by connected side: the first listening side at which it woke somebody. Owned by
	 * this. */
	GArray *listener_of;
	/* Least evidence of a candidate that counts. */
	enum itp_evidence least;
	/* Some sockets were not compared. */
	bool is_crowded;
};

/* Candidate of a side; NULL when it is none. Weak, valid until the next change. */
struct itp_candidate *itp_search_candidate(const struct itp_search *search, uint32_t of,
					   uint32_t side);
void itp_search_drop(const struct itp_search *search, uint32_t of, uint32_t side);

/* Only candidate of `side` not paired with another side; ITP_SIDE_NONE: there are several, or
 * none. */
uint32_t itp_search_only(const struct itp_search *search, uint32_t side);

bool itp_search_is_paired(const struct itp_search *search, uint32_t side);
void itp_search_join(struct itp_search *search, uint32_t a, uint32_t b);

/* Representative of all listening sides equal to it. */
uint32_t itp_search_listener(const struct itp_search *search, uint32_t side);

/* Removes candidates of accepted sides that would have overtaken others in their queue; true if
 * there were any. */
bool itp_queues_drop_overtaking(struct itp_search *search);

/* Removes candidates of accepted sides from a queue into which only sides outside of the recording
 * put connections; true if there were any. */
bool itp_queues_drop_outside(struct itp_search *search);

/* Looks at equal numbers of connected and accepted sides that could only be each other's: joins a
 * side without a choice among them; or all of them in the order of their queue, where they are of
 * one. True if there were any. */
bool itp_queues_join_clusters(struct itp_search *search);

/* True when the counts of bytes allow a pair: the bytes sent by each side can be those taken by the
 * other. */
bool itp_connections_fit(const struct itp_traffic *traffic, uint32_t a, uint32_t b);

#endif
