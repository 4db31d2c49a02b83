/* SPDX-License-Identifier: MIT */
/*
 * Evidence (evidence-parts.h) on groups of contexts, gathered from both workloads and their runs.
 */
#ifndef ITP_RANK_EVIDENCE_H
#define ITP_RANK_EVIDENCE_H

#include "common/rank/evidence-parts.h"

/* Evidence for each of `group_count` groups, with the nodes in `members` (struct itp_member). Free
 * with g_free(). */
struct itp_evidence *itp_evidence_new(const struct itp_rank_state *state, const GArray *members,
				      size_t group_count);

/* Lost part of a workload: of its events, half if nobody knows how many were lost; or of its time,
 * from a loss until threads were seen again, if this is more. */
double itp_evidence_lost_part(const struct itp_rank_state *state,
			      const struct itp_profile *profile);

#endif
