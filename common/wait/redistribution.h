/* SPDX-License-Identifier: MIT */
/*
 * Places that hold up others, over the whole lives of all threads: a long wait may hold up nobody.
 *
 * At each instant a waiting thread has a chain: the thread that will end its wait, the thread that
 * will end the wait of that thread, and on, to a thread that does not wait, that waits for the
 * kernel, or of which nothing is known at that instant. The chain is the critical path of its whole
 * life (critical-path.h), instant by instant, of any depth. A chain ends before a thread would be
 * on it a second time: clocks that disagree may say so.
 *
 * Each place of the chain's threads, other than the waiting thread, holds up the waiting thread and
 * gets the instant, once for each thread held up, however many threads of the chain are at the
 * place. This is wPerf's cascaded redistribution (OSDI 2018): a wait of A for B counts for the edge
 * A → B, and the part for which B waited for C counts for B → C as well, and on. wPerf sums by
 * edges between threads; here sums are by places as well. A place has two parts of its time: at the
 * end of a chain, and before the end, if it only passed on its own wait. Places are ordered by the
 * first part. A proxy that waits for three backends in turn, 20 ns each, thus comes behind each of
 * them, though it is on all three chains.
 *
 * The time that a thread ran while it held up others is divided among its places by a timer's
 * ticks. Ticks are few in short waits: so those of all waits in a place are taken together, and
 * ITP_HELD_TICKS_MORE are added in proportion to its stacks. The sum stays the same.
 *
 * Waits for work are not held up by threads without work to give: their instants count only if
 * nobody on the chain waits for work or for an end, too. Waits for another's end do not count at
 * all. Both are parts of others' chains all the same.
 *
 * The wait-for graph has a vertex for all threads of a process that begin with the same function,
 * and a vertex for each reason for which the kernel ends waits. Edges hold the instants of all
 * chains that take them. Knots are found by knots.h.
 *
 * Sums are exact, and always the same for the same history. Memory grows with the number of
 * threads, and of places that hold up one another, not with the length of the recording.
 */
#ifndef ITP_WAIT_REDISTRIBUTION_H
#define ITP_WAIT_REDISTRIBUTION_H

#include "common/wait/chain.h"
#include "common/wait/held-places.h"

/* Arrays by node of the recall's tree. Weak. */
struct itp_redistribution_input {
	const struct itp_recall *recall;
	/* Number of a place: nodes with the same number are one place. */
	const uint32_t *places;
	/* enum itp_wait_purpose; NULL: ITP_WAIT_FOR_ANYTHING for all. */
	const uint8_t *purposes;
};

/* Free with itp_redistribution_free(). */
struct itp_redistribution *itp_redistribution_new(const struct itp_redistribution_input *input);
void itp_redistribution_free(struct itp_redistribution *redistribution);

#endif
