/* SPDX-License-Identifier: MIT */
/*
 * See coroutines.h.
 */
#include "common/unit/coroutines.h"

#include "common/base/hash.h"
#include "common/unit/begin-end.h"

/* Most units set aside, some five megabytes; a unit beyond ends as if without a client. */
#define ASIDE_MOST 4096

static gpointer client_of(int32_t pid, int32_t descriptor)
{
	return itp_pair((uint32_t)pid, (uint32_t)descriptor);
}

static bool is_unit_for(const struct itp_open_unit *open, int32_t client)
{
	return open->is_open && open->unit.is_of_coroutine && open->read_of == client;
}

static struct itp_open_unit *aside_of(const struct itp_turns *turns, int32_t pid, int32_t client)
{
	return g_hash_table_lookup(turns->aside, client_of(pid, client));
}

/* True when a client waits for the unit's answer. */
static bool is_awaited(const struct itp_turns *turns, const struct itp_open_unit *open)
{
	return !turns->keeps_turns && open->is_asked_for &&
	       open->answered_ns <= open->unit.begin_ns;
}

bool itp_turns_set_aside(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	const gpointer client = client_of(open->unit.pid, open->read_of);
	struct itp_open_unit *other;

	if (!is_awaited(turns, open) || g_hash_table_size(turns->aside) >= ASIDE_MOST) {
		return false;
	}
	if (g_hash_table_lookup(turns->readers, client) != GINT_TO_POINTER(halt->tid)) {
		/* Another coroutine has read more of the request, and goes on with the unit. */
		open->is_open = false;
		return true;
	}
	other = itp_open_unit_new();
	itp_open_unit_say(open, &halt->talk);
	itp_open_unit_exchange(open, other);
	other->resumed = *halt;
	g_hash_table_replace(turns->aside, client, other);
	return true;
}

void itp_turns_end_answered(struct itp_turns *turns, struct itp_open_unit *open,
			    const struct itp_halt *halt)
{
	if (open->is_open && !turns->keeps_turns && itp_open_unit_is_own_answer(open, halt) &&
	    itp_open_unit_ends_with_answer(open, halt)) {
		itp_turns_end(turns, open, halt);
	}
}

/* Unit of the client's coroutine, set aside or in another thread that has read of him last. */
static struct itp_open_unit *unit_elsewhere(const struct itp_turns *turns,
					    const struct itp_halt *halt, int32_t client)
{
	const gpointer reader = g_hash_table_lookup(turns->readers, client_of(halt->pid, client));
	struct itp_open_unit *other = aside_of(turns, halt->pid, client);

	if (!other && reader && GPOINTER_TO_INT(reader) != halt->tid) {
		other = g_hash_table_lookup(turns->threads, reader);
	}
	return other && is_unit_for(other, client) ? other : NULL;
}

/* Ends the unit of the client's coroutine, set aside or in another thread, with an answer of thread
 * `answer.tid`. */
static void end_with(struct itp_turns *turns, struct itp_open_unit *other, int32_t client,
		     struct itp_last_answer answer, const struct itp_halt *halt)
{
	struct itp_halt view = *halt;

	/* The size of the answer is among the thread's bytes for others. */
	view.talk = other->talk;
	view.request.answered = client;
	view.request.answered_ns = answer.time_ns;
	view.request.learned_ns = answer.learned_ns;
	other->has_several_clients = true;
	other->answered_ns = answer.time_ns;
	other->answered_use = other->unit.use;
	other->answered_paths = other->paths->len;
	other->answered_ticks = other->ticks->len;
	other->unit.tid = answer.tid;
	itp_turns_end(turns, other, &view);
	if (other == aside_of(turns, halt->pid, client)) {
		g_hash_table_remove(turns->aside, client_of(halt->pid, client));
	}
}

/* Ends the unit of the client whose next request is read, when the thread that has answered has not
 * waited yet, and tells of the answer later. */
static void end_before(struct itp_turns *turns, const struct itp_halt *halt)
{
	struct itp_open_unit *other = unit_elsewhere(turns, halt, halt->descriptor);

	if (other && !turns->keeps_turns && halt->answer.time_ns > other->unit.begin_ns) {
		end_with(turns, other, halt->descriptor, halt->answer, halt);
	}
}

/* More is read of the client: parts of one request may come by and by, and another coroutine may
 * have read the first. The unit of a server that never answers ends with the next read. */
static void take_from_aside(struct itp_turns *turns, const struct itp_halt *halt, uint32_t loop)
{
	const gpointer client = client_of(halt->pid, halt->descriptor);
	struct itp_open_unit *other = aside_of(turns, halt->pid, halt->descriptor);

	if (!other) {
		return;
	}
	g_hash_table_steal(turns->aside, client);
	if (other->loop == loop &&
	    !g_hash_table_contains(turns->answering, GUINT_TO_POINTER(loop))) {
		itp_turns_end(turns, other, &other->resumed);
	}
	itp_open_unit_free(other);
}

/* The thread leaves its unit. A unit of the thread's own loop, or one without a waiting client, is
 * told only when the thread was not woken for anything else, or when the coroutine has answered. */
static void leave_unit(struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt)
{
	if (!open->is_open ||
	    (open->unit.is_of_coroutine && itp_turns_set_aside(turns, open, halt))) {
		return;
	}
	if (open->paths->len > 0 &&
	    (open->woken_ns == 0 ||
	     (open->unit.is_of_coroutine && itp_open_unit_ends_with_answer(open, halt)))) {
		itp_turns_end(turns, open, halt);
	}
	open->is_open = false;
}

uint32_t itp_turns_look_of(const struct itp_turns *turns, const struct itp_halt *halt)
{
	if (halt->is_unplaced && !turns->keeps_turns) {
		return GPOINTER_TO_UINT(g_hash_table_lookup(
			turns->read_in, client_of(halt->pid, halt->descriptor)));
	}
	return halt->only_looks ? halt->node : ITP_CONTEXT_ROOT;
}

static void begin_coroutine_unit(struct itp_turns *turns, struct itp_open_unit *open,
				 const struct itp_halt *halt, uint32_t look, uint32_t loop)
{
	struct itp_halt placed = *halt;

	placed.node = look;
	end_before(turns, halt);
	take_from_aside(turns, halt, loop);
	itp_turns_begin(turns, open, &placed, loop);
	open->unit.is_of_coroutine = true;
	open->read_of = halt->descriptor;
	open->is_asked_for = halt->side == ITP_CONVERSATION_SERVES;
	g_hash_table_insert(turns->readers, client_of(halt->pid, halt->descriptor),
			    GINT_TO_POINTER(halt->tid));
	g_hash_table_insert(turns->read_in, client_of(halt->pid, halt->descriptor),
			    GUINT_TO_POINTER(look));
	if (!turns->keeps_turns) {
		open->unit.begin_ns = halt->begin_ns;
		open->has_waited = true;
	}
	if (open->woken_ns > 0) {
		open->unit.begin_ns = open->woken_ns;
		open->unit.use = open->woken_use;
		itp_time_use_add(&open->unit.use, &halt->use, 1);
	}
	open->answered_ns = open->unit.begin_ns;
}

void itp_turns_take_look(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt, uint32_t look, uint32_t loop)
{
	const bool is_own = open->is_open && open->unit.is_of_coroutine && open->loop == loop;

	if (halt->would_block && !is_own) {
		if (open->is_open) {
			itp_turns_wait_inside(turns, open, halt);
		}
		return;
	}
	leave_unit(turns, open, halt);
	if (!halt->would_block) {
		begin_coroutine_unit(turns, open, halt, look, loop);
	}
	open->woken_ns = 0;
}

void itp_turns_end_elsewhere(struct itp_turns *turns, struct itp_open_unit *open,
			     const struct itp_halt *halt)
{
	const int32_t client = halt->request.answered;
	struct itp_open_unit *other = unit_elsewhere(turns, halt, client);

	if (!other || halt->request.answered_ns <= other->unit.begin_ns) {
		return;
	}
	if (is_unit_for(open, client)) {
		open->is_open = false;
		open->is_between = true;
	}
	end_with(turns, other, client,
		 (struct itp_last_answer){ halt->request.answered_ns, halt->request.learned_ns,
					   halt->tid },
		 halt);
}

void itp_turns_give_up_aside(struct itp_turns *turns, const struct itp_halt *halt)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, turns->aside);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		const struct itp_open_unit *other = data;

		if (other->unit.tid == halt->tid) {
			itp_turns_note_open(turns, other, halt, true);
			g_hash_table_iter_remove(&iter);
		}
	}
}
