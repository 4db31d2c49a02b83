/* SPDX-License-Identifier: MIT */
/*
 * How alike two patterns are (StackMine, section VI A to C): they are aligned at the least cost,
 * and what they share is weighed by how much its functions, and the calls between them, tell.
 */
#ifndef ITP_MINE_SIMILARITY_H
#define ITP_MINE_SIMILARITY_H

#include "common/base/function-table.h"
#include "common/mine/patterns.h"

/* What all stacks together say of functions and calls. */
struct itp_stack_statistics;

/* Of the stacks of both sets, those that waited and those that ran. `functions` is weak and must
 * outlive the result; all ids of the sets are the table's. */
struct itp_stack_statistics *itp_stack_statistics_new(const struct itp_stack_set *const *sets,
						      size_t set_count,
						      const struct itp_function_table *functions);
void itp_stack_statistics_free(struct itp_stack_statistics *statistics);

/* Uni(f): how unlikely it is that a stack has the function; 0 for one that all have. */
double itp_statistics_uni(const struct itp_stack_statistics *statistics, uint32_t function);
/* FBi(caller, callee): how unlikely that what `caller` calls is `callee`. BBi: that who calls
 * `callee` is `caller`. 1 for calls that are in no stack. */
double itp_statistics_fbi(const struct itp_stack_statistics *statistics, uint32_t caller,
			  uint32_t callee);
double itp_statistics_bbi(const struct itp_stack_statistics *statistics, uint32_t caller,
			  uint32_t callee);

/* Sub(a, b): 0 where the words of both names are the same, 1 where they share none. */
double itp_name_distance(struct itp_stack_statistics *statistics, uint32_t a, uint32_t b);

enum itp_alignment_kind {
	ITP_ALIGN_MATCH,
	/* A function of one of the two alone. */
	ITP_ALIGN_LEFT,
	ITP_ALIGN_RIGHT,
	ITP_ALIGN_SUBSTITUTE,
};

struct itp_alignment_step {
	enum itp_alignment_kind kind;
	/* Function ids; 0 where there is none. */
	uint32_t left;
	uint32_t right;
};

/* The cheapest alignment: a GArray of struct itp_alignment_step. Of several, the one that matches
 * as late as it can. Free with g_array_unref(). */
GArray *itp_align(struct itp_stack_statistics *statistics, const struct itp_pattern *left,
		  const struct itp_pattern *right);

/* Sim(A): from 0 to 1. Where nothing weighs anything, 1 for equal patterns and 0 for others. */
double itp_similarity(struct itp_stack_statistics *statistics, const struct itp_pattern *left,
		      const struct itp_pattern *right);

#endif
