/* SPDX-License-Identifier: MIT */
/*
 * Two workloads on one tree, written down as text, for the tests of common/rank.
 *
 * A context is a stack as in support.h, below process "p", or another, as "bash: main run". A
 * workload has up to three runs; a ranking takes those that were written to.
 */
#ifndef ITP_TESTS_UNIT_COMPARISON_H
#define ITP_TESTS_UNIT_COMPARISON_H

#include "common/rank/rank.h"

#define TEST_RUNS 3

struct comparison {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	struct itp_profile *suspect[TEST_RUNS];
	struct itp_profile *base[TEST_RUNS];
	/* Work of each run; 1. */
	double suspect_units[TEST_RUNS];
	double base_units[TEST_RUNS];
};

/* For g_test_add(). */
void comparison_set_up(struct comparison *comparison, gconstpointer data);
void comparison_tear_down(struct comparison *comparison, gconstpointer data);

/* The node of context `stack`, and its statistics in `profile`, to be written. */
uint32_t comparison_node_id(struct comparison *comparison, const char *stack);
struct itp_node_stats *comparison_node(struct comparison *comparison, struct itp_profile *profile,
				       const char *stack);

/* Sets the count and the own latency there, which is time on the CPU, and adds the latter to the
 * totals of the context and of all above it. Squares are those of equal calls. */
struct itp_node_stats *comparison_set(struct comparison *comparison, struct itp_profile *profile,
				      const char *stack, uint64_t count, int64_t own_ns);

/* The same for time that is spent blocked. */
void comparison_block(struct comparison *comparison, struct itp_profile *profile, const char *stack,
		      uint64_t count, int64_t own_ns);

/* Adds time that was spent waiting for a CPU, which a process called `taker` had, to the context's.
 */
void comparison_wait_for_cpu(struct comparison *comparison, struct itp_profile *profile,
			     const char *stack, int64_t waited_ns, const char *taker);

struct itp_ranking *comparison_rank(const struct comparison *comparison,
				    const struct itp_ranking_options *options, bool with_base);

const struct itp_ranked_path *comparison_path(const struct itp_ranking *ranking, guint i);

/* Names; "-" where there is no culprit. */
const char *comparison_culprit(const struct itp_ranking *ranking, guint i);
const char *comparison_leaf(const struct itp_ranking *ranking, guint i);

#endif
