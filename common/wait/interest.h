/* SPDX-License-Identifier: MIT */
/*
 * The area of interest of symptoms (StackMine, section IV): weighted stacks, waiting and running
 * apart.
 *
 * By the wait graph, a stack is that of one thread, and each stretch of the graph counts whole. By
 * the critical path, each instant of the symptom counts once, and a stack is what held it up then
 * with all who waited for that: the stack of the symptom's thread, behind it that of the thread
 * that this one waited for, and so on. So its time is the symptom's, and what was waited for stays
 * together with who did.
 */
#ifndef ITP_WAIT_INTEREST_H
#define ITP_WAIT_INTEREST_H

#include "common/base/context-tree.h"
#include "common/wait/graph.h"

enum itp_interest_scope {
	ITP_INTEREST_PATH = 0,
	ITP_INTEREST_GRAPH,
};

/* As users spell them; ends with NULL. */
extern const char *const itp_interest_scope_names[];

struct itp_interest_stack {
	/* Of `chains`: its path are nodes of the history's contexts, those of the symptom's thread
	 * first. */
	uint32_t chain;
	/* The last of its threads waited; else it had a CPU, or waited for one. */
	bool is_wait;
	/* Stretches, and how long they were together. */
	uint64_t count;
	int64_t cost_ns;
};

struct itp_interest {
	/* Nodes of contexts instead of functions. Owned by this. */
	struct itp_context_tree *chains;
	/* struct itp_interest_stack, each once. Owned by this. */
	GArray *stacks;
	/* Where in it a stack is, + 1, by chain and is_wait. Owned by this. */
	GHashTable *places;
	/* How long threads waited whose stacks were then not known. Not saved. */
	int64_t lost_wait_ns;
};

void itp_interest_init(struct itp_interest *interest);
void itp_interest_release(struct itp_interest *interest);

/* Adds `count` stretches, which took `cost_ns` together, of the stack `chain` of its chains. */
void itp_interest_add_stack(struct itp_interest *interest, uint32_t chain, bool is_wait,
			    uint64_t count, int64_t cost_ns);

/* Adds what held up the symptom, as far as its stacks are known. */
void itp_interest_add(struct itp_interest *interest, const struct itp_history *history,
		      const struct itp_symptom *symptom, enum itp_interest_scope scope);

#endif
