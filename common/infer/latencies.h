/* SPDX-License-Identifier: MIT */
/*
 * How the latencies of each context's calls are distributed, to within 1.6 %.
 *
 * The histogram of a node (profile.h) has a bucket for each octave, costs equally much in each
 * node, and is saved. The present one has 32, as in Gil Tene's HdrHistogram: up to 63 ns a bucket
 * for each latency, from there on buckets as wide as a 32nd of the octave. It is kept where
 * somebody looks closely at single contexts, and holds only buckets with calls: 16 bytes for each.
 * Sums of two are sums of all their calls, in any order.
 */
#ifndef ITP_INFER_LATENCIES_H
#define ITP_INFER_LATENCIES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct itp_latencies;

struct itp_latencies *itp_latencies_new(void);
void itp_latencies_free(struct itp_latencies *latencies);

/* Adds `calls` calls of equal latency; negative latencies count as 0. */
void itp_latencies_add(struct itp_latencies *latencies, uint32_t node, int64_t latency_ns,
		       uint64_t calls);
/* Adds `other`'s calls of `other_node` to the calls of `node`. */
void itp_latencies_add_node(struct itp_latencies *latencies, uint32_t node,
			    const struct itp_latencies *other, uint32_t other_node);
/* Adds the calls of `node` to those of `target`, and leaves none; `target` may be the node. */
void itp_latencies_move_node(struct itp_latencies *latencies, uint32_t target, uint32_t node);
void itp_latencies_clear_node(struct itp_latencies *latencies, uint32_t node);
/* Forgets calls of all nodes from `size` on. */
void itp_latencies_truncate(struct itp_latencies *latencies, uint32_t size);
void itp_latencies_merge(struct itp_latencies *latencies, const struct itp_latencies *other);

/* Calls of a bucket. */
struct itp_latency {
	uint32_t node;
	/* Middle of the bucket, at most a 64th of itself off: added again, it falls into the same
	 * bucket. */
	int64_t latency_ns;
	uint64_t calls;
};

/* Bucket `i` of `node`, by latency: false when there are not more than `i`. */
bool itp_latencies_get(const struct itp_latencies *latencies, uint32_t node, guint i,
		       struct itp_latency *ret_latency);

/* Number of known calls of `node`: 0 without interest in them, UINT64_MAX for more than fit. */
uint64_t itp_latencies_count(const struct itp_latencies *latencies, uint32_t node);

/* The latency of call number `call` (from 0, by latency) of `node`, as its bucket tells it. `call`
 * is below the count. */
int64_t itp_latencies_nth(const struct itp_latencies *latencies, uint32_t node, uint64_t call);

#endif
