/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a foreign trace, in the form recorded by perf, addresses leaf first with markers
 * between them, for common/stacks/callchain.h to read.
 *
 * Private to foreign.c.
 */
#ifndef ITP_MESSAGES_FOREIGN_STACK_H
#define ITP_MESSAGES_FOREIGN_STACK_H

#include "messages/foreign-memory.h"

struct itp_foreign_stack {
	/* uint64_t, read from the event. Owned by this. */
	GArray *addresses;
	struct itp_callchain chain;
};

void itp_foreign_stack_init(struct itp_foreign_stack *stack);
void itp_foreign_stack_release(struct itp_foreign_stack *stack);

/* Fills the chain with the stack of `event`, taken in `process`. */
void itp_foreign_stack_resolve(struct itp_foreign_stack *stack, struct itp_foreign_memory *memory,
			       const bt_event *event, const struct itp_foreign_layout *layout,
			       struct itp_process *process);

#endif
