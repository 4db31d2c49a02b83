/* SPDX-License-Identifier: MIT */
/*
 * Differences by stacks that were cut: below stand-ins for unknown callers lies time that belongs
 * to functions elsewhere in the tree. Where one workload has more of a function below them, and
 * less of it elsewhere, than the other, it is as likely that more of its stacks were cut there as
 * that it did anything else.
 *
 * An example: of parse(), the base has 20 ms in its place and the suspect none, but 18 ms below
 * unknown callers: 18 ms of both differences are nothing but that.
 */
#ifndef ITP_RANK_UNPLACED_H
#define ITP_RANK_UNPLACED_H

#include "common/rank/evidence-parts.h"

/* Fills evidence[…].unplaced_ns of all `group_count` groups, with the nodes in `members`. */
void itp_unplaced_find(const struct itp_rank_state *state, const GArray *members,
		       size_t group_count, struct itp_evidence *evidence);

#endif
