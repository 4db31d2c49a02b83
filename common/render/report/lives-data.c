/* SPDX-License-Identifier: MIT */
/*
 * Doings of threads over the whole of a recording, for the timeline of the page: of the threads
 * with most time in the ranked culprits, and of those that ended most of their waits, where kept
 * (common/wait).
 *
 * However long a recording is, a thread is at most CELLS_MOST cells of time, each with the stretch
 * that fills most of it, so that the page does not grow with the recording:
 *
 *   { "cell_ns": …, "threads": [{ "tid": …, "cells": [count, node + 1, kind, …],
 *                                 "units": [count, type + 1, kind, …] }],
 *     "waits": [waiter, waker, begin, end, node + 1, …] }
 *
 * node + 1 is 0 where the stack is unknown; kind is an enum itp_stretch_kind, or KIND_NONE without
 * a thread. Units of work have cells of their own, none without units: the type's place among the
 * page's (units-data.c), and a kind that tells a unit from the next. Waits are the longest of these
 * threads for one another: places of both in `threads`, nanoseconds since the begin of the
 * recording, and the context in which the waker ended the wait. lives.js and arrows.js read this.
 */
#include "common/render/report/parts.h"

#include "common/render/json.h"
#include "common/render/report/tree-data.h"
#include "common/render/units.h"
#include "common/unit/log.h"
#include "common/wait/chain.h"
#include "common/wait/history.h"

#define THREADS_MOST 6
/* Threads besides these that end their waits. */
#define WAKERS_MOST 2
#define WAITS_MOST 100
#define CELLS_MOST 4000
/* Entries whose culprits choose the threads. */
#define PATHS_MOST 5
#define KIND_NONE ITP_STRETCH_KIND_COUNT

struct cell {
	/* Number + 1 in the page. */
	uint32_t value;
	int kind;
};

struct cells {
	json_t *array;
	/* Next part of `array`: so many cells of a kind. */
	int64_t count;
	struct cell run;
	/* Cell at hand, and the greatest filler of it so far. */
	int64_t at;
	int64_t most_ns;
	struct cell most;
};

struct lives {
	const struct itp_tree_data *table;
	const struct itp_recall *recall;
	/* By node of the recall. Weak. */
	const GArray *nodes;
	int64_t begin_ns;
	int64_t cell_ns;
	/* Weight of an instant for its thread, by node of the ranking. Owned by this. */
	double *weights;
	/* By number of a type of units: itp_report_unit_places(). Owned by this. */
	guint *unit_places;
	guint type_count;
};

/* Thread, and its part in culprits. */
struct choice {
	const struct itp_life *life;
	double score;
};

/* Wait of a chosen thread for another chosen thread: places of both. */
struct wait {
	guint waiter;
	guint waker;
	int64_t begin_ns;
	int64_t end_ns;
	/* Context of the waker, a node of the recall. */
	uint32_t node;
};

static const struct cell no_cell = { .value = 0, .kind = KIND_NONE };

/* ---- Cells ---- */

static void put_run(struct cells *cells)
{
	if (cells->count > 0) {
		json_array_append_new(cells->array, json_integer(cells->count));
		json_array_append_new(cells->array, json_integer(cells->run.value));
		json_array_append_new(cells->array, json_integer(cells->run.kind));
	}
	cells->count = 0;
}

static void put_cells(struct cells *cells, int64_t count, struct cell cell)
{
	if (cells->run.value != cell.value || cells->run.kind != cell.kind) {
		put_run(cells);
		cells->run = cell;
	}
	cells->count += count;
	cells->at += count;
	cells->most_ns = 0;
	cells->most = no_cell;
}

static void fill_cell(struct cells *cells, int64_t length_ns, struct cell cell)
{
	if (length_ns > cells->most_ns) {
		cells->most_ns = length_ns;
		cells->most = cell;
	}
}

/* Cells before cell `at`. */
static void go_to(struct cells *cells, int64_t at)
{
	if (cells->at < at) {
		put_cells(cells, 1, cells->most);
	}
	if (cells->at < at) {
		put_cells(cells, at - cells->at, no_cell);
	}
}

/* Node of the ranking for a node of the recall. */
static uint32_t ranked_node(const struct lives *lives, uint32_t node)
{
	return node < lives->nodes->len ? g_array_index(lives->nodes, uint32_t, node) :
					  ITP_CONTEXT_ROOT;
}

static uint32_t node_of_stretch(const struct lives *lives, const struct itp_stretch *stretch)
{
	return ranked_node(lives, stretch->node);
}

static void add_span(const struct lives *lives, struct cells *cells, int64_t from_ns, int64_t to_ns,
		     struct cell cell)
{
	int64_t begin_ns = MAX(from_ns - lives->begin_ns, 0);
	int64_t end_ns = MIN(to_ns - lives->begin_ns, CELLS_MOST * lives->cell_ns);
	int64_t first = begin_ns / lives->cell_ns;
	int64_t last = (end_ns - 1) / lives->cell_ns;

	if (begin_ns >= end_ns) {
		return;
	}
	go_to(cells, first);
	if (first == last) {
		fill_cell(cells, end_ns - begin_ns, cell);
		return;
	}
	fill_cell(cells, (first + 1) * lives->cell_ns - begin_ns, cell);
	put_cells(cells, 1, cells->most);
	if (last > first + 1) {
		put_cells(cells, last - first - 1, cell);
	}
	fill_cell(cells, end_ns - last * lives->cell_ns, cell);
}

static json_t *end_cells(struct cells *cells)
{
	if (cells->most_ns > 0) {
		put_cells(cells, 1, cells->most);
	}
	put_run(cells);
	return cells->array;
}

static json_t *cells_array(const struct lives *lives, const struct itp_life *life)
{
	struct cells cells = { .array = json_array(), .run = no_cell, .most = no_cell };

	for (size_t i = 0; i < itp_life_length(life); i++) {
		const struct itp_stretch stretch = itp_life_get(life, i);
		const struct cell cell = {
			.value = lives->table->numbers[node_of_stretch(lives, &stretch)],
			.kind = (int)stretch.kind
		};

		add_span(lives, &cells, stretch.begin_ns, stretch.end_ns, cell);
	}
	return end_cells(&cells);
}

/* Place among the types of the page. */
static uint32_t place_of_unit(const struct lives *lives, const struct itp_logged_unit *unit)
{
	guint number = g_array_index(lives->recall->unit_numbers, guint, unit->type);

	return number < lives->type_count ? lives->unit_places[number] : ITP_REPORT_UNIT_TYPES;
}

static json_t *units_array(const struct lives *lives, int32_t tid)
{
	const GArray *units = lives->recall->units ? itp_unit_log_units(lives->recall->units) :
						     NULL;
	struct cells cells = { .array = json_array(), .run = no_cell, .most = no_cell };
	int count = 0;

	for (guint i = 0; units && i < units->len; i++) {
		const struct itp_logged_unit *unit =
			&g_array_index(units, struct itp_logged_unit, i);

		if (unit->tid == tid) {
			const struct cell cell = { .value = place_of_unit(lives, unit) + 1,
						   .kind = count++ % 2 };

			add_span(lives, &cells, unit->begin_ns, unit->end_ns, cell);
		}
	}
	return end_cells(&cells);
}

/* ---- Choice of threads ---- */

static void weigh(double *weights, uint32_t node, double weight)
{
	weights[node] = MAX(weights[node], weight);
}

/* Weights by node: nodes below a culprit count as the culprit, the first path's most. */
static double *find_weights(const struct itp_ranking *ranking)
{
	uint32_t size = itp_context_tree_size(ranking->tree);
	double *weights = g_new0(double, size);

	for (guint i = 0; i < MIN(ranking->paths->len, PATHS_MOST); i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);
		const struct itp_ranked_frame *face = itp_path_face(path);

		if (face) {
			weigh(weights, face->node, 1.0 / path->rank);
		}
		for (uint32_t k = 0; k < path->variant_count; k++) {
			weigh(weights, path->variants[k].node, 1.0 / path->rank);
		}
	}
	for (uint32_t node = 1; node < size; node++) {
		weigh(weights, node, weights[itp_context_tree_get(ranking->tree, node)->parent]);
	}
	return weights;
}

static double score_of(const struct lives *lives, const struct itp_life *life)
{
	double score = 0;

	for (size_t i = 0; i < itp_life_length(life); i++) {
		const struct itp_stretch stretch = itp_life_get(life, i);

		score += lives->weights[node_of_stretch(lives, &stretch)] *
			 (double)(stretch.end_ns - stretch.begin_ns);
	}
	return score;
}

static gint compare_choices(gconstpointer a, gconstpointer b)
{
	const struct choice *left = a;
	const struct choice *right = b;
	int32_t tids[] = { itp_life_tid(left->life), itp_life_tid(right->life) };

	if (left->score != right->score) {
		return left->score < right->score ? 1 : -1;
	}
	return (tids[0] > tids[1]) - (tids[0] < tids[1]);
}

static bool is_chosen(const GArray *choices, const struct itp_life *life, guint *ret_place)
{
	for (guint i = 0; i < choices->len; i++) {
		if (g_array_index(choices, struct choice, i).life == life) {
			*ret_place = i;
			return true;
		}
	}
	return false;
}

/* Life of the thread that ended a wait; NULL for other stretches, and where nobody was seen. */
static const struct itp_life *waker_of(const struct lives *lives, const struct itp_stretch *stretch)
{
	bool is_woken = stretch->kind == ITP_STRETCH_WAIT && stretch->end == ITP_WAIT_WOKEN &&
			stretch->waker_tid != 0 && stretch->waker_tid != stretch->tid;

	return is_woken ? itp_history_life(lives->recall->history, stretch->waker_tid) : NULL;
}

/* Adds to `wakers` (struct choice) the time that a wait took of a chosen thread. */
static void add_waker_choice(const struct lives *lives, const GArray *choices,
			     const struct itp_stretch *stretch, GArray *wakers)
{
	struct choice waker = { .life = waker_of(lives, stretch),
				.score = lives->weights[node_of_stretch(lives, stretch)] *
					 (double)(stretch->end_ns - stretch->begin_ns) };
	guint place;

	if (!waker.life || waker.score <= 0 || is_chosen(choices, waker.life, &place)) {
		return;
	}
	if (is_chosen(wakers, waker.life, &place)) {
		g_array_index(wakers, struct choice, place).score += waker.score;
	} else {
		g_array_append_val(wakers, waker);
	}
}

/* Appends the threads that ended most of the waits of those in `choices`. */
static void append_wakers(const struct lives *lives, GArray *choices)
{
	g_autoptr(GArray) wakers = g_array_new(FALSE, FALSE, sizeof(struct choice));

	for (guint i = 0; i < choices->len; i++) {
		const struct itp_life *life = g_array_index(choices, struct choice, i).life;

		for (size_t k = 0; k < itp_life_length(life); k++) {
			const struct itp_stretch stretch = itp_life_get(life, k);

			add_waker_choice(lives, choices, &stretch, wakers);
		}
	}
	g_array_sort(wakers, compare_choices);
	g_array_append_vals(choices, wakers->data, MIN(wakers->len, WAKERS_MOST));
}

static GArray *choose_lives(const struct lives *lives)
{
	g_autoptr(GPtrArray) all = itp_history_lives(lives->recall->history);
	GArray *choices = g_array_new(FALSE, FALSE, sizeof(struct choice));

	for (guint i = 0; i < all->len; i++) {
		const struct itp_life *life = g_ptr_array_index(all, i);
		const struct choice choice = { .life = life, .score = score_of(lives, life) };

		g_array_append_val(choices, choice);
	}
	g_array_sort(choices, compare_choices);
	g_array_set_size(choices, MIN(choices->len, THREADS_MOST));
	append_wakers(lives, choices);
	return choices;
}

/* ---- Waits ---- */

static gint compare_waits(gconstpointer a, gconstpointer b)
{
	const struct wait *left = a;
	const struct wait *right = b;
	int64_t lengths[] = { left->end_ns - left->begin_ns, right->end_ns - right->begin_ns };

	if (lengths[0] != lengths[1]) {
		return lengths[0] < lengths[1] ? 1 : -1;
	}
	if (left->begin_ns != right->begin_ns) {
		return left->begin_ns < right->begin_ns ? -1 : 1;
	}
	return (left->waiter > right->waiter) - (left->waiter < right->waiter);
}

/* struct wait, of chosen threads for one another, the longest first. */
static GArray *find_waits(const struct lives *lives, const GArray *choices)
{
	GArray *waits = g_array_new(FALSE, FALSE, sizeof(struct wait));

	for (guint i = 0; i < choices->len; i++) {
		const struct itp_life *life = g_array_index(choices, struct choice, i).life;

		for (size_t k = 0; k < itp_life_length(life); k++) {
			const struct itp_stretch stretch = itp_life_get(life, k);
			const struct itp_life *waker = waker_of(lives, &stretch);
			struct wait wait = { .waiter = i,
					     .begin_ns = stretch.begin_ns,
					     .end_ns = stretch.end_ns,
					     .node = stretch.waker_node };

			if (waker && is_chosen(choices, waker, &wait.waker)) {
				g_array_append_val(waits, wait);
			}
		}
	}
	g_array_sort(waits, compare_waits);
	return waits;
}

static json_t *waits_array(const struct lives *lives, const GArray *choices)
{
	g_autoptr(GArray) waits = find_waits(lives, choices);
	json_t *array = json_array();

	for (guint i = 0; i < MIN(waits->len, WAITS_MOST); i++) {
		const struct wait *wait = &g_array_index(waits, struct wait, i);
		uint32_t node = ranked_node(lives, wait->node);

		json_array_append_new(array, json_integer(wait->waiter));
		json_array_append_new(array, json_integer(wait->waker));
		json_array_append_new(
			array, json_integer(itp_time_since_ns(wait->begin_ns, lives->begin_ns)));
		json_array_append_new(
			array, json_integer(itp_time_since_ns(wait->end_ns, lives->begin_ns)));
		json_array_append_new(array, json_integer(lives->table->numbers[node]));
	}
	return array;
}

/* ---- The whole ---- */

static json_t *threads_array(const struct lives *lives, const GArray *choices)
{
	json_t *array = json_array();

	for (guint i = 0; i < choices->len; i++) {
		const struct itp_life *life = g_array_index(choices, struct choice, i).life;
		json_t *object = json_object();

		itp_json_set_signed(object, "tid", itp_life_tid(life));
		json_object_set_new_nocheck(object, "cells", cells_array(lives, life));
		json_object_set_new_nocheck(object, "units",
					    units_array(lives, itp_life_tid(life)));
		json_array_append_new(array, object);
	}
	return array;
}

/* null where not kept. */
static json_t *lives_object(const struct itp_tree_data *table, bool of_base)
{
	const struct itp_ranking *ranking = table->ranking;
	const struct itp_profile *profile = of_base ? ranking->base : ranking->suspect;
	const struct itp_workload *workload = &profile->workload;
	int64_t length_ns = workload->counts.end_ns - workload->counts.begin_ns;
	struct lives lives = { .table = table,
			       .recall = workload->recall,
			       .nodes = workload->recall_nodes,
			       .begin_ns = workload->counts.begin_ns,
			       .cell_ns = MAX((length_ns + CELLS_MOST - 1) / CELLS_MOST, 1) };
	g_autoptr(GArray) choices = NULL;
	json_t *object;

	if (!lives.recall || !lives.nodes) {
		return json_null();
	}
	lives.weights = find_weights(ranking);
	lives.unit_places = itp_report_unit_places(profile->units, &lives.type_count);
	object = json_object();
	itp_json_set_signed(object, "cell_ns", lives.cell_ns);
	choices = choose_lives(&lives);
	json_object_set_new_nocheck(object, "threads", threads_array(&lives, choices));
	json_object_set_new_nocheck(object, "waits", waits_array(&lives, choices));
	g_free(lives.weights);
	g_free(lives.unit_places);
	return object;
}

json_t *itp_report_lives(const struct itp_tree_data *table)
{
	json_t *object = json_object();

	json_object_set_new_nocheck(object, "suspect", lives_object(table, false));
	if (table->ranking->base) {
		json_object_set_new_nocheck(object, "base", lives_object(table, true));
	}
	return object;
}
