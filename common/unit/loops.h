/* SPDX-License-Identifier: MIT */
/*
 * Event-processing loops: for each repeated wait, the function with the loop (PerfGuard, section
 * 4.1).
 *
 * A function has a loop with a wait when it has stayed on the stack from one wait to the next,
 * while its callees have ended: the paper sees loops in the code, stacks show their calls. Of
 * nested loops the outermost counts. All waits of a loop for work (purposes.h) begin its units.
 * With purposes unknown, one wait does: the wait more often for work, then a wait for any event
 * before a wait for one thing, then the wait that blocks longest, then the wait nearer to the loop.
 *
 * A server that always finds its request never waits: then its reads of clients with nothing open,
 * none of them in vain, are its waits, unless it was seen to wait in a loop elsewhere.
 *
 * A thread that runs coroutines by turns waits for all of them, in a loop of its own. A coroutine
 * waits by looking: when its data has not come, the thread turns to others. A look to which the
 * coroutine's function has come back begins units of the function whenever it finds something:
 * coroutines go from thread to thread, and a thread's turn may be half of one and half of another.
 */
#ifndef ITP_UNIT_LOOPS_H
#define ITP_UNIT_LOOPS_H

#include "common/unit/halts.h"

/* Least number of returns of a function to a wait that make a loop; and their least part, 1 in 100,
 * of all returns, as broken stacks seem to come back from anywhere. */
#define ITP_LOOP_LEAST 3
#define ITP_LOOP_PART 100
/* Least part of the returns, 1 in 4, at which the outermost functions of a thread had ended: then
 * the thread runs coroutines by turns, each on a stack of its own, and the loop is the thread's. */
#define ITP_THREAD_LOOP_PART 4

struct itp_loops;

struct itp_loops *itp_loops_new(const struct itp_context_tree *tree);
void itp_loops_free(struct itp_loops *loops);

/* Takes the next halt of a thread. */
void itp_loops_note(struct itp_loops *loops, const struct itp_halt *halt);

/* Finds the loops, by all halts until now. */
void itp_loops_decide(struct itp_loops *loops);

/* True when the thread has waited, or would have waited had its data not been there: a look for
 * requests by a thread that waits nowhere else. */
bool itp_loops_waits(const struct itp_loops *loops, const struct itp_halt *halt);

/* Node of the function whose units the wait `node` begins; ITP_CONTEXT_ROOT for none. */
uint32_t itp_loops_of(const struct itp_loops *loops, uint32_t node);

/* True when itp_loops_of() is a loop around the own loop of `node`: a connection is accepted in the
 * outer loop, and has its requests in the inner one. */
bool itp_loops_is_inner(const struct itp_loops *loops, uint32_t node);

/* True when waits in `node` are for work. */
bool itp_loops_is_for_work(const struct itp_loops *loops, uint32_t node);

/* True when a thread has ever blocked in `node`. */
bool itp_loops_blocks(const struct itp_loops *loops, uint32_t node);

/* Node of the coroutine's function that looks in `node`; ITP_CONTEXT_ROOT for none. */
uint32_t itp_loops_of_coroutine(const struct itp_loops *loops, uint32_t node);

#endif
