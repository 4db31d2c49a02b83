/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C: ends the reading, or the graph, so that the result so far can be shown.
 */
#ifndef ITP_PERF_HOST_INTERRUPT_H
#define ITP_PERF_HOST_INTERRUPT_H

#include <babeltrace2/babeltrace.h>
#include <signal.h>
#include <stdbool.h>

/* SIGTERM and SIGHUP. */
#define ITP_END_SIGNALS 2

struct itp_interrupt {
	/* Set by SIGINT. Owned by this. */
	bt_interrupter *flag;
	/* SIGINT was taken. */
	bool has_ended_early;
	struct sigaction before;
	/* Previous handlers of the signals that end a process, and the signal that came; 0 for
	 * none. */
	struct sigaction before_end[ITP_END_SIGNALS];
	volatile sig_atomic_t end_signal;
};

/* From now on SIGINT sets the flag; a previous handler is called as well. There can be one at a
 * time. */
void itp_interrupt_init(struct itp_interrupt *interrupt);
/* Restores the previous handler. Whether a reading has ended early is still known. */
void itp_interrupt_release(struct itp_interrupt *interrupt);

/* True when SIGINT came since the last call with this answer. A reader stops at it, for instance
 * the second reading of a recording for its source lines. */
bool itp_interrupt_take(struct itp_interrupt *interrupt);
/* True when any reading has ended early, also when its own result does not tell: the final result
 * is of a part, and the exit status says so. */
bool itp_interrupt_has_ended_early(const struct itp_interrupt *interrupt);

/* Between the two calls SIGTERM and SIGHUP set the flag, too, so that leftovers can be removed;
 * then they have their usual effect. */
void itp_interrupt_hold_end(struct itp_interrupt *interrupt);
void itp_interrupt_let_end(struct itp_interrupt *interrupt);

#endif
