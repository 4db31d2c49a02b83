/* SPDX-License-Identifier: MIT */
/*
 * Units whose thread waits for any event while their request is open: for what this needs, as the
 * answer of a database, or for the next request.
 *
 * Then it may have several open, each of another client, and turn from one to the other as they
 * become ready (owners.h). One is at hand, and the others are kept with it.
 */
#ifndef ITP_UNIT_SUSPENSIONS_H
#define ITP_UNIT_SUSPENSIONS_H

#include "common/unit/turns.h"

/* The thread waits so. */
void itp_turns_suspend(const struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt);

/* A client's request is read before the one that is open was answered, which is one of `others`
 * then. Where words of system calls do not tell for which of them the thread works, or with
 * keeps_turns, each is a unit as long as the thread does not wait. */
void itp_turns_overtake(struct itp_turns *turns, struct itp_open_unit *open,
			const struct itp_halt *halt);

/* The thread goes on for the client's request, which is one of those that it has turned away from:
 * `open` is that of it then. Nothing happens where it is none of them. */
void itp_turns_turn_to(struct itp_turns *turns, struct itp_open_unit *open, int32_t client,
		       const struct itp_halt *halt, const struct itp_turn *turn);

/* The thread has read of a client. If his is one of those that it has turned away from, it goes on
 * for that; or, where it has waited since, this is another request, and others than this thread
 * have answered the one before, or nobody does: that has lasted until it waited. */
void itp_turns_read_other(struct itp_turns *turns, struct itp_open_unit *open,
			  const struct itp_halt *halt);

/* The thread has come to `halt`: those that it has turned away from wait when it does, and are none
 * any more when it has left their loop. */
void itp_turns_keep_others(const struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt);

/* What the thread has done until `halt` is for nobody whom it serves: it has looked who is ready,
 * or a timer was due of which it is not known whose it is. */
bool itp_turns_is_for_nobody(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Likewise the unit at hand has only waited until `halt`. */
void itp_turns_stay(struct itp_open_unit *open, const struct itp_halt *halt);

/* The thread waits for any event, and has begun no unit before, or one that nobody has asked for:
 * this is over, and where just one request is open, what follows is for that. */
void itp_turns_await_others(const struct itp_turns *turns, struct itp_open_unit *open,
			    const struct itp_halt *halt);

#endif
