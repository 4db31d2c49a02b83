/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C: ends the reading, or the graph, so that what there is can be shown.
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
	/* Handlers before of the signals that end a process, and which of them came; 0 for none. */
	struct sigaction before_end[ITP_END_SIGNALS];
	volatile sig_atomic_t end_signal;
};

/* From now on SIGINT sets the flag; a handler that was there is called as well. There can be one
 * at a time. */
void itp_interrupt_init(struct itp_interrupt *interrupt);
/* Puts back what was there. Whether a reading has ended early is still known. */
void itp_interrupt_release(struct itp_interrupt *interrupt);

/* Whether SIGINT came since the last call that said so. A reader that is told so stops, for
 * instance the second reading of a recording for its source lines. */
bool itp_interrupt_take(struct itp_interrupt *interrupt);
/* Whether any reading has ended early, also when its own result does not tell: what was made of it
 * is of a part, and the exit status says so. */
bool itp_interrupt_has_ended_early(const struct itp_interrupt *interrupt);

/* From here to there SIGTERM and SIGHUP set the flag, too, so that what would be left behind can be
 * removed; then they do what they would have done. */
void itp_interrupt_hold_end(struct itp_interrupt *interrupt);
void itp_interrupt_let_end(struct itp_interrupt *interrupt);

#endif
