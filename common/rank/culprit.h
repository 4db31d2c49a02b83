/* SPDX-License-Identifier: MIT */
/*
 * The frame of a ranked path that a person should open first.
 *
 * Blocked time ends in the scheduler on every path, so the hottest frame alone says little. The
 * culprit is the deepest function of the program's own modules under which most of the path's
 * difference in own latency lies. Kernel, C library, loader and language runtimes are not own;
 * the list is data, at the top of culprit.c.
 */
#ifndef ITP_RANK_CULPRIT_H
#define ITP_RANK_CULPRIT_H

#include "common/rank/ranking.h"

/* Whether the function is the program's own, or that of a library of its own. */
bool itp_function_is_own(const struct itp_function *function);

/* Index into `path->frames`, -1 when no own function has most of the difference below it. */
int32_t itp_culprit_find(const struct itp_ranked_path *path,
			 const struct itp_function_table *functions);

#endif
