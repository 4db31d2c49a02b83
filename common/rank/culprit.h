/* SPDX-License-Identifier: MIT */
/*
 * The frame of a path that a person should open first.
 *
 * Blocked time ends in the scheduler on every path, so the hottest frame alone says little. The
 * culprit is the deepest function of the program's own code below which most of what its callers
 * cost more lies: from the deepest own function of the path the search goes up as long as an own
 * caller costs more than twice as much, over all paths through it. On a path that has no function
 * of the program's own (modules.h), the libraries of the system are taken for it.
 */
#ifndef ITP_RANK_CULPRIT_H
#define ITP_RANK_CULPRIT_H

#include "common/rank/side.h"

/* By node: own latency that it and all below it have more than in the base. Free with g_free(). */
int64_t *itp_culprit_weights(const struct itp_rank_state *state);

/* Node of the culprit of the path that ends in `leaf`. When nothing of the path is the program's
 * own or a library, it is the node that would be the culprit if everything were; ITP_CONTEXT_ROOT
 * when the path costs as much as in the base. */
uint32_t itp_culprit_find(const struct itp_rank_state *state, const int64_t *weights,
			  uint32_t leaf);

#endif
