/* SPDX-License-Identifier: MIT */
/*
 * The innermost function of a program in a stack, which is what a person would open: what a pattern
 * leads to. StackMine's similarity (similarity.h) takes all functions alike, so that one cause
 * falls apart by the ways to it and by what the libraries and the kernel do for it, and that two
 * causes come together because both end in the same system call.
 *
 * Here, two patterns are of one cause where one goes through the innermost function of the other.
 * How far that counts is the part of what that function costs of which it is the innermost one,
 * which is little of one that merely calls all others, and how few of all stacks have it, by what
 * they cost, which are many of one that all others call. A function that merely calls one of the
 * system, such as one that sleeps for so many milliseconds, is no reason by itself, as who calls
 * such a wrapper matters more: it is one together with the program's function around it, and how
 * few stacks have both counts. Two ways to a function that sleeps by such a wrapper are therefore
 * one cause, and two functions that sleep by it are two. Patterns that lead to different functions
 * are half as alike as their functions say. Nothing is said of patterns that have no function of a
 * program.
 */
#ifndef ITP_MINE_INNERMOST_H
#define ITP_MINE_INNERMOST_H

#include "common/base/function-table.h"
#include "common/mine/patterns.h"

struct itp_innermost;

/* Of the functions that the table has. Free with itp_innermost_free(). */
struct itp_innermost *itp_innermost_new(const struct itp_function_table *functions);
void itp_innermost_free(struct itp_innermost *innermost);

/* Adds the stacks of a forest of all functions. */
void itp_innermost_add(struct itp_innermost *innermost, const struct itp_forest *forest);

/* How alike two patterns are, 0 to 1, whose functions say `similarity`. */
double itp_innermost_likeness(const struct itp_innermost *innermost, const struct itp_pattern *left,
			      const struct itp_pattern *right, double similarity);

#endif
