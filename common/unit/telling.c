/* SPDX-License-Identifier: MIT */
/*
 * See telling.h.
 */
#include "common/unit/telling.h"

#include "common/base/hash.h"

struct itp_shown {
	/* Weak. */
	const struct itp_context_tree *tree;
	const struct itp_path_sets *paths;
	uint32_t loop;
	uint64_t units;
	uint64_t ticks;
	/* By context: number of units with calls there or below, and number of ticks there or below
	 * (groups.h). Owned by this. */
	GHashTable *units_in;
	GHashTable *ticks_in;
	/* Sums over units of the number of call paths, and of the functions on their paths. */
	uint64_t path_sum;
	uint64_t function_sum;
};

struct itp_shown *itp_shown_new(const struct itp_context_tree *tree,
				const struct itp_path_sets *paths, uint32_t loop)
{
	struct itp_shown *shown = g_new0(struct itp_shown, 1);

	shown->tree = tree;
	shown->paths = paths;
	shown->loop = loop;
	shown->units_in = g_hash_table_new(itp_hash_number, NULL);
	shown->ticks_in = g_hash_table_new(itp_hash_number, NULL);
	return shown;
}

void itp_shown_free(struct itp_shown *shown)
{
	if (shown) {
		g_hash_table_unref(shown->units_in);
		g_hash_table_unref(shown->ticks_in);
		g_free(shown);
	}
}

static uint64_t count_in(GHashTable *counts, uint32_t node)
{
	return GPOINTER_TO_SIZE(g_hash_table_lookup(counts, GUINT_TO_POINTER(node)));
}

static uint32_t parent_of_shown(const struct itp_shown *shown, uint32_t node)
{
	return itp_context_tree_get(shown->tree, node)->parent;
}

/* Adds `count` to the contexts from `node` up to the loop's, without those in `seen`, unless
 * NULL. */
static void add_path(const struct itp_shown *shown, GHashTable *counts, GHashTable *seen,
		     uint32_t node, uint64_t count)
{
	for (; node != shown->loop && node != ITP_CONTEXT_ROOT;
	     node = parent_of_shown(shown, node)) {
		if (seen && !g_hash_table_add(seen, GUINT_TO_POINTER(node))) {
			return;
		}
		g_hash_table_insert(counts, GUINT_TO_POINTER(node),
				    GSIZE_TO_POINTER(count_in(counts, node) + count));
	}
}

/* Number of functions on paths through the contexts. */
static guint count_functions(const struct itp_shown *shown, GHashTable *contexts)
{
	g_autoptr(GHashTable) functions = g_hash_table_new(itp_hash_number, NULL);
	GHashTableIter iter;
	gpointer node;

	g_hash_table_iter_init(&iter, contexts);
	while (g_hash_table_iter_next(&iter, &node, NULL)) {
		const struct itp_context *context =
			itp_context_tree_get(shown->tree, GPOINTER_TO_UINT(node));

		g_hash_table_add(functions, GUINT_TO_POINTER(context->function));
	}
	return g_hash_table_size(functions);
}

void itp_shown_add(struct itp_shown *shown, const struct itp_unit_groups *groups, guint group)
{
	const struct itp_unit_group *added = itp_unit_groups_at(groups, group);
	g_autoptr(GHashTable) seen = g_hash_table_new(itp_hash_number, NULL);
	size_t count = 0;
	const uint32_t *nodes = itp_path_sets_get_known(shown->paths, added->paths, &count);

	for (size_t i = 0; i < count; i++) {
		add_path(shown, shown->units_in, seen, nodes[i], added->count);
	}
	shown->path_sum += count * added->count;
	shown->function_sum += count_functions(shown, seen) * added->count;
	nodes = itp_unit_groups_ticks(groups, group, &count);
	for (size_t i = 0; i < count; i++) {
		add_path(shown, shown->ticks_in, NULL, itp_tick_node(nodes[i]), added->count);
	}
	shown->units += added->count;
	shown->ticks += count * added->count;
}

/* Number of contexts by function and depth (itp_pair()). Free with g_hash_table_unref(). */
static GHashTable *count_depths(const struct itp_shown *shown)
{
	GHashTable *depths = g_hash_table_new(itp_hash_number, NULL);
	GHashTableIter iter;
	gpointer node;

	g_hash_table_iter_init(&iter, shown->units_in);
	while (g_hash_table_iter_next(&iter, &node, NULL)) {
		const struct itp_context *context =
			itp_context_tree_get(shown->tree, GPOINTER_TO_UINT(node));
		const gpointer key = itp_pair(context->function, context->depth);
		const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(depths, key));

		g_hash_table_insert(depths, key, GUINT_TO_POINTER(count + 1));
	}
	return depths;
}

void itp_shown_measure(const struct itp_shown *own, const struct itp_shown *all,
		       struct itp_unit_trees *ret_trees)
{
	g_autoptr(GHashTable) depths = count_depths(all);
	const double units = (double)MAX(own->units, 1);
	uint64_t contexts = 0;
	uint64_t told = 0;
	GHashTableIter iter;
	gpointer node;
	gpointer count;

	g_hash_table_iter_init(&iter, own->units_in);
	while (g_hash_table_iter_next(&iter, &node, &count)) {
		const struct itp_context *context =
			itp_context_tree_get(own->tree, GPOINTER_TO_UINT(node));
		const gpointer key = itp_pair(context->function, context->depth);

		contexts += GPOINTER_TO_SIZE(count);
		told += GPOINTER_TO_UINT(g_hash_table_lookup(depths, key)) == 1 ?
				GPOINTER_TO_SIZE(count) :
				0;
	}
	ret_trees->paths = (double)own->path_sum / units;
	ret_trees->functions = (double)own->function_sum / units;
	ret_trees->depth_part = contexts > 0 ? (double)told / (double)contexts : 1;
}

/* True when more than `part` of the units, or of the ticks, in the context are of other types. */
static bool is_shared(const struct itp_shown *own, const struct itp_shown *all, uint32_t node,
		      double part)
{
	const double units = (double)count_in(all->units_in, node);
	const double ticks = (double)count_in(all->ticks_in, node);

	return units - (double)count_in(own->units_in, node) > part * units ||
	       ticks - (double)count_in(own->ticks_in, node) > part * ticks;
}

/* True when the context tells `own`; `part`: most units of other types in it. */
static bool is_telling(const struct itp_shown *own, const struct itp_shown *all, uint32_t node,
		       double part)
{
	const bool is_of_most = (double)count_in(own->units_in, node) >=
				ITP_TELLING_PART * (double)own->units;
	const double tick_part =
		own->ticks > 0 ? (double)count_in(own->ticks_in, node) / (double)own->ticks : 0;
	const bool is_of_ticks = tick_part >= ITP_TELLING_TICK_PART &&
				 tick_part * (double)(all->ticks - own->ticks) >= ITP_TELLING_TICKS;

	return (is_of_most || is_of_ticks) && !is_shared(own, all, node, part);
}

static gint compare_telling(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_shown *own = data;
	const uint32_t left = *(const uint32_t *)a;
	const uint32_t right = *(const uint32_t *)b;
	const uint64_t left_count = count_in(own->units_in, left);
	const uint64_t right_count = count_in(own->units_in, right);

	return left_count != right_count ? (left_count < right_count) - (left_count > right_count) :
					   (left > right) - (left < right);
}

static void find_in(const struct itp_shown *own, const struct itp_shown *all, double part,
		    GHashTable *counts, GHashTable *found)
{
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, counts);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const uint32_t node = GPOINTER_TO_UINT(key);
		const uint32_t parent = parent_of_shown(own, node);

		if (is_telling(own, all, node, part) &&
		    (parent == own->loop || !is_telling(own, all, parent, part))) {
			g_hash_table_add(found, key);
		}
	}
}

static void find_telling(const struct itp_shown *own, const struct itp_shown *all, double part,
			 GArray *telling)
{
	g_autoptr(GHashTable) found = g_hash_table_new(itp_hash_number, NULL);
	GHashTableIter iter;
	gpointer key;

	find_in(own, all, part, own->units_in, found);
	find_in(own, all, part, own->ticks_in, found);
	g_hash_table_iter_init(&iter, found);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const uint32_t node = GPOINTER_TO_UINT(key);

		g_array_append_val(telling, node);
	}
	g_array_sort_with_data(telling, compare_telling, (gpointer)own);
	g_array_set_size(telling, MIN(telling->len, ITP_TELLING_MOST));
}

/* True when nearly all units of the type, and not nearly all units, are in the context. */
static bool is_usual(const struct itp_shown *own, const struct itp_shown *all, uint32_t node)
{
	return (double)count_in(own->units_in, node) >= ITP_TELLING_TOGETHER * (double)own->units &&
	       (double)count_in(all->units_in, node) < ITP_TELLING_TOGETHER * (double)all->units;
}

static void find_together(const struct itp_shown *own, const struct itp_shown *all, GArray *telling)
{
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, own->units_in);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const uint32_t node = GPOINTER_TO_UINT(key);
		const uint32_t parent = parent_of_shown(own, node);

		if (is_usual(own, all, node) &&
		    (parent == own->loop || !is_usual(own, all, parent))) {
			g_array_append_val(telling, node);
		}
	}
	g_array_sort_with_data(telling, compare_telling, (gpointer)own);
	g_array_set_size(telling, MIN(telling->len, ITP_TELLING_MOST));
}

enum itp_telling itp_shown_find_telling(const struct itp_shown *own, const struct itp_shown *all,
					GArray *ret_telling)
{
	find_telling(own, all, 0, ret_telling);
	if (ret_telling->len > 0) {
		return ITP_TELLING_ONLY;
	}
	find_telling(own, all, ITP_TELLING_OTHERS, ret_telling);
	if (ret_telling->len > 0) {
		return ITP_TELLING_MOSTLY;
	}
	find_together(own, all, ret_telling);
	return ITP_TELLING_ALTOGETHER;
}
