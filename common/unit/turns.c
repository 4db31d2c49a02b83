/* SPDX-License-Identifier: MIT */
/*
 * See turns.h.
 */
#include "common/unit/turns.h"

#include "common/base/hash.h"
#include "common/unit/begin-end.h"
#include "common/unit/coroutines.h"
#include "common/unit/inheritance.h"
#include "common/unit/suspensions.h"

void itp_turns_init(struct itp_turns *turns, const struct itp_context_tree *tree,
		    const struct itp_function_table *functions)
{
	*turns = (struct itp_turns){ .tree = tree, .functions = functions };
	turns->contexts = itp_own_contexts_new(tree, functions);
	turns->paths = itp_path_sets_new();
	turns->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, itp_open_unit_free);
	turns->readers = g_hash_table_new(itp_hash_number, NULL);
	turns->read_in = g_hash_table_new(itp_hash_number, NULL);
	turns->aside = g_hash_table_new_full(itp_hash_number, NULL, NULL, itp_open_unit_free);
	turns->answering = g_hash_table_new(itp_hash_number, NULL);
	turns->waits =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, (GDestroyNotify)g_array_unref);
	turns->reads =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, (GDestroyNotify)g_array_unref);
}

void itp_turns_release(struct itp_turns *turns)
{
	itp_own_contexts_free(turns->contexts);
	itp_path_sets_free(turns->paths);
	g_hash_table_unref(turns->threads);
	g_hash_table_unref(turns->readers);
	g_hash_table_unref(turns->read_in);
	g_hash_table_unref(turns->aside);
	g_hash_table_unref(turns->answering);
	g_hash_table_unref(turns->waits);
	g_hash_table_unref(turns->reads);
}

static uint32_t depth_of(const struct itp_turns *turns, uint32_t node)
{
	return itp_context_tree_get(turns->tree, node)->depth;
}

static struct itp_open_unit *open_unit_of(struct itp_turns *turns, int32_t tid)
{
	struct itp_open_unit *open = g_hash_table_lookup(turns->threads, GINT_TO_POINTER(tid));

	if (!open) {
		open = itp_open_unit_new();
		g_hash_table_insert(turns->threads, GINT_TO_POINTER(tid), open);
	}
	return open;
}

void itp_turns_wait_inside(const struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt)
{
	open->has_waited = true;
	if (halt->is_unplaced) {
		open->has_worked = true;
		return;
	}
	if (open->first == ITP_CONTEXT_ROOT && halt->class == ITP_WAIT_CLASS_DATA) {
		open->first = halt->node;
	}
	if (open->first == halt->node) {
		open->first_left_depth = depth_of(turns, halt->node);
		open->has_worked = false;
	} else {
		open->has_worked = true;
	}
	itp_path_set_add(open->paths, &halt->node, 1);
}

static bool has_left(const struct itp_turns *turns, const struct itp_open_unit *open)
{
	return open->left_depth <= depth_of(turns, open->loop);
}

/* The loop has come round: it has stayed, and what it had called has not. Where stacks do not tell,
 * that it waits again does. */
static bool has_come_round(const struct itp_turns *turns, const struct itp_open_unit *open)
{
	return open->is_unsure || open->left_depth == depth_of(turns, open->loop) + 1;
}

/* Outside of all units: what it finds there is one, too, as where the loop has just begun and never
 * had to wait. */
static void look_outside(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	const uint32_t wait = itp_looks_wait_of(turns->looks, halt->node);
	const uint32_t loop = itp_loops_of(turns->loops, wait);

	if (loop != ITP_CONTEXT_ROOT && !halt->would_block) {
		itp_turns_begin_found(turns, open, halt, loop, wait);
		itp_turns_wait_inside(turns, open, halt);
	}
}

static bool has_found_another(const struct itp_turns *turns, const struct itp_open_unit *open,
			      const struct itp_halt *halt)
{
	return halt->node == open->first && open->has_worked &&
	       itp_looks_begins_unit(turns->looks, open->loop, open->wait, halt->node,
				     open->first_left_depth);
}

/* Nothing was done yet since it began. What finds nothing finds no unit. */
static bool is_fresh(const struct itp_turns *turns, const struct itp_open_unit *open)
{
	return open->unit.was_looked_for ? !open->has_worked :
					   open->paths->len == 0 && !has_come_round(turns, open);
}

static void take_part(const struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	const bool is_first = !itp_open_unit_has_data(open, halt) && halt->blocked_ns > 0 &&
			      halt->class != ITP_WAIT_CLASS_SIGNAL;

	itp_turns_wait_inside(turns, open, halt);
	if (is_first) {
		itp_open_unit_begin_again(open, halt);
	}
}

/* The wait has come back with work, rather than because of a signal, or as nothing comes any more.
 * A loop whose own time is up has something to do. */
static bool brings_work(const struct itp_turns *turns, const struct itp_halt *halt)
{
	return halt->outcome != ITP_HALT_INTERRUPTED &&
	       (halt->outcome != ITP_HALT_NOTHING ||
		(halt->class != ITP_WAIT_CLASS_DATA && !halt->accepts &&
		 !itp_loops_is_inner(turns->loops, halt->node)));
}

/* More of what the client sends is looked for there, behind an answer. */
static void note_read(const struct itp_turns *turns, const struct itp_open_unit *open,
		      uint32_t node)
{
	if (itp_wait_is_below(turns->tree, node, open->loop)) {
		itp_turns_note_beginning(turns->reads, open->unit.loop,
					 itp_own_contexts_of(turns->contexts, open->loop, node));
	}
}

/* The unit's loop waits for work. */
static void meet_wait(struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	if (halt->node != open->wait || (itp_open_unit_is_answered(open, halt) &&
					 halt->request.place == ITP_REQUEST_ANSWERED)) {
		itp_turns_end(turns, open, halt);
		if (halt->node != open->wait && halt->class == ITP_WAIT_CLASS_EVENT &&
		    !halt->accepts) {
			note_read(turns, open, halt->node);
		}
	} else if (is_fresh(turns, open)) {
		open->is_open = false;
		open->is_between = true;
	} else if (has_come_round(turns, open)) {
		itp_turns_end(turns, open, halt);
	} else if (halt->class == ITP_WAIT_CLASS_SIGNAL) {
		/* It has not come back with what it was woken for: another one has taken that. */
		open->is_open = false;
		open->is_between = true;
	}
}

/* Reads of a client in the loop of the thread's unit, or of the one before. */
static bool reads_client(const struct itp_turns *turns, const struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	return halt->class == ITP_WAIT_CLASS_DATA && halt->side == ITP_CONVERSATION_SERVES &&
	       (open->is_open || open->is_between) && !open->unit.is_of_coroutine &&
	       depth_of(turns, open->loop) > 1;
}

/* The one before was answered, or none is open: what is there at once is not waited for. */
static void take_more(struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	if (open->is_open) {
		itp_turns_end(turns, open, halt);
	}
	if (halt->outcome == ITP_HALT_SOMETHING) {
		itp_turns_begin_found(turns, open, halt, open->loop, open->wait);
		note_read(turns, open, halt->node);
		itp_turns_wait_inside(turns, open, halt);
	}
}

/* A worker has answered one request, and has taken another one without having waited for it. */
static void take_next(struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	if (turns->keeps_turns || open->unit.is_of_coroutine) {
		return;
	}
	if (open->is_open && itp_open_unit_is_answered(open, halt)) {
		itp_turns_end(turns, open, halt);
	}
	if (open->is_between) {
		itp_turns_begin_found(turns, open, halt, open->loop, open->wait);
		open->has_waited = true;
	}
}

/* The client has its answer, and the thread waits for work outside of the loop: for the connection
 * of another client, as a thread that was made for one. */
static bool ends_outside(const struct itp_turns *turns, const struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	return halt->blocked_ns > 0 && halt->request.place == ITP_REQUEST_ANSWERED &&
	       itp_open_unit_is_answered(open, halt) &&
	       itp_loops_is_for_work(turns->loops, halt->node);
}

/* The loop waits for any event, and goes on with its unit, as it has more to do of that. */
static bool goes_on(const struct itp_turns *turns, struct itp_open_unit *open,
		    const struct itp_halt *halt)
{
	if (itp_loops_blocks(turns->loops, halt->node) && itp_open_unit_goes_on(open, halt)) {
		return true;
	}
	if (turns->keeps_turns || !itp_open_unit_awaits_frame(open, halt)) {
		return false;
	}
	open->frame_ns = open->frame_ns > 0 ? open->frame_ns : halt->begin_ns;
	return true;
}

/* The thread waits for what will begin a unit of `loop`, or ITP_CONTEXT_ROOT for no such thing. */
static void take_wait(struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_halt *halt, uint32_t loop)
{
	if (open->is_open && itp_open_unit_accepts_another(open, halt)) {
		open->has_waited = true;
		return;
	}
	if (open->is_open && !turns->keeps_turns && itp_open_unit_answers_on(open, halt)) {
		itp_turns_wait_inside(turns, open, halt);
		return;
	}
	if (open->is_open && open->is_inherited && loop != ITP_CONTEXT_ROOT &&
	    halt->side != ITP_CONVERSATION_SERVES) {
		itp_turns_end_inherited(turns, open, halt);
	}
	if (open->is_open && open->unit.is_of_coroutine && loop != ITP_CONTEXT_ROOT) {
		if (!itp_turns_set_aside(turns, open, halt)) {
			itp_turns_end(turns, open, halt);
		}
	} else if (open->is_open && loop == open->loop) {
		if (itp_open_unit_suspends(open, halt)) {
			itp_turns_suspend(turns, open, halt);
			return;
		}
		if (goes_on(turns, open, halt)) {
			itp_turns_wait_inside(turns, open, halt);
			return;
		}
		if (itp_open_unit_is_part(open, halt)) {
			take_part(turns, open, halt);
			return;
		}
		meet_wait(turns, open, halt);
	} else if (open->is_open && ends_outside(turns, open, halt)) {
		itp_turns_end(turns, open, halt);
	} else if (open->is_open && halt->side != ITP_CONVERSATION_SERVES &&
		   has_found_another(turns, open, halt)) {
		itp_turns_end(turns, open, halt);
	}
	if (open->is_open) {
		itp_turns_wait_inside(turns, open, halt);
	} else if (loop == ITP_CONTEXT_ROOT) {
		look_outside(turns, open, halt);
	} else if (brings_work(turns, halt)) {
		itp_turns_begin(turns, open, halt, loop);
	}
}

/* The loop of which `halt` waits for work. Whoever reads of a client does, although he may not have
 * come back to that yet. */
static uint32_t loop_of(const struct itp_turns *turns, const struct itp_open_unit *open,
			const struct itp_halt *halt)
{
	const uint32_t loop = halt->only_looks ? ITP_CONTEXT_ROOT :
						 itp_loops_of(turns->loops, halt->node);

	return loop == ITP_CONTEXT_ROOT && reads_client(turns, open, halt) && !halt->only_looks ?
		       open->loop :
		       loop;
}

/* The thread has left the function whose units it was in. */
static void leave(struct itp_turns *turns, struct itp_open_unit *open, const struct itp_halt *halt)
{
	if (turns->keeps_turns && open->is_open && open->is_inherited) {
		return;
	}
	if (open->is_open && open->is_inherited) {
		itp_turns_end_inherited(turns, open, halt);
	}
	open->is_open = false;
	open->is_between = false;
}

/* What a thread has answered before its end, or that of the recording, is a unit that has ended;
 * for a guard, that of a child. */
static void end_with_thread(struct itp_turns *turns, struct itp_open_unit *open,
			    const struct itp_halt *halt)
{
	if (!open->is_open || open->unit.is_of_coroutine ||
	    !(halt->is_thread_end || halt->is_recording_end)) {
		return;
	}
	if (turns->keeps_turns) {
		if (open->is_inherited && halt->is_thread_end) {
			itp_turns_end(turns, open, halt);
		}
		return;
	}
	if (halt->request.place == ITP_REQUEST_ANSWERED &&
	    itp_open_unit_ends_with_answer(open, halt)) {
		itp_turns_end(turns, open, halt);
	}
}

/* Some client's request is read or answered of which the thread had turned away, or it is for that
 * that the call is made. */
static void turn(struct itp_turns *turns, struct itp_open_unit *open, const struct itp_halt *halt)
{
	const struct itp_turn here = { .at_ns = halt->begin_ns, .talk = halt->talk };

	if (halt->request.client >= 0) {
		itp_turns_turn_to(turns, open, halt->request.client, halt, &here);
	} else if (halt->class == ITP_WAIT_CLASS_DATA && halt->side == ITP_CONVERSATION_SERVES &&
		   halt->outcome == ITP_HALT_SOMETHING) {
		itp_turns_read_other(turns, open, halt);
	}
}

/* The thread has come to `halt`, with the paths and ticks behind it, after what it has done for the
 * unit at hand, or for another one. */
static void go_on(struct itp_turns *turns, struct itp_open_unit *open, const struct itp_halt *halt,
		  const struct itp_unit_work *work)
{
	struct itp_halt view;

	itp_turns_turn_to(turns, open, halt->request.owner, halt, &open->latest);
	itp_turns_keep_others(turns, open, halt);
	view = itp_open_unit_view(open, halt);
	if (itp_turns_is_for_nobody(open, &view)) {
		itp_turns_stay(open, halt);
	} else {
		itp_open_unit_go_on(open, &view, work);
	}
	if (!open->unit.is_of_coroutine && has_left(turns, open)) {
		leave(turns, open, halt);
	}
}

/* What the thread has come to, for the unit at hand or a new one. */
static void come_to(struct itp_turns *turns, struct itp_open_unit *open,
		    const struct itp_halt *halt)
{
	if (halt->blocked_ns == 0 && reads_client(turns, open, halt) &&
	    (open->is_between || itp_open_unit_is_answered(open, halt))) {
		take_more(turns, open, halt);
	} else if (!halt->is_unplaced) {
		take_wait(turns, open, halt, loop_of(turns, open, halt));
	} else if (open->is_open) {
		itp_turns_wait_inside(turns, open, halt);
	}
}

/* Likewise of a thread that may have several open: which of them that is. */
static void come_to_one(struct itp_turns *turns, struct itp_open_unit *open,
			const struct itp_halt *halt)
{
	const bool is_event = halt->class == ITP_WAIT_CLASS_EVENT && !halt->only_looks;
	struct itp_halt view;

	turn(turns, open, halt);
	view = itp_open_unit_view(open, halt);
	if (itp_open_unit_is_overtaken(open, &view)) {
		itp_turns_overtake(turns, open, &view);
		view = itp_open_unit_view(open, halt);
	}
	if (is_event && open->is_open && open->client < 0 && open->others->len > 0 &&
	    open->answered_ns <= open->unit.begin_ns) {
		open->is_open = false;
		open->is_between = true;
	}
	come_to(turns, open, &view);
	if (is_event) {
		itp_turns_await_others(turns, open, halt);
	}
	if (open->is_open && open->client < 0 && !turns->keeps_turns &&
	    halt->class == ITP_WAIT_CLASS_DATA && halt->side == ITP_CONVERSATION_SERVES &&
	    halt->outcome == ITP_HALT_SOMETHING) {
		open->client = halt->descriptor;
	}
	open->waits_for_events |= is_event;
	open->has_just_waited = is_event;
	/* Whoever goes on behind a wait has waited there. */
	open->latest = (struct itp_turn){ .at_ns = is_event ? halt->begin_ns : halt->end_ns,
					  .talk = halt->talk };
}

/* The thread is not followed any more, which may be the first that is known of a child: that none
 * of its system calls is in a context. */
static void take_end(struct itp_turns *turns, struct itp_open_unit *open,
		     const struct itp_halt *halt, const struct itp_unit_work *work, bool is_first)
{
	const struct itp_halt view = itp_open_unit_view(open, halt);

	if (is_first) {
		itp_turns_inherit(turns, open, halt, work);
	} else if (open->is_open) {
		itp_open_unit_go_on(open, &view, work);
	}
	itp_turns_end_answered(turns, open, &view);
	end_with_thread(turns, open, &view);
	itp_turns_note_open(turns, open, halt, work->path_count > 0);
	for (guint i = 0; i < open->others->len; i++) {
		itp_turns_note_open(turns, g_ptr_array_index(open->others, i), halt, true);
	}
	if (halt->is_recording_end) {
		itp_turns_give_up_aside(turns, halt);
	}
	g_hash_table_remove(turns->threads, GINT_TO_POINTER(halt->tid));
}

void itp_turns_take(struct itp_turns *turns, const struct itp_halt *halt,
		    const struct itp_unit_work *work)
{
	const uint32_t look = itp_turns_look_of(turns, halt);
	const uint32_t coroutine = itp_loops_of_coroutine(turns->loops, look);
	const bool is_first = !g_hash_table_contains(turns->threads, GINT_TO_POINTER(halt->tid));
	struct itp_open_unit *open = open_unit_of(turns, halt->tid);

	if (!turns->keeps_turns && halt->request.answered >= 0) {
		itp_turns_end_elsewhere(turns, open, halt);
	}
	if (halt->node == ITP_CONTEXT_ROOT && !halt->is_unplaced && halt->next_ns == 0 &&
	    !halt->is_turn) {
		take_end(turns, open, halt, work, is_first);
		return;
	}
	itp_births_settle(itp_halts_births(turns->halts), halt->tid, halt->begin_ns,
			  open->is_open ? &open->unit : NULL);
	if (open->is_open || open->is_between) {
		go_on(turns, open, halt, work);
	} else if (is_first) {
		itp_turns_inherit(turns, open, halt, work);
	}
	if (itp_turns_is_still_child(turns, open, halt)) {
		return;
	}
	if (halt->next_ns > 0) {
		take_next(turns, open, halt);
	} else if (halt->is_turn) {
		itp_turns_end_answered(turns, open, halt);
		turn(turns, open, halt);
		open->has_just_waited = false;
		open->latest = (struct itp_turn){ .at_ns = halt->end_ns, .talk = halt->talk };
	} else if (coroutine != ITP_CONTEXT_ROOT) {
		itp_turns_take_look(turns, open, halt, look, coroutine);
	} else {
		itp_open_unit_note_woken(open, halt);
		come_to_one(turns, open, halt);
	}
}
