/* SPDX-License-Identifier: MIT */
/*
 * See brokers.h. The traffic is gone through three times: for processes that answer a turn later,
 * for brokers and their order of answers, and for causes.
 *
 * Units of the search are stretches of a thread's turn: it takes from some, and then answers some.
 */
#include "common/through/brokers.h"

#include "common/base/hash.h"

/* Take of an answer whose request was not taken in the stretch. */
#define EARLIER (-1)

enum pass {
	PASS_TURNS,
	PASS_HABITS,
	PASS_CAUSES,
};

struct reply {
	guint move;
	/* Number of the answered take in the stretch; EARLIER. */
	gint taken;
};

/* The current stretch of a thread. */
struct stretch {
	uint64_t number;
	/* guint: moves that took bytes. Owned by this. */
	GArray *takes;
	/* struct reply. Owned by this. */
	GArray *replies;
	/* Somebody asked by the thread has answered in the turn. */
	bool has_own_cause;
	/* Number of the thread's waits for any event, and of its sleeps in them. */
	uint64_t waits;
	uint64_t sleeps;
};

/* Habits of a process. */
struct server {
	/* Takes answered before the next wait; and behind a wait in which the thread did not
	 * sleep. */
	guint at_once;
	guint later;
	/* Answers to waiting sides at a take. */
	guint handed;
	/* Part of them before the answer to the taken request, and behind. */
	guint before;
	guint behind;
	/* Pairs of answers in the order of their requests, or against it. */
	guint in_order;
	guint reversed;
	/* Bytes of an answer to a waiting side without any take; and whether it came with others as
	 * well. */
	int64_t alone_bytes;
	bool is_alone_often;
};

/* Request taken from a side and not answered. */
struct open {
	bool is_open;
	uint64_t stretch;
	gint taken;
	/* Counts of the thread at the take, and the thread. */
	uint64_t waits;
	uint64_t sleeps;
	int32_t tid;
};

struct search {
	/* Weak. */
	const struct itp_traffic *traffic;
	struct itp_brokers *brokers;
	/* struct open by side, struct stretch by thread, struct server by process. Owned by this.
	 */
	GArray *sides;
	GHashTable *stretches;
	GHashTable *servers;
	uint64_t stretch_count;
	enum pass pass;
};

static void free_stretch(gpointer data)
{
	struct stretch *stretch = data;

	g_array_unref(stretch->takes);
	g_array_unref(stretch->replies);
	g_free(stretch);
}

static void begin_stretch(struct search *search, struct stretch *stretch)
{
	g_array_set_size(stretch->takes, 0);
	g_array_set_size(stretch->replies, 0);
	stretch->number = ++search->stretch_count;
}

static struct stretch *stretch_of(struct search *search, int32_t tid)
{
	struct stretch *stretch = g_hash_table_lookup(search->stretches, GINT_TO_POINTER(tid));

	if (!stretch) {
		stretch = g_new0(struct stretch, 1);
		stretch->takes = g_array_new(FALSE, FALSE, sizeof(guint));
		stretch->replies = g_array_new(FALSE, FALSE, sizeof(struct reply));
		g_hash_table_insert(search->stretches, GINT_TO_POINTER(tid), stretch);
		begin_stretch(search, stretch);
	}
	return stretch;
}

static struct server *server_of(const struct search *search, int32_t pid)
{
	struct server *server = g_hash_table_lookup(search->servers, GINT_TO_POINTER(pid));

	if (!server) {
		server = g_new0(struct server, 1);
		g_hash_table_insert(search->servers, GINT_TO_POINTER(pid), server);
	}
	return server;
}

/* True for a side through which its process answers, and does not ask. */
static bool is_answering(const struct itp_side *side)
{
	return side->kind == ITP_SIDE_ACCEPTED ||
	       (side->kind == ITP_SIDE_UNKNOWN && side->is_socket && side->takes &&
		(!side->sends ||
		 g_array_index(side->takes, guint, 0) < g_array_index(side->sends, guint, 0)));
}

/* True when the process always answers a turn later. */
static bool answers_later(const struct search *search, int32_t pid)
{
	const struct server *server = server_of(search, pid);

	return search->pass != PASS_TURNS && server->later >= ITP_HABIT_LEAST &&
	       server->at_once == 0;
}

static const struct reply *reply_at(const struct stretch *stretch, guint i)
{
	return &g_array_index(stretch->replies, struct reply, i);
}

static int64_t bytes_of(const struct search *search, const struct reply *reply)
{
	return itp_traffic_move(search->traffic, reply->move)->bytes;
}

static void note_alone(struct server *server, int64_t bytes)
{
	server->is_alone_often |= server->alone_bytes > 0 && server->alone_bytes != bytes;
	server->alone_bytes = bytes;
}

/* Place of the reply to the only take; -1 without a reply. */
static gint own_reply(const struct stretch *stretch)
{
	for (guint i = 0; i < stretch->replies->len; i++) {
		if (reply_at(stretch, i)->taken != EARLIER) {
			return (gint)i;
		}
	}
	return -1;
}

static void learn_from_stretch(const struct search *search, struct server *server,
			       const struct stretch *stretch)
{
	gint own = stretch->takes->len == 1 ? own_reply(stretch) : -1;
	gint last = EARLIER;

	for (guint i = 0; i < stretch->replies->len; i++) {
		const struct reply *reply = reply_at(stretch, i);

		if (reply->taken == EARLIER && stretch->takes->len == 0) {
			note_alone(server, bytes_of(search, reply));
		} else if (reply->taken == EARLIER) {
			server->handed++;
			server->before += own > (gint)i;
			server->behind += own >= 0 && own < (gint)i;
		} else {
			server->in_order += last != EARLIER && last < reply->taken;
			server->reversed += last > reply->taken;
			last = reply->taken;
		}
	}
}

static bool is_broker(const struct server *server)
{
	return server->handed >= ITP_HABIT_LEAST && !server->is_alone_often;
}

/* True when the order of its answers to the takes of a stretch is known: each take's own, and then
 * the one it was the cause of (*ret_is_reversed: from the end on). */
static bool has_order(const struct server *server, bool *ret_is_reversed)
{
	*ret_is_reversed = server->reversed > server->in_order;
	return server->in_order + server->reversed >= ITP_HABIT_LEAST &&
	       (*ret_is_reversed ? server->behind == 0 : server->before == 0) &&
	       server->before + server->behind > 0;
}

static void note_cause(const struct search *search, const struct server *server,
		       const struct reply *reply, guint cause)
{
	if (bytes_of(search, reply) != server->alone_bytes) {
		g_hash_table_insert(search->brokers->causes, GUINT_TO_POINTER(reply->move + 1),
				    GUINT_TO_POINTER(cause));
	}
}

/* Each take is answered before the next one; an answer out of turn is to a side that waited. */
static void find_causes(const struct search *search, const struct server *server,
			const struct stretch *stretch)
{
	guint count = stretch->replies->len;
	bool is_reversed;
	bool is_ordered = has_order(server, &is_reversed);
	gint current = stretch->takes->len == 1 ? 0 : EARLIER;

	for (guint i = 0; i < count; i++) {
		const struct reply *reply = reply_at(stretch, is_reversed ? count - 1 - i : i);

		if (is_ordered && reply->taken > current) {
			current = reply->taken;
		} else if (reply->taken == EARLIER || (is_ordered && reply->taken < current)) {
			note_cause(search, server, reply,
				   current == EARLIER || (stretch->takes->len > 1 && !is_ordered) ?
					   ITP_MOVE_NONE :
					   g_array_index(stretch->takes, guint, current));
		}
	}
}

static void end_stretch(struct search *search, struct stretch *stretch)
{
	if (stretch->replies->len > 0 && !stretch->has_own_cause) {
		const struct itp_move *move =
			itp_traffic_move(search->traffic, reply_at(stretch, 0)->move);
		struct server *server = server_of(search, move->pid);

		if (search->pass == PASS_HABITS) {
			learn_from_stretch(search, server, stretch);
		} else if (search->pass == PASS_CAUSES && is_broker(server) &&
			   stretch->takes->len > 0) {
			find_causes(search, server, stretch);
		}
	}
	begin_stretch(search, stretch);
}

static void on_took(struct search *search, guint i, const struct itp_move *move)
{
	struct stretch *stretch = stretch_of(search, move->tid);
	struct open *open = &g_array_index(search->sides, struct open, move->side);

	if (!is_answering(itp_traffic_side(search->traffic, move->side))) {
		stretch->has_own_cause |= itp_traffic_side(search->traffic, move->side)->is_socket;
		return;
	}
	if (stretch->replies->len > 0 && !answers_later(search, move->pid)) {
		end_stretch(search, stretch);
	}
	if (!open->is_open) {
		*open = (struct open){ .is_open = true,
				       .stretch = stretch->number,
				       .taken = (gint)stretch->takes->len,
				       .waits = stretch->waits,
				       .sleeps = stretch->sleeps,
				       .tid = move->tid };
		g_array_append_val(stretch->takes, i);
	}
}

/* The thread answers its take, and has not slept since. */
static void learn_turn(const struct search *search, const struct stretch *stretch,
		       const struct open *open, const struct itp_move *move)
{
	struct server *server = server_of(search, move->pid);

	if (search->pass == PASS_TURNS && open->tid == move->tid &&
	    open->sleeps == stretch->sleeps) {
		server->at_once += open->waits == stretch->waits;
		server->later += open->waits != stretch->waits;
	}
}

static void on_sent(struct search *search, guint i, const struct itp_move *move)
{
	struct open *open = &g_array_index(search->sides, struct open, move->side);

	if (open->is_open) {
		struct stretch *stretch = stretch_of(search, move->tid);
		const struct reply reply = { i, open->stretch == stretch->number ? open->taken :
										   EARLIER };

		learn_turn(search, stretch, open, move);
		g_array_append_val(stretch->replies, reply);
		open->is_open = false;
	}
}

static void on_waited(struct search *search, const struct itp_move *move)
{
	struct stretch *stretch = stretch_of(search, move->tid);

	if (move->has_slept || !answers_later(search, move->pid)) {
		end_stretch(search, stretch);
		stretch->has_own_cause = false;
	}
	stretch->waits++;
	stretch->sleeps += move->has_slept;
}

static void end_stretches(struct search *search)
{
	GHashTableIter iter;
	gpointer stretch;

	g_hash_table_iter_init(&iter, search->stretches);
	while (g_hash_table_iter_next(&iter, NULL, &stretch)) {
		end_stretch(search, stretch);
	}
}

static void go_through(struct search *search, const GArray *order)
{
	g_hash_table_remove_all(search->stretches);
	g_array_set_size(search->sides, 0);
	g_array_set_size(search->sides, search->traffic->sides->len);
	for (guint i = 0; i < order->len; i++) {
		guint number = g_array_index(order, guint, i);
		const struct itp_move *move = itp_traffic_move(search->traffic, number);

		if (move->kind == ITP_MOVE_TOOK && move->bytes > 0) {
			on_took(search, number, move);
		} else if (move->kind == ITP_MOVE_SENT && move->bytes > 0) {
			on_sent(search, number, move);
		} else if (move->kind == ITP_MOVE_WAITED) {
			on_waited(search, move);
		} else if (move->kind == ITP_MOVE_LOST) {
			g_hash_table_remove_all(search->stretches);
			g_array_set_size(search->sides, 0);
			g_array_set_size(search->sides, search->traffic->sides->len);
		}
	}
	end_stretches(search);
}

void itp_brokers_find(struct itp_brokers *brokers, const struct itp_traffic *traffic,
		      const GArray *order)
{
	struct search search = {
		.traffic = traffic,
		.brokers = brokers,
		.sides = g_array_new(FALSE, TRUE, sizeof(struct open)),
		.stretches = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_stretch),
		.servers = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
	};

	brokers->causes = g_hash_table_new(itp_hash_number, NULL);
	for (search.pass = PASS_TURNS; search.pass <= PASS_CAUSES; search.pass++) {
		go_through(&search, order);
	}
	g_array_unref(search.sides);
	g_hash_table_unref(search.stretches);
	g_hash_table_unref(search.servers);
}

void itp_brokers_release(struct itp_brokers *brokers)
{
	g_hash_table_unref(brokers->causes);
}

bool itp_brokers_hands(const struct itp_brokers *brokers, guint move, guint *ret_cause)
{
	gpointer cause;

	if (!g_hash_table_lookup_extended(brokers->causes, GUINT_TO_POINTER(move + 1), NULL,
					  &cause)) {
		return false;
	}
	*ret_cause = GPOINTER_TO_UINT(cause);
	return true;
}
