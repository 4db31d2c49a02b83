/* SPDX-License-Identifier: MIT */
/*
 * See connections.h: proposed pairs, and the remaining ones.
 */
#include "common/through/connections.h"

#include "common/base/hash.h"
#include "common/through/search.h"

/* Most sockets alive at a time that are all compared with each other; beyond, sockets are only
 * paired by wakeups. */
#define CONTEMPORARIES_MOST 4096

static void free_list(gpointer list)
{
	if (list) {
		g_array_unref(list);
	}
}

static void search_init(struct itp_search *search, struct itp_connections *pairs,
			const struct itp_traffic *traffic)
{
	*search = (struct itp_search){
		.traffic = traffic,
		.pairs = pairs,
		.candidates = g_ptr_array_new_with_free_func(free_list),
		.seen = g_hash_table_new(itp_hash_number, NULL),
		.same_listener = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.listener_of = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};
	for (uint32_t side = 0; side < traffic->sides->len; side++) {
		const uint32_t none = ITP_SIDE_NONE;

		g_array_append_val(search->same_listener, side);
		g_array_append_val(search->listener_of, none);
	}
	g_ptr_array_set_size(search->candidates, (gint)traffic->sides->len);
}

static void search_release(struct itp_search *search)
{
	g_ptr_array_unref(search->candidates);
	g_hash_table_unref(search->seen);
	g_array_unref(search->same_listener);
	g_array_unref(search->listener_of);
}

static void add_candidate(struct itp_search *search, uint32_t of, uint32_t side,
			  enum itp_evidence evidence)
{
	const struct itp_candidate candidate = { .side = side, .evidence = evidence };
	GArray *list = search->candidates->pdata[of];

	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(struct itp_candidate));
		search->candidates->pdata[of] = list;
	}
	g_array_append_val(list, candidate);
	g_array_index(search->pairs->is_unclear, bool, of) = true;
}

static void strengthen(const struct itp_search *search, uint32_t a, uint32_t b,
		       enum itp_evidence evidence)
{
	struct itp_candidate *there = itp_search_candidate(search, a, b);
	struct itp_candidate *back = itp_search_candidate(search, b, a);

	if (there && back) {
		there->evidence = MAX(there->evidence, evidence);
		back->evidence = MAX(back->evidence, evidence);
	}
}

static bool can_be_paired(const struct itp_side *side)
{
	return side->kind != ITP_SIDE_FILE && side->kind != ITP_SIDE_LISTENING &&
	       (side->sends || side->takes);
}

static bool is_listening(const struct itp_search *search, uint32_t side)
{
	return itp_traffic_side(search->traffic, side)->kind == ITP_SIDE_LISTENING;
}

/* True when a side was connected to another listening side than the accepted one's. */
static bool is_of_another(const struct itp_search *search, uint32_t connected, uint32_t accepted)
{
	uint32_t listener = g_array_index(search->listener_of, uint32_t, connected);
	uint32_t from = itp_traffic_side(search->traffic, accepted)->listener;

	return listener != ITP_SIDE_NONE && from != ITP_SIDE_NONE &&
	       itp_search_listener(search, listener) != itp_search_listener(search, from);
}

static void propose(struct itp_search *search, uint32_t a, uint32_t b, enum itp_evidence evidence)
{
	const gpointer key = itp_pair(MIN(a, b), MAX(a, b));

	if (a == b || !can_be_paired(itp_traffic_side(search->traffic, a)) ||
	    !can_be_paired(itp_traffic_side(search->traffic, b))) {
		return;
	}
	if (g_hash_table_contains(search->seen, key)) {
		strengthen(search, a, b, evidence);
		return;
	}
	g_hash_table_add(search->seen, key);
	if (itp_connections_fit(search->traffic, a, b)) {
		add_candidate(search, a, b, evidence);
		add_candidate(search, b, a, evidence);
	}
}

/* Thread that was woken. */
struct woken {
	/* Side of the waker. */
	uint32_t by;
	/* The wait has ended since, and the first look is at the waking side. */
	bool has_waited;
	bool is_first;
	/* The waker connected its side then. */
	bool is_of_connect;
};

/* A thread was woken by a connect, and looks at a listening side: others woken by the same side
 * listen there, too. */
static void note_listener(struct itp_search *search, const struct woken *woken, uint32_t side)
{
	uint32_t *first;

	if (!woken || woken->by == ITP_SIDE_NONE || !woken->is_of_connect || !woken->is_first ||
	    side == ITP_SIDE_NONE || !is_listening(search, side)) {
		return;
	}
	first = &g_array_index(search->listener_of, uint32_t, woken->by);
	if (*first == ITP_SIDE_NONE) {
		*first = itp_search_listener(search, side);
	} else {
		uint32_t a = itp_search_listener(search, *first);
		uint32_t b = itp_search_listener(search, side);

		g_array_index(search->same_listener, uint32_t, MAX(a, b)) = MIN(a, b);
	}
}

static void note_woken(struct itp_search *search, GHashTable *threads, const struct itp_move *move)
{
	struct woken *woken = g_hash_table_lookup(threads, GINT_TO_POINTER(move->other_tid));

	if (move->other != ITP_SIDE_NONE && move->side != ITP_SIDE_NONE) {
		propose(search, move->side, move->other, ITP_EVIDENCE_WOKEN);
	}
	if (!woken) {
		woken = g_new(struct woken, 1);
		g_hash_table_insert(threads, GINT_TO_POINTER(move->other_tid), woken);
	}
	*woken = (struct woken){ .by = move->other == ITP_SIDE_NONE ||
						       is_listening(search, move->other) ?
					       move->side :
					       ITP_SIDE_NONE,
				 .is_first = move->other != ITP_SIDE_NONE,
				 .is_of_connect = move->is_of_connect };
}

/* A wait for any event tells the first one before others, or all at once. */
static void note_waited(GHashTable *threads, const struct itp_move *move)
{
	struct woken *woken = g_hash_table_lookup(threads, GINT_TO_POINTER(move->tid));

	if (woken && !woken->has_waited) {
		woken->has_waited = true;
		woken->is_first = move->bytes == 1 || (move->bytes > 1 && move->is_ordered);
	} else if (woken) {
		woken->by = ITP_SIDE_NONE;
	}
}

/* A thread may accept another connection than its waker's: others accept, too. */
static void note_taken(struct itp_search *search, GHashTable *threads, const struct itp_move *move)
{
	struct woken *woken = g_hash_table_lookup(threads, GINT_TO_POINTER(move->tid));

	note_listener(search, woken, move->other);
	if (woken && woken->by != ITP_SIDE_NONE) {
		propose(search, woken->by, move->side,
			move->kind == ITP_MOVE_TOOK && woken->is_first ? ITP_EVIDENCE_WOKEN :
									 ITP_EVIDENCE_BYTES);
		woken->by = ITP_SIDE_NONE;
	}
}

static void note_move(struct itp_search *search, GHashTable *threads, const struct itp_move *move)
{
	struct woken *woken;

	switch (move->kind) {
	case ITP_MOVE_WOKE:
		note_woken(search, threads, move);
		break;
	case ITP_MOVE_WAITED:
		note_waited(threads, move);
		break;
	case ITP_MOVE_LOOKED:
		woken = g_hash_table_lookup(threads, GINT_TO_POINTER(move->tid));
		note_listener(search, woken, move->side);
		if (woken) {
			woken->by = ITP_SIDE_NONE;
		}
		break;
	case ITP_MOVE_TOOK:
	case ITP_MOVE_ACCEPTED:
		note_taken(search, threads, move);
		break;
	case ITP_MOVE_LOST:
		g_hash_table_remove_all(threads);
		break;
	default:
		break;
	}
}

static void propose_by_wakeups(struct itp_search *search)
{
	/* struct woken by thread. */
	g_autoptr(GHashTable) threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);

	for (guint i = 0; i < search->traffic->moves->len; i++) {
		note_move(search, threads, itp_traffic_move(search->traffic, i));
	}
}

/* Two sides whose only candidates are each other are a pair, and are no others' candidates: until
 * nothing changes. */
static void settle_pairs(struct itp_search *search)
{
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (uint32_t side = 0; side < search->candidates->len; side++) {
			uint32_t other = itp_search_is_paired(search, side) ?
						 ITP_SIDE_NONE :
						 itp_search_only(search, side);

			if (other != ITP_SIDE_NONE && itp_search_only(search, other) == side) {
				itp_search_join(search, side, other);
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
static GArray *single_sockets(const struct itp_search *search)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < search->traffic->sides->len; i++) {
		const struct itp_side *side = itp_traffic_side(search->traffic, i);

		if (side->is_socket && can_be_paired(side) && !itp_search_is_paired(search, i)) {
			g_array_append_val(list, i);
		}
	}
	g_array_sort_with_data(list, compare_openings, (gpointer)search->traffic);
	return list;
}

/* Two sides that were both connected, or both accepted, are no pair. */
static bool are_alike(const struct itp_side *a, const struct itp_side *b)
{
	return a->kind == b->kind &&
	       (a->kind == ITP_SIDE_CONNECTED || a->kind == ITP_SIDE_ACCEPTED);
}

/* All sockets alive at the same time are candidates. */
static void propose_contemporaries(struct itp_search *search)
{
	g_autoptr(GArray) singles = single_sockets(search);
	/* uint32_t: sides alive when the next one is opened. */
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
				if (!are_alike(alive, side) &&
				    !is_of_another(search, other, number) &&
				    !is_of_another(search, number, other)) {
					propose(search, other, number, ITP_EVIDENCE_BYTES);
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
	struct itp_search search;

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
	search.least = ITP_EVIDENCE_WOKEN;
	settle_pairs(&search);
	propose_contemporaries(&search);
	search.least = search.is_crowded ? ITP_EVIDENCE_WOKEN : ITP_EVIDENCE_BYTES;
	do {
		settle_pairs(&search);
	} while (itp_queues_drop_overtaking(&search) || itp_queues_drop_outside(&search) ||
		 (!search.is_crowded && itp_queues_join_clusters(&search)));
	for (uint32_t side = 0; side < traffic->sides->len; side++) {
		g_array_index(pairs->is_unclear, bool, side) &=
			!itp_search_is_paired(&search, side);
	}
	search_release(&search);
}

void itp_connections_release(struct itp_connections *pairs)
{
	g_array_unref(pairs->peer_of);
	g_array_unref(pairs->is_unclear);
}
