/* SPDX-License-Identifier: MIT */
/*
 * Entries of a ranking (entry.h), made of the culprits and the paths of the workloads.
 */
#ifndef ITP_RANK_ENTRIES_H
#define ITP_RANK_ENTRIES_H

#include "common/rank/entry.h"

/* Entries of `culprits` (itp_culprits_find()) and `leaves` (struct itp_rank_leaf, most expensive
 * first). Without folding, and for paths without a culprit, each path is an entry. The entries are
 * not sorted, and their significance is not known. */
struct itp_rank_entries *itp_rank_entries_new(const struct itp_rank_state *state,
					      const uint32_t *culprits, const GArray *leaves);
void itp_rank_entries_free(struct itp_rank_entries *entries);

#endif
