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
	*turns = (struct itp_turns){ .tree = tree };
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

static uint32_t depth_of_node(const struct itp_turns *turns, uint32_t node)
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

static bool has_left(const struct itp_turns *turns, const struct itp_open_unit *open)
{
	return open->left_depth <= depth_of_node(turns, open->loop);
}

/* True when the loop has come round: its function has stayed, and its callees have ended. With
 * unsure stacks, its next wait is proof enough. */
static bool has_come_round(const struct itp_turns *turns, const struct itp_open_unit *open)
{
	return open->is_unsure || open->left_depth == depth_of_node(turns, open->loop) + 1;
}

/* Look outside of all units: a call that finds work begins a unit, as in a loop that has just begun
 * and never had to wait. */
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

/* True when the call is made for the unit's client, as a read of a server's answer. */
static bool is_for_own_client(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return open->client >= 0 && halt->request.client == open->client;
}

static bool has_found_another(const struct itp_turns *turns, const struct itp_open_unit *open,
			      const struct itp_halt *halt)
{
	return halt->node == open->first && open->has_worked && !open->has_news &&
	       !is_for_own_client(open, halt) &&
	       itp_looks_begins_unit(turns->looks, open->loop, open->wait, halt->node,
				     open->first_left_depth);
}

/* True when the unit has done nothing since its begin. A look in vain makes no unit. */
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

/* True when the wait has come back with work, rather than with a signal or an end of input. A loop
 * whose own time is up has work, too. */
static bool brings_work(const struct itp_turns *turns, const struct itp_halt *halt)
{
	return halt->outcome != ITP_HALT_INTERRUPTED &&
	       (halt->outcome != ITP_HALT_NOTHING ||
		(halt->class != ITP_WAIT_CLASS_DATA && !halt->accepts &&
		 !itp_loops_is_inner(turns->loops, halt->node)));
}

/* Notes a read that looks for more of the client behind an answer. */
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
		/* The thread came back empty-handed: another one has taken the work. */
		open->is_open = false;
		open->is_between = true;
	}
}

/* True for a read of a client in the loop of the thread's unit, or of the unit before. */
static bool reads_client(const struct itp_turns *turns, const struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	return halt->class == ITP_WAIT_CLASS_DATA && halt->side == ITP_CONVERSATION_SERVES &&
	       (open->is_open || open->is_between) && !open->unit.is_of_coroutine &&
	       depth_of_node(turns, open->loop) > 1;
}

/* Takes more work of a client without a wait, as the unit before was answered, or none is open. */
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

/* Takes the next request of a worker that has answered one, and has not waited for the next. */
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

/* True when the client has its answer, and the thread waits for work outside of the loop: for the
 * connection of another client, as a thread made for a single one does. */
static bool ends_outside(const struct itp_turns *turns, const struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	return halt->blocked_ns > 0 && halt->request.place == ITP_REQUEST_ANSWERED &&
	       !halt->is_amid_answer && itp_open_unit_is_answered(open, halt) &&
	       itp_loops_is_for_work(turns->loops, halt->node);
}

/* True when the loop waits for any event, and its unit goes on, with more work to do. */
static bool goes_on(const struct itp_turns *turns, struct itp_open_unit *open,
		    const struct itp_halt *halt)
{
	const bool is_at_work = itp_loops_blocks(turns->loops, halt->node) &&
				itp_open_unit_goes_on(open, halt);

	if (!is_at_work && (turns->keeps_turns || !itp_open_unit_awaits_frame(open, halt))) {
		return false;
	}
	open->frame_ns = open->frame_ns > 0 ? open->frame_ns : halt->begin_ns;
	open->has_news = halt->outcome == ITP_HALT_SOMETHING;
	return true;
}

/* Takes a wait for the begin of a unit of `loop`; ITP_CONTEXT_ROOT for other waits. */
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

/* Loop whose work `halt` waits for. A read of a client counts as a wait of the open unit's loop,
 * although the thread may not have come back to the loop yet. */
static uint32_t loop_of(const struct itp_turns *turns, const struct itp_open_unit *open,
			const struct itp_halt *halt)
{
	const uint32_t loop = halt->only_looks ? ITP_CONTEXT_ROOT :
						 itp_loops_of(turns->loops, halt->node);

	return loop == ITP_CONTEXT_ROOT && reads_client(turns, open, halt) && !halt->only_looks ?
		       open->loop :
		       loop;
}

/* The thread has left the function of its unit's loop. */
static void leave_loop(struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt)
{
	if (turns->keeps_turns && open->is_open && open->is_inherited) {
		return;
	}
	if (open->is_open && open->is_inherited) {
		itp_turns_end_inherited(turns, open, halt);
	} else {
		itp_turns_keep_left(turns, open, halt);
	}
	open->is_open = false;
	open->is_between = false;
}

/* Ends the unit of a thread that has answered before its end, or the recording's; for a guard, the
 * unit of a child at the thread's end. */
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

/* Turns to a client's open unit when the call is made for it, or reads of the client. */
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

/* Takes the work of the thread until `halt`, with its paths and ticks, into the unit at hand, or
 * another one. */
static void take_work(struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_halt *halt, const struct itp_unit_work *work)
{
	struct itp_halt view;

	itp_turns_turn_to(turns, open, halt->request.owner, halt, &open->latest);
	itp_turns_keep_others(turns, open, halt);
	view = itp_open_unit_view(open, halt);
	if (open->is_inherited && halt->is_unplaced) {
		/* Perhaps in another program of the child, which the next stack tells. */
		view.left_depth = UINT32_MAX;
	}
	if (itp_turns_is_for_nobody(open, &view)) {
		itp_turns_stay(open, halt);
	} else {
		itp_open_unit_go_on(open, &view, work);
	}
	if (!open->unit.is_of_coroutine && has_left(turns, open)) {
		leave_loop(turns, open, halt);
	}
}

/* Takes the halt itself, for the unit at hand or a new one. */
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

/* Takes the halt of a thread with perhaps several open units, for one of them. */
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
	if (is_event && halt->outcome == ITP_HALT_SOMETHING) {
		open->told_before_ns = open->told_ns;
		open->told_ns = halt->run_ns;
	}
	/* A later turn behind a wait dates from the wait's begin. */
	open->latest = (struct itp_turn){ .at_ns = is_event ? halt->begin_ns : halt->end_ns,
					  .talk = halt->talk };
}

/* Takes the end of a thread's course, perhaps the first halt of a child without system calls in
 * contexts. */
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
	if (itp_turns_runs_another_program(turns, open, halt)) {
		itp_turns_exec(turns, open, halt, work);
	} else if (open->is_open || open->is_between) {
		take_work(turns, open, halt, work);
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
