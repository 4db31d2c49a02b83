/* SPDX-License-Identifier: MIT */
/*
 * See path-sets.h.
 */
#include "common/unit/path-sets.h"

#include "common/base/hash.h"
#include "common/base/order.h"

struct itp_path_sets {
	/* Ids by GBytes of the list. Owned by this. */
	GHashTable *ids;
	/* GBytes *, by id. Owned by this. */
	GPtrArray *list;
	/* Number of paths of all sets together. */
	size_t path_count;
};

static void make_set(GArray *nodes)
{
	guint kept = 0;

	g_array_sort(nodes, itp_order_of_ids);
	for (guint i = 0; i < nodes->len; i++) {
		uint32_t node = g_array_index(nodes, uint32_t, i);

		if (kept == 0 || g_array_index(nodes, uint32_t, kept - 1) != node) {
			g_array_index(nodes, uint32_t, kept++) = node;
		}
	}
	g_array_set_size(nodes, kept);
}

void itp_path_set_add(GArray *nodes, const uint32_t *more, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		g_array_append_val(nodes, more[i]);
		if (nodes->len == 2 * ITP_MAX_PATHS) {
			make_set(nodes);
			g_array_set_size(nodes, MIN(nodes->len, ITP_MAX_PATHS));
		}
	}
}

void itp_path_set_add_all(GArray *nodes, const GArray *more)
{
	itp_path_set_add(nodes, (const uint32_t *)(const void *)more->data, more->len);
}

static guint hash_set(gconstpointer bytes)
{
	gsize size;
	const void *data = g_bytes_get_data((GBytes *)bytes, &size);

	return itp_hash_bytes(data, size);
}

struct itp_path_sets *itp_path_sets_new(void)
{
	struct itp_path_sets *sets = g_new0(struct itp_path_sets, 1);
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	sets->ids = g_hash_table_new(hash_set, g_bytes_equal);
	sets->list = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	itp_path_sets_intern(sets, none);
	return sets;
}

void itp_path_sets_free(struct itp_path_sets *sets)
{
	g_hash_table_unref(sets->ids);
	g_ptr_array_unref(sets->list);
	g_free(sets);
}

uint32_t itp_path_sets_intern(struct itp_path_sets *sets, GArray *nodes)
{
	g_autoptr(GBytes) look = NULL;
	gpointer id;
	GBytes *bytes;

	make_set(nodes);
	look = g_bytes_new_static(nodes->data, nodes->len * sizeof(uint32_t));
	if (g_hash_table_lookup_extended(sets->ids, look, NULL, &id)) {
		return GPOINTER_TO_UINT(id);
	}
	if (sets->list->len == ITP_MAX_PATH_SETS ||
	    sets->path_count + nodes->len > ITP_MAX_PATHS_OF_SETS) {
		return ITP_PATH_SET_OTHERS;
	}
	sets->path_count += nodes->len;
	bytes = g_bytes_new(nodes->data, nodes->len * sizeof(uint32_t));
	g_hash_table_insert(sets->ids, bytes, GUINT_TO_POINTER(sets->list->len));
	g_ptr_array_add(sets->list, bytes);
	return sets->list->len - 1;
}

const uint32_t *itp_path_sets_get(const struct itp_path_sets *sets, uint32_t id, size_t *ret_count)
{
	gsize size;
	const uint32_t *nodes = g_bytes_get_data(g_ptr_array_index(sets->list, id), &size);

	*ret_count = size / sizeof(uint32_t);
	return nodes;
}

const uint32_t *itp_path_sets_get_known(const struct itp_path_sets *sets, uint32_t id,
					size_t *ret_count)
{
	return itp_path_sets_get(sets, itp_path_sets_known(id), ret_count);
}
