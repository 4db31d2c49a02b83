/* SPDX-License-Identifier: MIT */
/*
 * Pairs of sides, the two ends of a connection, as connections.h finds them.
 */
#ifndef ITP_THROUGH_PAIRS_H
#define ITP_THROUGH_PAIRS_H

#include "common/through/traffic.h"

struct itp_connections {
	/* uint32_t by side: the other side, or ITP_SIDE_NONE. Owned by this. */
	GArray *peer_of;
	/* bool by side: it has several candidates. Owned by this. */
	GArray *is_unclear;
	/* Pairs found. */
	guint count;
};

static inline uint32_t itp_connections_peer(const struct itp_connections *pairs, uint32_t side)
{
	return side < pairs->peer_of->len ? g_array_index(pairs->peer_of, uint32_t, side) :
					    ITP_SIDE_NONE;
}

static inline bool itp_connections_is_unclear(const struct itp_connections *pairs, uint32_t side)
{
	return g_array_index(pairs->is_unclear, bool, side);
}

#endif
