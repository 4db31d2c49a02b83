/* SPDX-License-Identifier: MIT */
/*
 * System calls with which a loop's units begin, and places where the loop looks for more work
 * without a wait.
 *
 * A server may look for more work behind its answer before it waits again. Work found by a look is
 * a unit, too: otherwise chance would decide about units. A look is known by the read of data with
 * which most units of a wait begin. Repeated after some work, the read begins another unit when the
 * thread has come back as far as
 *   - the loop's own function: a queue had more, and taking it needed no wait; or
 *   - the depth at which the read is the last call before the wait: a look for more, in vain.
 */
#ifndef ITP_UNIT_LOOKS_H
#define ITP_UNIT_LOOKS_H

#include "common/unit/halts.h"
#include "common/unit/loops.h"

/* Part of a wait's units, 1 in 2, with the read as first call; likewise as last call. */
#define ITP_LOOKS_PART 2
/* Part of a wait's units, 1 in 10, without a second read by the loop's function: with fewer, the
 * function just reads several times for each unit. */
#define ITP_LOOKS_ONCE_PART 10

struct itp_looks;

struct itp_looks *itp_looks_new(const struct itp_context_tree *tree);
void itp_looks_free(struct itp_looks *looks);

/* Takes the next halt of a thread; `has_worked`: the thread has made other system calls since its
 * halt before. To be called after the loops are decided by the halt. */
void itp_looks_note(struct itp_looks *looks, const struct itp_loops *loops,
		    const struct itp_halt *halt, bool has_worked);

/* Finds the calls with which the units of each wait begin, by all halts until now. */
void itp_looks_decide(struct itp_looks *looks);

/* Wait whose units begin with the call `node`; ITP_CONTEXT_ROOT for none. */
uint32_t itp_looks_wait_of(const struct itp_looks *looks, uint32_t node);

/* True when the call `node` begins another unit of `loop`, which waits in `wait`; `left_depth`:
 * depth of the outermost call that ended since the call was last made. */
bool itp_looks_begins_unit(const struct itp_looks *looks, uint32_t loop, uint32_t wait,
			   uint32_t node, uint32_t left_depth);

#endif
