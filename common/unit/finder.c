/* SPDX-License-Identifier: MIT */
/*
 * See finder.h.
 */
#include "common/unit/finder.h"

#include "common/base/hash.h"
#include "common/unit/halts.h"
#include "common/unit/looks.h"
#include "common/unit/loops.h"
#include "common/unit/open-unit.h"

/* How many waits, call paths between them, and calls go by until what waits are is decided. */
#define BATCH (1u << 16)
#define BATCH_PATHS (1u << 22)
#define BATCH_CALLS (1u << 20)
/* In the tree: of a process, and of a thread's outermost function. */
#define PROCESS_DEPTH 1
#define OUTERMOST_DEPTH 2

struct itp_unit_finder {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	itp_unit_func on_unit;
	void *data;
	/* All owned by this. */
	struct itp_halts *halts;
	struct itp_loops *loops;
	struct itp_looks *looks;
	struct itp_path_sets *paths;
	/* The contexts of units; and by loop and node of the inference's tree (itp_pair()) which it
	 * is there. */
	struct itp_context_tree *own_tree;
	GHashTable *own_nodes;
	/* struct itp_halt, whose paths are those of `batch_paths` from the sum of those before,
	 * as its ticks are those of `batch_ticks`; and how many each has. */
	GArray *batch;
	GArray *batch_paths;
	GArray *path_counts;
	GArray *batch_ticks;
	GArray *tick_counts;
	guint batch_calls;
	/* struct itp_open_unit by tid. */
	GHashTable *threads;
	/* uint32_t, as itp_unit_finder_waits() and itp_unit_finder_reads() tell them, by loop. */
	GHashTable *waits;
	GHashTable *reads;
	struct itp_unit_gaps gaps;
	bool keeps_turns;
};

static void free_open_unit(gpointer data)
{
	struct itp_open_unit *open = data;

	g_array_unref(open->paths);
	g_array_unref(open->suspended_paths);
	g_array_unref(open->suspended_ticks);
	g_array_unref(open->ticks);
	g_free(open);
}

static struct itp_open_unit *open_unit_of(struct itp_unit_finder *finder, int32_t tid)
{
	struct itp_open_unit *open = g_hash_table_lookup(finder->threads, GINT_TO_POINTER(tid));

	if (!open) {
		open = g_new0(struct itp_open_unit, 1);
		open->paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		open->suspended_paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		open->suspended_ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		open->ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_hash_table_insert(finder->threads, GINT_TO_POINTER(tid), open);
	}
	return open;
}

static uint32_t depth_of(const struct itp_unit_finder *finder, uint32_t node)
{
	return itp_context_tree_get(finder->tree, node)->depth;
}

/* A wait, or a look, that is a part of the unit. */
static void wait_inside(const struct itp_unit_finder *finder, struct itp_open_unit *open,
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
		open->first_left_depth = depth_of(finder, halt->node);
		open->has_worked = false;
	} else {
		open->has_worked = true;
	}
	itp_path_set_add(open->paths, &halt->node, 1);
}

static bool has_left(const struct itp_unit_finder *finder, const struct itp_open_unit *open)
{
	return open->left_depth <= depth_of(finder, open->loop);
}

/* The loop has come round: it has stayed, and what it had called has not. Where stacks do not tell,
 * that it waits again does. */
static bool has_come_round(const struct itp_unit_finder *finder, const struct itp_open_unit *open)
{
	return open->is_unsure || open->left_depth == depth_of(finder, open->loop) + 1;
}

/* The node of units that is the process of `loop`; ITP_CONTEXT_ROOT, for what stands for a thread.
 */
static uint32_t own_process(struct itp_unit_finder *finder, uint32_t loop)
{
	if (depth_of(finder, loop) == 1) {
		return ITP_CONTEXT_ROOT;
	}
	while (depth_of(finder, loop) > 1) {
		loop = itp_context_tree_get(finder->tree, loop)->parent;
	}
	return itp_context_tree_child(finder->own_tree, ITP_CONTEXT_ROOT,
				      itp_context_tree_get(finder->tree, loop)->function);
}

static bool is_nameless(const struct itp_unit_finder *finder, uint32_t node)
{
	return itp_function_is_nameless_code(itp_function_table_get(
		finder->functions, itp_context_tree_get(finder->tree, node)->function));
}

/* The node of units that is `node`, which is at or below `loop`. Nameless code is its caller's:
 * units of one kind run through one function of a script at several addresses, as that is compiled
 * again and again. */
static uint32_t own_node(struct itp_unit_finder *finder, uint32_t loop, uint32_t node)
{
	const gpointer key = itp_pair(loop, node);
	uint32_t own = GPOINTER_TO_UINT(g_hash_table_lookup(finder->own_nodes, key));
	uint32_t parent = itp_context_tree_get(finder->tree, node)->parent;

	if (own != ITP_CONTEXT_ROOT) {
		return own;
	}
	parent = node == loop ? own_process(finder, loop) : own_node(finder, loop, parent);
	own = node != loop && is_nameless(finder, node) ?
		      parent :
		      itp_context_tree_child(finder->own_tree, parent,
					     itp_context_tree_get(finder->tree, node)->function);
	g_hash_table_insert(finder->own_nodes, key, GUINT_TO_POINTER(own));
	return own;
}

static void add_all(GArray *nodes, const GArray *more)
{
	itp_path_set_add(nodes, (const uint32_t *)(const void *)more->data, more->len);
}

/* Makes of `nodes` those of the units' tree. Where a stack did not show its callers, neither do the
 * paths that it tells: such nodes are left out. */
static void take_own_nodes(struct itp_unit_finder *finder, uint32_t loop, GArray *nodes)
{
	guint kept = 0;

	for (guint i = 0; i < nodes->len; i++) {
		const uint32_t node = g_array_index(nodes, uint32_t, i);

		if (itp_wait_is_below(finder->tree, node, loop)) {
			g_array_index(nodes, uint32_t, kept++) = own_node(finder, loop, node);
		}
	}
	g_array_set_size(nodes, kept);
}

/* Leaves out of `nodes` the calls that say nothing of the kind of unit: incidental ones (waits.h),
 * and the waits with which units of `loop` begin. Whether one of these is made inside a unit
 * depends on when its client sends: a server that polls a connection before the request has come
 * does the same as one that finds the request there. */
static void leave_out_incidental(const struct itp_unit_finder *finder, uint32_t loop, GArray *nodes)
{
	guint kept = 0;

	for (guint i = 0; i < nodes->len; i++) {
		const uint32_t node = g_array_index(nodes, uint32_t, i);

		if (itp_loops_of(finder->loops, node) != loop &&
		    !itp_wait_is_incidental(finder->tree, finder->functions, node)) {
			g_array_index(nodes, uint32_t, kept++) = node;
		}
	}
	g_array_set_size(nodes, kept);
}

/* Units of `loop` begin with the call of `node`, among others: `beginnings` has the nodes by loop.
 */
static void note_beginning(GHashTable *beginnings, uint32_t loop, uint32_t node)
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

/* Its client waits since another thread has read the request, or was woken that has handed the
 * connection over. */
static void begin_with_signaller(struct itp_open_unit *open, const struct itp_halt *halt)
{
	const int64_t handed_ns = open->unit.signaller_begin_ns;

	open->unit.own_begin_ns = open->unit.begin_ns;
	if (halt->request.request_ns > open->before.begin_ns &&
	    halt->request.request_ns < open->unit.end_ns) {
		open->unit.begin_ns = halt->request.request_ns;
		open->unit.own_begin_ns = MAX(open->unit.own_begin_ns, open->unit.begin_ns);
	} else if (open->is_handed_over && handed_ns > 0 && handed_ns < open->unit.begin_ns) {
		open->unit.begin_ns = MAX(handed_ns, open->before.end_ns);
	}
}

/* Makes of the unit's paths and ticks those that tell what it is, in the tree of units. */
static void take_own_work(struct itp_unit_finder *finder, struct itp_open_unit *open)
{
	add_all(open->paths, open->suspended_paths);
	add_all(open->ticks, open->suspended_ticks);
	leave_out_incidental(finder, open->loop, open->paths);
	take_own_nodes(finder, open->loop, open->paths);
	take_own_nodes(finder, open->loop, open->ticks);
}

/* The unit lasts until its last answer: what the thread does after that, as writing a log, nobody
 * waits for. */
static void end_unit(struct itp_unit_finder *finder, struct itp_open_unit *open,
		     const struct itp_halt *halt)
{
	open->is_open = false;
	open->is_between = true;
	if (itp_open_unit_is_hangup(open, halt)) {
		return;
	}
	open->unit.own_begin_ns = open->unit.begin_ns;
	open->unit.end_ns = halt->begin_ns;
	open->unit.has_several_clients =
		!itp_talk_since(&open->talk, &halt->talk, &open->unit.talk);
	if (!finder->keeps_turns && itp_open_unit_ends_with_answer(open, halt)) {
		open->unit.end_ns = open->answered_ns;
		open->unit.use = open->answered_use;
		g_array_set_size(open->paths, MIN(open->answered_paths, open->paths->len));
		g_array_set_size(open->ticks, MIN(open->answered_ticks, open->ticks->len));
		begin_with_signaller(open, halt);
	}
	take_own_work(finder, open);
	open->unit.paths = itp_path_sets_intern(finder->paths, open->paths);
	open->unit.ticks = open->ticks;
	note_beginning(finder->waits, open->unit.loop, open->unit.wait);
	finder->on_unit(&open->unit, finder->data);
	open->before = open->unit;
}

static bool lasts_at(const struct itp_unit *unit, int64_t time_ns)
{
	return unit->begin_ns <= time_ns && (unit->end_ns == 0 || time_ns <= unit->end_ns);
}

/* In which unit the thread is then; NULL: in none, or in one that is not known yet. */
static const struct itp_unit *unit_at(const struct itp_unit_finder *finder, int32_t tid,
				      int64_t time_ns)
{
	const struct itp_open_unit *open =
		tid == 0 ? NULL : g_hash_table_lookup(finder->threads, GINT_TO_POINTER(tid));

	return !open                                                       ? NULL :
	       open->is_open && lasts_at(&open->unit, time_ns)             ? &open->unit :
	       open->before.end_ns > 0 && lasts_at(&open->before, time_ns) ? &open->before :
									     NULL;
}

static void begin_unit(struct itp_unit_finder *finder, struct itp_open_unit *open,
		       const struct itp_halt *halt, uint32_t loop)
{
	const struct itp_unit *signaller = unit_at(finder, halt->signaller, halt->signal_ns);
	/* The stack of a read may not show the loop to which it belongs by its descriptor. */
	const uint32_t wait = itp_wait_is_below(finder->tree, halt->node, loop) ? halt->node : loop;

	open->is_open = true;
	open->is_between = false;
	open->unit = (struct itp_unit){
		.pid = halt->pid,
		.tid = halt->tid,
		.begin_ns = finder->keeps_turns ? halt->end_ns : halt->run_ns,
		.loop = own_node(finder, loop, loop),
		.wait = own_node(finder, loop, wait),
		.at = loop,
		.signaller_loop = signaller ? signaller->loop : ITP_CONTEXT_ROOT,
		.signaller_tid = signaller ? signaller->tid : 0,
		.signaller_begin_ns = signaller ? signaller->begin_ns : 0,
	};
	open->talk = halt->talk;
	open->unit.use.cpu_ns = halt->end_ns - open->unit.begin_ns;
	open->loop = loop;
	open->wait = halt->node;
	open->source = -1;
	itp_open_unit_note_source(open, halt);
	open->answered_ns = open->unit.begin_ns;
	open->answered_use = (struct itp_time_use){ 0, 0, 0 };
	open->left_depth = UINT32_MAX;
	open->is_unsure = false;
	open->has_waited = false;
	open->first = ITP_CONTEXT_ROOT;
	open->has_worked = false;
	open->is_handed_over = halt->class == ITP_WAIT_CLASS_SIGNAL;
	open->is_inherited = false;
	open->is_suspended = false;
	open->has_blocked = false;
	open->is_resuming = false;
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->suspended_paths, 0);
	g_array_set_size(open->suspended_ticks, 0);
	g_array_set_size(open->ticks, 0);
}

/* One that was not waited for: it was found by the call with which those behind `wait` begin. */
static void begin_found_unit(struct itp_unit_finder *finder, struct itp_open_unit *open,
			     const struct itp_halt *halt, uint32_t loop, uint32_t wait)
{
	/* Who has inherited a unit has not waited for it, and is called by what that was. */
	const uint32_t own_wait = wait == loop ? open->unit.wait : own_node(finder, loop, wait);

	begin_unit(finder, open, halt, loop);
	open->unit.begin_ns = halt->begin_ns;
	open->answered_ns = halt->begin_ns;
	open->unit.use.cpu_ns = 0;
	open->unit.wait = own_wait;
	open->wait = wait;
	open->unit.was_looked_for = true;
}

static uint32_t ancestor_at(const struct itp_unit_finder *finder, uint32_t node, uint32_t depth)
{
	while (depth_of(finder, node) > depth) {
		node = itp_context_tree_get(finder->tree, node)->parent;
	}
	return node;
}

/* The function whose units they are that the thread of `halt` serves, as it was made in `unit`: the
 * loop of that, in which a process that was forked still is unless it runs another program, or the
 * thread's outermost function. */
static uint32_t loop_of_child(const struct itp_unit_finder *finder, const struct itp_unit *unit,
			      const struct itp_halt *halt)
{
	const bool is_forked = halt->tid == halt->pid &&
			       ancestor_at(finder, halt->node, PROCESS_DEPTH) ==
				       ancestor_at(finder, unit->at, PROCESS_DEPTH);

	return is_forked ? unit->at : ancestor_at(finder, halt->node, OUTERMOST_DEPTH);
}

/* A thread that another one has made in a unit, for a connection that it has accepted, goes on with
 * that: `halt` is the first of it. A guard follows processes that are still in the loop. */
static void inherit(struct itp_unit_finder *finder, struct itp_open_unit *open,
		    const struct itp_halt *halt, const struct itp_unit_work *work)
{
	struct itp_halt first = *halt;
	struct itp_birth birth;
	const struct itp_unit *unit;

	if (!itp_births_take(itp_halts_births(finder->halts), halt->tid, &birth)) {
		return;
	}
	unit = birth.is_settled ? &birth.unit : unit_at(finder, birth.maker, birth.time_ns);
	if (!unit || unit->begin_ns == 0 || unit->is_of_coroutine ||
	    (finder->keeps_turns && loop_of_child(finder, unit, halt) != unit->at)) {
		return;
	}
	begin_unit(finder, open, halt, loop_of_child(finder, unit, halt));
	if (open->loop == unit->at) {
		open->unit.wait = unit->wait;
	}
	open->wait = open->loop;
	open->unit.begin_ns = birth.time_ns;
	open->unit.signaller_loop = unit->loop;
	open->unit.signaller_tid = unit->tid;
	open->unit.signaller_begin_ns = unit->begin_ns;
	open->answered_ns = birth.time_ns;
	open->is_handed_over = true;
	open->is_inherited = true;
	first.left_depth = UINT32_MAX;
	itp_open_unit_go_on(open, &first, work);
}

/* The thread has ended, or waits for work of its own. What it has taken over is a unit if it has
 * answered. */
static void end_inherited(struct itp_unit_finder *finder, struct itp_open_unit *open,
			  const struct itp_halt *halt)
{
	if (itp_open_unit_ends_with_answer(open, halt)) {
		end_unit(finder, open, halt);
	}
	open->is_open = false;
}

/* A guard does not know what is an answer: it follows a child to its end. One that waits as a loop
 * does has units of its own, and had none. Returns whether the child's goes on. */
static bool is_still_child(const struct itp_unit_finder *finder, struct itp_open_unit *open,
			   const struct itp_halt *halt)
{
	if (!finder->keeps_turns || !open->is_open || !open->is_inherited) {
		return false;
	}
	open->is_open = halt->next_ns > 0 || halt->is_unplaced || halt->only_looks ||
			itp_loops_of(finder->loops, halt->node) == ITP_CONTEXT_ROOT;
	if (open->is_open && halt->next_ns == 0) {
		wait_inside(finder, open, halt);
	}
	return open->is_open;
}

/* Outside of all units: what it finds there is one, too, as where the loop has just begun and never
 * had to wait. */
static void look_outside(struct itp_unit_finder *finder, struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	const uint32_t wait = itp_looks_wait_of(finder->looks, halt->node);
	const uint32_t loop = itp_loops_of(finder->loops, wait);

	if (loop != ITP_CONTEXT_ROOT && !halt->would_block) {
		begin_found_unit(finder, open, halt, loop, wait);
		wait_inside(finder, open, halt);
	}
}

static bool has_found_another(const struct itp_unit_finder *finder,
			      const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->node == open->first && open->has_worked &&
	       itp_looks_begins_unit(finder->looks, open->loop, open->wait, halt->node,
				     open->first_left_depth);
}

/* Nothing was done yet since it began. What finds nothing finds no unit. */
static bool is_fresh(const struct itp_unit_finder *finder, const struct itp_open_unit *open)
{
	return open->unit.was_looked_for ? !open->has_worked :
					   open->paths->len == 0 && !has_come_round(finder, open);
}

static void take_part(const struct itp_unit_finder *finder, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	const bool is_first = !itp_open_unit_has_data(open, halt) && halt->blocked_ns > 0 &&
			      halt->class != ITP_WAIT_CLASS_SIGNAL;

	wait_inside(finder, open, halt);
	if (is_first) {
		itp_open_unit_begin_again(open, halt);
	}
}

static void suspend(const struct itp_unit_finder *finder, struct itp_open_unit *open,
		    const struct itp_halt *halt)
{
	if (!open->is_suspended) {
		open->is_suspended = true;
		open->suspended_ns = halt->begin_ns;
		open->suspended_use = open->unit.use;
	}
	open->has_blocked |= halt->blocked_ns > 0;
	add_all(open->suspended_paths, open->paths);
	add_all(open->suspended_ticks, open->ticks);
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->ticks, 0);
	open->resumed = *halt;
	open->is_resuming = true;
	wait_inside(finder, open, halt);
}

/* Which of them the thread works for is not known: each is a unit as long as the thread does not
 * wait. */
static void overtake(struct itp_unit_finder *finder, struct itp_open_unit *open)
{
	g_autoptr(GArray) paths = g_array_copy(open->paths);
	g_autoptr(GArray) ticks = g_array_copy(open->ticks);
	const struct itp_halt resumed = open->resumed;
	struct itp_halt suspended = open->resumed;
	struct itp_time_use use = open->unit.use;
	const uint32_t loop = open->loop;
	const uint32_t left_depth = open->left_depth;

	itp_time_use_add(&use, &open->resumed_use, -1);
	suspended.begin_ns = open->suspended_ns;
	open->unit.use = open->suspended_use;
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->ticks, 0);
	end_unit(finder, open, &suspended);
	begin_unit(finder, open, &resumed, loop);
	open->left_depth = left_depth;
	open->unit.use = use;
	add_all(open->paths, paths);
	add_all(open->ticks, ticks);
}

/* The wait has come back with work, rather than because of a signal, or as nothing comes any more.
 * A loop whose own time is up has something to do. */
static bool brings_work(const struct itp_unit_finder *finder, const struct itp_halt *halt)
{
	return halt->outcome != ITP_HALT_INTERRUPTED &&
	       (halt->outcome != ITP_HALT_NOTHING ||
		(halt->class != ITP_WAIT_CLASS_DATA && !halt->accepts &&
		 !itp_loops_is_inner(finder->loops, halt->node)));
}

/* The unit's loop waits for work. */
static void meet_wait(struct itp_unit_finder *finder, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	if (halt->node != open->wait || (itp_open_unit_is_answered(open, halt) &&
					 halt->request.place == ITP_REQUEST_ANSWERED)) {
		end_unit(finder, open, halt);
	} else if (is_fresh(finder, open)) {
		open->is_open = false;
		open->is_between = true;
	} else if (has_come_round(finder, open)) {
		end_unit(finder, open, halt);
	} else if (halt->class == ITP_WAIT_CLASS_SIGNAL) {
		/* It has not come back with what it was woken for: another one has taken that. */
		open->is_open = false;
		open->is_between = true;
	}
}

/* Reads of a client in the loop of the thread's unit, or of the one before. */
static bool reads_client(const struct itp_unit_finder *finder, const struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	return halt->class == ITP_WAIT_CLASS_DATA && halt->side == ITP_CONVERSATION_SERVES &&
	       (open->is_open || open->is_between) && !open->unit.is_of_coroutine &&
	       depth_of(finder, open->loop) > 1;
}

/* The one before was answered, or none is open: what is there at once is not waited for. */
static void take_more(struct itp_unit_finder *finder, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	if (open->is_open) {
		end_unit(finder, open, halt);
	}
	if (halt->outcome == ITP_HALT_SOMETHING) {
		begin_found_unit(finder, open, halt, open->loop, open->wait);
		if (itp_wait_is_below(finder->tree, halt->node, open->loop)) {
			note_beginning(finder->reads, open->unit.loop,
				       own_node(finder, open->loop, halt->node));
		}
		wait_inside(finder, open, halt);
	}
}

/* A worker has answered one request, and has taken another one without having waited for it. */
static void take_next(struct itp_unit_finder *finder, struct itp_open_unit *open,
		      const struct itp_halt *halt)
{
	if (open->is_open && !open->unit.is_of_coroutine && itp_open_unit_is_answered(open, halt) &&
	    !finder->keeps_turns) {
		end_unit(finder, open, halt);
		begin_found_unit(finder, open, halt, open->loop, open->wait);
		open->has_waited = true;
	}
}

/* The client has its answer, and the thread waits for work outside of the loop: for the connection
 * of another client, as a thread that was made for one. */
static bool ends_outside(const struct itp_unit_finder *finder, const struct itp_open_unit *open,
			 const struct itp_halt *halt)
{
	return halt->blocked_ns > 0 && halt->request.place == ITP_REQUEST_ANSWERED &&
	       itp_open_unit_is_answered(open, halt) &&
	       itp_loops_is_for_work(finder->loops, halt->node);
}

/* The thread waits for what will begin a unit of `loop`, or ITP_CONTEXT_ROOT for no such thing. */
static void take_wait(struct itp_unit_finder *finder, struct itp_open_unit *open,
		      const struct itp_halt *halt, uint32_t loop)
{
	if (open->is_open && open->is_inherited && loop != ITP_CONTEXT_ROOT &&
	    halt->side != ITP_CONVERSATION_SERVES) {
		end_inherited(finder, open, halt);
	}
	if (open->is_open && open->unit.is_of_coroutine && loop != ITP_CONTEXT_ROOT) {
		end_unit(finder, open, halt);
	} else if (open->is_open && loop == open->loop) {
		if (itp_open_unit_suspends(open, halt)) {
			suspend(finder, open, halt);
			return;
		}
		if (itp_loops_blocks(finder->loops, halt->node) &&
		    itp_open_unit_goes_on(open, halt)) {
			wait_inside(finder, open, halt);
			return;
		}
		if (itp_open_unit_is_part(open, halt)) {
			take_part(finder, open, halt);
			return;
		}
		meet_wait(finder, open, halt);
	} else if (open->is_open && ends_outside(finder, open, halt)) {
		end_unit(finder, open, halt);
	} else if (open->is_open && halt->side != ITP_CONVERSATION_SERVES &&
		   has_found_another(finder, open, halt)) {
		end_unit(finder, open, halt);
	}
	if (open->is_open) {
		wait_inside(finder, open, halt);
	} else if (loop == ITP_CONTEXT_ROOT) {
		look_outside(finder, open, halt);
	} else if (brings_work(finder, halt)) {
		begin_unit(finder, open, halt, loop);
	}
}

/* A coroutine of the thread, whose loop is `loop`, looks for the next thing to do. Its unit lasts
 * until it looks again or the thread waits: when the coroutine has left the thread before is not
 * seen, as the runtime has a stack of its own, too. */
static void take_look(struct itp_unit_finder *finder, struct itp_open_unit *open,
		      const struct itp_halt *halt, uint32_t loop)
{
	const bool is_own = open->is_open && open->unit.is_of_coroutine && open->loop == loop;

	if (halt->would_block && !is_own) {
		if (open->is_open) {
			wait_inside(finder, open, halt);
		}
		return;
	}
	if (open->is_open && open->paths->len > 0 && open->woken_ns == 0) {
		end_unit(finder, open, halt);
	}
	open->is_open = false;
	if (!halt->would_block) {
		begin_unit(finder, open, halt, loop);
		open->unit.is_of_coroutine = true;
	}
	if (!halt->would_block && open->woken_ns > 0) {
		open->unit.begin_ns = open->woken_ns;
		open->unit.use = open->woken_use;
		itp_time_use_add(&open->unit.use, &halt->use, 1);
	}
	open->woken_ns = 0;
}

/* The loop of which `halt` waits for work. Whoever reads of a client does, although he may not have
 * come back to that yet. */
static uint32_t loop_of(const struct itp_unit_finder *finder, const struct itp_open_unit *open,
			const struct itp_halt *halt)
{
	const uint32_t loop = halt->only_looks ? ITP_CONTEXT_ROOT :
						 itp_loops_of(finder->loops, halt->node);

	return loop == ITP_CONTEXT_ROOT && reads_client(finder, open, halt) && !halt->only_looks ?
		       open->loop :
		       loop;
}

/* The thread has left the function whose units it was in. */
static void leave(struct itp_unit_finder *finder, struct itp_open_unit *open,
		  const struct itp_halt *halt)
{
	if (finder->keeps_turns && open->is_open && open->is_inherited) {
		return;
	}
	if (open->is_open && open->is_inherited) {
		end_inherited(finder, open, halt);
	}
	open->is_open = false;
	open->is_between = false;
}

/* What a thread has answered before its end, or that of the recording, is a unit that has ended;
 * for a guard, that of a child. */
static void end_with_thread(struct itp_unit_finder *finder, struct itp_open_unit *open,
			    const struct itp_halt *halt, const struct itp_unit_work *work)
{
	if (!open->is_open || open->unit.is_of_coroutine ||
	    !(halt->is_thread_end || halt->is_recording_end)) {
		return;
	}
	itp_open_unit_go_on(open, halt, work);
	if (finder->keeps_turns) {
		if (open->is_inherited && halt->is_thread_end) {
			end_unit(finder, open, halt);
		}
		return;
	}
	if (halt->request.place == ITP_REQUEST_ANSWERED &&
	    itp_open_unit_ends_with_answer(open, halt)) {
		end_unit(finder, open, halt);
	}
}

/* The thread is not followed any more. */
static void note_open(struct itp_unit_finder *finder, const struct itp_open_unit *open,
		      const struct itp_halt *halt, bool has_worked)
{
	const int64_t lasted_ns = halt->end_ns - open->unit.begin_ns;

	if (halt->is_recording_end && open->is_open && lasted_ns > 0 &&
	    (has_worked || open->paths->len > 0)) {
		finder->gaps.open_units++;
		finder->gaps.longest_open_ns = MAX(finder->gaps.longest_open_ns, lasted_ns);
	}
}

/* `halt` has the paths and ticks behind it. */
static void take(struct itp_unit_finder *finder, const struct itp_halt *halt,
		 const struct itp_unit_work *work)
{
	const uint32_t coroutine = itp_loops_of_coroutine(finder->loops, halt->node);
	const bool is_first = !g_hash_table_contains(finder->threads, GINT_TO_POINTER(halt->tid));
	struct itp_open_unit *open = open_unit_of(finder, halt->tid);

	if (halt->node == ITP_CONTEXT_ROOT && !halt->is_unplaced && halt->next_ns == 0) {
		end_with_thread(finder, open, halt, work);
		note_open(finder, open, halt, work->path_count > 0);
		g_hash_table_remove(finder->threads, GINT_TO_POINTER(halt->tid));
		return;
	}
	itp_births_settle(itp_halts_births(finder->halts), halt->tid, halt->begin_ns,
			  open->is_open ? &open->unit : NULL);
	if (open->is_open || open->is_between) {
		itp_open_unit_go_on(open, halt, work);
		if (!open->unit.is_of_coroutine && has_left(finder, open)) {
			leave(finder, open, halt);
		}
	} else if (is_first) {
		inherit(finder, open, halt, work);
	}
	if (is_still_child(finder, open, halt)) {
		return;
	}
	if (halt->next_ns > 0) {
		take_next(finder, open, halt);
		return;
	}
	if (halt->only_looks && coroutine != ITP_CONTEXT_ROOT) {
		take_look(finder, open, halt, coroutine);
		return;
	}
	itp_open_unit_note_woken(open, halt);
	if (itp_open_unit_is_overtaken(open, halt)) {
		overtake(finder, open);
	}
	if (halt->blocked_ns == 0 && reads_client(finder, open, halt) &&
	    (open->is_between || itp_open_unit_is_answered(open, halt))) {
		take_more(finder, open, halt);
	} else if (!halt->is_unplaced) {
		take_wait(finder, open, halt, loop_of(finder, open, halt));
	} else if (open->is_open) {
		wait_inside(finder, open, halt);
	}
}

static void tell_batch(struct itp_unit_finder *finder)
{
	struct itp_unit_work work = {
		.paths = (const uint32_t *)(const void *)finder->batch_paths->data,
		.ticks = (const uint32_t *)(const void *)finder->batch_ticks->data
	};

	itp_loops_decide(finder->loops);
	for (guint i = 0; i < finder->batch->len; i++) {
		itp_looks_note(finder->looks, finder->loops,
			       &g_array_index(finder->batch, struct itp_halt, i),
			       g_array_index(finder->path_counts, guint, i) > 0);
	}
	itp_looks_decide(finder->looks);
	for (guint i = 0; i < finder->batch->len; i++) {
		work.path_count = g_array_index(finder->path_counts, guint, i);
		work.tick_count = g_array_index(finder->tick_counts, guint, i);
		take(finder, &g_array_index(finder->batch, struct itp_halt, i), &work);
		work.paths += work.path_count;
		work.ticks += work.tick_count;
	}
	g_array_set_size(finder->batch, 0);
	g_array_set_size(finder->batch_paths, 0);
	g_array_set_size(finder->path_counts, 0);
	g_array_set_size(finder->batch_ticks, 0);
	g_array_set_size(finder->tick_counts, 0);
	finder->batch_calls = 0;
}

static void on_halt(const struct itp_halt *halt, void *data)
{
	struct itp_unit_finder *finder = data;

	itp_loops_note(finder->loops, halt);
	g_array_append_vals(finder->batch, halt, 1);
	g_array_append_vals(finder->batch_paths, halt->paths->data, halt->paths->len);
	g_array_append_val(finder->path_counts, halt->paths->len);
	g_array_append_vals(finder->batch_ticks, halt->ticks->data, halt->ticks->len);
	g_array_append_val(finder->tick_counts, halt->ticks->len);
	if (finder->batch->len == BATCH || finder->batch_paths->len >= BATCH_PATHS ||
	    finder->batch_calls >= BATCH_CALLS) {
		tell_batch(finder);
	}
}

struct itp_unit_finder *itp_unit_finder_new(const struct itp_context_tree *tree,
					    const struct itp_function_table *functions,
					    itp_unit_func on_unit, void *data)
{
	struct itp_unit_finder *finder = g_new0(struct itp_unit_finder, 1);

	finder->tree = tree;
	finder->functions = functions;
	finder->on_unit = on_unit;
	finder->data = data;
	finder->halts = itp_halts_new(tree, functions, on_halt, finder);
	finder->loops = itp_loops_new(tree);
	finder->looks = itp_looks_new(tree);
	finder->paths = itp_path_sets_new();
	finder->own_tree = itp_context_tree_new();
	finder->own_nodes = g_hash_table_new(itp_hash_number, NULL);
	finder->batch = g_array_new(FALSE, FALSE, sizeof(struct itp_halt));
	finder->batch_paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	finder->path_counts = g_array_new(FALSE, FALSE, sizeof(guint));
	finder->batch_ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	finder->tick_counts = g_array_new(FALSE, FALSE, sizeof(guint));
	finder->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_open_unit);
	finder->waits =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, (GDestroyNotify)g_array_unref);
	finder->reads =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, (GDestroyNotify)g_array_unref);
	return finder;
}

void itp_unit_finder_free(struct itp_unit_finder *finder)
{
	if (!finder) {
		return;
	}
	itp_halts_free(finder->halts);
	itp_loops_free(finder->loops);
	itp_looks_free(finder->looks);
	itp_path_sets_free(finder->paths);
	itp_context_tree_free(finder->own_tree);
	g_hash_table_unref(finder->own_nodes);
	g_array_unref(finder->batch);
	g_array_unref(finder->batch_paths);
	g_array_unref(finder->path_counts);
	g_array_unref(finder->batch_ticks);
	g_array_unref(finder->tick_counts);
	g_hash_table_unref(finder->threads);
	g_hash_table_unref(finder->waits);
	g_hash_table_unref(finder->reads);
	g_free(finder);
}

void itp_unit_finder_keep_turns(struct itp_unit_finder *finder)
{
	finder->keeps_turns = true;
}

void itp_unit_finder_add(struct itp_unit_finder *finder, const struct itp_instance *instance)
{
	finder->batch_calls++;
	itp_halts_add(finder->halts, instance);
}

void itp_unit_finder_add_unplaced(struct itp_unit_finder *finder, const struct itp_instance *call,
				  uint32_t function)
{
	itp_halts_add_unplaced(finder->halts, call, function);
}

void itp_unit_finder_add_stretch(struct itp_unit_finder *finder, const struct itp_stretch *stretch)
{
	itp_halts_add_stretch(finder->halts, stretch);
}

void itp_unit_finder_finish(struct itp_unit_finder *finder)
{
	tell_batch(finder);
	finder->gaps.has_no_proof = !itp_halts_have_proof(finder->halts);
}

struct itp_unit_gaps itp_unit_finder_gaps(const struct itp_unit_finder *finder)
{
	return finder->gaps;
}

const GArray *itp_unit_finder_waits(const struct itp_unit_finder *finder, uint32_t loop)
{
	return g_hash_table_lookup(finder->waits, GUINT_TO_POINTER(loop));
}

const GArray *itp_unit_finder_reads(const struct itp_unit_finder *finder, uint32_t loop)
{
	return g_hash_table_lookup(finder->reads, GUINT_TO_POINTER(loop));
}

const struct itp_context_tree *itp_unit_finder_tree(const struct itp_unit_finder *finder)
{
	return finder->own_tree;
}

const struct itp_path_sets *itp_unit_finder_paths(const struct itp_unit_finder *finder)
{
	return finder->paths;
}
