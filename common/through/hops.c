/* SPDX-License-Identifier: MIT */
/*
 * Goes through the traffic in the order of time: see hops.h.
 *
 * Bytes are sent when the call begins, and taken when it ends: each is sent before it is taken.
 */
#include "common/through/hops.h"

#include "common/base/hash.h"
#include "common/through/work.h"

static bool has_moves(const GArray *list)
{
	return list && list->len > 0;
}

/* True when bytes of requests go through it. */
static bool is_of_interest(const struct itp_work *work, uint32_t side)
{
	return itp_connections_peer(work->pairs, side) != ITP_SIDE_NONE ||
	       itp_traffic_side(work->traffic, side)->is_socket;
}

static int32_t user_of(const struct itp_work *work, const GArray *moves)
{
	return itp_traffic_move(work->traffic, g_array_index(moves, guint, 0))->pid;
}

/* True when only one direction is ever used: of a socket, through which an answer may still come,
 * known when more was taken without an answer. */
static bool is_one_way(const struct itp_side *from, const struct itp_side *to)
{
	return has_moves(from->sends) && !has_moves(from->takes) && has_moves(to->takes) &&
	       !has_moves(to->sends) && (!from->is_socket || to->takes->len > 1);
}

/* The two processes of a pair with bytes in one direction only; NULL for another pair. */
static gpointer one_way_processes(const struct itp_work *work, uint32_t from)
{
	uint32_t to = itp_connections_peer(work->pairs, from);
	const struct itp_side *side = itp_traffic_side(work->traffic, from);
	const struct itp_side *other = to != ITP_SIDE_NONE ? itp_traffic_side(work->traffic, to) :
							     NULL;

	return other && is_one_way(side, other) ? itp_pair((uint32_t)user_of(work, side->sends),
							   (uint32_t)user_of(work, other->takes)) :
						  NULL;
}

/* Two pipes between the same two processes, one for each direction, are a connection. Several for a
 * direction cannot be told apart. */
static void join_pipes(struct itp_work *work)
{
	/* Sending side + 1, by the processes; G_MAXSIZE: several. */
	g_autoptr(GHashTable) ways = g_hash_table_new(itp_hash_number, NULL);

	for (uint32_t i = 0; i < work->sides->len; i++) {
		gpointer key = one_way_processes(work, i);

		if (key) {
			g_hash_table_insert(ways, key,
					    g_hash_table_contains(ways, key) ?
						    GSIZE_TO_POINTER(G_MAXSIZE) :
						    GSIZE_TO_POINTER((gsize)i + 1));
		}
	}
	for (uint32_t i = 0; i < work->sides->len; i++) {
		gpointer key = one_way_processes(work, i);
		gpointer back = key ? itp_pair(itp_pair_low(key), itp_pair_high(key)) : NULL;
		gsize there_side = key ? GPOINTER_TO_SIZE(g_hash_table_lookup(ways, key)) : 0;
		gsize back_side = key ? GPOINTER_TO_SIZE(g_hash_table_lookup(ways, back)) : 0;

		if (back == key || there_side == G_MAXSIZE || back_side == G_MAXSIZE ||
		    there_side == 0 || back_side <= there_side) {
			continue;
		}
		/* Answers come to the sending side. */
		g_array_index(work->sides, struct itp_work_side,
			      itp_connections_peer(work->pairs, (uint32_t)(back_side - 1)))
			.same_as = i;
		g_array_index(work->sides, struct itp_work_side, back_side - 1).same_as =
			itp_connections_peer(work->pairs, i);
	}
}

static void note_ways(struct itp_work *work)
{
	for (uint32_t i = 0; i < work->sides->len; i++) {
		const struct itp_side *side = itp_traffic_side(work->traffic, i);
		struct itp_work_side *own = &g_array_index(work->sides, struct itp_work_side, i);
		uint32_t peer = itp_connections_peer(work->pairs, i);

		own->is_one_way = peer != ITP_SIDE_NONE && one_way_processes(work, i) != NULL;
		if (peer != ITP_SIDE_NONE && one_way_processes(work, peer) != NULL) {
			own->is_one_way = true;
		}
		own->role = side->kind == ITP_SIDE_CONNECTED ? ITP_ROLE_ASKS :
			    side->kind == ITP_SIDE_ACCEPTED  ? ITP_ROLE_ANSWERS :
							       ITP_ROLE_UNKNOWN;
	}
	join_pipes(work);
	for (uint32_t i = 0; i < work->sides->len; i++) {
		struct itp_work_side *own = &g_array_index(work->sides, struct itp_work_side, i);

		if (own->same_as != i) {
			own->is_one_way = false;
			itp_work_side(work, i)->is_one_way = false;
		}
	}
}

/* Role of a side on a connection older than the recording: the first sender asks. */
static enum itp_side_role role_of(struct itp_work *work, uint32_t number, bool sends)
{
	struct itp_work_side *side = itp_work_side(work, number);
	uint32_t peer = itp_connections_peer(work->pairs, number);
	struct itp_work_side *other = peer != ITP_SIDE_NONE ? itp_work_side(work, peer) : NULL;

	if (side->role == ITP_ROLE_UNKNOWN && other && other->role != ITP_ROLE_UNKNOWN) {
		side->role = other->role == ITP_ROLE_ASKS ? ITP_ROLE_ANSWERS : ITP_ROLE_ASKS;
	} else if (side->role == ITP_ROLE_UNKNOWN) {
		side->role = sends ? ITP_ROLE_ASKS : ITP_ROLE_ANSWERS;
	}
	return side->role;
}

static void put_segment(struct itp_work *work, uint32_t from, const struct itp_segment *segment)
{
	uint32_t peer = itp_connections_peer(work->pairs, from);
	struct itp_work_side *side;

	if (peer == ITP_SIDE_NONE) {
		return;
	}
	side = itp_work_side(work, peer);
	if (!side->segments) {
		side->segments = g_array_new(FALSE, FALSE, sizeof(struct itp_segment));
	}
	g_array_append_vals(side->segments, segment, 1);
}

static struct itp_segment *first_segment(const struct itp_work_side *side)
{
	return side->segments && side->first < side->segments->len ?
		       &g_array_index(side->segments, struct itp_segment, side->first) :
		       NULL;
}

/* Takes bytes on the way. The first of them, and whether they are of several hops. */
static bool take_segments(struct itp_work_side *side, int64_t bytes, struct itp_segment *ret_first,
			  bool *ret_several)
{
	struct itp_segment *segment = first_segment(side);
	bool has_first = segment != NULL;

	*ret_several = false;
	if (has_first) {
		*ret_first = *segment;
	}
	while (segment && bytes > 0) {
		int64_t part = MIN(bytes, segment->bytes);

		*ret_several |= segment->hop != ret_first->hop;
		segment->bytes -= part;
		bytes -= part;
		side->first += segment->bytes == 0;
		segment = first_segment(side);
	}
	if (side->segments && side->first == side->segments->len) {
		g_array_set_size(side->segments, 0);
		side->first = 0;
	}
	return has_first;
}

static void extend(const struct itp_work *work, uint32_t hop, int64_t time_ns)
{
	struct itp_hop *known = &itp_work_hop(work, hop)->hop;

	known->end_ns = MAX(known->end_ns, time_ns);
}

/* A hop is answered: a broker's answer may be due to bytes taken from another side. */
static void hand_over(struct itp_work *work, const struct itp_move *move, uint32_t hop)
{
	uint32_t asker = itp_connections_peer(work->pairs, move->side);
	guint number = (guint)(move - itp_traffic_move(work->traffic, 0));
	uint32_t cause = ITP_HOP_NONE;
	guint took;

	if (asker == ITP_SIDE_NONE || !itp_brokers_hands(work->brokers, number, &took)) {
		return;
	}
	if (took != ITP_MOVE_NONE) {
		uint32_t side = itp_traffic_move(work->traffic, took)->side;

		cause = itp_work_resolve(work, itp_work_side(work, side)->open);
	}
	itp_job_hand(work, itp_work_side(work, asker), hop, cause);
}

/* Answers the other side's question, perhaps in another thread than its taker. */
static void answer(struct itp_work *work, const struct itp_move *move, struct itp_work_side *side)
{
	uint32_t hop = itp_work_resolve(work, side->open);
	const struct itp_segment *next = first_segment(side);
	uint32_t own;

	if (hop == ITP_HOP_NONE) {
		put_segment(work, move->side,
			    &(struct itp_segment){ .hop = ITP_HOP_NONE,
						   .bytes = move->bytes,
						   .begin_ns = move->begin_ns });
		return;
	}
	if (next && next->message != itp_work_hop(work, hop)->message) {
		itp_work_doubt(work, hop, ITP_HOP_SHARED);
		itp_work_doubt(work, next->hop, ITP_HOP_SHARED);
	}
	if (!itp_work_hop(work, hop)->is_answered) {
		hand_over(work, move, hop);
	}
	own = itp_worker_answers(work, itp_work_worker(work, move->tid), hop, move);
	itp_work_hop(work, hop)->is_answered = true;
	extend(work, own, move->end_ns);
	extend(work, hop, move->end_ns);
	put_segment(work, move->side,
		    &(struct itp_segment){
			    .hop = hop, .bytes = move->bytes, .begin_ns = move->begin_ns });
}

static void begin_ask(struct itp_work *work, const struct itp_move *move,
		      struct itp_work_side *side, uint32_t hop)
{
	const struct itp_ask ask = { .hop = hop,
				     .begin_ns = move->begin_ns,
				     .end_ns = move->end_ns };

	side->asker = hop;
	side->is_answered = false;
	side->ask = work->asks->len;
	side->ask_bytes = move->bytes;
	work->messages++;
	if (!side->is_one_way) {
		g_array_append_val(work->asks, ask);
	}
}

/* Two hops work with a connection at a time, and its answers may be either's. */
static bool is_shared(const struct itp_work *work, const struct itp_worker *worker, uint32_t asker)
{
	uint32_t current = itp_work_resolve(work, worker->current);

	return current != ITP_HOP_NONE && current != asker && worker->pending->len <= 1 &&
	       !itp_work_hop(work, current)->is_client && !itp_work_hop(work, asker)->is_client;
}

static void ask_side(struct itp_work *work, const struct itp_move *move, struct itp_work_side *side)
{
	struct itp_worker *worker = itp_work_worker(work, move->tid);
	uint32_t hop = itp_work_resolve(work, side->asker);

	if (hop != ITP_HOP_NONE && !side->is_answered && !side->is_one_way) {
		if (is_shared(work, worker, hop)) {
			itp_work_doubt(work, hop, ITP_HOP_SHARED);
			itp_work_doubt(work, worker->current, ITP_HOP_SHARED);
		}
	} else {
		bool is_wait = itp_job_ends(work, worker, side, move->bytes);

		hop = itp_worker_asks_as(work, worker, side->owner, move);
		itp_work_hop(work, hop)->is_wait = is_wait && itp_work_hop(work, hop)->is_client;
		side->owner = ITP_HOP_NONE;
		begin_ask(work, move, side, hop);
		if (itp_work_hop(work, hop)->is_client) {
			itp_work_hop(work, hop)->is_one_way = side->is_one_way;
		}
	}
	itp_worker_act(work, worker, hop);
	extend(work, hop, move->end_ns);
	put_segment(work, move->side,
		    &(struct itp_segment){ .hop = hop,
					   .message = work->messages,
					   .bytes = move->bytes,
					   .begin_ns = move->begin_ns });
}

/* Bytes between threads of a process, as through a pipe to an event loop, are no request: they wake
 * their taker. */
static bool is_own(const struct itp_work *work, const struct itp_move *move)
{
	uint32_t peer = itp_connections_peer(work->pairs, move->side);
	const struct itp_side *other = peer != ITP_SIDE_NONE &&
						       itp_work_side(work, move->side)->is_one_way ?
					       itp_traffic_side(work->traffic, peer) :
					       NULL;

	return other &&
	       user_of(work, has_moves(other->sends) ? other->sends : other->takes) == move->pid;
}

static void send_own(struct itp_work *work, const struct itp_move *move)
{
	put_segment(work, move->side,
		    &(struct itp_segment){ .hop = itp_work_worker(work, move->tid)->current,
					   .bytes = move->bytes,
					   .begin_ns = move->begin_ns });
}

static void take_own(struct itp_work *work, const struct itp_move *move)
{
	struct itp_segment first;
	bool has_several;

	if (take_segments(itp_work_side(work, move->side), move->bytes, &first, &has_several)) {
		itp_worker_wakes(work, first.hop, move);
	}
}

static void on_sent(struct itp_work *work, const struct itp_move *move)
{
	struct itp_work_side *side = itp_work_side(work, move->side);

	if (!is_of_interest(work, move->side) || move->bytes == 0) {
		return;
	}
	if (is_own(work, move)) {
		send_own(work, move);
		return;
	}
	if (role_of(work, move->side, true) == ITP_ROLE_ANSWERS) {
		answer(work, move, side);
	} else {
		ask_side(work, move, side);
	}
}

/* The thread turns to another hop: its work may be continued by another thread. */
static void leave_hop(struct itp_work *work, const struct itp_move *move)
{
	struct itp_worker *worker = itp_work_worker(work, move->tid);
	uint32_t hop = itp_work_resolve(work, worker->current);
	struct itp_work_hop *left = hop != ITP_HOP_NONE ? itp_work_hop(work, hop) : NULL;

	if (left && left->left_ns == 0 && !left->is_answered && left->hop.tid == move->tid) {
		left->left_ns = MAX(move->begin_ns, left->hop.begin_ns);
	}
}

/* An answer came back from a peer asked by the process. */
static void take_answer(struct itp_work *work, const struct itp_move *move,
			struct itp_work_side *side)
{
	uint32_t hop = itp_work_resolve(work, side->asker);
	struct itp_segment first;
	bool has_several;
	bool has_first = take_segments(side, move->bytes, &first, &has_several);

	if (hop == ITP_HOP_NONE || itp_job_take(work, move, side, has_first ? &first : NULL)) {
		return;
	}
	side->is_answered = true;
	g_array_index(work->asks, struct itp_ask, side->ask).end_ns = move->end_ns;
	if (itp_connections_peer(work->pairs, move->side) == ITP_SIDE_NONE) {
		itp_work_doubt(work, hop,
			       itp_connections_is_unclear(work->pairs, move->side) ?
				       ITP_HOP_UNCLEAR :
				       ITP_HOP_STRANGER);
	}
	if (itp_work_hop(work, hop)->is_client) {
		itp_work_hop(work, hop)->is_answered = true;
	}
	extend(work, hop, move->end_ns);
	itp_worker_take(itp_work_worker(work, move->tid), hop, true);
}

static uint32_t add_taken(struct itp_work *work, const struct itp_move *move,
			  struct itp_work_side *side, const struct itp_segment *first)
{
	uint32_t parent = first ? itp_work_resolve(work, first->hop) : ITP_HOP_NONE;
	uint32_t hop = itp_work_add_hop(work, move, move->end_ns, parent);
	struct itp_work_hop *taken = itp_work_hop(work, hop);

	taken->message = first ? first->message : 0;
	taken->is_one_way = side->is_one_way;
	if (first) {
		taken->hop.sent_ns = MIN(first->begin_ns, move->end_ns);
	}
	if (parent != ITP_HOP_NONE) {
		itp_work_hop(work, parent)->children++;
	} else if (itp_connections_is_unclear(work->pairs, move->side)) {
		itp_work_doubt(work, hop, ITP_HOP_REST);
	}
	return hop;
}

static void take_request(struct itp_work *work, const struct itp_move *move,
			 struct itp_work_side *side)
{
	struct itp_segment first = { .hop = ITP_HOP_NONE };
	bool has_several;
	bool has_first = take_segments(side, move->bytes, &first, &has_several);
	uint32_t open = itp_work_resolve(work, side->open);
	bool is_new;

	if (open != ITP_HOP_NONE && side->is_one_way) {
		extend(work, open, move->begin_ns);
	}
	is_new = open == ITP_HOP_NONE || itp_work_hop(work, open)->is_answered ||
		 (has_first && first.message != itp_work_hop(work, open)->message);
	if (is_new && open != ITP_HOP_NONE && has_first && !side->is_one_way &&
	    first.message == itp_work_hop(work, open)->message) {
		itp_work_doubt(work, first.hop, ITP_HOP_SHARED);
	}
	side->open = is_new ? add_taken(work, move, side, has_first ? &first : NULL) : open;
	if (has_several) {
		itp_work_doubt(work, first.hop, ITP_HOP_SHARED);
		itp_work_doubt(work, side->open, ITP_HOP_SHARED);
	}
	itp_worker_take(itp_work_worker(work, move->tid), side->open, false);
}

static void on_took(struct itp_work *work, const struct itp_move *move)
{
	struct itp_work_side *side = itp_work_side(work, move->side);

	if (!is_of_interest(work, move->side) || move->bytes == 0) {
		return;
	}
	leave_hop(work, move);
	if (is_own(work, move)) {
		take_own(work, move);
	} else if (role_of(work, move->side, false) == ITP_ROLE_ASKS) {
		take_answer(work, move, side);
	} else {
		take_request(work, move, side);
	}
}

static void on_connected(struct itp_work *work, const struct itp_move *move)
{
	struct itp_worker *worker = itp_work_worker(work, move->tid);

	if (itp_worker_is_known(work, worker)) {
		uint32_t owner = itp_worker_asks_for(work, worker, move);

		itp_work_hop(work, owner)->is_connecting = itp_work_hop(work, owner)->is_client;
		itp_work_side(work, move->side)->owner = owner;
	}
}

/* Forgets for whom work is done. */
static void forget_workers(struct itp_work *work)
{
	g_hash_table_remove_all(work->workers);
	for (uint32_t i = 0; i < work->hops->len; i++) {
		struct itp_work_hop *hop = itp_work_hop(work, i);

		if (hop->same_as == ITP_HOP_NONE && !hop->is_answered && !hop->is_one_way) {
			itp_work_doubt(work, i, ITP_HOP_LOST);
			hop->is_answered = true;
		}
	}
	for (uint32_t i = 0; i < work->sides->len; i++) {
		struct itp_work_side *side = &g_array_index(work->sides, struct itp_work_side, i);

		side->open = ITP_HOP_NONE;
		side->asker = ITP_HOP_NONE;
		side->owner = ITP_HOP_NONE;
		g_clear_pointer(&side->segments, g_array_unref);
		side->first = 0;
	}
}

static void on_closed(struct itp_work *work, const struct itp_move *move)
{
	const struct itp_work_side *side = itp_work_side(work, move->side);
	uint32_t hop = itp_work_resolve(work, side->asker);

	if (side->role == ITP_ROLE_ASKS && hop != ITP_HOP_NONE) {
		itp_worker_closes(work, itp_work_worker(work, move->tid), hop);
	}
}

static void on_move(struct itp_work *work, const struct itp_move *move)
{
	struct itp_move woken = *move;

	switch (move->kind) {
	case ITP_MOVE_SENT:
		on_sent(work, move);
		break;
	case ITP_MOVE_TOOK:
		on_took(work, move);
		break;
	case ITP_MOVE_CONNECTED:
		on_connected(work, move);
		break;
	case ITP_MOVE_WAITED:
		leave_hop(work, move);
		itp_turn_end(work, itp_work_worker(work, move->tid), move);
		/* A wait for a single descriptor is as a wait in a read of it. */
		if (!move->is_of_one) {
			itp_work_worker(work, move->tid)->current = ITP_HOP_NONE;
		}
		break;
	case ITP_MOVE_WOKE:
		if (move->is_signal) {
			woken.tid = move->other_tid;
			itp_worker_wakes(work, itp_work_worker(work, move->tid)->current, &woken);
		}
		break;
	case ITP_MOVE_LOST:
		forget_workers(work);
		break;
	case ITP_MOVE_CLOSED:
		on_closed(work, move);
		break;
	case ITP_MOVE_LOOKED:
	case ITP_MOVE_ACCEPTED:
		break;
	}
}

static int64_t time_of_move(const struct itp_move *move)
{
	return move->kind == ITP_MOVE_SENT ? move->begin_ns : move->end_ns;
}

static gint compare_moves(gconstpointer a, gconstpointer b, gpointer traffic)
{
	guint left = *(const guint *)a;
	guint right = *(const guint *)b;
	int64_t left_ns = time_of_move(itp_traffic_move(traffic, left));
	int64_t right_ns = time_of_move(itp_traffic_move(traffic, right));

	return left_ns != right_ns ? (left_ns > right_ns) - (left_ns < right_ns) :
				     (left > right) - (left < right);
}

void itp_hops_find(struct itp_hops *hops, const struct itp_traffic *traffic,
		   const struct itp_connections *pairs)
{
	g_autoptr(GArray) order =
		g_array_sized_new(FALSE, FALSE, sizeof(guint), traffic->moves->len);
	struct itp_brokers brokers;
	struct itp_work work;

	for (guint i = 0; i < traffic->moves->len; i++) {
		g_array_append_val(order, i);
	}
	g_array_sort_with_data(order, compare_moves, (gpointer)traffic);
	itp_brokers_find(&brokers, traffic, order);
	itp_work_init(&work, traffic, pairs, &brokers);
	note_ways(&work);
	for (guint i = 0; i < order->len; i++) {
		on_move(&work, itp_traffic_move(traffic, g_array_index(order, guint, i)));
	}
	itp_workers_conclude(&work);
	itp_jobs_conclude(&work);
	itp_work_gather(&work, hops);
	itp_work_release(&work);
	itp_brokers_release(&brokers);
}

void itp_hops_release(struct itp_hops *hops)
{
	g_array_unref(hops->list);
	g_array_unref(hops->asks);
	g_array_unref(hops->roots);
}
