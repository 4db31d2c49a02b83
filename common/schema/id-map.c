/* SPDX-License-Identifier: MIT */
/*
 * See id-map.h. A hash table rather than an array, because a damaged trace may hold any number.
 */
#include "common/schema/id-map.h"

#include "common/base/failure.h"
#include "common/base/hash.h"

struct itp_id_map {
	/* Weak. */
	const char *what;
	/* Owned by this. */
	GHashTable *ids;
};

struct itp_id_map *itp_id_map_new(const char *what)
{
	struct itp_id_map *map = g_new0(struct itp_id_map, 1);

	map->what = what;
	map->ids = g_hash_table_new(itp_hash_number, NULL);
	return map;
}

void itp_id_map_free(struct itp_id_map *map)
{
	if (!map) {
		return;
	}
	g_hash_table_unref(map->ids);
	g_free(map);
}

void itp_id_map_put(struct itp_id_map *map, uint32_t input_id, uint32_t own_id)
{
	g_hash_table_insert(map->ids, GUINT_TO_POINTER(input_id), GUINT_TO_POINTER(own_id));
}

bool itp_id_map_get(const struct itp_id_map *map, uint32_t input_id, uint32_t *ret_own_id,
		    GError **error)
{
	void *own_id;

	if (!g_hash_table_lookup_extended(map->ids, GUINT_TO_POINTER(input_id), NULL, &own_id)) {
		itp_failure_set(error,
				"%s %u is used but was not introduced; is the beginning of the "
				"trace missing?",
				map->what, input_id);
		return false;
	}
	*ret_own_id = GPOINTER_TO_UINT(own_id);
	return true;
}
