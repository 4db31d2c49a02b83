/* SPDX-License-Identifier: MIT */
/*
 * See begin-end.h.
 */
#include "common/unit/begin-end.h"

/* Leaves out of `nodes` the waits with which units of `loop` begin: they say nothing of the kind of
 * unit. A client's timing decides whether a unit has a wait inside: a server that polls a
 * connection before the request has come does the same as a server that finds the request there. */
static void leave_out_waits(const struct itp_turns *turns, uint32_t loop, GArray *nodes)
{
	guint kept = 0;

	for (guint i = 0; i < nodes->len; i++) {
		const uint32_t path = g_array_index(nodes, uint32_t, i);
		const uint32_t node = itp_path_node(path);

		if (itp_loops_of(turns->loops, node) != loop) {
			g_array_index(nodes, uint32_t, kept++) = path;
		}
	}
	g_array_set_size(nodes, kept);
}

void itp_turns_note_beginning(GHashTable *beginnings, uint32_t loop, uint32_t node)
{
	GArray *nodes = g_hash_table_lookup(beginnings, GUINT_TO_POINTER(loop));

	if (!nodes) {
		nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_hash_table_insert(beginnings, GUINT_TO_POINTER(loop), nodes);
	}
	for (guint i = 0; i < nodes->len; i++) {
		if (g_array_index(nodes, uint32_t, i) == node) {
			return;
		}
	}
	g_array_append_val(nodes, node);
}

/* Begin of the client's wait, when another thread has handed the client over: the begin of the
 * other thread's unit, but not before the end of this thread's last unit; nor, unless inherited,
 * before the process knew of the request, as it may have kept the connection. */
static int64_t handed_since(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	const int64_t handed_ns = MAX(open->handed_ns, open->before.end_ns);

	return open->is_inherited ?
		       handed_ns :
		       MAX(handed_ns, MIN(halt->request.learned_ns, open->unit.begin_ns));
}

/* Moves the unit's begin to the begin of its client's wait: another thread's read of the request,
 * or wakeup for the connection that it hands over; for a coroutine another one's read of the first
 * part, as Go's servers read to see whether a client is still there. */
static void begin_with_signaller(struct itp_open_unit *open, const struct itp_halt *halt)
{
	const int64_t handed_ns = open->handed_ns;

	open->unit.own_begin_ns = open->unit.begin_ns;
	if (itp_open_unit_is_own_answer(open, halt) && halt->request.learned_ns > 0) {
		open->unit.begin_ns = halt->request.learned_ns;
	} else if (halt->request.request_ns > 0 && halt->request.request_ns < open->unit.end_ns) {
		open->unit.begin_ns = halt->request.request_ns;
		open->unit.own_begin_ns = MAX(open->unit.own_begin_ns, open->unit.begin_ns);
	} else if (open->is_handed_over && handed_ns > 0 && handed_ns < open->unit.begin_ns) {
		open->unit.begin_ns = handed_since(open, halt);
	}
}

/* Takes the marks of `paths` off: id of the set of the marked ones. */
static uint32_t take_asking(struct itp_turns *turns, GArray *paths)
{
	g_autoptr(GArray) asking = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < paths->len; i++) {
		uint32_t *path = &g_array_index(paths, uint32_t, i);

		if (*path & ITP_PATH_ASKS) {
			*path = itp_path_node(*path);
			g_array_append_val(asking, *path);
		}
	}
	return itp_path_sets_intern(turns->paths, asking);
}

/* Replaces the unit's paths and ticks by telling ones, in the tree of units. */
static void take_own_work(struct itp_turns *turns, struct itp_open_unit *open)
{
	itp_path_set_add_all(open->paths, open->suspended_paths);
	itp_path_set_add_all(open->ticks, open->suspended_ticks);
	leave_out_waits(turns, open->loop, open->paths);
	itp_own_contexts_take_calls(turns->contexts, open->loop, open->paths);
	itp_own_contexts_take_ticks(turns->contexts, open->loop, open->ticks);
}

static int64_t oldest_of(const struct itp_open_unit *open)
{
	int64_t oldest_ns = open->unit.begin_ns;

	for (guint i = 0; i < open->others->len; i++) {
		const struct itp_open_unit *other = g_ptr_array_index(open->others, i);

		oldest_ns = MIN(oldest_ns, other->unit.begin_ns);
	}
	return oldest_ns;
}

static void note_answering(struct itp_turns *turns, const struct itp_open_unit *open)
{
	if (open->unit.is_of_coroutine) {
		g_hash_table_add(turns->answering, GUINT_TO_POINTER(open->loop));
	}
}

void itp_turns_end(struct itp_turns *turns, struct itp_open_unit *open, const struct itp_halt *halt)
{
	open->is_open = false;
	open->is_between = true;
	if (itp_open_unit_is_hangup(open, halt)) {
		return;
	}
	open->unit.own_begin_ns = open->unit.begin_ns;
	open->unit.end_ns = halt->begin_ns;
	itp_open_unit_say(open, &halt->talk);
	open->unit.talk = open->said;
	open->unit.has_several_clients = open->has_several_clients;
	if (!turns->keeps_turns && itp_open_unit_ends_with_answer(open, halt)) {
		note_answering(turns, open);
		open->unit.end_ns = open->answered_ns;
		open->unit.use = open->answered_use;
		g_array_set_size(open->paths, MIN(open->answered_paths, open->paths->len));
		g_array_set_size(open->ticks, MIN(open->answered_ticks, open->ticks->len));
		begin_with_signaller(open, halt);
	}
	take_own_work(turns, open);
	open->unit.asking_paths = take_asking(turns, open->paths);
	open->unit.paths = itp_path_sets_intern(turns->paths, open->paths);
	open->unit.ticks = open->ticks;
	if (open->pieces->len > 0) {
		itp_open_unit_end_piece(open, INT64_MAX);
	}
	open->unit.pieces = open->pieces->len > 0 ? open->pieces : NULL;
	open->unit.oldest_ns = oldest_of(open);
	itp_turns_note_beginning(turns->waits, open->unit.loop, open->unit.wait);
	turns->on_unit(&open->unit, turns->data);
	open->before = open->unit;
}

static bool lasts_at(const struct itp_unit *unit, int64_t time_ns)
{
	return unit->begin_ns <= time_ns && (unit->end_ns == 0 || time_ns <= unit->end_ns);
}

const struct itp_unit *itp_turns_unit_at(const struct itp_turns *turns, int32_t tid,
					 int64_t time_ns)
{
	const struct itp_open_unit *open =
		tid == 0 ? NULL : g_hash_table_lookup(turns->threads, GINT_TO_POINTER(tid));

	return !open                                                       ? NULL :
	       open->is_open && lasts_at(&open->unit, time_ns)             ? &open->unit :
	       open->before.end_ns > 0 && lasts_at(&open->before, time_ns) ? &open->before :
									     NULL;
}

/* Time at which the signaller of the wait `halt`, in its unit, was last told of anything. */
static int64_t told_ns(const struct itp_turns *turns, const struct itp_unit *signaller,
		       const struct itp_halt *halt)
{
	const struct itp_open_unit *open =
		g_hash_table_lookup(turns->threads, GINT_TO_POINTER(halt->signaller));
	const int64_t latest_ns = open->told_ns <= halt->signal_ns ? open->told_ns :
								     open->told_before_ns;

	return latest_ns <= halt->signal_ns ? MAX(signaller->begin_ns, latest_ns) :
					      signaller->begin_ns;
}

/* Takes over the source of another thread of the process, which has read bytes unasked and woken
 * this thread for them, as a toolkit's thread that reads from a screen. */
static void take_source(const struct itp_turns *turns, struct itp_open_unit *open,
			const struct itp_unit *signaller, const struct itp_halt *halt)
{
	open->handed_ns = open->unit.signaller_begin_ns;
	if (open->unit.source < 0 && signaller && signaller->pid == open->unit.pid &&
	    signaller->source >= 0) {
		open->unit.source = signaller->source;
		open->usual_source = signaller->source;
		open->is_handed_over = true;
		open->handed_ns = told_ns(turns, signaller, halt);
	}
}

void itp_turns_begin(struct itp_turns *turns, struct itp_open_unit *open,
		     const struct itp_halt *halt, uint32_t loop)
{
	const struct itp_unit *signaller =
		itp_turns_unit_at(turns, halt->signaller, halt->signal_ns);
	/* The stack of a read may lack the loop to which its descriptor belongs. */
	const uint32_t wait = itp_wait_is_below(turns->tree, halt->node, loop) ? halt->node : loop;

	open->is_open = true;
	open->is_between = false;
	open->unit = (struct itp_unit){
		.pid = halt->pid,
		.tid = halt->tid,
		.begin_ns = turns->keeps_turns ? halt->end_ns : halt->run_ns,
		.loop = itp_own_contexts_of(turns->contexts, loop, loop),
		.wait = itp_own_contexts_of(turns->contexts, loop, wait),
		.at = loop,
		.signaller_loop = signaller ? signaller->loop : ITP_CONTEXT_ROOT,
		.signaller_tid = signaller ? signaller->tid : 0,
		.signaller_begin_ns = signaller ? signaller->begin_ns : 0,
		.source = -1,
	};
	open->talk = halt->talk;
	if (!turns->keeps_turns) {
		open->unit.use = halt->run_use;
	}
	open->loop = loop;
	open->wait = halt->node;
	itp_open_unit_note_begin(open, halt);
	itp_open_unit_note_source(open, halt);
	open->answered_ns = open->unit.begin_ns;
	open->answered_use = (struct itp_time_use){ 0, 0, 0 };
	open->left_depth = UINT32_MAX;
	open->is_unsure = false;
	open->has_waited = false;
	open->first = ITP_CONTEXT_ROOT;
	open->has_worked = false;
	open->is_handed_over = halt->class == ITP_WAIT_CLASS_SIGNAL;
	take_source(turns, open, signaller, halt);
	open->frame_ns = 0;
	open->has_news = false;
	open->is_inherited = false;
	open->is_suspended = false;
	open->has_blocked = false;
	open->is_resuming = false;
	open->client = -1;
	open->read_of = -1;
	open->is_asked_for = false;
	open->is_interleaved = false;
	open->said = (struct itp_talk){ 0 };
	open->has_several_clients = false;
	g_array_set_size(open->pieces, 0);
	open->piece_ns = INT64_MIN;
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->suspended_paths, 0);
	g_array_set_size(open->suspended_ticks, 0);
	g_array_set_size(open->ticks, 0);
}

void itp_turns_begin_found(struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt, uint32_t loop, uint32_t wait)
{
	/* The heir of a unit has not waited for it, and keeps the name of the first wait. */
	const uint32_t own_wait = wait == loop ? open->unit.wait :
						 itp_own_contexts_of(turns->contexts, loop, wait);

	itp_turns_begin(turns, open, halt, loop);
	open->unit.begin_ns = halt->begin_ns;
	open->answered_ns = halt->begin_ns;
	open->unit.use = (struct itp_time_use){ 0, 0, 0 };
	open->unit.wait = own_wait;
	open->wait = wait;
	open->unit.was_looked_for = true;
}

void itp_turns_note_open(struct itp_turns *turns, const struct itp_open_unit *open,
			 const struct itp_halt *halt, bool has_worked)
{
	const int64_t lasted_ns = halt->end_ns - open->unit.begin_ns;

	if (halt->is_recording_end && open->is_open && lasted_ns > 0 &&
	    (has_worked || open->paths->len > 0)) {
		turns->gaps.open_units++;
		turns->gaps.longest_open_ns = MAX(turns->gaps.longest_open_ns, lasted_ns);
	}
}

void itp_turns_wait_inside(const struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt)
{
	const uint32_t path = halt->node |
			      (halt->side == ITP_CONVERSATION_ASKS ? ITP_PATH_ASKS : 0);

	open->has_waited = true;
	if (halt->is_unplaced) {
		open->has_worked = true;
		return;
	}
	if (open->first == ITP_CONTEXT_ROOT && halt->class == ITP_WAIT_CLASS_DATA) {
		open->first = halt->node;
	}
	if (open->first == halt->node) {
		open->first_left_depth = itp_context_tree_get(turns->tree, halt->node)->depth;
		open->has_worked = false;
	} else {
		open->has_worked = true;
	}
	itp_path_set_add(open->paths, &path, 1);
}
