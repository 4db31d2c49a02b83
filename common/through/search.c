/* SPDX-License-Identifier: MIT */
/*
 * Candidates of sides, and pairs made of them: see search.h.
 */
#include "common/through/search.h"

struct itp_candidate *itp_search_candidate(const struct itp_search *search, uint32_t of,
					   uint32_t side)
{
	const GArray *list = search->candidates->pdata[of];

	for (guint i = 0; list && i < list->len; i++) {
		if (g_array_index(list, struct itp_candidate, i).side == side) {
			return &g_array_index(list, struct itp_candidate, i);
		}
	}
	return NULL;
}

void itp_search_drop(const struct itp_search *search, uint32_t of, uint32_t side)
{
	GArray *list = search->candidates->pdata[of];
	const struct itp_candidate *candidate = itp_search_candidate(search, of, side);

	if (candidate) {
		g_array_remove_index(
			list, (guint)(candidate - &g_array_index(list, struct itp_candidate, 0)));
	}
}

uint32_t itp_search_listener(const struct itp_search *search, uint32_t side)
{
	while (g_array_index(search->same_listener, uint32_t, side) != side) {
		side = g_array_index(search->same_listener, uint32_t, side);
	}
	return side;
}

void itp_search_join(struct itp_search *search, uint32_t a, uint32_t b)
{
	g_array_index(search->pairs->peer_of, uint32_t, a) = b;
	g_array_index(search->pairs->peer_of, uint32_t, b) = a;
	search->pairs->count++;
}

bool itp_search_is_paired(const struct itp_search *search, uint32_t side)
{
	return itp_connections_peer(search->pairs, side) != ITP_SIDE_NONE;
}

uint32_t itp_search_only(const struct itp_search *search, uint32_t side)
{
	const GArray *list = search->candidates->pdata[side];
	uint32_t only = ITP_SIDE_NONE;

	for (guint i = 0; list && i < list->len; i++) {
		const struct itp_candidate *candidate =
			&g_array_index(list, struct itp_candidate, i);
		uint32_t other = candidate->side;

		if (!itp_search_is_paired(search, other) && candidate->evidence >= search->least) {
			if (only != ITP_SIDE_NONE) {
				return ITP_SIDE_NONE;
			}
			only = other;
		}
	}
	return only;
}
