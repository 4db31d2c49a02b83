/* SPDX-License-Identifier: MIT */
/*
 * Which two sides are those of one connection.
 *
 * Nothing in a recording says so. Wakeups propose: a thread that sends through one side wakes
 * another one, which then takes from a side. Counts of bytes dispose: of the bytes that one side
 * sent the other one cannot have taken more at any time, in both directions; and where it took less
 * than it had room for, it has mostly taken all. Connections that were made during the recording
 * are also proposed by that: one side was connected before the other was accepted, and both live at
 * the same time.
 *
 * A side that could be the other one of several is paired with none of them.
 */
#ifndef ITP_THROUGH_CONNECTIONS_H
#define ITP_THROUGH_CONNECTIONS_H

#include "common/through/traffic.h"

struct itp_connections {
	/* uint32_t by side: the other side, or ITP_SIDE_NONE. Owned by this. */
	GArray *peer_of;
	/* bool by side: several could be the other one. Owned by this. */
	GArray *is_unclear;
	/* Pairs that were found. */
	guint count;
};

void itp_connections_find(struct itp_connections *pairs, const struct itp_traffic *traffic);
void itp_connections_release(struct itp_connections *pairs);

static inline uint32_t itp_connections_peer(const struct itp_connections *pairs, uint32_t side)
{
	return side < pairs->peer_of->len ? g_array_index(pairs->peer_of, uint32_t, side) :
					    ITP_SIDE_NONE;
}

static inline bool itp_connections_is_unclear(const struct itp_connections *pairs, uint32_t side)
{
	return g_array_index(pairs->is_unclear, bool, side);
}

/* By the counts of bytes alone: whether those that one side sent can be those that the other one
 * took, both ways. */
bool itp_connections_fit(const struct itp_traffic *traffic, uint32_t a, uint32_t b);

#endif
