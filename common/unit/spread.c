/* SPDX-License-Identifier: MIT */
/*
 * See spread.h.
 */
#include "common/unit/spread.h"

#include <math.h>

static gint compare_distances(gconstpointer a, gconstpointer b)
{
	const struct itp_latency *left = a;
	const struct itp_latency *right = b;

	return (left->latency_ns > right->latency_ns) - (left->latency_ns < right->latency_ns);
}

/* Median distance of latencies to their median. */
static int64_t median_deviation(const struct itp_latencies *latencies, int64_t median_ns)
{
	g_autoptr(GArray) distances = g_array_new(FALSE, FALSE, sizeof(struct itp_latency));
	struct itp_latency latency;
	uint64_t half = itp_latencies_count(latencies, 0) / 2;

	for (guint i = 0; itp_latencies_get(latencies, 0, i, &latency); i++) {
		latency.latency_ns = ABS(latency.latency_ns - median_ns);
		g_array_append_val(distances, latency);
	}
	g_array_sort(distances, compare_distances);
	for (guint i = 0; i < distances->len; i++) {
		latency = g_array_index(distances, struct itp_latency, i);
		if (latency.calls > half) {
			break;
		}
		half -= latency.calls;
	}
	return latency.latency_ns;
}

void itp_unit_type_set_spread(struct itp_unit_type *type, const struct itp_latencies *latencies,
			      double square_sum)
{
	const double count = (double)type->count;

	type->mean_ns = (double)type->total_ns / count;
	type->deviation_ns = sqrt(MAX(square_sum / count - type->mean_ns * type->mean_ns, 0));
	type->median_ns = itp_latencies_nth(latencies, 0, (type->count - 1) / 2);
	type->p99_ns = itp_latencies_nth(latencies, 0, (type->count - 1) * 99 / 100);
	type->median_deviation_ns = median_deviation(latencies, type->median_ns);
	type->mean_limit_ns = (int64_t)(type->mean_ns + ITP_UNIT_DEVIATIONS * type->deviation_ns);
	type->median_limit_ns = type->median_ns + ITP_UNIT_DEVIATIONS * type->median_deviation_ns;
}
