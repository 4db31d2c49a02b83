/* SPDX-License-Identifier: MIT */
/*
 * See held-up.h.
 */
#include "common/rank/held-up.h"

#include <math.h>
#include <string.h>

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/rank/idle.h"
#include "common/wait/chain.h"
#include "common/wait/face.h"

/* A recording of the suspect or of the base. */
struct run {
	const struct itp_rank_state *state;
	/* Weak. */
	const struct itp_recall *recall;
	const GArray *nodes;
	/* Places and purposes by node of the recall. Owned by this. */
	uint32_t *places;
	uint8_t *purposes;
	/* Owned by this. */
	struct itp_redistribution *result;
	/* Factor of its times. */
	double scale;
	bool is_base;
};

struct making {
	const struct itp_rank_state *state;
	struct itp_held_up *held_up;
	/* Index + 1 of a row by its function. Owned by this. */
	GHashTable *row_of;
};

/* ---- A single recording ---- */

/* Node of the view; ITP_CONTEXT_ROOT for a node that is left out. */
static uint32_t node_of(const struct run *run, uint32_t node)
{
	return node < run->nodes->len ? g_array_index(run->nodes, uint32_t, node) :
					ITP_CONTEXT_ROOT;
}

/* Purpose of waits in a context. If it is known whose loss waits are, waits that nobody loses by
 * count as little as waits for an end. */
static enum itp_wait_purpose purpose_of(const struct run *run, uint32_t node)
{
	const struct itp_rank_state *state = run->state;

	if (!state->waits_for_work || !state->waits_for_work[node]) {
		return ITP_WAIT_FOR_ANYTHING;
	}
	return !state->guesses_idle || itp_idle_is_for_an_end(state, node) ? ITP_WAIT_FOR_AN_END :
									     ITP_WAIT_FOR_WORK;
}

static void find_places(struct run *run)
{
	const struct itp_rank_state *state = run->state;
	uint32_t count = itp_context_tree_size(run->recall->tree);

	run->places = g_new0(uint32_t, count);
	run->purposes = g_new0(uint8_t, count);
	for (uint32_t node = 1; node < count; node++) {
		uint32_t viewed = node_of(run, node);

		if (viewed != ITP_CONTEXT_ROOT && !itp_rank_is_apart(state, viewed)) {
			uint32_t face = itp_face_of(state->tree, state->functions, viewed);

			run->places[node] = itp_context_tree_get(state->tree, face)->function;
			run->purposes[node] = purpose_of(run, viewed);
		}
	}
}

static void run_init(struct run *run, const struct itp_rank_state *state,
		     const struct itp_profile *profile, bool is_base)
{
	struct itp_redistribution_input input;

	*run = (struct run){ .state = state,
			     .recall = profile->workload.recall,
			     .nodes = profile->workload.recall_nodes,
			     .scale = is_base ? state->base_factor : 1,
			     .is_base = is_base };
	find_places(run);
	input = (struct itp_redistribution_input){ .recall = run->recall,
						   .places = run->places,
						   .purposes = run->purposes };
	run->result = itp_redistribution_new(&input);
}

static void run_release(struct run *run)
{
	itp_redistribution_free(run->result);
	g_free(run->places);
	g_free(run->purposes);
}

static int64_t scaled(const struct run *run, int64_t ns)
{
	return run->scale == 1 ? ns : llround((double)ns * run->scale);
}

/* Name in the view. */
static const char *name_at(const struct run *run, uint32_t node)
{
	uint32_t viewed = node_of(run, node);

	return viewed != ITP_CONTEXT_ROOT ?
		       itp_rank_function(run->state, viewed)->name :
		       itp_context_function(run->recall->tree, run->recall->functions, node)->name;
}

static const char *vertex_name(const struct run *run, const struct itp_wait_vertex *vertex)
{
	switch (vertex->kind) {
	case ITP_VERTEX_THREADS:
		return name_at(run, vertex->root_node != ITP_CONTEXT_ROOT ? vertex->root_node :
									    vertex->process_node);
	case ITP_VERTEX_TIME:
		return ITP_TIMER_NAME;
	case ITP_VERTEX_KERNEL:
	case ITP_VERTEX_STRANGERS:
		break;
	}
	return itp_function_table_get(run->recall->functions, vertex->function)->name;
}

/* ---- Rows ---- */

static void clear_share(gpointer data)
{
	g_free(((struct itp_held_share *)data)->name);
}

static GArray *shares_new(void)
{
	GArray *shares = g_array_new(FALSE, FALSE, sizeof(struct itp_held_share));

	g_array_set_clear_func(shares, clear_share);
	return shares;
}

static void clear_row(gpointer data)
{
	struct itp_held_row *row = data;

	g_array_unref(row->reasons);
	g_array_unref(row->holders);
	g_array_unref(row->held_in);
}

static struct itp_held_row *row_of(struct making *making, uint32_t function)
{
	GArray *rows = making->held_up->rows;
	gpointer key = GUINT_TO_POINTER(function);
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(making->row_of, key));

	if (at == 0) {
		const struct itp_held_row row = { .function = function,
						  .reasons = shares_new(),
						  .holders = shares_new(),
						  .held_in = shares_new() };

		g_array_append_val(rows, row);
		at = rows->len;
		g_hash_table_insert(making->row_of, key, GUINT_TO_POINTER(at));
	}
	return &g_array_index(rows, struct itp_held_row, at - 1);
}

static void add_place(struct making *making, const struct run *run,
		      const struct itp_held_place *place)
{
	struct itp_held_row *row = row_of(making, place->place);

	if (run->is_base) {
		row->base_held_ns += scaled(run, place->held_ns);
		row->base_passed_ns += scaled(run, place->passed_ns);
		row->base_wait_ns += scaled(run, place->wait_ns);
		row->base_held_threads += place->held_threads;
	} else {
		row->held_ns += scaled(run, place->held_ns);
		row->passed_ns += scaled(run, place->passed_ns);
		row->wait_ns += scaled(run, place->wait_ns);
		row->held_threads += place->held_threads;
	}
}

static void add_share(GArray *shares, const char *name, uint32_t threads, int64_t held_ns)
{
	struct itp_held_share share = { .threads = threads, .held_ns = held_ns };

	for (guint i = 0; i < shares->len; i++) {
		struct itp_held_share *known = &g_array_index(shares, struct itp_held_share, i);

		if (strcmp(known->name, name) == 0) {
			known->threads = MAX(known->threads, threads);
			known->held_ns += held_ns;
			return;
		}
	}
	share.name = g_strdup(name);
	g_array_append_val(shares, share);
}

/* Adds a part of the suspect. */
static void add_part(struct making *making, const struct run *run, const struct itp_held_part *part)
{
	const struct itp_function_table *functions = making->state->functions;
	const struct itp_wait_vertex *vertex =
		&g_array_index(run->result->vertices, struct itp_wait_vertex, part->vertex);
	struct itp_held_row *row = row_of(making, part->place);
	int64_t ns = scaled(run, part->held_ns);

	row->how_ns[part->how] += ns;
	add_share(row->holders, vertex_name(run, vertex), vertex->threads, ns);
	if (part->how == ITP_HELD_KERNEL) {
		add_share(row->reasons,
			  itp_function_table_get(run->recall->functions, part->reason)->name, 0,
			  ns);
	}
	if (part->waiting_in != ITP_PLACE_NONE) {
		add_share(row->held_in, itp_function_table_get(functions, part->waiting_in)->name,
			  0, ns);
	}
}

static void add_run(struct making *making, const struct run *run)
{
	const struct itp_redistribution *result = run->result;
	int64_t held_ns = scaled(run, result->held_ns);

	*(run->is_base ? &making->held_up->base_held_ns : &making->held_up->held_ns) += held_ns;
	making->held_up->without_wakeups += !itp_history_has_wakeups(run->recall->history);
	for (guint i = 0; i < result->places->len; i++) {
		add_place(making, run, &g_array_index(result->places, struct itp_held_place, i));
	}
	for (guint i = 0; !run->is_base && i < result->parts->len; i++) {
		add_part(making, run, &g_array_index(result->parts, struct itp_held_part, i));
	}
}

static gint compare_shares(gconstpointer a, gconstpointer b)
{
	const struct itp_held_share *left = a;
	const struct itp_held_share *right = b;

	return ITP_ORDER(right->held_ns, left->held_ns) ?: strcmp(left->name, right->name);
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer functions)
{
	const struct itp_held_row *left = a;
	const struct itp_held_row *right = b;
	gint order = ITP_ORDER(itp_held_row_ranked_ns(right), itp_held_row_ranked_ns(left));

	order = order ?:
			ITP_ORDER(right->held_ns - right->base_held_ns,
				  left->held_ns - left->base_held_ns);
	order = order ?:
			ITP_ORDER(right->wait_ns - right->base_wait_ns,
				  left->wait_ns - left->base_wait_ns);
	return order ?: itp_function_compare(functions, left->function, right->function);
}

static void order_rows(const struct making *making)
{
	GArray *rows = making->held_up->rows;

	for (guint i = 0; i < rows->len; i++) {
		struct itp_held_row *row = &g_array_index(rows, struct itp_held_row, i);

		g_array_sort(row->reasons, compare_shares);
		g_array_sort(row->holders, compare_shares);
		g_array_sort(row->held_in, compare_shares);
	}
	g_array_sort_with_data(rows, compare_rows, (gpointer)making->state->functions);
	for (guint i = 0; i < rows->len; i++) {
		g_array_index(rows, struct itp_held_row, i).rank = i + 1;
	}
}

/* ---- The graph ---- */

static void clear_vertex(gpointer data)
{
	struct itp_held_vertex *vertex = data;

	g_free(vertex->process);
	g_free(vertex->name);
}

/* True for parts from which the vertex gets its face. */
static bool is_of_vertex(const struct run *run, const struct itp_held_part *part, uint32_t vertex)
{
	const struct itp_wait_vertex *wanted =
		&g_array_index(run->result->vertices, struct itp_wait_vertex, vertex);

	switch (wanted->kind) {
	case ITP_VERTEX_THREADS:
		return part->vertex == vertex;
	case ITP_VERTEX_KERNEL:
		return part->how == ITP_HELD_KERNEL && part->reason == wanted->function;
	case ITP_VERTEX_TIME:
		return part->how == ITP_HELD_SLEPT;
	case ITP_VERTEX_STRANGERS:
		break;
	}
	return false;
}

/* Place with most of the vertex's parts, which lie place by place; of equal times the first. */
static uint32_t find_face(const struct run *run, uint32_t vertex)
{
	const GArray *parts = run->result->parts;
	uint32_t face = ITP_PLACE_NONE;
	int64_t most_ns = 0;
	int64_t sum_ns = 0;

	for (guint i = 0; i < parts->len; i++) {
		const struct itp_held_part *part = &g_array_index(parts, struct itp_held_part, i);

		sum_ns = i > 0 && part->place != part[-1].place ? 0 : sum_ns;
		sum_ns += is_of_vertex(run, part, vertex) ? part->held_ns : 0;
		if (sum_ns > most_ns) {
			most_ns = sum_ns;
			face = part->place;
		}
	}
	return face;
}

static void tell_graph(struct itp_held_up *held_up, const struct run *run)
{
	const struct itp_redistribution *result = run->result;

	for (guint i = 0; i < result->vertices->len; i++) {
		const struct itp_wait_vertex *vertex =
			&g_array_index(result->vertices, struct itp_wait_vertex, i);
		bool has_process = vertex->process_node != ITP_CONTEXT_ROOT;
		const struct itp_held_vertex told = {
			.kind = vertex->kind,
			.process = g_strdup(has_process ? name_at(run, vertex->process_node) : ""),
			.name = g_strdup(vertex_name(run, vertex)),
			.threads = vertex->threads,
			.knot = vertex->knot,
			.held_ns = vertex->held_ns,
			.face = find_face(run, i),
		};

		g_array_append_val(held_up->vertices, told);
	}
	held_up->edges = g_array_ref(result->edges);
	held_up->knots = g_array_ref(result->knots);
}

/* ---- All recordings ---- */

static void add_runs(struct making *making, const struct itp_runs *runs, bool is_base)
{
	for (size_t i = 0; runs && i < runs->count; i++) {
		struct run run;

		run_init(&run, making->state, runs->profiles[i], is_base);
		add_run(making, &run);
		if (i == 0 && !is_base) {
			tell_graph(making->held_up, &run);
		}
		run_release(&run);
	}
}

struct itp_held_up *itp_held_up_new(const struct itp_rank_state *state)
{
	struct itp_held_up *held_up = g_new0(struct itp_held_up, 1);
	struct making making = { .state = state,
				 .held_up = held_up,
				 .row_of = g_hash_table_new(itp_hash_number, NULL) };

	held_up->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_held_row));
	g_array_set_clear_func(held_up->rows, clear_row);
	held_up->vertices = g_array_new(FALSE, FALSE, sizeof(struct itp_held_vertex));
	g_array_set_clear_func(held_up->vertices, clear_vertex);
	add_runs(&making, state->suspect.runs, false);
	add_runs(&making, state->base.runs, true);
	order_rows(&making);
	held_up->row_count = held_up->rows->len;
	if (state->options->top > 0 && held_up->rows->len > state->options->top) {
		g_array_set_size(held_up->rows, (guint)state->options->top);
	}
	g_hash_table_unref(making.row_of);
	return held_up;
}

void itp_held_up_free(struct itp_held_up *held_up)
{
	if (held_up) {
		g_array_unref(held_up->rows);
		g_array_unref(held_up->vertices);
		g_array_unref(held_up->edges);
		g_array_unref(held_up->knots);
		g_free(held_up);
	}
}

enum itp_held_how itp_held_row_how(const struct itp_held_row *row)
{
	enum itp_held_how most = ITP_HELD_RAN;

	if (itp_held_row_own_ns(row) == 0 && row->passed_ns > 0) {
		return ITP_HELD_WAITED;
	}
	for (int how = 0; how < ITP_HELD_HOW_COUNT; how++) {
		if (how != ITP_HELD_WAITED && row->how_ns[how] > row->how_ns[most]) {
			most = (enum itp_held_how)how;
		}
	}
	return most;
}
