/* SPDX-License-Identifier: MIT */
/*
 * The begin and the end of units: what is known of one when it begins, and what is told of it when
 * it has ended. When that is, is left to turns.c.
 */
#ifndef ITP_UNIT_BEGIN_END_H
#define ITP_UNIT_BEGIN_END_H

#include "common/unit/turns.h"

/* A unit of `loop` begins with the wait. */
void itp_turns_begin(struct itp_turns *turns, struct itp_open_unit *open,
		     const struct itp_halt *halt, uint32_t loop);

/* One that was not waited for: it was found by the call with which those behind `wait` begin. */
void itp_turns_begin_found(struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt, uint32_t loop, uint32_t wait);

/* The unit lasts until its last answer: what the thread does after that, as writing a log, nobody
 * waits for. */
void itp_turns_end(struct itp_turns *turns, struct itp_open_unit *open,
		   const struct itp_halt *halt);

/* Units of `loop` begin with the call of `node`, among others: `beginnings` has the nodes by loop.
 */
void itp_turns_note_beginning(GHashTable *beginnings, uint32_t loop, uint32_t node);

/* The unit has not ended when the thread is not followed any more: a gap where that is as the
 * recording ends. */
void itp_turns_note_open(struct itp_turns *turns, const struct itp_open_unit *open,
			 const struct itp_halt *halt, bool has_worked);

/* In which unit the thread is then; NULL: in none, or in one that is not known yet. */
const struct itp_unit *itp_turns_unit_at(const struct itp_turns *turns, int32_t tid,
					 int64_t time_ns);

#endif
