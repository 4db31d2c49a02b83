/* SPDX-License-Identifier: MIT */
/*
 * Patterns of stacks that explain the time of many traces (StackMine, sections V and VI).
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
