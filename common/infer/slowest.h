/* SPDX-License-Identifier: MIT */
/*
 * Slowest calls of each context, with time and thread, to be looked up in another tool.
 *
 * A node keeps the first ITP_SLOWEST_COUNT calls of a total order, so merging is associative and
 * commutative, as with the other statistics. A process, which is no call, has none.
 */
#ifndef ITP_INFER_SLOWEST_H
#define ITP_INFER_SLOWEST_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/function-table.h"

/* How many calls a node keeps at most. */
#define ITP_SLOWEST_COUNT 8

/* Function instance, by the chosen estimate. */
struct itp_slow_call {
	uint32_t node;
	int32_t pid;
	int32_t tid;
	/* Number of its recording among several of a workload; 0 for a single one. */
	uint32_t run;
	/* enum itp_instance_flag */
	uint32_t flags;
	/* On the clock of the recording. */
	int64_t begin_ns;
	int64_t latency_ns;
	/* Bounds of its true latency. */
	int64_t lower_ns;
	int64_t upper_ns;
};

/* A GCompareFunc: the slowest first, equal ones the earliest first. Only calls alike in everything
 * are equal. */
gint itp_slow_call_compare(gconstpointer a, gconstpointer b);

struct itp_slowest;

struct itp_slowest *itp_slowest_new(void);
void itp_slowest_free(struct itp_slowest *slowest);

/* True when calls of `function` are kept. */
bool itp_slowest_suits(const struct itp_function *function);

/* Keeps the call if it is among the slowest of its node. */
void itp_slowest_add(struct itp_slowest *slowest, const struct itp_slow_call *call);
/* Adds calls kept by `other` for `other_node`, as calls of `node`. */
void itp_slowest_add_node(struct itp_slowest *slowest, uint32_t node,
			  const struct itp_slowest *other, uint32_t other_node);
/* Adds calls of `node` to the calls of `target`, and leaves none; `target` may be the node. */
void itp_slowest_move_node(struct itp_slowest *slowest, uint32_t target, uint32_t node);
void itp_slowest_clear_node(struct itp_slowest *slowest, uint32_t node);
/* Forgets calls of all nodes from `size` on. */
void itp_slowest_truncate(struct itp_slowest *slowest, uint32_t size);
void itp_slowest_merge(struct itp_slowest *slowest, const struct itp_slowest *other);
/* Adds all calls kept by `other`, as calls of recording `run`. */
void itp_slowest_merge_run(struct itp_slowest *slowest, const struct itp_slowest *other,
			   uint32_t run);

/* The calls of `node` in order. NULL when `*ret_count` is 0. Valid until the next change. */
const struct itp_slow_call *itp_slowest_of_node(const struct itp_slowest *slowest, uint32_t node,
						size_t *ret_count);

#endif
