/* SPDX-License-Identifier: MIT */
/*
 * With which system calls a loop's units begin, and where the loop looks for more without waiting.
 *
 * A server that has answered may look whether there is more before it waits again: what it finds is
 * a unit as well, or what a unit is would be decided by chance. It is known by the reading of data
 * with which most units of a wait begin. Made again after some work, that call begins another unit
 * when the thread has come back as far as
 *   - the loop's own function: a queue had more, and to take it needed no wait; or
 *   - it has when the same call is the last before the wait: there it looks for more, and nothing
 *     was there.
 */
#ifndef ITP_UNIT_LOOKS_H
#define ITP_UNIT_LOOKS_H

#include "common/unit/halts.h"
#include "common/unit/loops.h"

/* In this part of a wait's units the same call must be the first, and likewise the last. */
#define ITP_LOOKS_PART 2
/* In this part of its units, at least, a call that the loop's function makes again is made once, or
 * it is just made several times for each. */
#define ITP_LOOKS_ONCE_PART 10

struct itp_looks;

struct itp_looks *itp_looks_new(const struct itp_context_tree *tree);
void itp_looks_free(struct itp_looks *looks);

/* Takes what a thread has come to, and whether it has made other system calls since it came to what
 * was before; after the loops are decided by that. */
void itp_looks_note(struct itp_looks *looks, const struct itp_loops *loops,
		    const struct itp_halt *halt, bool has_worked);

/* With which calls the units of each wait begin, by all that was noted until now. */
void itp_looks_decide(struct itp_looks *looks);

/* The wait whose units begin with the call `node`; ITP_CONTEXT_ROOT for none. */
uint32_t itp_looks_wait_of(const struct itp_looks *looks, uint32_t node);

/* Whether the call `node` begins another unit of `loop`, which waits in `wait`, when the outermost
 * call that has ended since it was made was so deep. */
bool itp_looks_begins_unit(const struct itp_looks *looks, uint32_t loop, uint32_t wait,
			   uint32_t node, uint32_t left_depth);

#endif
