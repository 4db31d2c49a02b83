/* SPDX-License-Identifier: MIT */
/* See sums.h. */
#include "common/base/sums.h"

void itp_sums_add(GHashTable *sums, gpointer key, int64_t more)
{
	g_hash_table_insert(sums, key, GSIZE_TO_POINTER((gsize)(itp_sums_get(sums, key) + more)));
}

gpointer itp_sums_largest(GHashTable *sums)
{
	GHashTableIter iter;
	gpointer key;
	gpointer sum;
	gpointer found = NULL;
	int64_t most = 0;

	g_hash_table_iter_init(&iter, sums);
	while (g_hash_table_iter_next(&iter, &key, &sum)) {
		const int64_t number = (int64_t)GPOINTER_TO_SIZE(sum);

		if (number > most || (number == most && key < found)) {
			most = number;
			found = key;
		}
	}
	return found;
}
