/* SPDX-License-Identifier: MIT */
/*
 * Units whose thread waits for any event while their request is open: for needs of the request, as
 * the answer of a database, or for the next request.
 *
 * A thread may then have several open units, each of another client, and turn from one to another
 * as they become ready (owners.h). One unit is at hand, and keeps the others.
 */
#ifndef ITP_UNIT_SUSPENSIONS_H
#define ITP_UNIT_SUSPENSIONS_H

#include "common/unit/turns-state.h"

/* Suspends the unit at hand: its thread waits for any event in `halt`. */
void itp_turns_suspend(const struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt);

/* A client's request is read before the answer to the unit at hand, which becomes one of `others`.
 * Without known arguments of system calls, or with keeps_turns, each request is a unit until the
 * thread's next wait. */
void itp_turns_overtake(struct itp_turns *turns, struct itp_open_unit *open,
			const struct itp_halt *halt);

/* The thread goes on for the client's request, one of `others`: `open` becomes its unit. Nothing
 * happens for a request outside of `others`. */
void itp_turns_turn_to(struct itp_turns *turns, struct itp_open_unit *open, int32_t client,
		       const struct itp_halt *halt, const struct itp_turn *turn);

/* The thread has read of a client. With a unit of the client among `others`, the thread goes on for
 * the unit; or, after a wait in between, the read is another request: another thread has answered
 * the one before, or nobody does, and its unit has lasted until the wait. */
void itp_turns_read_other(struct itp_turns *turns, struct itp_open_unit *open,
			  const struct itp_halt *halt);

/* The thread has left the loop of the unit at hand by `halt`. A client's open request becomes one
 * of `others`, as it lasts until its answer all the same: an event loop may call the function that
 * waits anew for each wait, as asyncio's run_forever() does. */
void itp_turns_keep_left(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt);

/* The thread has come to `halt`: `others` wait when it does, and those of no client are dropped
 * when it has left their loop. */
void itp_turns_keep_others(const struct itp_turns *turns, struct itp_open_unit *open,
			   const struct itp_halt *halt);

/* True when the thread's work until `halt` is for no client: a look who is ready, or a timer of
 * unknown owner. */
bool itp_turns_is_for_nobody(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Counts the time until `halt` as a mere wait of the unit at hand. */
void itp_turns_stay(struct itp_open_unit *open, const struct itp_halt *halt);

/* The thread waits for any event, and has begun no unit before, or a unit without a client: the
 * unit is over, and with a single other open request, later work is for the request. */
void itp_turns_await_others(const struct itp_turns *turns, struct itp_open_unit *open,
			    const struct itp_halt *halt);

#endif
