/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C: ends the reading, so that the result so far can be shown.
 */
#ifndef ITP_ENGINE_INTERRUPT_H
#define ITP_ENGINE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

struct itp_interrupt {
	/* SIGINT came, and was not taken. */
	volatile sig_atomic_t is_set;
	/* Listener for what cannot ask, such as a graph that runs: called by a signal handler, with
	 * weak data. NULL for none. */
	void (*volatile listener)(void *data);
	void *data;
	/* SIGINT was taken. */
	bool has_ended_early;
	struct sigaction before;
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

/* From now on `listener` is told of SIGINT, at once if it came already; NULL: nobody. */
void itp_interrupt_listen(struct itp_interrupt *interrupt, void (*listener)(void *data),
			  void *data);

#endif
