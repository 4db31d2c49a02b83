/* SPDX-License-Identifier: MIT */
/*
 * Which sets of call paths are alike, so that units that took them are of one type (PerfGuard,
 * section 4.2).
 *
 * How unlike two sets are is the paper's Algorithm 1 (distances.h). By that a set of different
 * paths is unlike itself, too; so from the distance of two sets half of that of each to itself is
 * taken, which leaves 0 for equal ones. Hierarchical clustering, by average linkage, does the rest.
 */
#ifndef ITP_UNIT_LIKE_SETS_H
#define ITP_UNIT_LIKE_SETS_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/unit/path-sets.h"

/* All weak. */
struct itp_like_sets {
	const struct itp_context_tree *tree;
	const struct itp_function_table *functions;
	const struct itp_path_sets *paths;
	/* Whose units took the sets. */
	uint32_t loop;
	/* Those with most units first. */
	const uint32_t *sets;
	guint count;
};

/* By set: the first one that is alike; those that are at least as unlike as `cut` (0 to 1) are not.
 * Free with g_free(). */
guint *itp_like_sets_find(const struct itp_like_sets *like, double cut);

#endif
