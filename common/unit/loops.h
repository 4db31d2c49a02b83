/* SPDX-License-Identifier: MIT */
/*
 * Event-processing loops: which function's loop a wait is made in again and again (PerfGuard,
 * section 4.1).
 *
 * A function has a loop with a wait in it when it has stayed on the stack from one such wait to the
 * next, while what it had called has ended: the paper sees loops in the code, stacks show what they
 * call. Of nested loops the outermost counts. All waits of a loop that are for work (purposes.h)
 * begin its units. Where nothing tells what they are for, one does: the one that is more often for
 * work, then that for any event rather than that for one thing, then the one that blocks longest,
 * then the one that is nearer to the loop.
 *
 * A thread that runs one coroutine after the other waits for all of them, in a loop of its own. A
 * coroutine waits by looking: when what it wants to read is not there, the thread turns to others.
 * Such a look, to which the coroutine's function has come back, begins units of that, wherever it
 * finds something: coroutines go from thread to thread, and a thread's turn may be half of this and
 * half of that.
 */
#ifndef ITP_UNIT_LOOPS_H
#define ITP_UNIT_LOOPS_H

#include "common/unit/halts.h"

/* So often a function must have come back to a wait to be called a loop; and in this part of all
 * times, as stacks that are broken seem to come back from anywhere. */
#define ITP_LOOP_LEAST 3
#define ITP_LOOP_PART 100
/* In this part of all times the outermost functions of a thread must have ended: then it runs one
 * coroutine after the other, each on a stack of its own, and the loop is the thread's. */
#define ITP_THREAD_LOOP_PART 4

struct itp_loops;

struct itp_loops *itp_loops_new(const struct itp_context_tree *tree);
void itp_loops_free(struct itp_loops *loops);

/* Takes what a thread has come to. */
void itp_loops_note(struct itp_loops *loops, const struct itp_halt *halt);

/* Which loops there are, by all that was noted until now. */
void itp_loops_decide(struct itp_loops *loops);

/* Node of the function whose units the wait `node` begins; ITP_CONTEXT_ROOT when it begins none. */
uint32_t itp_loops_of(const struct itp_loops *loops, uint32_t node);

/* Whether that loop goes round outside of the one that `node` waits in: a connection is accepted in
 * the outer one, and has one request after the other in the inner one. */
bool itp_loops_is_inner(const struct itp_loops *loops, uint32_t node);

/* Whether what is waited for there is work. */
bool itp_loops_is_for_work(const struct itp_loops *loops, uint32_t node);

/* Whether threads have ever been held up there. */
bool itp_loops_blocks(const struct itp_loops *loops, uint32_t node);

/* The node, as itp_loops_of() tells it, of the coroutine's function that looks in `node`. */
uint32_t itp_loops_of_coroutine(const struct itp_loops *loops, uint32_t node);

#endif
