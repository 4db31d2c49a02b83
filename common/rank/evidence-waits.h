/* SPDX-License-Identifier: MIT */
/*
 * Errors of blocked time at a node, as evidence-parts.h describes them: of waits that both
 * workloads have, and of waits that only a single one has.
 *
 * Waits that time has ended, as a timeout of poll(), are another event than those that somebody
 * ended. Where only one workload has any at a node, they are waits of that workload alone: 500
 * answers within a millisecond, of which three are waited for in vain for 200 ms, are 497 waits of
 * both, and three that the other workload never had.
 */
#ifndef ITP_RANK_EVIDENCE_WAITS_H
#define ITP_RANK_EVIDENCE_WAITS_H

#include "common/rank/evidence-parts.h"

/* Adds variances of the node's waits, and their number, to both sides. */
void itp_evidence_add_waits(struct itp_evidence *evidence, const struct itp_rank_state *state,
			    uint32_t node);

#endif
