/* SPDX-License-Identifier: MIT */
/*
 * See connections.h: what is proposed, and what is left of it.
 */
#include "common/through/connections.h"

#include "common/base/hash.h"

/* So many sockets that live at the same time are compared with one; where there are more, it is
 * only paired by wakeups. */
#define CONTEMPORARIES_MOST 4096

/* A side that could be the other one. */
struct candidate {
	uint32_t side;
	/* A thread that waited for this very side was woken through the other. */
	bool is_sure;
};

struct search {
	/* Weak. */
	const struct itp_traffic *traffic;
	struct itp_connections *pairs;
	/* GArray of struct candidate by side; NULL where there are none. Owned by this. */
	GPtrArray *candidates;
	/* Pairs of sides that were looked at. Owned by this. */
	GHashTable *seen;
	/* Only candidates that are sure count. */
	bool is_strict;
	/* Some sockets were not compared. */
	bool is_crowded;
};

static void free_list(gpointer list)
{
	if (list) {
		g_array_unref(list);
	}
}

static void search_init(struct search *search, struct itp_connections *pairs,
			const struct itp_traffic *traffic)
{
	*search = (struct search){
		.traffic = traffic,
		.pairs = pairs,
		.candidates = g_ptr_array_new_with_free_func(free_list),
		.seen = g_hash_table_new(itp_hash_number, NULL),
	};
	g_ptr_array_set_size(search->candidates, (gint)traffic->sides->len);
}

static void search_release(struct search *search)
{
	g_ptr_array_unref(search->candidates);
	g_hash_table_unref(search->seen);
}

static struct candidate *find_candidate(const struct search *search, uint32_t of, uint32_t side)
{
	const GArray *list = search->candidates->pdata[of];

	for (guint i = 0; list && i < list->len; i++) {
		if (g_array_index(list, struct candidate, i).side == side) {
			return &g_array_index(list, struct candidate, i);
		}
	}
	return NULL;
}

static void add_candidate(struct search *search, uint32_t of, uint32_t side, bool is_sure)
{
	const struct candidate candidate = { .side = side, .is_sure = is_sure };
	GArray *list = search->candidates->pdata[of];

	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(struct candidate));
		search->candidates->pdata[of] = list;
	}
	g_array_append_val(list, candidate);
}

static void make_sure(const struct search *search, uint32_t a, uint32_t b)
{
	struct candidate *there = find_candidate(search, a, b);
	struct candidate *back = find_candidate(search, b, a);

	if (there && back) {
		there->is_sure = true;
		back->is_sure = true;
	}
}

static bool can_be_paired(const struct itp_side *side)
{
	return side->kind != ITP_SIDE_FILE && side->kind != ITP_SIDE_LISTENING &&
	       (side->sends || side->takes);
}

static void propose(struct search *search, uint32_t a, uint32_t b, bool is_sure)
{
	const gpointer key = itp_pair(MIN(a, b), MAX(a, b));

	if (a == b || !can_be_paired(itp_traffic_side(search->traffic, a)) ||
	    !can_be_paired(itp_traffic_side(search->traffic, b))) {
		return;
	}
	if (g_hash_table_contains(search->seen, key)) {
		if (is_sure) {
			make_sure(search, a, b);
		}
		return;
	}
	g_hash_table_add(search->seen, key);
	if (itp_connections_fit(search->traffic, a, b)) {
		add_candidate(search, a, b, is_sure);
		add_candidate(search, b, a, is_sure);
	}
}

/* A thread that was woken through a side while it waited for any event takes from the one that is
 * the reason first. */
static void propose_by_wakeups(struct search *search)
{
	/* Side + 1 by thread. */
	g_autoptr(GHashTable) woken = g_hash_table_new(itp_hash_number, NULL);

	for (guint i = 0; i < search->traffic->moves->len; i++) {
		const struct itp_move *move = itp_traffic_move(search->traffic, i);
		const gpointer tid =
			GINT_TO_POINTER(move->kind == ITP_MOVE_WOKE ? move->other_tid : move->tid);
		gsize by = GPOINTER_TO_SIZE(g_hash_table_lookup(woken, tid));

		if (move->kind == ITP_MOVE_WOKE && move->other != ITP_SIDE_NONE) {
			g_hash_table_remove(woken, tid);
			if (move->side != ITP_SIDE_NONE) {
				propose(search, move->side, move->other, true);
			}
		} else if (move->kind == ITP_MOVE_WOKE && move->side != ITP_SIDE_NONE) {
			g_hash_table_insert(woken, tid, GSIZE_TO_POINTER((gsize)move->side + 1));
		} else if (by > 0 &&
			   (move->kind == ITP_MOVE_TOOK || move->kind == ITP_MOVE_ACCEPTED)) {
			propose(search, (uint32_t)(by - 1), move->side, false);
			g_hash_table_remove(woken, tid);
		}
	}
}

static guint list_length(const struct search *search, uint32_t side)
{
	const GArray *list = search->candidates->pdata[side];

	return list ? list->len : 0;
}

static void join(struct search *search, uint32_t a, uint32_t b)
{
	g_array_index(search->pairs->peer_of, uint32_t, a) = b;
	g_array_index(search->pairs->peer_of, uint32_t, b) = a;
	search->pairs->count++;
}

static bool is_paired(const struct search *search, uint32_t side)
{
	return itp_connections_peer(search->pairs, side) != ITP_SIDE_NONE;
}

/* The only candidate of `side` that is not paired with another one; ITP_SIDE_NONE: there are
 * several, or none. */
static uint32_t only_candidate(const struct search *search, uint32_t side)
{
	const GArray *list = search->candidates->pdata[side];
	uint32_t only = ITP_SIDE_NONE;

	for (guint i = 0; list && i < list->len; i++) {
		const struct candidate *candidate = &g_array_index(list, struct candidate, i);
		uint32_t other = candidate->side;

		if (!is_paired(search, other) && (candidate->is_sure || !search->is_strict)) {
			if (only != ITP_SIDE_NONE) {
				return ITP_SIDE_NONE;
			}
			only = other;
		}
	}
	return only;
}

/* Two that have only one another are a pair, and no others can have them: until nothing changes. */
static void settle(struct search *search)
{
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (uint32_t side = 0; side < search->candidates->len; side++) {
			uint32_t other = is_paired(search, side) ? ITP_SIDE_NONE :
								   only_candidate(search, side);

			if (other != ITP_SIDE_NONE && only_candidate(search, other) == side) {
				join(search, side, other);
				has_changed = true;
			}
		}
	}
}

static gint compare_openings(gconstpointer a, gconstpointer b, gpointer traffic)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;
	int64_t left_ns = itp_traffic_side(traffic, left)->opened_ns;
	int64_t right_ns = itp_traffic_side(traffic, right)->opened_ns;

	return left_ns != right_ns ? (left_ns > right_ns) - (left_ns < right_ns) :
				     (left > right) - (left < right);
}

/* Sockets without a pair, in the order in which they were opened or first used: a GArray of
 * uint32_t. */
static GArray *single_sockets(const struct search *search)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < search->traffic->sides->len; i++) {
		const struct itp_side *side = itp_traffic_side(search->traffic, i);

		if (side->is_socket && can_be_paired(side) && !is_paired(search, i)) {
			g_array_append_val(list, i);
		}
	}
	g_array_sort_with_data(list, compare_openings, (gpointer)search->traffic);
	return list;
}

/* Of two sides that were both connected, or both accepted, neither is the other's. */
static bool are_alike(const struct itp_side *a, const struct itp_side *b)
{
	return a->kind == b->kind &&
	       (a->kind == ITP_SIDE_CONNECTED || a->kind == ITP_SIDE_ACCEPTED);
}

/* All sockets that live at the same time could be each other's. */
static void propose_contemporaries(struct search *search)
{
	g_autoptr(GArray) singles = single_sockets(search);
	/* uint32_t: those that live when the next one is opened. */
	g_autoptr(GArray) living = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < singles->len; i++) {
		uint32_t number = g_array_index(singles, uint32_t, i);
		const struct itp_side *side = itp_traffic_side(search->traffic, number);
		guint kept = 0;

		for (guint j = 0; j < living->len; j++) {
			uint32_t other = g_array_index(living, uint32_t, j);
			const struct itp_side *alive = itp_traffic_side(search->traffic, other);

			if (alive->closed_ns >= side->opened_ns) {
				g_array_index(living, uint32_t, kept++) = other;
				if (!are_alike(alive, side)) {
					propose(search, other, number, false);
				}
			}
		}
		g_array_set_size(living, kept);
		if (living->len < CONTEMPORARIES_MOST) {
			g_array_append_val(living, number);
		} else {
			search->is_crowded = true;
		}
	}
}

void itp_connections_find(struct itp_connections *pairs, const struct itp_traffic *traffic)
{
	struct search search;

	*pairs = (struct itp_connections){
		.peer_of = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), traffic->sides->len),
		.is_unclear = g_array_new(FALSE, TRUE, sizeof(bool)),
	};
	for (uint32_t side = 0; side < traffic->sides->len; side++) {
		const uint32_t none = ITP_SIDE_NONE;

		g_array_append_val(pairs->peer_of, none);
	}
	g_array_set_size(pairs->is_unclear, traffic->sides->len);
	search_init(&search, pairs, traffic);
	propose_by_wakeups(&search);
	search.is_strict = true;
	settle(&search);
	propose_contemporaries(&search);
	search.is_strict = search.is_crowded;
	settle(&search);
	for (uint32_t side = 0; side < traffic->sides->len; side++) {
		g_array_index(pairs->is_unclear, bool, side) = !is_paired(&search, side) &&
							       list_length(&search, side) > 0;
	}
	search_release(&search);
}

void itp_connections_release(struct itp_connections *pairs)
{
	g_array_unref(pairs->peer_of);
	g_array_unref(pairs->is_unclear);
}
