/* SPDX-License-Identifier: MIT */
/*
 * See actors.h.
 */
#include "common/wait/actors.h"

void itp_actors_release(struct itp_actors *actors)
{
	g_clear_pointer(&actors->all, g_array_unref);
	g_clear_pointer(&actors->coming, g_array_unref);
	g_clear_pointer(&actors->chain, g_array_unref);
	g_clear_pointer(&actors->below, g_array_unref);
}

/* ---- Next change ---- */

static bool comes_before(const struct itp_actors *actors, uint32_t a, uint32_t b)
{
	int64_t left_ns = itp_actors_at(actors, a)->change_ns;
	int64_t right_ns = itp_actors_at(actors, b)->change_ns;

	return left_ns != right_ns ? left_ns < right_ns : a < b;
}

/* Position of the earliest actor among `at` and its two children in the heap. */
static guint earliest(const struct itp_actors *actors, guint at)
{
	const uint32_t *heap = (const uint32_t *)(const void *)actors->coming->data;
	guint first = at;

	for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < actors->coming->len;
	     child++) {
		if (comes_before(actors, heap[child], heap[first])) {
			first = child;
		}
	}
	return first;
}

/* Moves the actor at `at` of the heap down to its place. */
static void sift_down(struct itp_actors *actors, guint at)
{
	uint32_t *heap = (uint32_t *)(void *)actors->coming->data;
	guint first = earliest(actors, at);

	while (first != at) {
		uint32_t moved = heap[at];

		heap[at] = heap[first];
		heap[first] = moved;
		at = first;
		first = earliest(actors, at);
	}
}

void itp_actors_init(struct itp_actors *actors, const struct itp_history *history)
{
	g_autoptr(GPtrArray) lives = itp_history_lives(history);

	*actors = (struct itp_actors){
		.all = g_array_new(FALSE, FALSE, sizeof(struct itp_actor)),
		.coming = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.chain = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.below = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};
	for (uint32_t i = 0; i < lives->len; i++) {
		const struct itp_life *life = g_ptr_array_index(lives, i);
		const struct itp_actor actor = { .life = life,
						 .change_ns = itp_life_get(life, 0).begin_ns,
						 .waits_for = ITP_NOBODY,
						 .other = ITP_NOBODY,
						 .first = ITP_NOBODY,
						 .younger = ITP_NOBODY,
						 .elder = ITP_NOBODY };

		g_array_append_val(actors->all, actor);
		g_array_append_val(actors->coming, i);
	}
	for (guint i = actors->coming->len / 2; i-- > 0;) {
		sift_down(actors, i);
	}
}

uint32_t itp_actors_next(const struct itp_actors *actors)
{
	return actors->coming->len > 0 ? g_array_index(actors->coming, uint32_t, 0) : ITP_NOBODY;
}

void itp_actors_go_on(struct itp_actors *actors, bool has_more)
{
	if (!has_more) {
		g_array_remove_index_fast(actors->coming, 0);
	}
	sift_down(actors, 0);
}

/* ---- Waiting for one another ---- */

void itp_actors_begin_wait(struct itp_actors *actors, uint32_t index, uint32_t other)
{
	struct itp_actor *actor = itp_actors_at(actors, index);
	struct itp_actor *waited_for = itp_actors_at(actors, other);

	actor->waits_for = other;
	actor->elder = ITP_NOBODY;
	actor->younger = waited_for->first;
	if (waited_for->first != ITP_NOBODY) {
		itp_actors_at(actors, waited_for->first)->elder = index;
	}
	waited_for->first = index;
}

void itp_actors_end_wait(struct itp_actors *actors, uint32_t index)
{
	struct itp_actor *actor = itp_actors_at(actors, index);

	if (actor->elder != ITP_NOBODY) {
		itp_actors_at(actors, actor->elder)->younger = actor->younger;
	} else {
		itp_actors_at(actors, actor->waits_for)->first = actor->younger;
	}
	if (actor->younger != ITP_NOBODY) {
		itp_actors_at(actors, actor->younger)->elder = actor->elder;
	}
	actor->waits_for = ITP_NOBODY;
}

void itp_actors_follow(struct itp_actors *actors, uint32_t index)
{
	struct itp_actor *actor = itp_actors_at(actors, index);
	uint32_t next = actor->waits_for;

	actors->chains++;
	actor->on_chain = actors->chains;
	g_array_set_size(actors->chain, 0);
	while (next != ITP_NOBODY && itp_actors_at(actors, next)->on_chain != actors->chains) {
		actor = itp_actors_at(actors, next);
		actor->on_chain = actors->chains;
		g_array_append_val(actors->chain, next);
		next = actor->waits_for;
	}
}

void itp_actors_list_below(struct itp_actors *actors, uint32_t index)
{
	g_array_set_size(actors->below, 0);
	g_array_append_val(actors->below, index);
	for (guint i = 0; i < actors->below->len; i++) {
		uint32_t each = g_array_index(actors->below, uint32_t, i);

		for (uint32_t other = itp_actors_at(actors, each)->first; other != ITP_NOBODY;
		     other = itp_actors_at(actors, other)->younger) {
			/* Threads that wait in a circle are no tree: `index` comes up again. */
			if (other != index) {
				g_array_append_val(actors->below, other);
			}
		}
	}
}
