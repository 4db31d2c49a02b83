/* SPDX-License-Identifier: MIT */
/*
 * The frames that a person should open first.
 *
 * Blocked time ends in the scheduler on every path, so the hottest frame alone says little. The
 * culprit of a path is the deepest function of the program's own code below which most of what it
 * costs more lies. The search goes from the root to the leaves, from one own function to the next:
 *
 *   - to a function that has at least half of what its caller costs,
 *   - and to one that is no system library's and worth an entry of its own: in all its contexts
 *     together it costs a twentieth of the largest difference there is, and here as much as its
 *     caller by itself, or a quarter of the largest;
 *     but not below a caller that only one of two workloads has: that it was called is the
 *     difference, and explains all below it.
 *
 * What is left, and what lies below other functions, is the caller's own: it is the culprit there.
 * Below a function of the program's own that has a name everything else is passed over. Where the
 * program was stripped, or is just the main function of an interpreter, a function of a library of
 * the system (modules.h) or of that interpreter with a name tells as much as the program's own
 * without one; what cannot be looked up there, and everything else, is passed over below either.
 *
 * Where nearly all of what a run costs more is divided among several entries, none of them tells
 * the whole: the trunk is the last function above it before it branches.
 */
#ifndef ITP_RANK_CULPRIT_H
#define ITP_RANK_CULPRIT_H

#include "common/rank/side.h"

/* By node: the culprit at or above it, ITP_CONTEXT_ROOT when there is none. Free with g_free(). */
uint32_t *itp_culprits_find(const struct itp_rank_state *state);

/* Sets ranking->trunk: the deepest function with a name, of a program or a library, that has nine
 * tenths of the difference below it, but not of the base's time. Cleared when there is none, as in
 * a run that costs no more than its base. Σ own latencies of the ranking are known. */
void itp_trunk_find(const struct itp_rank_state *state, struct itp_ranking *ranking);

#endif
