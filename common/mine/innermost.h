/* SPDX-License-Identifier: MIT */
/*
 * Innermost function of a program in a stack, the one that a person would open: the lead of a
 * pattern. StackMine's similarity (similarity.h) takes all functions alike: a single cause falls
 * apart by the ways to it and by the work of libraries and the kernel for it, and two causes come
 * together because both end in the same system call.
 *
 * Here, two patterns are of a common cause where either goes through the innermost function of the
 * other. Its weight is the share of the function's cost as innermost function, small for a function
 * that merely calls all others, times the rarity of its stacks by cost, small for a function that
 * all others call. A function that merely calls a function of the system, for example to sleep for
 * so many milliseconds, is no reason by itself, as the caller of a wrapper matters more: it counts
 * together with the program's function around it, by the rarity of stacks with both. Two ways to a
 * function that sleeps by a wrapper are therefore a single cause, and two functions that sleep by
 * it are two. Patterns that lead to different functions are half as similar as their functions say.
 * Nothing is said of patterns without a function of a program.
 */
#ifndef ITP_MINE_INNERMOST_H
#define ITP_MINE_INNERMOST_H

#include "common/base/function-table.h"
#include "common/mine/pattern.h"

struct itp_innermost;

/* Innermost functions over those of the table. Free with itp_innermost_free(). */
struct itp_innermost *itp_innermost_new(const struct itp_function_table *functions);
void itp_innermost_free(struct itp_innermost *innermost);

/* Adds the stacks of a forest of all functions. */
void itp_innermost_add(struct itp_innermost *innermost, const struct itp_forest *forest);

/* Similarity of two patterns, 0 to 1; `similarity` is the one by their functions. */
double itp_innermost_likeness(const struct itp_innermost *innermost, const struct itp_pattern *left,
			      const struct itp_pattern *right, double similarity);

#endif
