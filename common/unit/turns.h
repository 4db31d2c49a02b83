/* SPDX-License-Identifier: MIT */
/*
 * Halts of threads, one after the other → begins and ends of their units, for the finder.
 *
 * begin-end.c begins and ends units, inheritance.c hands the unit of a thread on to its child,
 * suspensions.c has units that wait for something other than their thread's next work, coroutines.c
 * units that go from thread to thread.
 */
#ifndef ITP_UNIT_TURNS_H
#define ITP_UNIT_TURNS_H

#include "common/unit/turns-state.h"

/* The caller sets the weak members before the first halt. */
void itp_turns_init(struct itp_turns *turns, const struct itp_context_tree *tree,
		    const struct itp_function_table *functions);
void itp_turns_release(struct itp_turns *turns);

/* Takes the next halt of a thread; `work` has the paths and ticks before it. */
void itp_turns_take(struct itp_turns *turns, const struct itp_halt *halt,
		    const struct itp_unit_work *work);

#endif
