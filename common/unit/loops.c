/* SPDX-License-Identifier: MIT */
/*
 * See loops.h.
 */
#include "common/unit/loops.h"

#include "common/base/hash.h"
#include "common/unit/path-sets.h"
#include "common/unit/purposes.h"

/* Most waits of a thread followed at once: the longest unvisited ones are given up. */
#define WAITS_OF_A_THREAD 64
/* Most threads of a wait known, the first ones. */
#define THREADS_KNOWN 256
/* Divisor of the reads in a context: threads wait there if more than a 2nd of them brought a
 * request. */
#define REQUESTS_PART 2
/* Depths in the tree: of the node for the thread, of the outermost function, and of a coroutine's
 * own one, below the runtime's. */
#define THREAD_DEPTH 1
#define OUTERMOST_DEPTH 2
#define COROUTINE_DEPTH 3

/* A context in which threads wait, or look whether they must. */
struct wait {
	uint32_t node;
	enum itp_wait_class class;
	uint32_t depth;
	int64_t blocked_ns;
	/* Numbers of visits, of looks in vain, and of reads of a client with nothing open by a
	 * thread that has slept nowhere since its wait or look before. */
	uint64_t visits;
	uint64_t failures;
	uint64_t requests;
	/* uint64_t by depth: returns of its function at this depth. Owned by this. */
	GArray *returns;
	uint64_t all;
	/* uint64_t by depth: how often the calls since the thread's halt before, as far as they are
	 * a coroutine's with this function, were below the function at this depth, and below no
	 * deeper one of the context. Owned by this. */
	GArray *stays;
	uint64_t all_stays;
	/* Tids of threads that have waited in it. Owned by this. */
	GHashTable *threads;
	/* Depth of the function with its loop; 0 for none. */
	uint32_t loop_depth;
	bool begins_units;
	/* Threads only look in it, and have to wait there, as they do nowhere else. */
	bool is_only_place;
	/* Purpose, and part of its waits that are for work. */
	enum itp_purpose purpose;
	double work_part;
	/* Node of an outer loop, when the wait is for more work of the outer loop; or
	 * ITP_CONTEXT_ROOT. */
	uint32_t outer_loop;
};

/* A thread's visit to a wait; depth of the outermost call that ended since. */
struct visit {
	uint32_t node;
	uint32_t left_depth;
};

struct itp_loops {
	/* Weak. */
	const struct itp_context_tree *tree;
	/* struct wait by node, of waits and of places where threads only look. Owned by this. */
	GHashTable *waits;
	GHashTable *looks;
	/* GArray of struct visit by tid, the last one last; of waits and of looks. Owned by
	 * this. */
	GHashTable *threads;
	GHashTable *lookers;
	/* Owned by this. */
	struct itp_purposes *purposes;
};

static void free_wait(gpointer data)
{
	struct wait *wait = data;

	g_array_unref(wait->returns);
	g_array_unref(wait->stays);
	g_hash_table_unref(wait->threads);
	g_free(wait);
}

struct itp_loops *itp_loops_new(const struct itp_context_tree *tree)
{
	struct itp_loops *loops = g_new0(struct itp_loops, 1);

	loops->tree = tree;
	loops->waits = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_wait);
	loops->looks = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_wait);
	loops->threads =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, (GDestroyNotify)g_array_unref);
	loops->lookers =
		g_hash_table_new_full(itp_hash_number, NULL, NULL, (GDestroyNotify)g_array_unref);
	loops->purposes = itp_purposes_new();
	return loops;
}

void itp_loops_free(struct itp_loops *loops)
{
	g_hash_table_unref(loops->waits);
	g_hash_table_unref(loops->looks);
	g_hash_table_unref(loops->threads);
	g_hash_table_unref(loops->lookers);
	itp_purposes_free(loops->purposes);
	g_free(loops);
}

/* ---- Returns to waits ---- */

static struct wait *wait_of(const struct itp_loops *loops, const struct itp_halt *halt)
{
	GHashTable *waits = halt->only_looks ? loops->looks : loops->waits;
	struct wait *wait = g_hash_table_lookup(waits, GUINT_TO_POINTER(halt->node));

	if (!wait) {
		wait = g_new0(struct wait, 1);
		wait->node = halt->node;
		wait->class = halt->class;
		wait->depth = itp_context_tree_get(loops->tree, halt->node)->depth;
		wait->threads = g_hash_table_new(itp_hash_number, NULL);
		wait->returns = g_array_new(FALSE, TRUE, sizeof(uint64_t));
		g_array_set_size(wait->returns, wait->depth);
		wait->stays = g_array_new(FALSE, TRUE, sizeof(uint64_t));
		g_array_set_size(wait->stays, wait->depth);
		g_hash_table_insert(waits, GUINT_TO_POINTER(halt->node), wait);
	}
	return wait;
}

static GArray *visits_of(GHashTable *threads, int32_t tid)
{
	GArray *visits = g_hash_table_lookup(threads, GINT_TO_POINTER(tid));

	if (!visits) {
		visits = g_array_new(FALSE, FALSE, sizeof(struct visit));
		g_hash_table_insert(threads, GINT_TO_POINTER(tid), visits);
	}
	return visits;
}

/* Removes the last visit to `node`; false for none. */
static bool take_visit(GArray *visits, uint32_t node, struct visit *ret_visit)
{
	for (guint i = visits->len; i > 0; i--) {
		*ret_visit = g_array_index(visits, struct visit, i - 1);
		if (ret_visit->node == node) {
			g_array_remove_index(visits, i - 1);
			return true;
		}
	}
	return false;
}

static void leave_visits(GArray *visits, uint32_t left_depth)
{
	for (guint i = 0; i < visits->len; i++) {
		struct visit *visit = &g_array_index(visits, struct visit, i);

		visit->left_depth = MIN(visit->left_depth, left_depth);
	}
}

/* Counts a thread's return to the wait. */
static void count_return(struct wait *wait, uint32_t left_depth)
{
	if (left_depth >= OUTERMOST_DEPTH && left_depth <= wait->depth) {
		g_array_index(wait->returns, uint64_t, left_depth - 1)++;
		wait->all++;
	}
}

/* Depth of the innermost node above both, 0 where the two belong to different coroutines. */
static uint32_t common_depth(const struct itp_loops *loops, uint32_t a, uint32_t b)
{
	const struct itp_context *first = itp_context_tree_get(loops->tree, a);
	const struct itp_context *second = itp_context_tree_get(loops->tree, b);

	while (a != b && MIN(first->depth, second->depth) >= COROUTINE_DEPTH) {
		if (first->depth >= second->depth) {
			a = first->parent;
			first = itp_context_tree_get(loops->tree, a);
		} else {
			b = second->parent;
			second = itp_context_tree_get(loops->tree, b);
		}
	}
	return a == b && first->depth >= COROUTINE_DEPTH ? first->depth : 0;
}

/* Notes which function of the look's context has stayed, as calls of the same coroutine tell. A
 * thread turns to other coroutines in between, by which all functions of this one seem to have
 * returned. */
static void note_stay(const struct itp_loops *loops, struct wait *look, const struct itp_halt *halt)
{
	uint32_t depth = look->depth;

	for (guint i = 0; i < halt->paths->len; i++) {
		const uint32_t path = itp_path_node(g_array_index(halt->paths, uint32_t, i));
		const uint32_t common = common_depth(loops, look->node, path);

		depth = common > 0 ? MIN(depth, common) : depth;
	}
	if (depth < look->depth) {
		g_array_index(look->stays, uint64_t, depth)++;
		look->all_stays++;
	}
}

/* Notes a visit to a wait; `visits` has the thread's visits to waits, or to looks. */
static void visit_wait(GArray *visits, struct wait *wait, const struct itp_halt *halt)
{
	struct visit visit = { .node = halt->node };

	wait->blocked_ns += halt->blocked_ns;
	wait->visits++;
	wait->failures += halt->would_block;
	wait->requests += halt->side == ITP_CONVERSATION_SERVES &&
			  halt->outcome == ITP_HALT_SOMETHING &&
			  halt->request.place != ITP_REQUEST_OPEN && halt->use.blocked_ns == 0;
	if (g_hash_table_size(wait->threads) < THREADS_KNOWN) {
		g_hash_table_add(wait->threads, GINT_TO_POINTER(halt->tid));
	}
	if (take_visit(visits, halt->node, &visit)) {
		count_return(wait, visit.left_depth);
	} else if (visits->len == WAITS_OF_A_THREAD) {
		g_array_remove_index(visits, 0);
	}
	visit = (struct visit){ .node = halt->node, .left_depth = wait->depth };
	g_array_append_val(visits, visit);
}

void itp_loops_note(struct itp_loops *loops, const struct itp_halt *halt)
{
	const uint32_t left_depth = halt->is_unsure ? 0 : halt->left_depth;
	const bool is_in_between = halt->is_unplaced || halt->next_ns > 0 || halt->is_turn;
	GArray *visits;
	GArray *looks;
	struct wait *wait;

	itp_purposes_note(loops->purposes, halt);
	if (halt->node == ITP_CONTEXT_ROOT && !is_in_between) {
		g_hash_table_remove(loops->threads, GINT_TO_POINTER(halt->tid));
		g_hash_table_remove(loops->lookers, GINT_TO_POINTER(halt->tid));
		return;
	}
	visits = visits_of(loops->threads, halt->tid);
	looks = visits_of(loops->lookers, halt->tid);
	leave_visits(visits, left_depth);
	leave_visits(looks, left_depth);
	if (is_in_between) {
		return;
	}
	wait = wait_of(loops, halt);
	visit_wait(halt->only_looks ? looks : visits, wait, halt);
	if (halt->only_looks) {
		note_stay(loops, wait, halt);
	}
}

/* ---- Loops ---- */

/* Depth of the outermost function, from `depth` on, that has come back to the wait, by `counts` of
 * `all`; 0 for none. */
static uint32_t outermost_function(const struct wait *wait, uint32_t depth, const GArray *counts,
				   uint64_t all)
{
	const uint64_t least = MAX(ITP_LOOP_LEAST, all / ITP_LOOP_PART);

	for (; depth < wait->depth; depth++) {
		if (g_array_index(counts, uint64_t, depth) >= least) {
			return depth;
		}
	}
	return 0;
}

static bool is_in_loop_of_thread(const struct wait *wait)
{
	const uint64_t least = MAX(ITP_LOOP_LEAST, wait->all / ITP_THREAD_LOOP_PART);

	return g_array_index(wait->returns, uint64_t, THREAD_DEPTH) >= least;
}

static uint32_t outermost_loop(const struct wait *wait)
{
	return is_in_loop_of_thread(wait) ?
		       THREAD_DEPTH :
		       outermost_function(wait, OUTERMOST_DEPTH, wait->returns, wait->all);
}

static uint32_t ancestor_at(const struct itp_loops *loops, uint32_t node, uint32_t depth)
{
	while (itp_context_tree_get(loops->tree, node)->depth > depth) {
		node = itp_context_tree_get(loops->tree, node)->parent;
	}
	return node;
}

static uint32_t loop_of(const struct itp_loops *loops, const struct wait *wait)
{
	return ancestor_at(loops, wait->node, wait->loop_depth);
}

/* True when a thread has waited in both. Processes and threads of one program share contexts
 * without having to do the same work there. */
static bool share_a_thread(const struct wait *a, const struct wait *b)
{
	GHashTableIter iter;
	gpointer tid;

	g_hash_table_iter_init(&iter, a->threads);
	while (g_hash_table_iter_next(&iter, &tid, NULL)) {
		if (g_hash_table_contains(b->threads, tid)) {
			return true;
		}
	}
	return false;
}

/* True when `other`, in one loop with `wait`, rather begins its units, as far as known without
 * proof. */
static bool is_likelier(const struct wait *wait, const struct wait *other)
{
	if (other->work_part != wait->work_part) {
		return other->work_part > wait->work_part;
	}
	if (other->class != wait->class) {
		return other->class > wait->class;
	}
	if (other->blocked_ns != wait->blocked_ns) {
		return other->blocked_ns > wait->blocked_ns;
	}
	return other->depth < wait->depth ||
	       (other->depth == wait->depth && other->node < wait->node);
}

/* True when both wait for the signal of another thread: one is for a queue, the other for a lock on
 * the way. */
static bool are_both_signals(const struct wait *wait, const struct wait *other)
{
	return wait->class == ITP_WAIT_CLASS_SIGNAL && other->class == ITP_WAIT_CLASS_SIGNAL;
}

static bool is_in_loop_of(const struct itp_loops *loops, const struct wait *wait,
			  const struct wait *other)
{
	return other != wait && other->loop_depth > 0 && other->loop_depth <= wait->loop_depth &&
	       ancestor_at(loops, wait->node, other->loop_depth) == loop_of(loops, other) &&
	       share_a_thread(wait, other);
}

/* True when `other` begins the units around `wait`. A loop may have several waits for work. */
static bool is_within(const struct itp_loops *loops, const struct wait *wait,
		      const struct wait *other)
{
	if (!is_in_loop_of(loops, wait, other)) {
		return false;
	}
	if (other->purpose != wait->purpose) {
		return other->purpose > wait->purpose;
	}
	if (other->loop_depth < wait->loop_depth) {
		return true;
	}
	return (wait->purpose != ITP_PURPOSE_WORK || are_both_signals(wait, other)) &&
	       is_likelier(wait, other);
}

/* Outermost loop that waits for work, when `wait` is for more of it inside. */
static uint32_t outer_loop_of(const struct itp_loops *loops, GHashTable *waits,
			      const struct wait *wait)
{
	uint32_t depth = wait->loop_depth;
	GHashTableIter iter;
	gpointer data;

	if (wait->purpose != ITP_PURPOSE_WORK || wait->class == ITP_WAIT_CLASS_SIGNAL) {
		return ITP_CONTEXT_ROOT;
	}
	g_hash_table_iter_init(&iter, waits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		const struct wait *other = data;

		if (other->begins_units && other->purpose == ITP_PURPOSE_WORK &&
		    is_in_loop_of(loops, wait, other)) {
			depth = MIN(depth, other->loop_depth);
		}
	}
	return depth < wait->loop_depth ? ancestor_at(loops, wait->node, depth) : ITP_CONTEXT_ROOT;
}

/* True when no other of `waits` begins the units around `wait`. */
static bool begins_units(const struct itp_loops *loops, GHashTable *waits, const struct wait *wait)
{
	GHashTableIter iter;
	gpointer other;

	if (wait->loop_depth == 0) {
		return false;
	}
	g_hash_table_iter_init(&iter, waits);
	while (g_hash_table_iter_next(&iter, NULL, &other)) {
		if (is_within(loops, wait, other)) {
			return false;
		}
	}
	return true;
}

/* True when a thread that looks in the context runs coroutines: its own loop is no function's.
 * Returns to looks count as well as returns to waits: a runtime with nothing to do comes back to
 * its waits time and again without a coroutine in between. */
static bool is_in_coroutine(const struct itp_loops *loops, const struct wait *look)
{
	GHashTableIter iter;
	gpointer data;

	if (is_in_loop_of_thread(look)) {
		return true;
	}

	g_hash_table_iter_init(&iter, loops->waits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		const struct wait *wait = data;

		if (wait->begins_units && wait->loop_depth == THREAD_DEPTH &&
		    share_a_thread(wait, look)) {
			return true;
		}
	}
	return false;
}

/* True when threads have to wait in `look`: most reads there were of a client with nothing open,
 * and none was in vain, while its threads were seen to wait in no loop. So does a server whose
 * client takes its CPU at each answer: the next request is there whenever the server looks. */
static bool is_only_place(const struct itp_loops *loops, const struct wait *look)
{
	GHashTableIter iter;
	gpointer data;

	if (look->failures > 0 || REQUESTS_PART * look->requests <= look->visits) {
		return false;
	}
	g_hash_table_iter_init(&iter, loops->waits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		const struct wait *wait = data;

		if (wait->loop_depth > 0 && share_a_thread(wait, look)) {
			return false;
		}
	}
	return true;
}

static void decide(const struct itp_loops *loops, GHashTable *waits)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, waits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		((struct wait *)data)->begins_units = begins_units(loops, waits, data);
	}
	g_hash_table_iter_init(&iter, waits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		struct wait *wait = data;

		wait->outer_loop = wait->begins_units ? ITP_CONTEXT_ROOT :
							outer_loop_of(loops, waits, wait);
	}
}

/* Purpose of a wait. Without proof, a wait that never blocked, as a poll before each write, counts
 * as one for an answer: any wait that has blocked is likelier for work. */
static enum itp_purpose purpose_of(const struct itp_loops *loops, const struct wait *wait,
				   double *ret_part)
{
	const enum itp_purpose purpose = itp_purposes_of(loops->purposes, wait->node, ret_part);

	return purpose == ITP_PURPOSE_UNKNOWN && wait->blocked_ns == 0 ? ITP_PURPOSE_ANSWER :
									 purpose;
}

/* Depth of the function with the coroutine's loop; 0 for none. */
static uint32_t loop_of_coroutine(const struct wait *look)
{
	const uint32_t depth = outermost_function(look, COROUTINE_DEPTH, look->returns, look->all);

	return depth > 0 ? depth :
			   outermost_function(look, COROUTINE_DEPTH, look->stays, look->all_stays);
}

void itp_loops_decide(struct itp_loops *loops)
{
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, loops->waits);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		struct wait *wait = data;

		wait->loop_depth = outermost_loop(wait);
		wait->purpose = purpose_of(loops, wait, &wait->work_part);
	}
	decide(loops, loops->waits);
	g_hash_table_iter_init(&iter, loops->looks);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		struct wait *look = data;

		look->is_only_place = is_only_place(loops, look);
		if (look->is_only_place) {
			look->loop_depth = outermost_loop(look);
			look->purpose = ITP_PURPOSE_WORK;
			continue;
		}
		look->loop_depth = look->failures >= ITP_LOOP_LEAST &&
						   is_in_coroutine(loops, look) ?
					   loop_of_coroutine(look) :
					   0;
	}
	decide(loops, loops->looks);
}

/* A look in the only place counts as a wait. NULL: no thread waits in `node`. */
static const struct wait *find_wait(const struct itp_loops *loops, uint32_t node)
{
	const struct wait *look = g_hash_table_lookup(loops->looks, GUINT_TO_POINTER(node));

	return look && look->is_only_place ?
		       look :
		       g_hash_table_lookup(loops->waits, GUINT_TO_POINTER(node));
}

bool itp_loops_waits(const struct itp_loops *loops, const struct itp_halt *halt)
{
	const struct wait *look = g_hash_table_lookup(loops->looks, GUINT_TO_POINTER(halt->node));

	return !halt->only_looks || (look && look->is_only_place);
}

uint32_t itp_loops_of(const struct itp_loops *loops, uint32_t node)
{
	const struct wait *wait = find_wait(loops, node);

	return !wait              ? ITP_CONTEXT_ROOT :
	       wait->begins_units ? loop_of(loops, wait) :
				    wait->outer_loop;
}

bool itp_loops_is_inner(const struct itp_loops *loops, uint32_t node)
{
	const struct wait *wait = find_wait(loops, node);

	return !wait || !wait->begins_units;
}

bool itp_loops_is_for_work(const struct itp_loops *loops, uint32_t node)
{
	const struct wait *wait = find_wait(loops, node);
	double part;

	return (wait && wait->is_only_place) ||
	       itp_purposes_of(loops->purposes, node, &part) == ITP_PURPOSE_WORK;
}

bool itp_loops_blocks(const struct itp_loops *loops, uint32_t node)
{
	const struct wait *wait = find_wait(loops, node);

	return wait && wait->blocked_ns > 0;
}

uint32_t itp_loops_of_coroutine(const struct itp_loops *loops, uint32_t node)
{
	const struct wait *look = g_hash_table_lookup(loops->looks, GUINT_TO_POINTER(node));

	return look && look->begins_units && !look->is_only_place ? loop_of(loops, look) :
								    ITP_CONTEXT_ROOT;
}
