/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C: ends the reading, or the graph, so that what there is can be shown.
 */
#ifndef ITP_PERF_HOST_INTERRUPT_H
#define ITP_PERF_HOST_INTERRUPT_H

#include <babeltrace2/babeltrace.h>
#include <signal.h>
#include <stdbool.h>

struct itp_interrupt {
	/* Set by SIGINT. Owned by this. */
	bt_interrupter *flag;
	struct sigaction before;
};

/* From now on SIGINT sets the flag; a handler that was there is called as well. There can be one
 * at a time. */
void itp_interrupt_init(struct itp_interrupt *interrupt);
/* Puts back what was there. */
void itp_interrupt_release(struct itp_interrupt *interrupt);

/* Whether SIGINT came since the last call that said so. */
bool itp_interrupt_take(struct itp_interrupt *interrupt);

#endif
