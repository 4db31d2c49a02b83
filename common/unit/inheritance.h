/* SPDX-License-Identifier: MIT */
/*
 * Units taken over by a thread from its maker, as in a server that forks for each connection.
 * Makers of threads are left to births.c.
 */
#ifndef ITP_UNIT_INHERITANCE_H
#define ITP_UNIT_INHERITANCE_H

#include "common/unit/turns-state.h"

/* Takes over the unit of the maker, for a connection accepted by him; `halt` is the child's first.
 * A guard follows only processes still in the loop. */
void itp_turns_inherit(struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt, const struct itp_unit_work *work);

/* True when the thread, with inherited work, runs another program at `halt` than before, below
 * another outermost function: inetd and tcpserver start a program for each connection, and each is
 * the dynamic linker's at first. */
bool itp_turns_runs_another_program(const struct itp_turns *turns, const struct itp_open_unit *open,
				    const struct itp_halt *halt);

/* The inherited work goes on in the other program, in its outermost function. */
void itp_turns_exec(struct itp_turns *turns, struct itp_open_unit *open,
		    const struct itp_halt *halt, const struct itp_unit_work *work);

/* The thread has ended, or waits for work of its own. Its inherited work is a unit if it has
 * answered. */
void itp_turns_end_inherited(struct itp_turns *turns, struct itp_open_unit *open,
			     const struct itp_halt *halt);

/* A guard cannot tell answers: it follows a child to its end. A child that waits as a loop does has
 * units of its own, and had no inherited one. True when the child's unit goes on. */
bool itp_turns_is_still_child(const struct itp_turns *turns, struct itp_open_unit *open,
			      const struct itp_halt *halt);

#endif
