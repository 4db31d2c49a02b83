/* SPDX-License-Identifier: MIT */
/*
 * See finder.h.
 */
#include "common/unit/finder.h"

#include "common/base/hash.h"
#include "common/unit/halts.h"
#include "common/unit/looks.h"
#include "common/unit/loops.h"

/* How many waits, call paths between them, and calls go by until what waits are is decided. */
#define BATCH (1u << 16)
#define BATCH_PATHS (1u << 22)
#define BATCH_CALLS (1u << 20)

/* A unit that has begun. */
struct open_unit {
	bool is_open;
	struct itp_unit unit;
	/* The one before, of the same thread. */
	struct itp_unit before;
	/* Nodes of the loop and of its wait in the inference's tree. */
	uint32_t loop;
	uint32_t wait;
	/* As in struct itp_halt, since it began. */
	uint32_t left_depth;
	bool is_unsure;
	/* The latest wait was a part of it. */
	bool has_waited;
	/* The call with which it has begun; and since that was made, the outermost call that has
	 * ended, and whether others were made. */
	uint32_t first;
	uint32_t first_left_depth;
	bool has_worked;
	/* uint32_t: contexts of its system calls, and of the ticks in it. Owned by this. */
	GArray *paths;
	GArray *ticks;
};

struct itp_unit_finder {
	const struct itp_context_tree *tree;
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
	/* struct open_unit by tid. */
	GHashTable *threads;
};

static void free_open_unit(gpointer data)
{
	struct open_unit *open = data;

	g_array_unref(open->paths);
	g_array_unref(open->ticks);
	g_free(open);
}

static struct open_unit *open_unit_of(struct itp_unit_finder *finder, int32_t tid)
{
	struct open_unit *open = g_hash_table_lookup(finder->threads, GINT_TO_POINTER(tid));

	if (!open) {
		open = g_new0(struct open_unit, 1);
		open->paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		open->ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_hash_table_insert(finder->threads, GINT_TO_POINTER(tid), open);
	}
	return open;
}

static uint32_t depth_of(const struct itp_unit_finder *finder, uint32_t node)
{
	return itp_context_tree_get(finder->tree, node)->depth;
}

/* What a thread did between two waits: contexts of its system calls, and of ticks. Weak. */
struct done {
	const uint32_t *paths;
	guint path_count;
	const uint32_t *ticks;
	guint tick_count;
};

/* What the thread has done until it waits. */
static void go_on(struct open_unit *open, const struct itp_halt *halt, const struct done *done)
{
	if (halt->is_unsure) {
		open->is_unsure = true;
	} else {
		open->left_depth = MIN(open->left_depth, halt->left_depth);
		open->first_left_depth = MIN(open->first_left_depth, halt->left_depth);
	}
	open->has_worked |= done->path_count > 0;
	itp_time_use_add(&open->unit.use, &halt->use, 1);
	if (open->has_waited) {
		itp_time_use_add(&open->unit.use, &halt->before_use, 1);
	}
	itp_path_set_add(open->paths, done->paths, done->path_count);
	itp_path_set_add(open->ticks, done->ticks, done->tick_count);
}

/* A wait, or a look, that is a part of the unit. */
static void wait_inside(const struct itp_unit_finder *finder, struct open_unit *open,
			const struct itp_halt *halt)
{
	open->has_waited = true;
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

static bool has_left(const struct itp_unit_finder *finder, const struct open_unit *open)
{
	return open->left_depth <= depth_of(finder, open->loop);
}

/* The loop has come round: it has stayed, and what it had called has not. Where stacks do not tell,
 * that it waits again does. */
static bool has_come_round(const struct itp_unit_finder *finder, const struct open_unit *open)
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

/* The node of units that is `node`, which is at or below `loop`. */
static uint32_t own_node(struct itp_unit_finder *finder, uint32_t loop, uint32_t node)
{
	const gpointer key = itp_pair(loop, node);
	uint32_t own = GPOINTER_TO_UINT(g_hash_table_lookup(finder->own_nodes, key));
	uint32_t parent = itp_context_tree_get(finder->tree, node)->parent;

	if (own != ITP_CONTEXT_ROOT) {
		return own;
	}
	parent = node == loop ? own_process(finder, loop) : own_node(finder, loop, parent);
	own = itp_context_tree_child(finder->own_tree, parent,
				     itp_context_tree_get(finder->tree, node)->function);
	g_hash_table_insert(finder->own_nodes, key, GUINT_TO_POINTER(own));
	return own;
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

static void end_unit(struct itp_unit_finder *finder, struct open_unit *open, int64_t end_ns)
{
	take_own_nodes(finder, open->loop, open->paths);
	take_own_nodes(finder, open->loop, open->ticks);
	open->unit.end_ns = end_ns;
	open->unit.paths = itp_path_sets_intern(finder->paths, open->paths);
	open->unit.ticks = open->ticks;
	finder->on_unit(&open->unit, finder->data);
	open->before = open->unit;
	open->is_open = false;
}

static bool has_signalled(const struct itp_unit *unit, const struct itp_halt *halt)
{
	return unit->begin_ns <= halt->signal_ns &&
	       (unit->end_ns == 0 || halt->signal_ns <= unit->end_ns);
}

/* In which unit the wait was ended; NULL: in none, or in one that is not known yet. */
static const struct itp_unit *signaller_of(const struct itp_unit_finder *finder,
					   const struct itp_halt *halt)
{
	const struct open_unit *open =
		halt->signaller == 0 ?
			NULL :
			g_hash_table_lookup(finder->threads, GINT_TO_POINTER(halt->signaller));

	return !open                                                         ? NULL :
	       open->is_open && has_signalled(&open->unit, halt)             ? &open->unit :
	       open->before.end_ns > 0 && has_signalled(&open->before, halt) ? &open->before :
									       NULL;
}

static void begin_unit(struct itp_unit_finder *finder, struct open_unit *open,
		       const struct itp_halt *halt, uint32_t loop)
{
	const struct itp_unit *signaller = signaller_of(finder, halt);

	open->is_open = true;
	open->unit = (struct itp_unit){
		.pid = halt->pid,
		.tid = halt->tid,
		.begin_ns = halt->end_ns,
		.loop = own_node(finder, loop, loop),
		.wait = own_node(finder, loop, halt->node),
		.at = loop,
		.signaller_loop = signaller ? signaller->loop : ITP_CONTEXT_ROOT,
		.signaller_tid = signaller ? signaller->tid : 0,
		.signaller_begin_ns = signaller ? signaller->begin_ns : 0,
	};
	open->loop = loop;
	open->wait = halt->node;
	open->left_depth = UINT32_MAX;
	open->is_unsure = false;
	open->has_waited = false;
	open->first = ITP_CONTEXT_ROOT;
	open->has_worked = false;
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->ticks, 0);
}

/* One that was not waited for: it was found by the call with which those behind `wait` begin. */
static void begin_found_unit(struct itp_unit_finder *finder, struct open_unit *open,
			     const struct itp_halt *halt, uint32_t loop, uint32_t wait)
{
	begin_unit(finder, open, halt, loop);
	open->unit.begin_ns = halt->begin_ns;
	open->unit.wait = own_node(finder, loop, wait);
	open->wait = wait;
	open->unit.was_looked_for = true;
}

/* Outside of all units: what it finds there is one, too, as where the loop has just begun and never
 * had to wait. */
static void look_outside(struct itp_unit_finder *finder, struct open_unit *open,
			 const struct itp_halt *halt)
{
	const uint32_t wait = itp_looks_wait_of(finder->looks, halt->node);
	const uint32_t loop = itp_loops_of(finder->loops, wait);

	if (loop != ITP_CONTEXT_ROOT && !halt->would_block) {
		begin_found_unit(finder, open, halt, loop, wait);
		wait_inside(finder, open, halt);
	}
}

static bool has_found_another(const struct itp_unit_finder *finder, const struct open_unit *open,
			      const struct itp_halt *halt)
{
	return halt->node == open->first && open->has_worked &&
	       itp_looks_begins_unit(finder->looks, open->loop, open->wait, halt->node,
				     open->first_left_depth);
}

/* Nothing was done yet since it began. What finds nothing finds no unit. */
static bool is_fresh(const struct itp_unit_finder *finder, const struct open_unit *open)
{
	return open->unit.was_looked_for ? !open->has_worked :
					   open->paths->len == 0 && !has_come_round(finder, open);
}

/* The thread waits for what will begin a unit of `loop`, or ITP_CONTEXT_ROOT for no such thing. */
static void take_wait(struct itp_unit_finder *finder, struct open_unit *open,
		      const struct itp_halt *halt, uint32_t loop)
{
	if (open->is_open && open->unit.is_of_coroutine && loop != ITP_CONTEXT_ROOT) {
		end_unit(finder, open, halt->begin_ns);
	} else if (open->is_open && loop == open->loop) {
		if (is_fresh(finder, open)) {
			open->is_open = false;
		} else if (has_come_round(finder, open)) {
			end_unit(finder, open, halt->begin_ns);
		}
	} else if (open->is_open && has_found_another(finder, open, halt)) {
		end_unit(finder, open, halt->begin_ns);
	}
	if (open->is_open) {
		wait_inside(finder, open, halt);
	} else if (loop != ITP_CONTEXT_ROOT) {
		begin_unit(finder, open, halt, loop);
	} else {
		look_outside(finder, open, halt);
	}
}

/* A coroutine of the thread, whose loop is `loop`, looks for the next thing to do. Its unit lasts
 * until it looks again or the thread waits: when the coroutine has left the thread before is not
 * seen, as the runtime has a stack of its own, too. */
static void take_look(struct itp_unit_finder *finder, struct open_unit *open,
		      const struct itp_halt *halt, uint32_t loop)
{
	const bool is_own = open->is_open && open->unit.is_of_coroutine && open->loop == loop;

	if (halt->would_block && !is_own) {
		if (open->is_open) {
			wait_inside(finder, open, halt);
		}
		return;
	}
	if (open->is_open && open->paths->len > 0) {
		end_unit(finder, open, halt->begin_ns);
	}
	open->is_open = false;
	if (!halt->would_block) {
		begin_unit(finder, open, halt, loop);
		open->unit.is_of_coroutine = true;
	}
}

/* `halt` has the paths and ticks behind it. */
static void take(struct itp_unit_finder *finder, const struct itp_halt *halt,
		 const struct done *done)
{
	const uint32_t coroutine = itp_loops_of_coroutine(finder->loops, halt->node);
	struct open_unit *open;

	if (halt->node == ITP_CONTEXT_ROOT) {
		g_hash_table_remove(finder->threads, GINT_TO_POINTER(halt->tid));
		return;
	}
	open = open_unit_of(finder, halt->tid);
	if (open->is_open) {
		go_on(open, halt, done);
		open->is_open = open->unit.is_of_coroutine || !has_left(finder, open);
	}
	if (halt->only_looks && coroutine != ITP_CONTEXT_ROOT) {
		take_look(finder, open, halt, coroutine);
		return;
	}
	take_wait(finder, open, halt,
		  halt->only_looks ? ITP_CONTEXT_ROOT : itp_loops_of(finder->loops, halt->node));
}

static void tell_batch(struct itp_unit_finder *finder)
{
	struct done done = { .paths = (const uint32_t *)(const void *)finder->batch_paths->data,
			     .ticks = (const uint32_t *)(const void *)finder->batch_ticks->data };

	itp_loops_decide(finder->loops);
	for (guint i = 0; i < finder->batch->len; i++) {
		itp_looks_note(finder->looks, finder->loops,
			       &g_array_index(finder->batch, struct itp_halt, i),
			       g_array_index(finder->path_counts, guint, i) > 0);
	}
	itp_looks_decide(finder->looks);
	for (guint i = 0; i < finder->batch->len; i++) {
		done.path_count = g_array_index(finder->path_counts, guint, i);
		done.tick_count = g_array_index(finder->tick_counts, guint, i);
		take(finder, &g_array_index(finder->batch, struct itp_halt, i), &done);
		done.paths += done.path_count;
		done.ticks += done.tick_count;
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
	g_free(finder);
}

void itp_unit_finder_add(struct itp_unit_finder *finder, const struct itp_instance *instance)
{
	finder->batch_calls++;
	itp_halts_add(finder->halts, instance);
}

void itp_unit_finder_add_stretch(struct itp_unit_finder *finder, const struct itp_stretch *stretch)
{
	itp_halts_add_stretch(finder->halts, stretch);
}

void itp_unit_finder_finish(struct itp_unit_finder *finder)
{
	tell_batch(finder);
}

const struct itp_context_tree *itp_unit_finder_tree(const struct itp_unit_finder *finder)
{
	return finder->own_tree;
}

const struct itp_path_sets *itp_unit_finder_paths(const struct itp_unit_finder *finder)
{
	return finder->paths;
}
