/* SPDX-License-Identifier: MIT */
/*
 * Unwanted time: threads waited, and nobody lost anything by it, as the inference has found
 * (common/infer/demand.h). It is taken out of profiles. The rest of the blocked time of a context
 * was somebody's loss; time on a CPU and waiting for a CPU stay.
 *
 * The inference leaves a question open: waits that only the life of the recorded command wants. A
 * program with a loop that waits for any event and works on it, such as a program with a window,
 * waits for its user there; waits of this kind are taken out there, too. But if they are most of
 * what one command took longer than the other, whoever waited for it has lost as much, and asks for
 * the reason: then they are wanted.
 *
 * If a recording does not tell, idle.c guesses by the names of system calls.
 */
#ifndef ITP_RANK_UNWANTED_H
#define ITP_RANK_UNWANTED_H

#include "common/rank/side.h"

/* True if both profiles tell whose loss waits are: units of work were seen, and wakeups watched in
 * one of them. */
bool itp_unwanted_is_known(const struct itp_rank_state *state);

/* Fills state->unwanted_ns and state->waits_for_work, and takes that time out of the profiles, at
 * the nodes and in the totals of their callers. */
void itp_unwanted_take_out(struct itp_rank_state *state);

/* Takes out guessed waits, state->waits_for_work as idle.c has found them. Fills
 * state->unwanted_ns. */
void itp_unwanted_take_out_guessed(struct itp_rank_state *state);

#endif
