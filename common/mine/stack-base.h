/* SPDX-License-Identifier: MIT */
/*
 * The database of stacks that StackMine's similarity counts in (section VI C: "beyond just the
 * trace streams under investigation"): of each trace, how many stacks have each function, and how
 * many calls of each function by each. A stack counts as often as a thread was in it.
 *
 *   { "stacks": 1, "functions": [ "shop!handle", "shop!main" ],
 *     "traces": [ { "id": "5e3a…", "cost_ns": 2000000, "stacks": 12,
 *                   "in": [ 0, 12, 1, 12 ], "calls": [ 1, 0, 12 ] } ] }
 *
 * "in" has a function and a count in turn, "calls" a caller, a callee and a count, by their places
 * in "functions". A trace is known by a checksum of its content: a trace that comes again counts
 * once, and damage is seen. A database is a set of traces: to merge two is to unite them, in
 * whichever order.
 */
#ifndef ITP_MINE_STACK_BASE_H
#define ITP_MINE_STACK_BASE_H

#include <stdbool.h>

#include "common/base/function-table.h"

/* Changes when a reader would have to. */
#define ITP_STACK_BASE_VERSION 1

struct itp_stack_base;

/* Empty database. Free with itp_stack_base_free(). */
struct itp_stack_base *itp_stack_base_new(void);
void itp_stack_base_free(struct itp_stack_base *base);

/* Adds the traces of a file's text; `path` is what errors name. After an error, some of them may
 * have been added. */
bool itp_stack_base_read(struct itp_stack_base *base, const char *text, size_t size,
			 const char *path, GError **error);

/* Text of a file: equal for equal traces, however they came. */
char *itp_stack_base_text(const struct itp_stack_base *base);

/* Number of traces. */
guint itp_stack_base_size(const struct itp_stack_base *base);

/* ---- A trace ---- */

struct itp_stack_counts;

/* Counts of a trace. `functions`, which is weak, has the ids of all paths. Free with
 * itp_stack_counts_free(). */
struct itp_stack_counts *itp_stack_counts_new(const struct itp_function_table *functions);
void itp_stack_counts_free(struct itp_stack_counts *counts);

/* Adds a stack that a thread was in `count` times, for `cost_ns` together: `path` has its functions
 * (uint32_t), outermost first. */
void itp_stack_counts_add(struct itp_stack_counts *counts, const GArray *path, uint64_t count,
			  int64_t cost_ns);

/* Adds the trace of `counts`, unless no stacks came. */
void itp_stack_base_add(struct itp_stack_base *base, const struct itp_stack_counts *counts);

/* ---- All traces together ---- */

/* The functions of the database have numbers, from 1 on. */
guint itp_stack_base_function_count(const struct itp_stack_base *base);

/* Number of a function, of whichever build, or 0 if no stack has it. */
uint32_t itp_stack_base_number(const struct itp_stack_base *base,
			       const struct itp_function *function);

/* Called for each trace with the number of stacks with a function (`callee` is 0), or the number of
 * its calls of another. */
typedef void (*itp_stack_base_tell)(uint32_t function, uint32_t callee, int64_t count, void *data);

/* Returns the number of stacks. */
int64_t itp_stack_base_each(const struct itp_stack_base *base, itp_stack_base_tell tell,
			    void *data);

#endif
