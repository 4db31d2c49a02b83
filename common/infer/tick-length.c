/* SPDX-License-Identifier: MIT */
/*
 * See tick-length.h.
 */
#include "common/infer/tick-length.h"

#include "common/base/hash.h"
#include "common/infer/latencies.h"

/* Node number under which the distances are kept. */
#define DISTANCES 1

struct itp_tick_length {
	int64_t told_ns;
	uint64_t untold_ticks;
	/* tid → time of the last tick without a length (int64_t). Owned by this. */
	GHashTable *last_ns;
	/* Owned by this. */
	struct itp_latencies *distances;
};

struct itp_tick_length *itp_tick_length_new(void)
{
	struct itp_tick_length *length = g_new0(struct itp_tick_length, 1);

	length->last_ns = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	length->distances = itp_latencies_new();
	return length;
}

void itp_tick_length_free(struct itp_tick_length *length)
{
	g_hash_table_destroy(length->last_ns);
	itp_latencies_free(length->distances);
	g_free(length);
}

void itp_tick_length_add(struct itp_tick_length *length, int32_t tid, int64_t time_ns,
			 int64_t tick_ns)
{
	int64_t *last_ns;

	if (tick_ns > 0) {
		length->told_ns += tick_ns;
		return;
	}
	length->untold_ticks++;
	last_ns = g_hash_table_lookup(length->last_ns, GINT_TO_POINTER(tid));
	if (last_ns) {
		itp_latencies_add(length->distances, DISTANCES, time_ns - *last_ns, 1);
	} else {
		last_ns = g_new(int64_t, 1);
		g_hash_table_insert(length->last_ns, GINT_TO_POINTER(tid), last_ns);
	}
	*last_ns = time_ns;
}

void itp_tick_length_end(struct itp_tick_length *length, int32_t tid)
{
	g_hash_table_remove(length->last_ns, GINT_TO_POINTER(tid));
}

int64_t itp_tick_length_sum(const struct itp_tick_length *length)
{
	const uint64_t distances = itp_latencies_count(length->distances, DISTANCES);
	const int64_t median_ns =
		distances > 0 ? itp_latencies_nth(length->distances, DISTANCES, distances / 2) : 0;

	return length->told_ns + (int64_t)length->untold_ticks * median_ns;
}
