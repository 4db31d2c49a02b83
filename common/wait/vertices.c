/* SPDX-License-Identifier: MIT */
/*
 * See vertices.h.
 */
#include "common/wait/vertices.h"

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/base/sums.h"
#include "common/known/starts.h"
#include "common/wait/chain.h"
#include "common/wait/face.h"

/* Stands for the function in keys of vertices without a thread: functions have smaller numbers. */
#define OTHER(kind) (UINT32_MAX - (uint32_t)(kind))

/* Roots by node. Parents have smaller numbers. */
static uint32_t *find_roots(const struct itp_recall *recall)
{
	uint32_t count = itp_context_tree_size(recall->tree);
	uint32_t *roots = g_new0(uint32_t, count);

	for (uint32_t node = 1; node < count; node++) {
		const struct itp_context *context = itp_context_tree_get(recall->tree, node);
		const struct itp_function *function =
			itp_context_function(recall->tree, recall->functions, node);

		roots[node] = roots[context->parent];
		if (roots[node] == ITP_CONTEXT_ROOT && context->depth > 1 &&
		    itp_face_can_be(function) && !itp_start_is_entry(function->name)) {
			roots[node] = node;
		}
	}
	return roots;
}

void itp_vertices_init(struct itp_vertices *vertices, const struct itp_recall *recall, GArray *all,
		       int64_t span_ns)
{
	*vertices = (struct itp_vertices){ .recall = recall,
					   .all = all,
					   .known = g_hash_table_new(itp_hash_number, NULL),
					   .roots = find_roots(recall),
					   .span_ns = span_ns };
}

void itp_vertices_release(struct itp_vertices *vertices)
{
	g_clear_pointer(&vertices->known, g_hash_table_unref);
	g_clear_pointer(&vertices->roots, g_free);
}

/* Adds to the time of a node that is known. */
static void add_time(GHashTable *times, uint32_t node, int64_t ns)
{
	if (node != ITP_CONTEXT_ROOT) {
		itp_sums_add(times, GUINT_TO_POINTER(node), ns);
	}
}

/* Node with the longest time of a thread, among roots of its process or among its first functions.
 * Of equal times the first. */
static uint32_t longest(GHashTable *times)
{
	return GPOINTER_TO_UINT(itp_sums_largest(times));
}

static uint32_t process_of(const struct itp_recall *recall, uint32_t node)
{
	while (itp_context_tree_get(recall->tree, node)->depth > 1) {
		node = itp_context_tree_get(recall->tree, node)->parent;
	}
	return node;
}

/* Vertex of the thread alone. */
static struct itp_wait_vertex describe(const struct itp_vertices *vertices,
				       const struct itp_life *life)
{
	struct itp_wait_vertex vertex = { .kind = ITP_VERTEX_THREADS, .threads = 1 };
	g_autoptr(GHashTable) roots = g_hash_table_new(itp_hash_number, NULL);
	g_autoptr(GHashTable) processes = g_hash_table_new(itp_hash_number, NULL);
	size_t length = itp_life_length(life);

	for (size_t i = 0; i < length; i++) {
		const struct itp_stretch stretch = itp_life_get(life, i);
		int64_t ns = MAX(stretch.end_ns - stretch.begin_ns, 0);

		vertex.alive_ns += ns;
		add_time(roots, vertices->roots[stretch.node], ns);
		add_time(processes, process_of(vertices->recall, stretch.node), ns);
	}
	vertex.root_node = longest(roots);
	vertex.process_node = vertex.root_node == ITP_CONTEXT_ROOT ?
				      longest(processes) :
				      process_of(vertices->recall, vertex.root_node);
	return vertex;
}

/* Index of the vertex known by `key`; `vertex` is added when it is new. */
static uint32_t find(struct itp_vertices *vertices, gpointer key,
		     const struct itp_wait_vertex *vertex)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(vertices->known, key));

	if (known == 0) {
		g_array_append_val(vertices->all, *vertex);
		known = vertices->all->len;
		g_hash_table_insert(vertices->known, key, GUINT_TO_POINTER(known));
	}
	return known - 1;
}

uint32_t itp_vertices_of_thread(struct itp_vertices *vertices, const struct itp_life *life)
{
	const struct itp_context_tree *tree = vertices->recall->tree;
	const struct itp_wait_vertex thread = describe(vertices, life);
	const struct itp_wait_vertex empty = { .kind = ITP_VERTEX_THREADS,
					       .process_node = thread.process_node,
					       .root_node = thread.root_node };
	gpointer key = itp_pair(itp_context_tree_get(tree, thread.process_node)->function,
				itp_context_tree_get(tree, thread.root_node)->function);
	uint32_t index = find(vertices, key, &empty);
	struct itp_wait_vertex *vertex =
		&g_array_index(vertices->all, struct itp_wait_vertex, index);

	vertex->threads++;
	vertex->alive_ns += thread.alive_ns;
	return index;
}

uint32_t itp_vertices_of_other(struct itp_vertices *vertices, enum itp_vertex_kind kind,
			       uint32_t function)
{
	const struct itp_wait_vertex vertex = {
		.kind = kind, .function = function, .threads = 1, .alive_ns = vertices->span_ns
	};
	/* Time may end a sleep without a seen waker. */
	uint32_t known_by = kind == ITP_VERTEX_TIME ? 0 : function;

	return find(vertices, itp_pair(known_by, OTHER(kind)), &vertex);
}
