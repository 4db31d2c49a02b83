/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a foreign trace, brought into the form that perf records, addresses leaf first with
 * markers between them, which common/perf-data knows how to read.
 *
 * Private to foreign.c.
 */
#ifndef ITP_MESSAGES_FOREIGN_STACK_H
#define ITP_MESSAGES_FOREIGN_STACK_H

#include "messages/foreign-memory.h"

struct itp_foreign_stack {
	/* uint64_t, as read from the event. Owned by this. */
	GArray *addresses;
	struct itp_callchain chain;
};

void itp_foreign_stack_init(struct itp_foreign_stack *stack);
void itp_foreign_stack_release(struct itp_foreign_stack *stack);

/* Fills the chain with the stack of `event`, which was taken in `process`. */
void itp_foreign_stack_resolve(struct itp_foreign_stack *stack, struct itp_foreign_memory *memory,
			       const bt_event *event, const struct itp_foreign_layout *layout,
			       struct itp_process *process);

#endif
