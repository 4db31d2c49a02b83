/* SPDX-License-Identifier: MIT */
/*
 * Units that a thread takes over from the one that has made it, as where a server forks for each
 * connection. births.c knows who has made whom.
 */
#ifndef ITP_UNIT_INHERITANCE_H
#define ITP_UNIT_INHERITANCE_H

#include "common/unit/turns.h"

/* A thread that another one has made in a unit, for a connection that it has accepted, goes on with
 * that: `halt` is the first of it. A guard sees nothing of it but its end. */
void itp_turns_inherit(struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt, const struct itp_unit_work *work);

/* The thread has ended, or waits for work of its own. What it has taken over is a unit if it has
 * answered. */
void itp_turns_end_inherited(struct itp_turns *turns, struct itp_open_unit *open,
			     const struct itp_halt *halt);

#endif
