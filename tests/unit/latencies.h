/* SPDX-License-Identifier: MIT */
/*
 * Latencies of single calls, for tests that make statistics without an inference.
 */
#ifndef ITP_TESTS_UNIT_LATENCIES_H
#define ITP_TESTS_UNIT_LATENCIES_H

#include "common/infer/profile.h"

/* Adds a call's latency and its bounds. */
static inline void test_add_latency(struct itp_node_stats *stats, int64_t latency_ns,
				    int64_t lower_ns, int64_t upper_ns)
{
	itp_node_stats_count(stats, latency_ns, 1);
	stats->total_ns += latency_ns;
	stats->lower_ns += lower_ns;
	stats->upper_ns += upper_ns;
}

#endif
