/* SPDX-License-Identifier: MIT */
/*
 * Path of an entry: chosen among its many paths, and described for the result.
 *
 * The dearest path by itself will not do: if most of an entry's Δ is spread over a hundred paths
 * below a function, a single path elsewhere may cost more than each of them. At every fork the path
 * takes the branch with most of the entry's Δ.
 */
#ifndef ITP_RANK_PATH_H
#define ITP_RANK_PATH_H

#include "common/rank/entry.h"

/* Index in `leaves`, by node, of the path through it, ITP_NO_LEAF without any. Entries know their
 * costs, and `leaves` are as in itp_rank_entries_new(). The caller frees the result with
 * g_free(). */
uint32_t *itp_branches_follow(const struct itp_rank_state *state,
			      const struct itp_rank_entries *entries, const GArray *leaves);

/* Path to `leaf`, which stands for `entry`. `moved_from` as of itp_moved_find(), or NULL. */
struct itp_ranked_path itp_ranked_path_make(const struct itp_rank_state *state,
					    const struct itp_rank_leaf *leaf,
					    const struct itp_rank_entry *entry,
					    const uint32_t *moved_from, uint32_t rank);

/* Frees all that a struct itp_ranked_path owns. */
void itp_ranked_path_clear(gpointer data);

#endif
