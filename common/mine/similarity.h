/* SPDX-License-Identifier: MIT */
/*
 * How alike two patterns are (StackMine, section VI A to C): they are aligned at the least cost,
 * and what they share is weighed by how much its functions, and the calls between them, tell. The
 * paper counts stacks for that, in a database of all traces that there ever were (stack-base.h).
 * Without one, stacks weigh what they cost, as a program that makes many system calls has many
 * stacks of little time.
 */
#ifndef ITP_MINE_SIMILARITY_H
#define ITP_MINE_SIMILARITY_H

#include "common/base/function-table.h"
#include "common/mine/innermost.h"
#include "common/mine/stack-base.h"

/* What all stacks together say of functions and calls. */
struct itp_stack_statistics;

/* Of the stacks of both sets, those that waited and those that ran. `functions` is weak and must
 * outlive the result; all ids of the sets are the table's. */
struct itp_stack_statistics *itp_stack_statistics_new(const struct itp_stack_set *const *sets,
						      size_t set_count,
						      const struct itp_function_table *functions);

/* What functions and calls tell is what `base` counts, which must have all stacks of the patterns
 * that are compared; what innermost.h goes by is not changed. A function that stands for what
 * another one did itself is none of the paper's, and weighs nothing. */
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
