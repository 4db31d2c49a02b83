/* SPDX-License-Identifier: MIT */
/*
 * Units of coroutines: they wait by looking, while their thread turns to others, and may go on in
 * another thread.
 *
 * The unit of a coroutine that has read of a client lasts until the client's answer, in any thread,
 * and is set aside while the reading thread does other things. Other units last until the thread's
 * next look for a coroutine, or its next wait: as the runtime has a stack of its own, the moment at
 * which a coroutine leaves its thread is not seen. Units of guards last as the others do.
 */
#ifndef ITP_UNIT_COROUTINES_H
#define ITP_UNIT_COROUTINES_H

#include "common/unit/turns-state.h"

/* Context in which the thread looks; ITP_CONTEXT_ROOT: it does not. A read of a client in no
 * context counts as made at the last read of him by a coroutine. */
uint32_t itp_turns_look_of(const struct itp_turns *turns, const struct itp_halt *halt);

/* A coroutine of the thread, with the loop `loop`, looks in `look` for the next thing to do. */
void itp_turns_take_look(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt, uint32_t look, uint32_t loop);

/* The thread has come to `halt`, and had answered a client: a unit of the client, set aside or at
 * hand in another thread, has ended and is told as one of this thread. Work of its coroutine in
 * this thread is not told apart from the work of others. */
void itp_turns_end_elsewhere(struct itp_turns *turns, struct itp_open_unit *open,
			     const struct itp_halt *halt);

/* The thread is about to answer another request, or has ended: an answered unit of it ends. */
void itp_turns_end_answered(struct itp_turns *turns, struct itp_open_unit *open,
			    const struct itp_halt *halt);

/* The thread leaves the unit of its coroutine for something else. False: nobody waits for an
 * answer, and nothing has happened. */
bool itp_turns_set_aside(struct itp_turns *turns, struct itp_open_unit *open,
			 const struct itp_halt *halt);

/* The recording has ended for the thread: units begun by it and set aside never end. */
void itp_turns_give_up_aside(struct itp_turns *turns, const struct itp_halt *halt);

#endif
