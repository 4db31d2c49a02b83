/* SPDX-License-Identifier: MIT */
/*
 * See redistribution.h.
 *
 * A single pass over the stretches of all threads in the order of time. At each instant every
 * thread has a single stretch, and waits for a single thread at most, so that all threads waiting
 * for it, directly or not, are a tree below it. When a thread goes on to another stretch, the time
 * since the last change is added to its own chain and to the chains of all threads below it.
 */
#include "common/wait/redistribution.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/known/waiting-calls.h"
#include "common/wait/actors.h"
#include "common/wait/held-sums.h"
#include "common/wait/knots.h"
#include "common/wait/vertices.h"

/* Threads that wait for a vertex other than a thread: their number, and the time of the last
 * end. */
struct device {
	uint32_t waiting;
	int64_t idle_since_ns;
};

struct sweep {
	const struct itp_redistribution_input *input;
	struct itp_redistribution *result;
	struct itp_vertices vertices;
	int64_t begin_ns;
	struct itp_actors actors;
	/* Actor + 1 by thread. */
	GHashTable *actor_of;
	/* struct device by vertex. */
	GArray *devices;
	struct itp_held_sums sums;
	/* Number of the last chain in which a place was counted, by place. */
	uint64_t *counted_for;
};

static struct itp_wait_vertex *vertex_at(const struct sweep *sweep, uint32_t index)
{
	return &g_array_index(sweep->result->vertices, struct itp_wait_vertex, index);
}

/* ---- Chains ---- */

static struct itp_actor *chain_at(const struct sweep *sweep, guint i)
{
	return itp_actors_at(&sweep->actors, g_array_index(sweep->actors.chain, uint32_t, i));
}

/* True unless the wait is for an end, or is for work while somebody on the chain waits for work or
 * for an end, too. */
static bool counts(const struct sweep *sweep, const struct itp_actor *actor)
{
	if (actor->purpose == ITP_WAIT_FOR_AN_END) {
		return false;
	}
	for (guint i = 0; actor->purpose == ITP_WAIT_FOR_WORK && i < sweep->actors.chain->len;
	     i++) {
		const struct itp_actor *other = chain_at(sweep, i);

		if (other->is_waiting && other->purpose != ITP_WAIT_FOR_ANYTHING) {
			return false;
		}
	}
	return true;
}

static void add_edges(struct sweep *sweep, const struct itp_actor *actor, int64_t ns)
{
	for (guint i = 0; i < sweep->actors.chain->len; i++) {
		const struct itp_actor *next = chain_at(sweep, i);

		itp_held_sums_add_edge(&sweep->sums, actor->vertex, next->vertex, ns);
		vertex_at(sweep, next->vertex)->held_ns += ns;
		actor = next;
	}
	if (actor->is_waiting && actor->other != ITP_NOBODY) {
		itp_held_sums_add_edge(&sweep->sums, actor->vertex, actor->other, ns);
		vertex_at(sweep, actor->other)->held_ns += sweep->actors.chain->len > 0 ? ns : 0;
	}
}

/* Adds the time to each place of the chain once, for the last thread there. */
static void add_held(struct sweep *sweep, uint32_t waiting, int64_t ns)
{
	struct itp_held_sums *sums = &sweep->sums;
	uint32_t waiting_in =
		itp_held_sums_place(sums, itp_actors_at(&sweep->actors, waiting)->spot);

	for (guint i = sweep->actors.chain->len; i-- > 0;) {
		const struct itp_actor *actor = chain_at(sweep, i);
		uint32_t place = actor->is_seen ? itp_held_sums_place(sums, actor->spot) :
						  ITP_PLACE_NONE;

		if (place != ITP_PLACE_NONE && sweep->counted_for[place] != sweep->actors.chains) {
			sweep->counted_for[place] = sweep->actors.chains;
			itp_held_sums_add_held(sums, actor->spot, waiting_in, waiting, ns);
			itp_held_sums_add_ticks(sums, actor->spot, waiting_in,
						actor->tick_rate * (double)ns);
		}
	}
}

/* Adds the time up to `time_ns` by the chain of a thread as it was until now. */
static void add_chain(struct sweep *sweep, uint32_t waiting, int64_t time_ns)
{
	struct itp_actor *actor = itp_actors_at(&sweep->actors, waiting);
	int64_t ns = time_ns - actor->added_ns;

	actor->added_ns = time_ns;
	if (!actor->is_waiting || ns == 0) {
		return;
	}
	itp_actors_follow(&sweep->actors, waiting);
	if (counts(sweep, actor)) {
		sweep->result->held_ns += sweep->actors.chain->len > 0 ? ns : 0;
		add_edges(sweep, actor, ns);
		add_held(sweep, waiting, ns);
	}
}

/* Calls add_chain() for an actor and for all actors with it on their chains. */
static void add_chains_below(struct sweep *sweep, uint32_t top, int64_t time_ns)
{
	itp_actors_list_below(&sweep->actors, top);
	for (guint i = 0; i < sweep->actors.below->len; i++) {
		add_chain(sweep, g_array_index(sweep->actors.below, uint32_t, i), time_ns);
	}
}

/* ---- Doings of threads ---- */

static struct device *device_at(struct sweep *sweep, uint32_t vertex)
{
	const struct device idle = { .idle_since_ns = sweep->begin_ns };

	while (sweep->devices->len <= vertex) {
		g_array_append_val(sweep->devices, idle);
	}
	return &g_array_index(sweep->devices, struct device, vertex);
}

/* Begins a wait for a vertex other than a thread. A device that nobody waited for before waited
 * itself for this thread. */
static void begin_to_wait_for_other(struct sweep *sweep, struct itp_actor *actor, uint32_t vertex,
				    int64_t time_ns)
{
	struct device *device = device_at(sweep, vertex);

	if (device->waiting++ == 0 && vertex_at(sweep, vertex)->kind == ITP_VERTEX_KERNEL) {
		itp_held_sums_add_edge(&sweep->sums, vertex, actor->vertex,
				       time_ns - device->idle_since_ns);
	}
	actor->other = vertex;
}

static void end_wait_for_other(struct sweep *sweep, struct itp_actor *actor, int64_t time_ns)
{
	struct device *device = device_at(sweep, actor->other);

	device->waiting--;
	device->idle_since_ns = time_ns;
	actor->other = ITP_NOBODY;
}

static const struct itp_function *function_of(const struct sweep *sweep, uint32_t id)
{
	return itp_function_table_get(sweep->input->recall->functions, id);
}

/* True if the context is in a system call that sleeps. */
static bool is_asleep(const struct sweep *sweep, uint32_t node)
{
	const struct itp_context_tree *tree = sweep->input->recall->tree;

	for (; node != ITP_CONTEXT_ROOT; node = itp_context_tree_get(tree, node)->parent) {
		const struct itp_function *function =
			function_of(sweep, itp_context_tree_get(tree, node)->function);

		if (function->layer == ITP_LAYER_SYSCALL) {
			return itp_function_is_sleep(function);
		}
	}
	return false;
}

/* Kind of end of a wait that no recorded thread ends, and the vertex of the end. */
static enum itp_held_how find_other(struct sweep *sweep, const struct itp_stretch *wait,
				    uint32_t *ret_vertex)
{
	enum itp_vertex_kind kind = ITP_VERTEX_STRANGERS;
	enum itp_held_how how = ITP_HELD_UNSEEN;

	*ret_vertex = ITP_NOBODY;
	if (wait->end == ITP_WAIT_WOKEN) {
		const struct itp_function *process = function_of(sweep, wait->waker_process);

		if (strcmp(process->name, ITP_TIMER_NAME) == 0) {
			kind = ITP_VERTEX_TIME;
			how = ITP_HELD_SLEPT;
		} else if (process->layer == ITP_LAYER_KERNEL) {
			kind = ITP_VERTEX_KERNEL;
			how = ITP_HELD_KERNEL;
		}
	} else if (wait->end == ITP_WAIT_UNSEEN && is_asleep(sweep, wait->node)) {
		kind = ITP_VERTEX_TIME;
		how = ITP_HELD_SLEPT;
	} else {
		return how;
	}
	*ret_vertex = itp_vertices_of_other(&sweep->vertices, kind, wait->waker_process);
	return how;
}

static uint32_t waker_of(const struct sweep *sweep, const struct itp_stretch *wait)
{
	gpointer key = GINT_TO_POINTER(wait->waker_tid);
	bool is_other = wait->end == ITP_WAIT_WOKEN && wait->waker_tid > 0 &&
			wait->waker_tid != wait->tid;

	return is_other ? GPOINTER_TO_UINT(g_hash_table_lookup(sweep->actor_of, key)) - 1 :
			  ITP_NOBODY;
}

static enum itp_held_how begin_wait(struct sweep *sweep, uint32_t index,
				    const struct itp_stretch *wait)
{
	struct itp_actor *actor = itp_actors_at(&sweep->actors, index);
	uint32_t waker = waker_of(sweep, wait);
	enum itp_held_how how = ITP_HELD_WAITED;

	actor->is_waiting = true;
	actor->added_ns = wait->begin_ns;
	actor->purpose = sweep->input->purposes ? sweep->input->purposes[wait->node] :
						  ITP_WAIT_FOR_ANYTHING;
	itp_held_sums_add_wait(&sweep->sums, sweep->input->places[wait->node],
			       wait->end_ns - wait->begin_ns);
	if (waker != ITP_NOBODY) {
		itp_actors_begin_wait(&sweep->actors, index, waker);
	} else {
		uint32_t vertex;

		how = find_other(sweep, wait, &vertex);
		if (vertex != ITP_NOBODY) {
			begin_to_wait_for_other(sweep, actor, vertex, wait->begin_ns);
		}
	}
	return how;
}

static void begin_stretch(struct sweep *sweep, uint32_t index, const struct itp_stretch *stretch)
{
	static const enum itp_held_how kinds[] = {
		[ITP_STRETCH_RUN] = ITP_HELD_RAN,
		[ITP_STRETCH_READY] = ITP_HELD_READY,
		[ITP_STRETCH_UNKNOWN] = ITP_HELD_UNKNOWN,
	};
	bool is_wait = stretch->kind == ITP_STRETCH_WAIT;
	enum itp_held_how how = is_wait ? begin_wait(sweep, index, stretch) : kinds[stretch->kind];
	struct itp_actor *actor = itp_actors_at(&sweep->actors, index);
	const struct itp_held_spot spot = {
		.place = sweep->input->places[stretch->node],
		.thread = index,
		.vertex = actor->vertex,
		.how = how,
		.reason = how == ITP_HELD_KERNEL ? stretch->waker_process : ITP_FUNCTION_UNKNOWN,
	};

	actor->spot = itp_held_sums_spot(&sweep->sums, &spot);
	actor->tick_rate = (double)stretch->ticks / (double)(stretch->end_ns - stretch->begin_ns);
	actor->is_seen = true;
}

static void end_stretch(struct sweep *sweep, uint32_t index, int64_t time_ns)
{
	struct itp_actor *actor = itp_actors_at(&sweep->actors, index);

	add_chains_below(sweep, index, time_ns);
	if (actor->waits_for != ITP_NOBODY) {
		itp_actors_end_wait(&sweep->actors, index);
	}
	if (actor->other != ITP_NOBODY) {
		end_wait_for_other(sweep, actor, time_ns);
	}
	actor->is_waiting = false;
	actor->is_seen = false;
}

/* Ends the actor's stretch and begins its next. False when no more will come. */
static bool change(struct sweep *sweep, uint32_t index)
{
	struct itp_actor *actor = itp_actors_at(&sweep->actors, index);
	const int64_t time_ns = actor->change_ns;

	end_stretch(sweep, index, time_ns);
	while (actor->next < itp_life_length(actor->life)) {
		struct itp_stretch stretch = itp_life_get(actor->life, actor->next);

		if (stretch.begin_ns > time_ns) {
			actor->change_ns = stretch.begin_ns;
			return true;
		}
		actor->next++;
		if (stretch.end_ns > time_ns) {
			stretch.begin_ns = time_ns;
			begin_stretch(sweep, index, &stretch);
			actor->change_ns = stretch.end_ns;
			return true;
		}
	}
	return false;
}

static void run(struct sweep *sweep)
{
	for (uint32_t next = itp_actors_next(&sweep->actors); next != ITP_NOBODY;
	     next = itp_actors_next(&sweep->actors)) {
		itp_actors_go_on(&sweep->actors, change(sweep, next));
	}
}

/* ---- The whole ---- */

/* Span from the first stretch of all threads to the last. */
static int64_t find_span(const struct itp_actors *actors, int64_t *ret_begin_ns)
{
	int64_t begin_ns = INT64_MAX;
	int64_t end_ns = INT64_MIN;

	for (uint32_t i = 0; i < actors->all->len; i++) {
		const struct itp_life *life = itp_actors_at(actors, i)->life;

		begin_ns = MIN(begin_ns, itp_life_get(life, 0).begin_ns);
		end_ns = MAX(end_ns, itp_life_get(life, itp_life_length(life) - 1).end_ns);
	}
	*ret_begin_ns = begin_ns;
	return actors->all->len > 0 ? end_ns - begin_ns : 0;
}

static void introduce_actors(struct sweep *sweep)
{
	for (uint32_t i = 0; i < sweep->actors.all->len; i++) {
		struct itp_actor *actor = itp_actors_at(&sweep->actors, i);

		actor->vertex = itp_vertices_of_thread(&sweep->vertices, actor->life);
		g_hash_table_insert(sweep->actor_of, GINT_TO_POINTER(itp_life_tid(actor->life)),
				    GUINT_TO_POINTER(i + 1));
	}
}

static uint32_t place_count(const struct itp_redistribution_input *input)
{
	uint32_t most = ITP_PLACE_NONE;

	for (uint32_t node = 0; node < itp_context_tree_size(input->recall->tree); node++) {
		most = MAX(most, input->places[node]);
	}
	return most + 1;
}

static void sweep_init(struct sweep *sweep, const struct itp_redistribution_input *input,
		       struct itp_redistribution *result)
{
	int64_t span_ns;

	*sweep = (struct sweep){ .input = input, .result = result };
	itp_actors_init(&sweep->actors, input->recall->history);
	span_ns = find_span(&sweep->actors, &sweep->begin_ns);
	itp_vertices_init(&sweep->vertices, input->recall, result->vertices, span_ns);
	itp_held_sums_init(&sweep->sums);
	sweep->actor_of = g_hash_table_new(itp_hash_number, NULL);
	sweep->devices = g_array_new(FALSE, FALSE, sizeof(struct device));
	sweep->counted_for = g_new0(uint64_t, place_count(input));
	introduce_actors(sweep);
}

static void sweep_release(struct sweep *sweep)
{
	itp_vertices_release(&sweep->vertices);
	itp_held_sums_release(&sweep->sums);
	itp_actors_release(&sweep->actors);
	g_hash_table_unref(sweep->actor_of);
	g_array_unref(sweep->devices);
	g_free(sweep->counted_for);
}

struct itp_redistribution *itp_redistribution_new(const struct itp_redistribution_input *input)
{
	struct itp_redistribution *result = g_new0(struct itp_redistribution, 1);
	struct sweep sweep;

	result->places = g_array_new(FALSE, FALSE, sizeof(struct itp_held_place));
	result->parts = g_array_new(FALSE, FALSE, sizeof(struct itp_held_part));
	result->vertices = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_vertex));
	result->edges = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_for));
	result->knots = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_knot));
	sweep_init(&sweep, input, result);
	run(&sweep);
	itp_held_sums_list(&sweep.sums, result);
	itp_knots_find(result);
	sweep_release(&sweep);
	return result;
}

void itp_redistribution_free(struct itp_redistribution *redistribution)
{
	if (redistribution) {
		g_array_unref(redistribution->places);
		g_array_unref(redistribution->parts);
		g_array_unref(redistribution->vertices);
		g_array_unref(redistribution->edges);
		g_array_unref(redistribution->knots);
		g_free(redistribution);
	}
}
