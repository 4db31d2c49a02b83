/* SPDX-License-Identifier: MIT */
/*
 * Maps of Babeltrace, in which components get their parameters, and values of a request
 * (common/engine/values.h).
 */
#ifndef ITP_MESSAGES_PARAM_MAPS_H
#define ITP_MESSAGES_PARAM_MAPS_H

#include <babeltrace2/babeltrace.h>

#include "common/engine/params.h"

/* Values of a map; without any where it is NULL. libbabeltrace2 checks no types: all that it knows
 * are taken. Free with g_hash_table_unref(). */
GHashTable *itp_values_of_map(const bt_value *map);

/* A map with the values; put its reference. NULL with an error without memory. */
bt_value *itp_map_of_values(GHashTable *values, GError **error);

/* Reads a component's parameters, as itp_params_read(). */
bool itp_map_read(const struct itp_param_table *table, const bt_value *map, void *target,
		  GError **error);

#endif
