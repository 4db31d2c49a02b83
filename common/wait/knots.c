/* SPDX-License-Identifier: MIT */
/*
 * See knots.h. Tarjan's algorithm, with a stack of its own: chains may be as long as there are
 * vertices.
 */
#include "common/wait/knots.h"

#include "common/base/order.h"

#define NONE UINT32_MAX

struct search {
	const struct itp_redistribution *graph;
	/* Indices of the heavy edges, by the vertex at their begin; and the first edge of each
	 * vertex, with one number more at the end. Owned by this. */
	GArray *edges;
	guint *begins;
	/* Numbers by vertex: its own in the order of the search, the lowest reached from it, and
	 * its component's. Owned by this. */
	uint32_t *found;
	uint32_t *low;
	uint32_t *component;
	/* Next edge to be followed, by vertex. Owned by this. */
	guint *next;
	/* Vertices: on the way, and without a component yet. Owned by this. */
	GArray *way;
	GArray *open;
	uint32_t found_count;
	uint32_t component_count;
};

static const struct itp_wait_vertex *vertex_at(const struct search *search, uint32_t index)
{
	return &g_array_index(search->graph->vertices, struct itp_wait_vertex, index);
}

static const struct itp_wait_for *edge_at(const struct search *search, guint i)
{
	return &g_array_index(search->graph->edges, struct itp_wait_for,
			      g_array_index(search->edges, guint, i));
}

static bool is_left(const struct search *search, const struct itp_wait_for *edge)
{
	const struct itp_wait_vertex *from = vertex_at(search, edge->from);
	const struct itp_wait_vertex *to = vertex_at(search, edge->to);

	return to->kind != ITP_VERTEX_TIME &&
	       (double)edge->wait_ns >= ITP_KNOT_EDGE_LEAST * (double)from->alive_ns &&
	       (double)to->held_ns >= ITP_KNOT_HELD_LEAST * (double)search->graph->held_ns;
}

/* Cuts the light edges, and sorts the others. */
static void sort_edges(struct search *search)
{
	const GArray *all = search->graph->edges;

	for (uint32_t from = 0; from < search->graph->vertices->len; from++) {
		search->begins[from] = search->edges->len;
		for (guint i = 0; i < all->len; i++) {
			const struct itp_wait_for *edge =
				&g_array_index(all, struct itp_wait_for, i);

			if (edge->from == from && is_left(search, edge)) {
				g_array_append_val(search->edges, i);
			}
		}
		search->begins[from + 1] = search->edges->len;
	}
}

static void enter(struct search *search, uint32_t vertex)
{
	search->found[vertex] = search->low[vertex] = search->found_count++;
	search->next[vertex] = search->begins[vertex];
	g_array_append_val(search->way, vertex);
	g_array_append_val(search->open, vertex);
}

/* Puts `vertex` and all open vertices above it into a component. */
static void close_component(struct search *search, uint32_t vertex)
{
	uint32_t last = NONE;

	while (last != vertex) {
		last = g_array_index(search->open, uint32_t, search->open->len - 1);
		g_array_set_size(search->open, search->open->len - 1);
		search->component[last] = search->component_count;
	}
	search->component_count++;
}

static void leave(struct search *search, uint32_t vertex)
{
	if (search->low[vertex] == search->found[vertex]) {
		close_component(search, vertex);
	}
	g_array_set_size(search->way, search->way->len - 1);
	if (search->way->len > 0) {
		uint32_t caller = g_array_index(search->way, uint32_t, search->way->len - 1);

		search->low[caller] = MIN(search->low[caller], search->low[vertex]);
	}
}

/* Takes a step from the last vertex on the way. */
static void step(struct search *search)
{
	uint32_t vertex = g_array_index(search->way, uint32_t, search->way->len - 1);
	uint32_t to;

	if (search->next[vertex] == search->begins[vertex + 1]) {
		leave(search, vertex);
		return;
	}
	to = edge_at(search, search->next[vertex]++)->to;
	if (search->found[to] == NONE) {
		enter(search, to);
	} else if (search->component[to] == NONE) {
		search->low[vertex] = MIN(search->low[vertex], search->found[to]);
	}
}

static void find_components(struct search *search)
{
	for (uint32_t vertex = 0; vertex < search->graph->vertices->len; vertex++) {
		if (search->found[vertex] == NONE) {
			enter(search, vertex);
		}
		while (search->way->len > 0) {
			step(search);
		}
	}
}

/* Sets for each component whether edges lead into it, and whether any leads out of it. */
static void look_at_edges(const struct search *search, bool *has_edges, bool *has_way_out)
{
	for (guint i = 0; i < search->edges->len; i++) {
		const struct itp_wait_for *edge = edge_at(search, i);
		uint32_t from = search->component[edge->from];

		has_edges[search->component[edge->to]] = true;
		has_way_out[from] |= from != search->component[edge->to];
	}
}

struct candidate {
	struct itp_wait_knot knot;
	uint32_t component;
	/* Lowest vertex, to order candidates with equal held_ns. */
	uint32_t first;
};

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
	const struct candidate *left = a;
	const struct candidate *right = b;
	gint order = ITP_ORDER(right->knot.held_ns, left->knot.held_ns);

	return order ?: ITP_ORDER(left->first, right->first);
}

static void sum_up(const struct search *search, struct candidate *candidate)
{
	for (uint32_t vertex = search->graph->vertices->len; vertex-- > 0;) {
		if (search->component[vertex] == candidate->component) {
			candidate->knot.vertices++;
			candidate->knot.held_ns += vertex_at(search, vertex)->held_ns;
			candidate->first = vertex;
		}
	}
}

static GArray *find_candidates(const struct search *search)
{
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	g_autofree bool *has_edges = g_new0(bool, search->component_count + 1);
	g_autofree bool *has_way_out = g_new0(bool, search->component_count + 1);

	look_at_edges(search, has_edges, has_way_out);
	for (uint32_t i = 0; i < search->component_count; i++) {
		struct candidate candidate = { .component = i };

		if (has_edges[i] && !has_way_out[i]) {
			sum_up(search, &candidate);
			g_array_append_val(candidates, candidate);
		}
	}
	g_array_sort(candidates, compare_candidates);
	return candidates;
}

static void number_knots(struct itp_redistribution *redistribution, const struct search *search)
{
	g_autoptr(GArray) candidates = find_candidates(search);

	for (guint i = 0; i < candidates->len; i++) {
		const struct candidate *candidate = &g_array_index(candidates, struct candidate, i);

		g_array_append_val(redistribution->knots, candidate->knot);
		for (uint32_t vertex = 0; vertex < redistribution->vertices->len; vertex++) {
			if (search->component[vertex] == candidate->component) {
				g_array_index(redistribution->vertices, struct itp_wait_vertex,
					      vertex)
					.knot = i + 1;
			}
		}
	}
}

static uint32_t *numbers_new(guint count)
{
	uint32_t *numbers = g_new(uint32_t, count + 1);

	for (guint i = 0; i < count; i++) {
		numbers[i] = NONE;
	}
	return numbers;
}

void itp_knots_find(struct itp_redistribution *redistribution)
{
	guint count = redistribution->vertices->len;
	struct search search = { .graph = redistribution,
				 .edges = g_array_new(FALSE, FALSE, sizeof(guint)),
				 .begins = g_new0(guint, count + 1),
				 .found = numbers_new(count),
				 .low = numbers_new(count),
				 .component = numbers_new(count),
				 .next = g_new0(guint, count + 1),
				 .way = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
				 .open = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };

	sort_edges(&search);
	find_components(&search);
	number_knots(redistribution, &search);
	g_array_unref(search.edges);
	g_array_unref(search.way);
	g_array_unref(search.open);
	g_free(search.begins);
	g_free(search.found);
	g_free(search.low);
	g_free(search.component);
	g_free(search.next);
}
