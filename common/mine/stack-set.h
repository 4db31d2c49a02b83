/* SPDX-License-Identifier: MIT */
/*
 * Patterns of stacks that explain the time of many traces (StackMine, sections V and VI).
 *
 *   stack-set.c   the stacks of all traces, equal ones joined
 *   forest.c      the same as a tree in one array, which patterns are looked for in
 *   patterns.c    costly patterns, each with stacks that no longer one has
 *   search.c      the search for them; search.h names the files that share it
 *   counting.c    which stacks count for which pattern
 *   stack-base.c  how often functions are in stacks, and call each other, kept in a file
 *   names.c       the words of a function's name
 *   similarity.c  how alike two patterns are, as the paper has it
 *   innermost.c   and by the function of a program that they lead to
 *   clusters.c    patterns of one cause
 *   signatures.c  patterns of known causes, kept in a file
 *   matching.c    the stacks that have them
 *   interests.c   what held up the symptoms of a trace → stacks
 *   mining.c      all of it, for traces that are slow and traces that are good
 *
 * A stack is a list of a thread's functions, the outermost first, and the time it had them:
 * functions are ids of a function table that all traces share. The origin of stacks is left to the
 * caller, as is whether waiting and running ones are in one set.
 */
#ifndef ITP_MINE_STACK_SET_H
#define ITP_MINE_STACK_SET_H

#include "common/base/context-tree.h"

struct itp_stack {
	/* Of the set's tree: its path is the stack. */
	uint32_t node;
	/* Of all its events together. */
	int64_t cost_ns;
	uint64_t events;
};

/* Set of stacks; to be read, and changed only by the functions below. */
struct itp_stack_set {
	/* All stacks as paths. Owned by this. */
	struct itp_context_tree *tree;
	/* struct itp_stack, each once, in the order of arrival. Owned by this. */
	GArray *stacks;
	/* Place of a stack in it, + 1, by its node. Owned by this. */
	GHashTable *places;
	/* struct itp_stack_trace, by trace. Owned by this. */
	GArray *traces;
	/* Of all stacks. */
	int64_t cost_ns;
	uint64_t events;
};

/* Trace with a stack. */
struct itp_stack_trace {
	uint32_t stack;
	uint32_t trace;
	/* Cost of the stack there. */
	int64_t cost_ns;
};

void itp_stack_set_init(struct itp_stack_set *set);
void itp_stack_set_release(struct itp_stack_set *set);

/* The stack with this index costs nothing from now on, and is in no forest. */
void itp_stack_set_forget(struct itp_stack_set *set, guint stack);

/* Adds `events` events of trace `trace`, which took `cost_ns` together, of the stack with the last
 * node `node` of the set's tree, made there by the caller. Traces come one after the other. */
void itp_stack_set_add(struct itp_stack_set *set, uint32_t node, int64_t cost_ns, uint64_t events,
		       uint32_t trace);

#endif
