/* SPDX-License-Identifier: MIT */
/*
 * Sums by key: tables whose values are the numbers themselves, without memory for each. A missing
 * key has the sum 0.
 */
#ifndef ITP_BASE_SUMS_H
#define ITP_BASE_SUMS_H

#include <glib.h>
#include <stdint.h>

void itp_sums_add(GHashTable *sums, gpointer key, int64_t more);

static inline int64_t itp_sums_get(GHashTable *sums, gconstpointer key)
{
	return (int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(sums, key));
}

/* Key with the largest sum above 0; of equal sums the smallest key. NULL without any. */
gpointer itp_sums_largest(GHashTable *sums);

#endif
