/* SPDX-License-Identifier: MIT */
/*
 * Units that a thread takes over from the one that has made it, as where a server forks for each
 * connection. births.c knows who has made whom.
 */
#ifndef ITP_UNIT_INHERITANCE_H
#define ITP_UNIT_INHERITANCE_H

#include "common/unit/turns.h"

/* A thread that another one has made in a unit, for a connection that it has accepted, goes on with
 * that: `halt` is the first of it. A guard follows processes that are still in the loop. */
void itp_turns_inherit(struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt, const struct itp_unit_work *work);

/* The thread has ended, or waits for work of its own. What it has taken over is a unit if it has
 * answered. */
void itp_turns_end_inherited(struct itp_turns *turns, struct itp_open_unit *open,
			     const struct itp_halt *halt);

/* A guard does not know what is an answer: it follows a child to its end. One that waits as a loop
 * does has units of its own, and had none. Returns whether the child's goes on. */
bool itp_turns_is_still_child(const struct itp_turns *turns, struct itp_open_unit *open,
			      const struct itp_halt *halt);

#endif
