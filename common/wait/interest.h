/* SPDX-License-Identifier: MIT */
/*
 * Area of interest of symptoms (StackMine, section IV): weighted stacks, waiting and running apart.
 *
 * By the wait graph, a stack is that of one thread, and each stretch of the graph counts whole. By
 * the critical path, each instant of the symptom counts once: its stack is the stack of the
 * symptom's thread, behind it the stack of the thread that it waited for, and on to the thread that
 * held up all. The time is thus the symptom's, and waiters stay together with their wakers.
 */
#ifndef ITP_WAIT_INTEREST_H
#define ITP_WAIT_INTEREST_H

#include "common/base/context-tree.h"
#include "common/wait/graph.h"

enum itp_interest_scope {
	ITP_INTEREST_PATH = 0,
	ITP_INTEREST_GRAPH,
};

/* Names as users spell them; ends with NULL. */
extern const char *const itp_interest_scope_names[];

struct itp_interest_stack {
	/* Node of `chains`. Its path is a row of nodes of the history's contexts, the symptom's
	 * thread first. */
	uint32_t chain;
	/* The last thread of the chain waited; else it had a CPU, or waited for a CPU. */
	bool is_wait;
	/* Number of stretches, and their time together. */
	uint64_t count;
	int64_t cost_ns;
};

struct itp_interest {
	/* Nodes of contexts instead of functions. Owned by this. */
	struct itp_context_tree *chains;
	/* struct itp_interest_stack, each once. Owned by this. */
	GArray *stacks;
	/* Index + 1 in `stacks`, by chain and is_wait. Owned by this. */
	GHashTable *places;
	/* Waiting time of threads with unknown stacks. Not saved. */
	int64_t lost_wait_ns;
};

void itp_interest_init(struct itp_interest *interest);
void itp_interest_release(struct itp_interest *interest);

/* Adds `count` stretches of the stack `chain`, together `cost_ns` long. */
void itp_interest_add_stack(struct itp_interest *interest, uint32_t chain, bool is_wait,
			    uint64_t count, int64_t cost_ns);

/* Adds the stretches that held up the symptom, as far as their stacks are known. */
void itp_interest_add(struct itp_interest *interest, const struct itp_history *history,
		      const struct itp_symptom *symptom, enum itp_interest_scope scope);

#endif
