/* SPDX-License-Identifier: MIT */
/*
 * See held-sums.h. Tables are walked in any order, and the lists sorted by all of their keys.
 */
#include "common/wait/held-sums.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/base/sums.h"

static guint hash_spot(gconstpointer spot)
{
	return itp_hash_bytes(spot, sizeof(struct itp_held_spot));
}

static gboolean equal_spots(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(struct itp_held_spot)) == 0;
}

void itp_held_sums_init(struct itp_held_sums *sums)
{
	sums->spots = g_array_new(FALSE, FALSE, sizeof(struct itp_held_spot));
	sums->spot_of = g_hash_table_new_full(hash_spot, equal_spots, g_free, NULL);
	sums->held = g_hash_table_new(itp_hash_number, NULL);
	sums->ticks = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	sums->waits = g_hash_table_new(itp_hash_number, NULL);
	sums->edges = g_hash_table_new(itp_hash_number, NULL);
	sums->pairs = g_hash_table_new(itp_hash_number, NULL);
}

void itp_held_sums_release(struct itp_held_sums *sums)
{
	g_clear_pointer(&sums->spots, g_array_unref);
	g_clear_pointer(&sums->spot_of, g_hash_table_unref);
	g_clear_pointer(&sums->held, g_hash_table_unref);
	g_clear_pointer(&sums->ticks, g_hash_table_unref);
	g_clear_pointer(&sums->waits, g_hash_table_unref);
	g_clear_pointer(&sums->edges, g_hash_table_unref);
	g_clear_pointer(&sums->pairs, g_hash_table_unref);
}

uint32_t itp_held_sums_spot(struct itp_held_sums *sums, const struct itp_held_spot *spot)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(sums->spot_of, spot));

	if (known == 0) {
		g_array_append_val(sums->spots, *spot);
		known = sums->spots->len;
		g_hash_table_insert(sums->spot_of, g_memdup2(spot, sizeof(*spot)),
				    GUINT_TO_POINTER(known));
	}
	return known - 1;
}

void itp_held_sums_add_wait(struct itp_held_sums *sums, uint32_t place, int64_t ns)
{
	if (place != ITP_PLACE_NONE) {
		itp_sums_add(sums->waits, GUINT_TO_POINTER(place), ns);
	}
}

void itp_held_sums_add_edge(struct itp_held_sums *sums, uint32_t from, uint32_t to, int64_t ns)
{
	itp_sums_add(sums->edges, itp_pair(from, to), ns);
}

void itp_held_sums_add_held(struct itp_held_sums *sums, uint32_t spot, uint32_t waiting_in,
			    uint32_t thread, int64_t ns)
{
	itp_sums_add(sums->held, itp_pair(spot, waiting_in), ns);
	g_hash_table_add(sums->pairs, itp_pair(itp_held_sums_place(sums, spot), thread));
}

void itp_held_sums_add_ticks(struct itp_held_sums *sums, uint32_t spot, uint32_t waiting_in,
			     double ticks)
{
	if (ticks > 0) {
		*(double *)itp_value_at(sums->ticks, itp_pair(spot, waiting_in), sizeof(double)) +=
			ticks;
	}
}

/* ---- Ticks ---- */

/* Running time and ticks of a thread at a spot while others waited in `waiting_in`. */
struct run {
	gpointer key;
	uint32_t thread;
	uint32_t waiting_in;
	int64_t ns;
	double ticks;
};

static gint compare_runs(gconstpointer a, gconstpointer b)
{
	const struct run *left = a;
	const struct run *right = b;
	gint order = ITP_ORDER(left->thread, right->thread);

	order = order ?: ITP_ORDER(left->waiting_in, right->waiting_in);
	return order ?: ITP_ORDER(left->key, right->key);
}

/* Sorted by thread, by place of the others' waits, and by the order in which spots came up. */
static GArray *list_runs(const struct itp_held_sums *sums)
{
	GArray *runs = g_array_new(FALSE, FALSE, sizeof(struct run));
	GHashTableIter iter;
	gpointer key;
	gpointer ns;

	g_hash_table_iter_init(&iter, sums->held);
	while (g_hash_table_iter_next(&iter, &key, &ns)) {
		const struct itp_held_spot *spot =
			&g_array_index(sums->spots, struct itp_held_spot, itp_pair_high(key));
		const double *ticks = g_hash_table_lookup(sums->ticks, key);
		const struct run run = { .key = key,
					 .thread = spot->thread,
					 .waiting_in = itp_pair_low(key),
					 .ns = (int64_t)GPOINTER_TO_SIZE(ns),
					 .ticks = ticks ? *ticks : 0 };

		if (spot->how == ITP_HELD_RAN) {
			g_array_append_val(runs, run);
		}
	}
	g_array_sort(runs, compare_runs);
	return runs;
}

/* Divides the time of the runs from `first` to `end` by their ticks; rounding errors go to the next
 * run. */
static void divide(struct itp_held_sums *sums, const GArray *runs, guint first, guint end)
{
	int64_t all_ns = 0;
	int64_t done_ns = 0;
	double all_ticks = 0;
	double until = 0;

	for (guint i = first; i < end; i++) {
		all_ns += g_array_index(runs, struct run, i).ns;
		all_ticks += g_array_index(runs, struct run, i).ticks;
	}
	for (guint i = first; i < end && all_ticks > 0; i++) {
		const struct run *run = &g_array_index(runs, struct run, i);
		double stacks = ITP_HELD_TICKS_MORE * (double)run->ns / (double)all_ns;
		int64_t until_ns;

		until += (run->ticks + stacks) / (all_ticks + ITP_HELD_TICKS_MORE);
		until_ns = i + 1 == end ? all_ns : MIN((int64_t)((double)all_ns * until), all_ns);
		g_hash_table_insert(sums->held, run->key,
				    GSIZE_TO_POINTER((gsize)(until_ns - done_ns)));
		done_ns = until_ns;
	}
}

static void divide_by_ticks(struct itp_held_sums *sums)
{
	g_autoptr(GArray) runs = list_runs(sums);
	guint first = 0;

	for (guint i = 1; i <= runs->len; i++) {
		const struct run *run = &g_array_index(runs, struct run, first);
		const struct run *next = i < runs->len ? &g_array_index(runs, struct run, i) : NULL;

		if (!next || next->thread != run->thread || next->waiting_in != run->waiting_in) {
			divide(sums, runs, first, i);
			first = i;
		}
	}
}

/* ---- Lists ---- */

/* Order by all keys of a part. */
static gint compare_kinds(gconstpointer a, gconstpointer b)
{
	const struct itp_held_part *left = a;
	const struct itp_held_part *right = b;
	gint order = ITP_ORDER(left->place, right->place);

	order = order ?: ITP_ORDER(left->vertex, right->vertex);
	order = order ?: ITP_ORDER(left->how, right->how);
	order = order ?: ITP_ORDER(left->reason, right->reason);
	return order ?: ITP_ORDER(left->waiting_in, right->waiting_in);
}

/* Merges parts that differ by thread only, not by vertex. */
static void merge_parts(GArray *parts)
{
	guint length = 0;

	g_array_sort(parts, compare_kinds);
	for (guint i = 0; i < parts->len; i++) {
		const struct itp_held_part part = g_array_index(parts, struct itp_held_part, i);
		struct itp_held_part *last =
			&g_array_index(parts, struct itp_held_part, MAX(length, 1) - 1);

		if (length > 0 && compare_kinds(last, &part) == 0) {
			last->held_ns += part.held_ns;
		} else {
			g_array_index(parts, struct itp_held_part, length++) = part;
		}
	}
	g_array_set_size(parts, length);
}

static gint compare_parts(gconstpointer a, gconstpointer b)
{
	const struct itp_held_part *left = a;
	const struct itp_held_part *right = b;
	gint order = ITP_ORDER(left->place, right->place);

	order = order ?: ITP_ORDER(right->held_ns, left->held_ns);
	return order ?: compare_kinds(a, b);
}

static gint compare_places(gconstpointer a, gconstpointer b)
{
	const struct itp_held_place *left = a;
	const struct itp_held_place *right = b;
	gint order = ITP_ORDER(itp_held_place_own_ns(right), itp_held_place_own_ns(left));

	order = order ?: ITP_ORDER(right->held_ns, left->held_ns);
	order = order ?: ITP_ORDER(right->wait_ns, left->wait_ns);
	return order ?: ITP_ORDER(left->place, right->place);
}

static gint compare_edges(gconstpointer a, gconstpointer b)
{
	const struct itp_wait_for *left = a;
	const struct itp_wait_for *right = b;
	gint order = ITP_ORDER(right->wait_ns, left->wait_ns);

	order = order ?: ITP_ORDER(left->from, right->from);
	return order ?: ITP_ORDER(left->to, right->to);
}

static void list_parts(const struct itp_held_sums *sums, GArray *parts)
{
	GHashTableIter iter;
	gpointer key;
	gpointer ns;

	g_hash_table_iter_init(&iter, sums->held);
	while (g_hash_table_iter_next(&iter, &key, &ns)) {
		const struct itp_held_spot *spot =
			&g_array_index(sums->spots, struct itp_held_spot, itp_pair_high(key));
		const struct itp_held_part part = { .place = spot->place,
						    .vertex = spot->vertex,
						    .how = (enum itp_held_how)spot->how,
						    .reason = spot->reason,
						    .waiting_in = itp_pair_low(key),
						    .held_ns = (int64_t)GPOINTER_TO_SIZE(ns) };

		g_array_append_val(parts, part);
	}
	merge_parts(parts);
	g_array_sort(parts, compare_parts);
}

static struct itp_held_place *place_of(GArray *places, GHashTable *known, uint32_t number)
{
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(known, GUINT_TO_POINTER(number)));
	const struct itp_held_place place = { .place = number };

	if (at == 0) {
		g_array_append_val(places, place);
		at = places->len;
		g_hash_table_insert(known, GUINT_TO_POINTER(number), GUINT_TO_POINTER(at));
	}
	return &g_array_index(places, struct itp_held_place, at - 1);
}

static void list_places(const struct itp_held_sums *sums, const GArray *parts, GArray *places)
{
	g_autoptr(GHashTable) known = g_hash_table_new(itp_hash_number, NULL);
	GHashTableIter iter;
	gpointer key;
	gpointer ns;

	for (guint i = 0; i < parts->len; i++) {
		const struct itp_held_part *part = &g_array_index(parts, struct itp_held_part, i);

		struct itp_held_place *place = place_of(places, known, part->place);

		place->held_ns += part->held_ns;
		place->passed_ns += part->how == ITP_HELD_WAITED ? part->held_ns : 0;
	}
	g_hash_table_iter_init(&iter, sums->waits);
	while (g_hash_table_iter_next(&iter, &key, &ns)) {
		place_of(places, known, GPOINTER_TO_UINT(key))->wait_ns =
			(int64_t)GPOINTER_TO_SIZE(ns);
	}
	g_hash_table_iter_init(&iter, sums->pairs);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		place_of(places, known, itp_pair_high(key))->held_threads++;
	}
	g_array_sort(places, compare_places);
}

static void list_edges(const struct itp_held_sums *sums, GArray *edges)
{
	GHashTableIter iter;
	gpointer key;
	gpointer ns;

	g_hash_table_iter_init(&iter, sums->edges);
	while (g_hash_table_iter_next(&iter, &key, &ns)) {
		const struct itp_wait_for edge = { .from = itp_pair_high(key),
						   .to = itp_pair_low(key),
						   .wait_ns = (int64_t)GPOINTER_TO_SIZE(ns) };

		if (edge.wait_ns > 0) {
			g_array_append_val(edges, edge);
		}
	}
	g_array_sort(edges, compare_edges);
}

void itp_held_sums_list(struct itp_held_sums *sums, struct itp_redistribution *result)
{
	divide_by_ticks(sums);
	list_parts(sums, result->parts);
	list_places(sums, result->parts, result->places);
	list_edges(sums, result->edges);
}
