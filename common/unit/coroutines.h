/* SPDX-License-Identifier: MIT */
/*
 * Units of coroutines: these wait by looking, while their thread turns to others, and may go on in
 * another thread.
 *
 * The unit of one that has read of a client is the client's: it lasts until he is answered, in
 * whichever thread, and is set aside while the one that has read does other things. Other units
 * last until the thread looks again for a coroutine, or waits: when this has left the thread is not
 * seen, as the runtime has a stack of its own, too. Units of guards do so as well.
 */
#ifndef ITP_UNIT_COROUTINES_H
#define ITP_UNIT_COROUTINES_H

#include "common/unit/turns.h"

/* The context in which the thread looks, and ITP_CONTEXT_ROOT if it does not. One that reads of a
 * client in no context does it where a coroutine has read of him before. */
uint32_t itp_turns_look_of(const struct itp_turns *turns, const struct itp_halt *halt);

/* A coroutine of the thread, whose loop is `loop`, looks in `look` for the next thing to do. */
void itp_turns_take_look(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt, uint32_t look, uint32_t loop);

/* The thread has come to `halt`, and had answered a client: a unit of his that is set aside, or at
 * hand in another thread, has ended with that, and is told as one of this thread. What its
 * coroutine has done here is not told apart from what others have. */
void itp_turns_end_elsewhere(struct itp_turns *turns, struct itp_open_unit *open,
			     const struct itp_halt *halt);

/* The thread is about to answer another request, or has ended: the unit of a coroutine that it is
 * in has ended if it was answered. */
void itp_turns_end_answered(struct itp_turns *turns, struct itp_open_unit *open,
			    const struct itp_halt *halt);

/* The thread goes on with something else than the coroutine's unit that it is in. False: nobody
 * waits for an answer, and nothing has happened. */
bool itp_turns_set_aside(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt);

/* The recording has ended for the thread: units that are set aside, and that it has begun, will
 * not.
 */
void itp_turns_give_up_aside(struct itp_turns *turns, const struct itp_halt *halt);

#endif
