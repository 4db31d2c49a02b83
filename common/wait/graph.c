/* SPDX-License-Identifier: MIT */
/*
 * See graph.h. The figure's loop until nothing changes is a loop over a growing list: each wait is
 * looked at once, in turn, and a known stretch gets an edge only. The loop ends with cycles, too.
 */
#include "common/wait/graph.h"

#include "common/base/hash.h"

struct search {
	const struct itp_history *history;
	struct itp_wait_graph *graph;
	guint most;
	/* Vertex + 1 by thread and number of the stretch. Owned by this. */
	GHashTable *known;
};

/* Vertex of the stretch `i` of a life; G_MAXUINT when there is no room. */
static guint vertex_of(struct search *search, const struct itp_stretch *stretch, size_t i)
{
	gpointer key = itp_pair((uint32_t)stretch->tid, (uint32_t)i);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(search->known, key));
	GArray *vertices = search->graph->vertices;

	if (known > 0) {
		return known - 1;
	}
	if (vertices->len == search->most) {
		search->graph->is_cut = true;
		return G_MAXUINT;
	}
	g_array_append_val(vertices, *stretch);
	g_hash_table_insert(search->known, key, GUINT_TO_POINTER(vertices->len));
	return vertices->len - 1;
}

/* Lines 2 to 4: the thread's stretches within the span. */
static void add_own(struct search *search, const struct itp_symptom *symptom)
{
	const struct itp_life *life = itp_history_life(search->history, symptom->tid);

	for (size_t i = life ? itp_life_find(life, symptom->begin_ns) : 0;
	     life && i < itp_life_length(life); i++) {
		const struct itp_stretch stretch = itp_life_get(life, i);

		if (stretch.end_ns > symptom->end_ns) {
			break;
		}
		if (stretch.begin_ns >= symptom->begin_ns) {
			vertex_of(search, &stretch, i);
		}
	}
}

/* False without room. */
static bool add_edge(struct search *search, guint wait, guint meanwhile)
{
	const struct itp_wait_edge edge = { .wait = wait, .meanwhile = meanwhile };

	if (meanwhile == G_MAXUINT || search->graph->edges->len == search->most) {
		search->graph->is_cut = true;
		return false;
	}
	g_array_append_val(search->graph->edges, edge);
	return true;
}

/* Lines 8 to 13: the waker's stretches that end within the wait. */
static void add_waker(struct search *search, guint vertex)
{
	const struct itp_stretch wait =
		g_array_index(search->graph->vertices, struct itp_stretch, vertex);
	const struct itp_life *life = itp_history_life(search->history, wait.waker_tid);

	for (size_t i = life ? itp_life_find(life, wait.begin_ns) : 0;
	     life && i < itp_life_length(life); i++) {
		const struct itp_stretch stretch = itp_life_get(life, i);

		if (stretch.end_ns > wait.end_ns ||
		    !add_edge(search, vertex, vertex_of(search, &stretch, i))) {
			break;
		}
	}
}

static bool has_waker(const struct itp_stretch *stretch)
{
	return stretch->kind == ITP_STRETCH_WAIT && stretch->end == ITP_WAIT_WOKEN &&
	       stretch->waker_tid > 0 && stretch->waker_tid != stretch->tid;
}

struct itp_wait_graph *itp_wait_graph_new(const struct itp_history *history,
					  const struct itp_symptom *symptom, guint most)
{
	struct itp_wait_graph *graph = g_new0(struct itp_wait_graph, 1);
	struct search search = { .history = history,
				 .graph = graph,
				 .most = most > 0 ? most : G_MAXUINT,
				 .known = g_hash_table_new(itp_hash_number, NULL) };

	graph->vertices = g_array_new(FALSE, FALSE, sizeof(struct itp_stretch));
	graph->edges = g_array_new(FALSE, FALSE, sizeof(struct itp_wait_edge));
	add_own(&search, symptom);
	for (guint i = 0; i < graph->vertices->len; i++) {
		if (has_waker(&g_array_index(graph->vertices, struct itp_stretch, i))) {
			add_waker(&search, i);
		}
	}
	g_hash_table_unref(search.known);
	return graph;
}

void itp_wait_graph_free(struct itp_wait_graph *graph)
{
	if (graph) {
		g_array_unref(graph->vertices);
		g_array_unref(graph->edges);
		g_free(graph);
	}
}
