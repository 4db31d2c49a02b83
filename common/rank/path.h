/* SPDX-License-Identifier: MIT */
/*
 * What a result says of one path.
 */
#ifndef ITP_RANK_PATH_H
#define ITP_RANK_PATH_H

#include "common/rank/entries.h"

/* The path to `leaf`, which stands for `entry`. `moved_from` as of itp_moved_find(), or NULL. */
struct itp_ranked_path itp_ranked_path_make(const struct itp_rank_state *state,
					    const struct itp_rank_leaf *leaf,
					    const struct itp_rank_entry *entry,
					    const uint32_t *moved_from, uint32_t rank);

/* Frees what a struct itp_ranked_path owns. */
void itp_ranked_path_clear(gpointer data);

#endif
