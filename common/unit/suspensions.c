/* SPDX-License-Identifier: MIT */
/*
 * See suspensions.h.
 */
#include "common/unit/suspensions.h"

#include "common/unit/begin-end.h"

/* Most other units kept of a thread, some five megabytes, as each request searches them for its
 * own; then the oldest counts as one that has not ended. */
#define OTHERS_MOST 4096

static uint32_t loop_depth_of(const struct itp_turns *turns, const struct itp_open_unit *open)
{
	return itp_context_tree_get(turns->tree, open->loop)->depth;
}

/* The thread turns away from the unit, in the middle of the unit. */
static void turn_away(struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_turn *turn)
{
	struct itp_open_unit *other = itp_open_unit_new();

	itp_open_unit_say(open, &turn->talk);
	itp_open_unit_end_piece(open, turn->at_ns);
	open->piece_ns = INT64_MAX;
	if (open->others->len == OTHERS_MOST) {
		turns->gaps.open_units++;
		g_ptr_array_remove_index(open->others, 0);
	}
	itp_open_unit_exchange(open, other);
	other->is_interleaved = true;
	other->waited_before = open->waited;
	open->has_turned_away = true;
	open->others_depth = MAX(open->others_depth, loop_depth_of(turns, other));
	open->is_between = true;
	open->unit = other->unit;
	open->loop = other->loop;
	open->wait = other->wait;
	open->left_depth = other->left_depth;
	g_ptr_array_add(open->others, other);
}

static struct itp_open_unit *other_at(const struct itp_open_unit *open, guint i)
{
	return g_ptr_array_index(open->others, i);
}

static struct itp_turn turn_at(const struct itp_halt *halt)
{
	return (struct itp_turn){ .at_ns = halt->begin_ns, .talk = halt->talk };
}

/* Index of the client's unit among the others; their number: none. */
static guint place_of_client(const struct itp_open_unit *open, int32_t client)
{
	guint i = 0;

	while (i < open->others->len && other_at(open, i)->client != client) {
		i++;
	}
	return i;
}

/* Takes a unit up, with none at hand. It has waited as its thread has; and the loop has called
 * something else. */
static void take_up(const struct itp_turns *turns, struct itp_open_unit *open, guint place,
		    const struct itp_turn *turn)
{
	itp_open_unit_exchange(open, other_at(open, place));
	g_ptr_array_remove_index(open->others, place);
	itp_time_use_add(&open->unit.use, &open->waited, 1);
	itp_time_use_add(&open->unit.use, &open->waited_before, -1);
	open->left_depth = MIN(open->left_depth, loop_depth_of(turns, open) + 1);
	open->has_waited = true;
	open->talk = turn->talk;
	open->piece_ns = turn->at_ns;
}

/* Adds the work since the wait before to the suspended unit. A signal interrupts the wait of any
 * unit, as when a program ends that the unit before has begun: what is done about it says nothing
 * of the kind. */
static void keep_work(struct itp_open_unit *open)
{
	if (!open->is_suspended || open->resumed.outcome != ITP_HALT_INTERRUPTED) {
		itp_path_set_add_all(open->suspended_paths, open->paths);
		itp_path_set_add_all(open->suspended_ticks, open->ticks);
	}
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->ticks, 0);
}

static void note_wait(struct itp_open_unit *open, const struct itp_halt *halt)
{
	keep_work(open);
	if (!open->is_suspended) {
		open->is_suspended = true;
		open->suspended_ns = halt->begin_ns;
		open->suspended_use = open->unit.use;
	}
	open->resumed = *halt;
}

void itp_turns_suspend(const struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt)
{
	note_wait(open, halt);
	open->has_blocked |= halt->blocked_ns > 0;
	open->is_resuming = true;
	itp_turns_wait_inside(turns, open, halt);
}

/* Ends the earlier unit of the thread, as far as known: it has lasted until its first
 * suspension. */
static void end_suspended(struct itp_turns *turns, struct itp_open_unit *open)
{
	struct itp_halt suspended = open->resumed;

	suspended.begin_ns = open->suspended_ns;
	open->unit.use = open->suspended_use;
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->ticks, 0);
	itp_turns_end(turns, open, &suspended);
}

/* Begins a unit at the thread's return from its latest wait. */
static void begin_resumed(struct itp_turns *turns, struct itp_open_unit *open, bool is_another)
{
	g_autoptr(GArray) paths = g_array_copy(open->paths);
	g_autoptr(GArray) ticks = g_array_copy(open->ticks);
	const struct itp_halt resumed = open->resumed;
	const struct itp_turn turn = { .at_ns = resumed.run_ns, .talk = resumed.talk };
	struct itp_time_use use = open->unit.use;
	const uint32_t loop = open->loop;
	const uint32_t left_depth = open->left_depth;

	itp_time_use_add(&use, &open->resumed_use, -1);
	if (is_another) {
		open->unit.use = open->resumed_use;
		g_array_set_size(open->paths, 0);
		g_array_set_size(open->ticks, 0);
		turn_away(turns, open, &turn);
	} else {
		end_suspended(turns, open);
	}
	itp_turns_begin(turns, open, &resumed, loop);
	open->left_depth = left_depth;
	open->unit.use = use;
	itp_path_set_add_all(open->paths, paths);
	itp_path_set_add_all(open->ticks, ticks);
}

void itp_turns_overtake(struct itp_turns *turns, struct itp_open_unit *open,
			const struct itp_halt *halt)
{
	const bool is_another = open->client >= 0 && halt->descriptor != open->client;
	const bool has_worked = !open->is_suspended || halt->request.owner == open->client;
	const struct itp_turn here = turn_at(halt);

	if (is_another && has_worked) {
		turn_away(turns, open, &here);
		itp_turns_begin_found(turns, open, halt, open->loop, open->wait);
	} else {
		begin_resumed(turns, open, is_another);
	}
}

void itp_turns_turn_to(struct itp_turns *turns, struct itp_open_unit *open, int32_t client,
		       const struct itp_halt *halt, const struct itp_turn *turn)
{
	const bool is_at_hand = open->is_open && open->client == client;
	const guint place = client < 0 || is_at_hand ? open->others->len :
						       place_of_client(open, client);
	struct itp_halt view;

	if (place == open->others->len) {
		return;
	}
	if (open->is_open && open->answered_ns > open->unit.begin_ns) {
		view = itp_open_unit_view(open, halt);
		view.talk = turn->talk;
		itp_turns_end(turns, open, &view);
	} else if (open->is_open && open->client >= 0) {
		turn_away(turns, open, turn);
	}
	take_up(turns, open, place_of_client(open, client), turn);
}

void itp_turns_read_other(struct itp_turns *turns, struct itp_open_unit *open,
			  const struct itp_halt *halt)
{
	const guint place = place_of_client(open, halt->descriptor);
	const struct itp_turn here = turn_at(halt);
	const bool was_open = open->is_open;

	if (place == open->others->len) {
		return;
	}
	if (!other_at(open, place)->is_suspended) {
		itp_turns_turn_to(turns, open, halt->descriptor, halt, &here);
		return;
	}
	if (was_open) {
		turn_away(turns, open, &here);
	}
	take_up(turns, open, place, &here);
	open->resumed.talk = open->talk;
	end_suspended(turns, open);
	if (was_open) {
		take_up(turns, open, open->others->len - 1, &here);
	}
}

void itp_turns_keep_left(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	const struct itp_turn here = turn_at(halt);

	if (open->is_open && open->client >= 0 && open->answered_ns <= open->unit.begin_ns &&
	    halt->request.place == ITP_REQUEST_OPEN) {
		open->left_depth = loop_depth_of(turns, open) + 1;
		turn_away(turns, open, &here);
	}
}

/* Drops other units with a loop that the thread has left, but for those of clients. */
static void leave_others(const struct itp_turns *turns, struct itp_open_unit *open,
			 uint32_t left_depth)
{
	for (guint i = open->others->len; i > 0; i--) {
		const struct itp_open_unit *other = other_at(open, i - 1);

		if (other->client < 0 && left_depth <= loop_depth_of(turns, other)) {
			g_ptr_array_remove_index(open->others, i - 1);
		}
	}
}

void itp_turns_keep_others(const struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt)
{
	const struct itp_time_use waited = itp_open_unit_waited(open, halt);

	itp_time_use_add(&open->waited, &waited, 1);
	if (open->others->len > 0 && !halt->is_unsure && halt->left_depth <= open->others_depth) {
		leave_others(turns, open, halt->left_depth);
	}
	if (open->has_turned_away && halt->class == ITP_WAIT_CLASS_EVENT && !halt->only_looks) {
		for (guint i = 0; i < open->others->len; i++) {
			if (!other_at(open, i)->is_suspended) {
				note_wait(other_at(open, i), halt);
			}
		}
		open->has_turned_away = false;
	}
}

void itp_turns_stay(struct itp_open_unit *open, const struct itp_halt *halt)
{
	const struct itp_time_use waited = itp_open_unit_waited(open, halt);

	itp_open_unit_end_piece(open, open->resumed.run_ns);
	open->piece_ns = halt->begin_ns;
	itp_time_use_add(&open->unit.use, &waited, 1);
	if (halt->is_unsure) {
		open->is_unsure = true;
	} else {
		open->left_depth = MIN(open->left_depth, halt->left_depth);
	}
}

bool itp_turns_is_for_nobody(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return open->is_open && open->others->len > 0 && open->client >= 0 && open->is_suspended &&
	       open->has_just_waited && halt->request.owner < 0 &&
	       !itp_open_unit_is_overtaken(open, halt);
}

void itp_turns_await_others(const struct itp_turns *turns, struct itp_open_unit *open,
			    const struct itp_halt *halt)
{
	const struct itp_turn here = turn_at(halt);

	if (open->others->len != 1 || (open->is_open && open->client >= 0)) {
		return;
	}
	take_up(turns, open, 0, &here);
	itp_turns_suspend(turns, open, halt);
}
