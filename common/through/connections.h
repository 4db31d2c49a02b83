/* SPDX-License-Identifier: MIT */
/*
 * Pairs of sides, the two ends of a connection.
 *
 * Nothing in a recording tells them. Wakeups propose: a thread that sends through a side wakes
 * another, which then takes from a side. Counts of bytes dispose: a side cannot have taken more
 * bytes than its peer sent at any time, in both directions; and where it took less than it had room
 * for, it has mostly taken all. Connections made during the recording are also proposed by time:
 * one side was connected before the other was accepted, and both live at the same time.
 *
 * A side with several candidates is paired with none of them.
 */
#ifndef ITP_THROUGH_CONNECTIONS_H
#define ITP_THROUGH_CONNECTIONS_H

#include "common/through/traffic.h"

struct itp_connections {
	/* uint32_t by side: the other side, or ITP_SIDE_NONE. Owned by this. */
	GArray *peer_of;
	/* bool by side: it has several candidates. Owned by this. */
	GArray *is_unclear;
	/* Pairs found. */
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

/* True when the counts of bytes allow a pair: the bytes sent by each side can be those taken by the
 * other. */
bool itp_connections_fit(const struct itp_traffic *traffic, uint32_t a, uint32_t b);

#endif
