/* SPDX-License-Identifier: MIT */
/*
 * Similarity of two patterns (StackMine, section VI A to C): they are aligned at the least cost,
 * and their common part is weighed by the rarity of its functions, and of the calls between them.
 * The paper counts stacks for it, in a database of all traces so far (stack-base.h). Without one,
 * stacks weigh their cost, as a program that makes many system calls has many stacks of little
 * time.
 */
#ifndef ITP_MINE_SIMILARITY_H
#define ITP_MINE_SIMILARITY_H

#include "common/base/function-table.h"
#include "common/mine/innermost.h"
#include "common/mine/stack-base.h"

/* Statistics of functions and calls over all stacks. */
struct itp_stack_statistics;

/* Statistics over the stacks of both sets, waiting and running ones. `functions` is weak and must
 * outlive the result; all ids of the sets are the table's. */
struct itp_stack_statistics *itp_stack_statistics_new(const struct itp_stack_set *const *sets,
						      size_t set_count,
						      const struct itp_function_table *functions);

/* Takes the rarity of functions and calls from `base`, which must have all stacks of the compared
 * patterns; innermost.h's measure is not changed. A stand-in for a function's own work is none of
 * the paper's, and weighs nothing. */
void itp_stack_statistics_count(struct itp_stack_statistics *statistics,
				const struct itp_stack_base *base);
void itp_stack_statistics_free(struct itp_stack_statistics *statistics);

/* Weak. */
const struct itp_innermost *itp_stack_statistics_innermost(
	const struct itp_stack_statistics *statistics);

/* Sim(A): from 0 to 1. Where nothing weighs anything, 1 for equal patterns and 0 for others. */
double itp_similarity(struct itp_stack_statistics *statistics, const struct itp_pattern *left,
		      const struct itp_pattern *right);

#endif
