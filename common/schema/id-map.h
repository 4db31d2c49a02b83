/* SPDX-License-Identifier: MIT */
/*
 * Ids of an input trace (functions, contexts) as ids of one's own tables.
 *
 * Input ids may have gaps and any order; each must be introduced before its use.
 */
#ifndef ITP_SCHEMA_ID_MAP_H
#define ITP_SCHEMA_ID_MAP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct itp_id_map;

/* `what` names the ids in errors, e.g. "function". Weak. */
struct itp_id_map *itp_id_map_new(const char *what);
void itp_id_map_free(struct itp_id_map *map);

void itp_id_map_put(struct itp_id_map *map, uint32_t input_id, uint32_t own_id);
bool itp_id_map_get(const struct itp_id_map *map, uint32_t input_id, uint32_t *ret_own_id,
		    GError **error);

#endif
