/* SPDX-License-Identifier: MIT */
/*
 * See signals.h.
 */
#include "common/unit/signals.h"

#include "common/base/hash.h"

struct itp_unit_signals {
	/* gsize by group and loop (itp_pair()); and the few loops (uint32_t). Owned by this. */
	GHashTable *counts;
	GArray *loops;
};

struct itp_unit_signals *itp_unit_signals_new(void)
{
	struct itp_unit_signals *signals = g_new(struct itp_unit_signals, 1);

	signals->counts = g_hash_table_new(itp_hash_number, NULL);
	signals->loops = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return signals;
}

void itp_unit_signals_free(struct itp_unit_signals *signals)
{
	g_hash_table_unref(signals->counts);
	g_array_unref(signals->loops);
	g_free(signals);
}

static gsize count_at(GHashTable *counts, gconstpointer key)
{
	return GPOINTER_TO_SIZE(g_hash_table_lookup(counts, key));
}

static void add_count(GHashTable *counts, gpointer key, gsize count)
{
	g_hash_table_insert(counts, key, GSIZE_TO_POINTER(count_at(counts, key) + count));
}

static void note_loop(struct itp_unit_signals *signals, uint32_t loop)
{
	guint i = 0;

	while (i < signals->loops->len && g_array_index(signals->loops, uint32_t, i) != loop) {
		i++;
	}
	if (i == signals->loops->len) {
		g_array_append_val(signals->loops, loop);
	}
}

void itp_unit_signals_add(struct itp_unit_signals *signals, guint group, uint32_t loop)
{
	const gpointer key = itp_pair(group, loop);

	if (count_at(signals->counts, key) == 0) {
		note_loop(signals, loop);
	}
	add_count(signals->counts, key, 1);
}

void itp_unit_signals_collect(const struct itp_unit_signals *signals, guint group,
			      GHashTable *counts)
{
	for (guint i = 0; i < signals->loops->len; i++) {
		const uint32_t loop = g_array_index(signals->loops, uint32_t, i);
		const gsize count = count_at(signals->counts, itp_pair(group, loop));

		if (count > 0) {
			add_count(counts, GUINT_TO_POINTER(loop), count);
		}
	}
}
