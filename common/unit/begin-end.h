/* SPDX-License-Identifier: MIT */
/*
 * Begin and end of units, and waits inside: the state of a unit at its begin, and its report at its
 * end. The times of begin and end are left to turns.c.
 */
#ifndef ITP_UNIT_BEGIN_END_H
#define ITP_UNIT_BEGIN_END_H

#include "common/unit/turns-state.h"

/* Begins a unit of `loop` with the wait `halt`. */
void itp_turns_begin(struct itp_turns *turns, struct itp_open_unit *open,
		     const struct itp_halt *halt, uint32_t loop);

/* Begins a unit without a wait of its own, found by the same call as units behind the wait
 * `wait`. */
void itp_turns_begin_found(struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt, uint32_t loop, uint32_t wait);

/* Ends the unit at its last answer: nobody waits for later work of the thread, as writing a log. */
void itp_turns_end(struct itp_turns *turns, struct itp_open_unit *open,
		   const struct itp_halt *halt);

/* Adds a wait or a look to the unit. */
void itp_turns_wait_inside(const struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt);

/* Adds `node` to the calls with which units of `loop` begin: `beginnings` has the nodes by loop. */
void itp_turns_note_beginning(GHashTable *beginnings, uint32_t loop, uint32_t node);

/* Notes a unit still open when the thread is no longer followed: a gap (struct itp_unit_gaps) at
 * the end of the recording. */
void itp_turns_note_open(struct itp_turns *turns, const struct itp_open_unit *open,
			 const struct itp_halt *halt, bool has_worked);

/* Unit of the thread at `time_ns`; NULL: none, or not known yet. */
const struct itp_unit *itp_turns_unit_at(const struct itp_turns *turns, int32_t tid,
					 int64_t time_ns);

#endif
